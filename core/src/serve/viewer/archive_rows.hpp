#pragma once

#include <agon/export.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "results/names.hpp"
#include "viewer/match_index.hpp"

namespace agon::serve {

/// What matches of an archive refer to, by number.
struct ArchiveRows {
  std::vector<archive::RunRow> runs;
  std::map<std::int64_t, archive::SuiteRow> suites;
  std::map<std::int64_t, archive::GameRow> games;
  std::map<std::int64_t, archive::ScenarioRow> scenarios;
  std::map<std::int64_t, archive::AgentRow> agents;
};

[[nodiscard]] AGON_API ArchiveRows read_rows(const archive::Archive& archive);

/// The matches that one suite asked for, or all, and what they are called: as a report of the same
/// calls them. All names are safe to show.
struct SuiteView {
  std::int64_t suite = 0;                        ///< its number; 0: everything
  std::optional<archive::MatchNumbers> among{};  ///< none: everything
  std::map<std::int64_t, std::string> games{};   ///< by number of the scenario's row
  std::map<std::int64_t, std::string> treatments{};
  std::map<std::int64_t, std::string> luck{};  ///< the same for rows that share random numbers
  std::map<std::int64_t, int> decimals{};      ///< of scores
  /// By game and number of the agent's row.
  std::map<std::string, std::map<std::int64_t, std::string>> agents{};

  [[nodiscard]] const archive::MatchNumbers* numbers() const { return among ? &*among : nullptr; }
  /// Empty where the row is not known.
  [[nodiscard]] std::string agent(const std::string& game, std::int64_t row) const;
};

/// `asked`: the number of a suite, "all", or empty for the one that was run last. Throws Error
/// (not_found) for a suite that is not there.
[[nodiscard]] SuiteView view_of(const archive::Archive& archive, const ArchiveRows& rows,
                                const MatchIndex& index, const std::string& asked);

}  // namespace agon::serve
