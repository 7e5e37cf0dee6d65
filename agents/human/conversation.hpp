#pragma once

#include <agon/agent.hpp>
#include <agon/form.hpp>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "human/console.hpp"

namespace agon::agents {

/// Who sat at the console before: which seats were told the rules, and whose turn it was last.
struct Sittings {
  using Seat = std::pair<std::string, int>;  ///< match and seat
  std::set<Seat> told_rules;
  std::optional<Seat> last;
  std::shared_ptr<const Person> person;  ///< whose turn that was
};

/// One question put to a person: shows what is new to the seat, then has the answer's form filled
/// in.
class Conversation final : public Dialogue {
 public:
  /// All must outlive the conversation. `stop` says that nobody waits for the answer any more.
  Conversation(Console& console, const OwnedQuestion& question,
               std::shared_ptr<const Person> person, Sittings& sittings,
               std::function<bool()> stop);

  /// Talks until there is an answer. Nothing if it was stopped.
  std::optional<Reply> run();

  void show(std::string_view lines) override;
  std::optional<std::string> ask(std::string_view prompt) override;
  bool command(std::string_view word) override;

 private:
  enum class Exit : unsigned char { none, quit, decline, stopped };

  std::optional<std::string> fill();
  bool hand_over();
  void greet();
  void show_rules();
  void show_deliveries(std::size_t from, bool questions);
  void show_view(bool docs);
  void show_help();
  void show_question();
  Console::Got line(std::string& text);

  Console& console_;
  const OwnedQuestion& question_;
  std::shared_ptr<const Person> person_;
  Sittings& sittings_;
  std::function<bool()> stop_;
  Form form_;
  Exit exit_ = Exit::none;
  bool fresh_ = true;      ///< nothing was entered yet
  bool was_fresh_ = true;  ///< before the last line
  std::string last_;       ///< line that was entered
  std::string thought_;
  Timing timing_;
};

/// Tells how a match ended for the seats at the console, which have these names: what they heard
/// last, and their scores. Where there are several, what one of them alone was told is left out.
void show_endings(Console& console, std::span<const MatchEnding> endings,
                  std::span<const std::string> seat_names);

}  // namespace agon::agents
