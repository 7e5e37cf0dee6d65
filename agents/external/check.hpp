#pragma once

#include <agon/agent.hpp>
#include <agon/plugin_command.hpp>
#include <agon/process.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "external/worker.hpp"

namespace agon::external {

/// An answer of one shape, for trying an agent.
struct Shape {
  std::string what;  ///< "numbers"
  std::string stage;
  const Type* type = nullptr;
  std::vector<LimitData> limits{};
};

/// One of each shape that an answer can have. What the limits point to lives as long as the
/// process.
[[nodiscard]] std::vector<Shape> shapes();

/// A question of that shape in a made-up match.
[[nodiscard]] OwnedQuestion question_of(const Shape& shape, std::uint32_t number);

/// How one point of the compliance list came out.
struct Verdict {
  std::string what;  ///< "answers a ping"
  bool ok = false;
  std::string said;                   ///< what the program said, or what was wrong
  bool asks_stage = false;            ///< it is about the answer to a question of one stage
  std::optional<StageTrial> stage{};  ///< of a point about a stage of a game
};

/// What came of a check with the stages of a game.
struct Report {
  std::vector<Verdict> list;
  std::vector<std::string> not_tried;  ///< stages that no match asked
};

/// Tries a program against the whole protocol, point by point: the same points in the same order,
/// whatever fails. The options of `program` are not used: the defaults that it declares are.
[[nodiscard]] std::vector<Verdict> check_agent(const Program& program);

/// The same for a program that knows one game, with questions of its matches: see
/// CommandServices::try_agent(), which `game` is for.
[[nodiscard]] Report check_in_game(const Program& program, std::span<const std::string> game,
                                   const CommandServices& services);

/// The command `check-agent`: [--game GAME] [--json] [--seconds N] [--environment NAME]...
/// COMMAND...
int check_agent_command(std::span<const std::string> arguments, const CommandServices& services);

/// Talks to a program under check, and keeps the list. A process that broke is replaced when the
/// next point needs one.
class Checker {
 public:
  explicit Checker(const Program& program) : program_(program) {}

  /// Notes one point. `wrong` is empty if all is well; `said`: what the program said then.
  void note(const std::string& what, const std::string& wrong, const std::string& said);
  /// The points that come first. False if it says no hello.
  bool check_begin();
  /// Whether the answer fits its schema.
  void check_answer(const std::string& what, const OwnedQuestion& question);
  /// How it takes what an agent must pass over, the end of a match, and the next one: with this
  /// question, and an ending of its match.
  void check_matches(const OwnedQuestion& question, const MatchEnding& ending);
  /// The points that come last.
  void check_end();

  /// What comes next is of another match.
  void begin_match() { in_match_ = false; }
  /// The list; it is empty afterwards.
  [[nodiscard]] std::vector<Verdict> take() { return std::exchange(list_, {}); }

 private:
  // All return what is wrong, or nothing.
  /// Starts the program if it does not run.
  std::string start();
  /// Reads one message.
  std::string read(Message& message, std::chrono::milliseconds limit);
  /// Begins the match of a question, and tells what came before it.
  std::string tell(const OwnedQuestion& question, const SeatHistory& history);
  /// Asks one question; the answer, or that it was declined, is left in said_.
  std::string ask(const OwnedQuestion& question, std::string_view before = {});
  std::string ping();
  /// What a stream that stopped means; ends the process.
  std::string broke(Process::Got got, const std::string& line);

  const Program& program_;
  std::unique_ptr<Process> process_;
  std::string hello_;  ///< what it said of itself
  std::string options_ = "{}";
  std::string strays_;  ///< the first line that had no business there
  std::string said_;
  bool in_match_ = false;
  bool asked_ = false;  ///< the point that comes next was about a question
  std::vector<Verdict> list_;
};

}  // namespace agon::external
