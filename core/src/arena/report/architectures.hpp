#pragma once

#include <vector>

#include "report/report.hpp"

namespace agon::report {

/// Main effects and interactions of the factors of every family of agents.
[[nodiscard]] std::vector<FactorReport> make_factors(const Results& results,
                                                     const ReportOptions& options);

/// Ranks and scores along learning sequences, with slopes: the sequence is the unit.
[[nodiscard]] std::vector<LearningTable> make_learning(const Results& results,
                                                       const ReportOptions& options);

/// The rates that the options name, where their metrics are there.
[[nodiscard]] std::vector<RateRow> make_rates(const Results& results, const ReportOptions& options);

}  // namespace agon::report
