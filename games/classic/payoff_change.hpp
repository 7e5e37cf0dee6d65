#pragma once

#include <string>

#include "classic/prepared.hpp"
#include "classic/settings.hpp"
#include "classic/solve.hpp"

namespace classic {

/// Draws other payoffs for a payoff table, without moving an equilibrium: each player's payoffs
/// are multiplied by a number from 1 to 1 + size, and those against the same actions of the others
/// are all moved by the same amount, at most size times the range of the player's payoffs. What a
/// player gains by choosing otherwise is multiplied, so best replies stay.
void change_payoffs(GameData& game, double size, int seed);

/// Where two payoff tables differ in best replies or, of two players, in an extreme equilibrium, by
/// the exact solver; empty: nowhere. They have the same actions.
[[nodiscard]] std::string difference_of(const agon::theory::MatrixGame& one,
                                        const agon::theory::MatrixGame& other);

/// Where the equilibria of two games differ, a line each, in the words of `agon solve`; empty: they
/// are the same. Trees: where backward induction leads.
[[nodiscard]] std::vector<std::string> differences_of(const Solution& one, const Solution& other);

}  // namespace classic
