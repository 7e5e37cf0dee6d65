#pragma once

#include <agon/describe.hpp>
#include <string>
#include <vector>

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

}  // namespace agon
