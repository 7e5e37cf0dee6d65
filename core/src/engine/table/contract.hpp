#pragma once

#include <agon/export.hpp>
#include <agon/game.hpp>
#include <string>
#include <string_view>

/// What a game promises on its card, held against what it does. A break of it is a fault of the
/// game: whatever follows from it, a report or a prompt, would be wrong without a word.
namespace agon {

/// Most questions of one match: a game that asks more never ends.
inline constexpr std::uint32_t kMostQuestions = 1'000'000;
/// Most bytes of one match's record: likewise. SQLite takes values up to 1 GB.
inline constexpr std::size_t kLargestRecord = std::size_t{64} << 20;
/// Most characters that are kept of why a match did not finish, or of why an answer was turned
/// down: a game's exception or check may say anything, and models pay for what they are told.
inline constexpr std::size_t kLongestProblem = 4000;

/// Scores, disagreement points and ideals are no larger than this, and no pie that is there is
/// smaller: reports reckon with fourth powers.
inline constexpr double kLargestScore = 1e50;
inline constexpr double kSmallestPie = 1e-50;
/// Metrics are no larger than this: reports reckon with their squares.
inline constexpr double kLargestMetric = 1e150;

/// Why the outcome is not what the game's card says, empty if it is: scores, anchors and ranks that
/// mean something, and scores and metrics within their bounds, metrics of the declared types.
AGON_API std::string problem_of_outcome(const GameCard& card, const Outcome& outcome);

/// " after a question of stage 'offer'": how far a game had come, for messages; empty if it had
/// asked nothing.
std::string after_stage(std::string_view stage);
/// "the game threw after a question of stage 'offer': no such card".
std::string thrown_by_game(std::string_view what, std::string_view stage);

}  // namespace agon
