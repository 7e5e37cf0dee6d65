#pragma once

#include <agon/agent.hpp>
#include <agon/form.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace agon::agents {

/// Breaks lines that are wider than `columns`, at blanks, between signs that are written without
/// any, and where a word is longer than a line. What follows is moved right as far as the line
/// itself, or, in a line of a table, as far as its last column. The text is printable but for
/// emphasis (`ESC [ ... m`), which takes no room.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns);

/// Lines in, text out: a terminal or a pair of pipes. Not for more than one thread.
class Console {
 public:
  /// Reads from `in` and writes to `out`; both stay the caller's.
  Console(int in, int out);

  /// True if somebody sits there: both ends are terminals.
  [[nodiscard]] bool is_terminal() const { return terminal_; }

  void write(std::string_view text);
  /// The same, broken into lines that are no wider than the terminal or, elsewhere, 80 columns.
  void show(std::string_view text);
  /// Emphasised on a terminal, unless NO_COLOR is set.
  [[nodiscard]] std::string bold(std::string_view text) const;
  [[nodiscard]] std::string dim(std::string_view text) const;

  /// How reading a line ended.
  enum class Got : unsigned char {
    line,
    end,      ///< there is nothing more to read, now and ever
    stopped,  ///< `stop` said so
  };
  /// Waits for a line and stores it without its line break. `stop` is looked at every 50 ms, so
  /// that waiting for a person never holds up anything else. What follows the last line break
  /// before the end counts as a line. Lines above 1 MiB end the input: no person types them.
  Got read_line(std::string& line, const std::function<bool()>& stop);

  /// Forgets what was typed but not yet read, on a terminal: it was meant for a question that is
  /// gone.
  void drop_typed();

 private:
  int in_, out_;
  bool terminal_ = false;
  bool colour_ = false;
  bool ended_ = false;
  std::string buffer_;
};

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
