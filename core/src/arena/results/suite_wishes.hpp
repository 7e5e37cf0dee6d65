#pragma once

#include <agon/export.hpp>
#include <string>

#include "archive/archive.hpp"
#include "stats/score_table.hpp"
#include "suite/suite.hpp"

namespace agon::report {

/// What the last suite that wrote an archive says about reports.
struct SuiteWishes {
  std::string against{};
  std::string policy{};
  std::string aggregate{};
  double level = 0.95;
};
[[nodiscard]] AGON_API SuiteWishes suite_wishes(const archive::Archive& archive);

/// The fault policy: `asked` on the command line, else the suite's. Throws Error for an unknown
/// name.
[[nodiscard]] AGON_API FaultPolicy policy_of(const std::string& asked, const SuiteWishes& suite,
                                             const std::string& path);

/// What is averaged over games: `asked` on the command line, else the suite's. Throws likewise.
[[nodiscard]] AGON_API stats::Aggregate aggregate_of(const std::string& asked,
                                                     const SuiteWishes& suite,
                                                     const std::string& path);

}  // namespace agon::report
