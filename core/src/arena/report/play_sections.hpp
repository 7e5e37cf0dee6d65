#pragma once

#include <vector>

#include "archive/archive.hpp"
#include "report/report.hpp"

namespace agon::report {

/// So many matches of a game are about the most that is read for a table of its own: records are.
inline constexpr std::int64_t kMostRead = 500;

/// How games were played: a section for each of the cards that finds something in the archive.
/// Where a game has more than kMostRead matches, it is made from every so-manieth block of each of
/// its scenarios, and says so. Matches that were played without a record are passed over. On so
/// many threads, which changes no figure.
[[nodiscard]] std::vector<Section> play_sections(const archive::Archive& archive,
                                                 const Results& results,
                                                 const std::vector<const TableCard*>& cards,
                                                 double level, std::size_t threads);

}  // namespace agon::report
