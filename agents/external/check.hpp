#pragma once

#include <string>
#include <vector>

#include "external/worker.hpp"

namespace agon::external {

/// How one point of the compliance list came out.
struct Verdict {
  std::string what;  ///< "answers a ping"
  bool ok = false;
  std::string said;         ///< what the program said, or what was wrong
  bool asks_stage = false;  ///< it is about the answer to a question of a made-up stage
};

/// Tries a program against the whole protocol, point by point: the same points in the same order,
/// whatever fails. The options of `program` are not used: the defaults that it declares are.
[[nodiscard]] std::vector<Verdict> check_agent(const Program& program);

/// The command `check-agent`: [--json] [--seconds N] [--environment NAME]... COMMAND...
int check_agent_command(std::span<const std::string> arguments);

}  // namespace agon::external
