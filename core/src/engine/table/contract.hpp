#pragma once

#include <agon/export.hpp>
#include <agon/game.hpp>
#include <boost/json/object.hpp>
#include <limits>
#include <span>
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
/// mean something, and metrics within their bounds and of the declared types.
AGON_API std::string problem_of_outcome(const GameCard& card, const Outcome& outcome);

/// How many decimals the amounts of a metric are shown with; 0: it is no amount.
AGON_API int decimals_of(const Field& metric);
/// Metrics as JSON: amounts in their unit (12.5, not cents), null for what is not defined. Empty
/// without a type.
AGON_API boost::json::object metrics_json(const Type* type,
                                          const InlineList<double, kMaxMetrics>& values);

/// (score - disagreement) / (ideal - disagreement); NaN where there is no pie.
[[nodiscard]] inline double normalized(const SeatOutcome& own) {
  const double pie = own.ideal - own.disagreement;
  return pie > 0 ? (own.score - own.disagreement) / pie : std::numeric_limits<double>::quiet_NaN();
}

/// How a normalised score goes beyond the card's score_range, empty if none does. Such a match
/// counts as it was played, lest who did too well for the range has no score: `agon check` finds
/// it, and reports say so and do without the range.
AGON_API std::string problem_of_score_range(const GameCard& card, const Outcome& outcome);

/// How large a match is: the metric that the card's `stake` names; 1 where it names none.
AGON_API double stake_of(const GameCard& card, std::span<const double> match_metrics);

/// " after a question of stage 'offer'": how far a game had come, for messages; empty if it had
/// asked nothing.
std::string after_stage(std::string_view stage);
/// "the game threw after a question of stage 'offer': no such card".
std::string thrown_by_game(std::string_view what, std::string_view stage);

}  // namespace agon
