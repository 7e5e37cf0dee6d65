#pragma once

#include "report/report.hpp"

namespace agon::report {

/// Every agent's difference to the reference, with an interval of a confidence sequence: it holds
/// however often, and whenever, one looks. In alphabetical order; none without a scored reference.
[[nodiscard]] std::vector<AnytimeRow> make_anytime(const Results& results,
                                                   const ReportOptions& options);

}  // namespace agon::report
