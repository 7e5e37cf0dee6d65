#include "report/table_document.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <filesystem>

#include "report/report.hpp"
#include "results/played_archive.hpp"
#include "results/suite_wishes.hpp"
#include "text/counted.hpp"

namespace agon::report {
namespace {

/// The scenario as a person would name it here: in this folder, among the shipped ones, or as in
/// the source tree.
std::string scenario_file(std::string_view scenario, const std::string& folder) {
  std::error_code none;
  std::string here = "scenarios/" + std::string(scenario);
  if (std::filesystem::exists(here, none)) return here;
  const std::filesystem::path shipped = std::filesystem::path(folder) / scenario;
  return std::filesystem::exists(shipped, none) ? shipped.lexically_normal().string() : here;
}

/// `run`: the last one, if it is to play the table's game and did not come to its end.
[[noreturn]] void lacks(const TableCard& card, const std::string& what, const std::string& path,
                        const std::string& folder, const OpenRun& run) {
  if (run.open())
    throw Error(ErrorKind::failure,
                fmt::format("table '{}' cannot be made yet: the archive has no {}", card.id, what),
                path, run.text());
  const std::string file = scenario_file(card.scenario, folder);
  const std::string out = std::filesystem::path(card.scenario).stem().string() + ".agon";
  throw Error(ErrorKind::failure,
              fmt::format("table '{}' cannot be made: the archive has no {}", card.id, what), path,
              fmt::format("make them: agon run {0} --out {1} && agon report {1} --table {2}"
                          "\n  (agon run ... --model mock shows without a key what it does)",
                          file, out, card.id));
}

void check(const TableCard& card, const PaperTable& table) {
  for (const TableRow& row : table.rows)
    if (row.cells.size() != table.columns.size())
      throw Error(ErrorKind::failure,
                  fmt::format("table '{}' is made wrongly: row '{}' has {} cells for {} columns",
                              card.id, row.label, row.cells.size(), table.columns.size()),
                  "", "this is a mistake of the plugin that brings it");
}

}  // namespace

Document table_document(const TableCard& card, const std::string& path, const Catalogue& catalogue,
                        const std::string& scenario_folder, const ScopeChoice& asked) {
  archive::Archive archive = archive::Archive::open(path);
  const std::string game =
      std::string(card.game) + (card.also.empty() ? "" : " or ") + std::string(card.also);
  Document document;
  Made& made = document.made;
  made.table = {std::string(card.id), std::string(card.source), game};
  archive.together([&] {
    made.scope = narrow(archive, asked);
    made.level = suite_wishes(archive).level;
    const auto games = archive.games();
    OpenRun run = open_run(archive, path, card.game);
    if (!run.open() && !card.also.empty()) run = open_run(archive, path, card.also);
    const bool there = std::any_of(games.begin(), games.end(), [&](const auto& g) {
      return g.second.name == card.game || (!card.also.empty() && g.second.name == card.also);
    });
    if (!there)
      lacks(card, fmt::format("matches of the game '{}'", game), path, scenario_folder, run);
    add_alerts(document, run);
    const PlayedArchive matches(archive, std::string(card.game), card.reads_records, made.level,
                                std::string(card.also));
    PaperTable table;
    try {
      table = card.make(matches);
    } catch (const LacksData& missing) {
      lacks(card, missing.what, path, scenario_folder, run);
    }
    check(card, table);
    made.matches = matches.handed_out();
    document.sections.push_back(
        paper_section(card, table,
                      fmt::format("{} ({}). From {} of {}.", card.source, card.id,
                                  text::counted(*made.matches, "match", "matches"), game),
                      made.level));
    std::vector<Participant> agents;
    const auto rows = archive.agents();
    for (const auto& [number, seats] : matches.seats())
      agents.push_back(participant(archive.row(rows, number), seats, &catalogue, card.game));
    std::stable_sort(agents.begin(), agents.end(),
                     [](const Participant& a, const Participant& b) { return a.agent < b.agent; });
    document.sections.push_back(who_played(agents));
  });
  return document;
}

}  // namespace agon::report
