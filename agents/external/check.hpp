#pragma once

#include <agon/plugin_command.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "external/worker.hpp"

namespace agon::external {

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

}  // namespace agon::external
