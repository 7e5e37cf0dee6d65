#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "plugin/importer.hpp"

namespace agon {

/// What a run of `agon import` keeps in the place of a suite file.
struct ImportedRuns {
  /// Where one match is from.
  struct Origin {
    std::string scenario;
    std::int64_t block = 0;
    std::string file;
    std::int64_t line = 0;
  };
  std::string importer;
  std::string source;
  std::string licence;
  std::vector<Origin> matches;
};
AGON_DESCRIBE(ImportedRuns::Origin, (scenario, "of the match in the archive"),
              (block, "of the match in the archive"), (file, "that has its log"),
              (line, "of the file, where its log begins", agon::at_least(0)))
AGON_DESCRIBE(ImportedRuns, (importer, "that read the logs"), (source, "where they were published"),
              (licence, "under which terms"), (matches, "those that were read"))

/// Where an imported match is from, in a line for people; nothing of a match that was played here.
[[nodiscard]] AGON_API std::optional<std::string> origin_of(const archive::Archive& archive,
                                                            const archive::MatchRow& match);

class Catalogue;

/// A published figure that our rules do not come to.
struct Disagreement {
  std::string file;
  std::int64_t line = 0;  ///< of the log; 0: not known
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
