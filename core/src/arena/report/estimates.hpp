#pragma once

#include <span>
#include <vector>

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

/// Every agent's difference to the reference, with an interval of a confidence sequence: it holds
/// however often, and whenever, one looks. In alphabetical order; none without a scored reference.
[[nodiscard]] std::vector<AnytimeRow> make_anytime(const Results& results,
                                                   const ReportOptions& options);

/// Main effects and interactions of the factors of every family of agents.
[[nodiscard]] std::vector<FactorReport> make_factors(const Results& results,
                                                     const ReportOptions& options);

/// Ranks and scores along learning sequences, with slopes: the sequence is the unit.
[[nodiscard]] std::vector<LearningTable> make_learning(const Results& results,
                                                       const ReportOptions& options);

/// The rates that the options name, where their metrics are there.
[[nodiscard]] std::vector<RateRow> make_rates(const Results& results, const ReportOptions& options);

/// Means of a game's own metrics by agent and role, with studentised intervals over its units.
[[nodiscard]] std::vector<MetricRow> make_metrics(const Results& results, const GameResults& game,
                                                  const ReportOptions& options);

/// Every ordered pair of agents that met. Differences are in the unit of the game's score.
[[nodiscard]] std::vector<PairwiseRow> make_pairs(const Results& results, const GameResults& game,
                                                  const ReportOptions& options);

/// Fills in the strengths of a game.
void make_strengths(const GameResults& game, const ReportOptions& options, GameReport& out);

/// Fills in the TrueSkill ratings of a game.
void make_trueskill(const GameResults& game, const ReportOptions& options, GameReport& out);

}  // namespace agon::report
