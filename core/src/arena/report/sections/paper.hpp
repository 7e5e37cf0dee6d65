#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/export.hpp>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "report/report.hpp"
#include "report/tables.hpp"
#include "results/participant.hpp"
#include "results/scope.hpp"

namespace agon {
class Catalogue;
}

namespace agon::report {

/// The table of a paper from the archive at `path`, and who played for it; `catalogue` knows them.
/// `scenario_folder`: where the shipped scenarios lie, for the command that makes what is missing.
/// `scope`: which matches it is of. Throws Error (failure) with that command if the archive has
/// nothing fitting.
[[nodiscard]] AGON_API Document table_document(const TableCard& card, const std::string& path,
                                               const Catalogue& catalogue,
                                               const std::string& scenario_folder,
                                               const ScopeChoice& scope = {});

/// Adds the table of every paper that the archive at `path` has the matches for, and who played.
/// Throws Error (not_found) if there is none.
AGON_API void add_papers(Document& document, const std::string& path, const Catalogue& catalogue,
                         const ScopeChoice& scope = {});

/// The table that a card makes of `matches`. Throws LacksData; and Error (failure) for a table
/// whose rows do not fit its columns.
[[nodiscard]] PaperTable checked_table(const TableCard& card, const PlayedMatches& matches);

/// What a maker gave as a section for any renderer. `introduction`: where it is from.
[[nodiscard]] AGON_API ReportSection paper_section(const TableCard& card, const PaperTable& table,
                                                   const std::string& introduction, double level);

/// Who they are that played.
[[nodiscard]] ReportSection who_played(const std::vector<Participant>& agents);

/// So many matches of a game are about the most that is read for a table of its own: records are.
inline constexpr std::int64_t kMostRead = 500;

/// How games were played: a section for each of the cards that finds something in the archive.
/// Where a game has more than kMostRead matches, it is made from every so-manieth block of each of
/// its scenarios, and says so. Matches that were played without a record are passed over. On so
/// many threads, which changes no figure.
[[nodiscard]] std::vector<ReportSection> play_sections(const archive::Archive& archive,
                                                       const Results& results,
                                                       const std::vector<const TableCard*>& cards,
                                                       double level, std::size_t threads);

}  // namespace agon::report
