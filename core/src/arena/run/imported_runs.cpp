#include "run/imported_runs.hpp"

#include <fmt/format.h>

#include "describe/read.hpp"

namespace agon {

std::optional<std::string> origin_of(const archive::Archive& archive,
                                     const archive::MatchRow& match) {
  const auto scenarios = archive.scenarios();
  const archive::ScenarioRow& scenario = archive.row(scenarios, match.key.scenario);
  for (const archive::RunRow& run : archive.runs()) {
    if (!run.suite || run.seed != scenario.seed) continue;
    const auto text = archive.content(*run.suite);
    const auto imported = text ? read_recorded<ImportedRuns>(*text) : std::nullopt;
    if (!imported) continue;
    for (const ImportedRuns::Origin& origin : imported->matches)
      if (origin.scenario == scenario.name && origin.block == match.key.block)
        return fmt::format("{}:{}, of {} ({})", origin.file, origin.line, imported->source,
                           imported->licence);
  }
  return std::nullopt;
}

}  // namespace agon
