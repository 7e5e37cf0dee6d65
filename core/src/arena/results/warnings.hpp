#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "archive/archive.hpp"

namespace agon::report {

struct Results;

/// What must be known whichever figure is read.
struct Warning {
  std::string id;                    ///< as figures name it
  std::string words;                 ///< in sentences
  std::vector<std::string> games{};  ///< whose figures it is about; none: all
};

/// Warnings from how matches came about: a stopping rule, looks at several numbers of blocks, fewer
/// blocks than the suite says, files that changed. `runs`: all of the archive, which by now is
/// narrowed to the suite `asked`. `shares`: the suites of which matches are among these.
[[nodiscard]] std::vector<Warning> run_warnings(const archive::Archive& archive,
                                                const std::vector<archive::RunRow>& runs,
                                                std::int64_t asked,
                                                const std::vector<std::int64_t>& shares);

/// Games and programs of which the archive, as far as it is narrowed, has matches from several
/// files under one version. `runs`: all of the archive.
[[nodiscard]] AGON_API std::vector<Warning> changed_files(const archive::Archive& archive,
                                                          const std::vector<archive::RunRow>& runs);

/// Agents whose matches in several suites were against different background agents. `held`: what
/// each suite asked for.
[[nodiscard]] std::vector<Warning> background_warnings(
    const archive::Archive& archive, const std::map<std::int64_t, archive::Selection>& held);

/// Warnings from what the matches say: broken ones, blocks that the fault policy leaves out, scores
/// outside their declared range.
[[nodiscard]] std::vector<Warning> result_warnings(const Results& results);

}  // namespace agon::report
