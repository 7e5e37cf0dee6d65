#pragma once

#include <agon/analysis/game_theory.hpp>
#include <optional>
#include <string>
#include <vector>

#include "classic/settings.hpp"

namespace classic {

/// What cooperation is in a payoff table, and what answers those who do not cooperate.
struct Cooperation {
  std::vector<std::size_t> action;  ///< by player: what it does to cooperate
  std::vector<std::size_t> punish;  ///< by player: what it does instead to answer others
  /// By player and action: does the action count as cooperation? One does if it leaves everybody
  /// else, as long as they cooperate, no less than `action` would.
  std::vector<std::vector<bool>> counts;
};

/// Cooperation by the payoffs alone: everybody's part of the fairest outcome, which is the one that
/// is best for whoever gets least in it, and of equals the one with more for all together. Nothing
/// if that is not one outcome, or if somebody would get as much where all punish.
[[nodiscard]] std::optional<Cooperation> cooperation_of(const agon::theory::MatrixGame& game);

/// Cooperation as given. To punish is to play the part of the pure equilibrium that is worst for
/// the others, of those in which the player does something else; where there is none, the action
/// that leaves the others least at best.
[[nodiscard]] Cooperation cooperation_by(const agon::theory::MatrixGame& game,
                                         std::vector<std::size_t> action);

/// Why nobody can say what cooperation is under these settings; empty if it can be said.
[[nodiscard]] std::string why_no_cooperation(const Settings& settings);

}  // namespace classic
