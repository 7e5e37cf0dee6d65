#pragma once

#include <agon/analysis/game_theory.hpp>
#include <agon/export.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace agon::theory {

/// The most actions a player may have for every support to be looked at again and again.
inline constexpr std::size_t kMostEnumeratedActions = 6;

/// Which actions of both players are used: bit a for action a.
using Support = std::pair<std::uint32_t, std::uint32_t>;

/// Weights of both players, over all their actions.
using Weights = std::array<std::vector<double>, 2>;

/// The equilibrium of a two-player game in which exactly these actions are used, in doubles, if
/// there is one and only one. For many games that differ a little, such as resamples; for a single
/// game extreme_equilibria is exact. Supports of different sizes have none in a game that is not
/// degenerate.
[[nodiscard]] AGON_API std::optional<Weights> equilibrium_on(const MatrixGame& game,
                                                             Support support);

/// All supports on which equilibrium_on finds one, fewest actions first. Throws Error for more than
/// kMostEnumeratedActions actions.
[[nodiscard]] AGON_API std::vector<Support> equilibrium_supports(const MatrixGame& game);

}  // namespace agon::theory
