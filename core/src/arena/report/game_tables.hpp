#pragma once

#include "report/report.hpp"

namespace agon::report {

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
