#pragma once

#include <span>

#include "report/report.hpp"
#include "stats/score_table.hpp"

namespace agon::report {

/// A game's scores under one counting as rows of a score table. Scenarios and treatments become
/// roles of the game, so that each weighs the same, whatever its blocks and pies. An agent that has
/// no pie to count at all is not in the table.
void append_rows(const GameResults& game, const Results& results, Counting counting,
                 std::vector<stats::ScoreRow>& rows);

/// Tells a table of some of the games what their cards say of their scores, and what the roles that
/// append_rows() makes are called.
void describe_games(stats::ScoreTable& table, std::span<const GameResults> games);

/// Whose scores.
enum class Whose : std::uint8_t {
  all,
  compared,  ///< those that are compared with one another: not Results::against_others
};

/// The scores of all games.
[[nodiscard]] stats::ScoreTable score_table(const Results& results, Counting counting,
                                            Whose whose = Whose::all);

/// The leaderboard under the chosen policy.
[[nodiscard]] Leaderboard make_leaderboard(const Results& results, const ReportOptions& options);

/// The scores of one treatment of a game.
[[nodiscard]] TreatmentTable make_treatment(const Results& results, const GameResults& game,
                                            std::size_t treatment, const ReportOptions& options);

/// Means and ranks under the three fault policies.
[[nodiscard]] std::vector<PolicyRow> make_policies(const Results& results,
                                                   const ReportOptions& options);
/// Whether the policy decides the ranking, in a sentence.
[[nodiscard]] std::string policy_verdict(const Results& results,
                                         const std::vector<PolicyRow>& policies);

/// Every agent with a missing match, and how far it could matter.
[[nodiscard]] std::vector<BoundsRow> make_bounds(const Results& results);

}  // namespace agon::report
