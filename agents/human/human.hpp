#pragma once

#include <agon/agent.hpp>
#include <agon/form.hpp>
#include <agon/waiting.hpp>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

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

/// Where people sit: one console that all human seats of a process share. It takes questions from
/// any thread and puts them to the people one at a time, in the order in which they came, on a
/// thread of its own. People play one match at a time: questions of others wait until it is over,
/// and their time limits run only from when they are put.
class Desk {
 public:
  Desk(int in, int out) : console_(in, out) {}
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;
  /// Ends the conversation that goes on, within 50 ms.
  ~Desk();

  /// The process's own: standard input, and standard error, as standard output is for results. It
  /// lives as long as somebody holds it.
  static std::shared_ptr<Desk> standard();

  /// Returns at once. Replies come with `person`.
  void put(OwnedQuestion question, std::shared_ptr<const Person> person, Completion done);
  /// How a match ended for a seat; told when it is over.
  void end(MatchEnding ending);
  /// Nothing more comes of this match. Returns when those who played it were told how it ended.
  void match_over(const void* table);

 private:
  struct Waiting {
    OwnedQuestion question;
    std::shared_ptr<const Person> person;
    Completion done;
    /// For the answer, once the question is put; nothing: as long as it takes.
    std::optional<std::chrono::steady_clock::duration> limit;
  };
  void serve();
  /// The question that is put next; nothing if the match at the desk has none. Called with the
  /// mutex held.
  std::optional<Waiting> next();
  void converse(Waiting& waiting);

  Console console_;
  Sittings sittings_;  ///< touched by the thread alone
  std::mutex mutex_;
  Condition changed_;
  std::deque<Waiting> waiting_;
  std::vector<MatchEnding> endings_;
  std::optional<const void*> at_;        ///< the match that is played at the desk
  std::vector<std::string> seat_names_;  ///< of that match
  bool over_ = false;                    ///< it is, and nobody has been told
  bool left_ = false;                    ///< somebody left it, and was told so
  bool closing_ = false;
  std::thread thread_;
};

/// Parameters of `human`: who sits there, for the archive. Nothing of it is shown to other seats.
struct HumanParams {
  std::string pseudonym;
  std::string session;
  std::string consent;
  std::string told;
  bool probes = false;
};
AGON_DESCRIBE(HumanParams,
              (pseudonym, "what the person is called in the archive; never a real name",
               agon::length(0, 100)),
              (session, "the sitting that this match belongs to", agon::length(0, 100)),
              (consent, "SHA-256 of the text that the person agreed to", agon::length(0, 64)),
              (told, "what the person was told about the opponents", agon::length(0, 2000)),
              (probes,
               "also asks the person for plans and beliefs, which are no part of the game and may "
               "be passed over"))

/// A person at the terminal, or at the other end of a pipe. The dialogue is built from the
/// question's description alone, so people play any game of any plugin.
class Human final : public WaitingAgent {
 public:
  using Params = HumanParams;
  explicit Human(const Params& params);
  /// At another desk than the process's own.
  Human(const Params& params, std::shared_ptr<Desk> desk);
  ~Human() override;

  void ask(OwnedQuestion question, Completion done) const override;
  void match_ended(MatchEnding ending) const override;
  void match_over(const void* table) const noexcept override;
  [[nodiscard]] bool answers_probes() const override { return params_.probes; }
  [[nodiscard]] bool is_costly() const override { return true; }

 private:
  Params params_;
  std::shared_ptr<const Person> person_;
  std::shared_ptr<Desk> desk_;
};

}  // namespace agon::agents
