#pragma once

#include <agon/export.hpp>
#include <agon/importer.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace agon {

class Catalogue;

/// A published figure that our rules do not come to.
struct Disagreement {
  std::string file;
  std::size_t line = 0;  ///< of the log; 0: not known
  std::string scenario;
  std::int64_t block = 0;  ///< of the match in the archive
  std::string what;        ///< for people: "day 3: Alex's balance"
  std::string ours;        ///< JSON
  std::string published;   ///< JSON
};

/// What came of published matches.
struct ImportedMatches {
  std::uint64_t matches = 0;  ///< that are in the archive now
  std::uint64_t before = 0;   ///< of these: those that were there before
  std::uint64_t figures = 0;  ///< that were compared
  std::vector<Disagreement> disagreements{};
  std::vector<BadRow> left_out{};  ///< matches that our rules cannot play as the log has them
};

/// How to import published matches.
struct ImportOptions {
  std::string archive;                      ///< path; made if there is none
  std::string command = "[]";               ///< JSON array of the command line, for the archive
  std::vector<std::string> data_folders{};  ///< roots of shipped data, for settings that name some
};

/// What the agents of published matches are called: "published: gpt-4-32k".
inline constexpr std::string_view kPublished = "published: ";

/// Plays published matches again by our rules, with the answers and the chance of the log, compares
/// what comes out with the figures of the log, and stores the matches. What a seat said must be
/// legal and used up; a match where it is not is left out. All are played before any is stored, and
/// without a match no archive is made. Throws Error if the archive cannot be written: one that was
/// not there before is not there then either.
AGON_API ImportedMatches import_matches(const Importer& importer, const Imported& imported,
                                        const Catalogue& catalogue, const ImportOptions& options);

}  // namespace agon
