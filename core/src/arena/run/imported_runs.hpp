#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"

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

}  // namespace agon
