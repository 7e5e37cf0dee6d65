#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "stats/branch_effects.hpp"

namespace agon {
class Catalogue;
}
namespace agon::archive {
class Archive;
}

namespace agon::branch {

/// Which agents explain scores, and how well their expected ones are known.
struct ControlRequest {
  /// Agents of the archive by name, or agents as the command line has them; empty: no controls.
  std::vector<std::string> agents{};
  std::uint64_t blocks = 2000;  ///< played beyond those of the archive, for a scenario
};

/// An agent's score in a game, with and without what the controls explain.
struct ControlledScore {
  std::string game;
  std::string agent;
  std::vector<std::string> controls{};  ///< that there are: an agent is no control of itself
  stats::ControlledEstimate score{};
};

/// Plays the archive's matches again with control agents in the place of each agent that has a
/// score, on the same chance, and `blocks` further blocks. Of the other seats those stay that
/// answer at once; controls sit on the rest. Matches of learning sequences have no controls. By
/// game and agent. Throws Error for a control that does not play a game, and for one that has to be
/// waited for.
[[nodiscard]] AGON_API std::vector<ControlledScore> controlled_scores(
    const archive::Archive& archive, const Catalogue& catalogue, const ControlRequest& request,
    const stats::IntervalOptions& options);

}  // namespace agon::branch
