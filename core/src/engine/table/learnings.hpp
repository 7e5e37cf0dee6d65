#pragma once

#include <agon/agent.hpp>
#include <agon/learning.hpp>
#include <agon/table.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "table/match_state.hpp"

/// @file
/// What carries over from match to match on behalf of every game (agon/learning.hpp).
namespace agon {

/// What the arena had a seat carry over; empty for what a game carried.
[[nodiscard]] std::optional<TakenAlong> read_learnings(std::string_view json);

/// Reminds seats of what they took along from the match before.
void remind(AnyTable& table, const MatchState& match);
/// Asks seats what they take along to the next match, where one follows.
void take_learnings(AnyTable& table, const MatchState& match, const Outcome& outcome);

/// "Your score: 3.50 (in dollars)."
[[nodiscard]] std::string score_in_words(const MatchState& match, int seat, double score);

}  // namespace agon
