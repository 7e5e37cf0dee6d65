#include "report/table_document.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "plugin/catalogue.hpp"
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

std::string games_of(const TableCard& card) {
  return std::string(card.game) + (card.also.empty() ? "" : " or ") + std::string(card.also);
}

/// `run`: the last one, if it is to play the table's game and did not come to its end.
[[noreturn]] void lacks(const TableCard& card, const std::string& what, const std::string& path,
                        const std::string& folder, const OpenRun& run) {
  if (run.open())
    throw Error(ErrorKind::failure,
                fmt::format("table '{}' cannot be made yet: the archive has no {}", card.id, what),
                path, run.text());
  if (card.scenario.empty())
    throw Error(ErrorKind::failure,
                fmt::format("table '{}' cannot be made: the archive has no {}", card.id, what),
                path, fmt::format("play them: a suite with the game '{}'", card.game));
  const std::string file = scenario_file(card.scenario, folder);
  const std::string out = std::filesystem::path(card.scenario).stem().string() + ".agon";
  throw Error(ErrorKind::failure,
              fmt::format("table '{}' cannot be made: the archive has no {}", card.id, what), path,
              fmt::format("make them: agon run {0} --out {1} && agon report {1} --table {2}"
                          "\n  (agon run ... --model mock shows without a key what it does)",
                          file, out, card.id));
}

}  // namespace

PaperTable checked_table(const TableCard& card, const PlayedMatches& matches) {
  PaperTable table = card.make(matches);
  for (const TableRow& row : table.rows)
    if (row.cells.size() != table.columns.size())
      throw Error(ErrorKind::failure,
                  fmt::format("table '{}' is made wrongly: row '{}' has {} cells for {} columns",
                              card.id, row.label, row.cells.size(), table.columns.size()),
                  "", "this is a mistake of the plugin that brings it");
  return table;
}

namespace {

/// A table of an archive as a section; throws LacksData. `seats` grows by those who played for it.
Section section_of(const TableCard& card, const archive::Archive& archive, double level,
                   std::int64_t& read, std::map<std::int64_t, std::int64_t>& seats) {
  const PlayedArchive matches(archive, std::string(card.game), card.reads_records, level,
                              std::string(card.also));
  const PaperTable table = checked_table(card, matches);
  read = matches.handed_out();
  for (const auto& [agent, count] : matches.seats()) seats[agent] = std::max(seats[agent], count);
  const std::string from =
      card.source.empty() ? std::string(card.id) : fmt::format("{} ({})", card.source, card.id);
  return paper_section(card, table,
                       fmt::format("{}. From {} of {}.", from,
                                   text::counted(read, "match", "matches"), games_of(card)),
                       level);
}

Section who_played(const archive::Archive& archive, const Catalogue& catalogue,
                   const std::map<std::int64_t, std::int64_t>& all, std::string_view game) {
  std::vector<Participant> agents;
  const auto rows = archive.agents();
  for (const auto& [number, seats] : all)
    agents.push_back(participant(archive.row(rows, number), seats, &catalogue, game));
  std::stable_sort(agents.begin(), agents.end(),
                   [](const Participant& a, const Participant& b) { return a.agent < b.agent; });
  return report::who_played(agents);
}

}  // namespace

void add_papers(Document& document, const std::string& path, const Catalogue& catalogue,
                const ScopeChoice& asked) {
  archive::Archive archive = archive::Archive::open(path);
  bool any = false;
  archive.together([&] {
    narrow(archive, asked);
    const double level = suite_wishes(archive).level;
    std::set<std::string, std::less<>> games;
    for (const auto& [number, game] : archive.games()) games.insert(game.name);
    std::map<std::string_view, std::map<std::int64_t, std::int64_t>> seats;  // by game
    for (const TableCard* card : catalogue.tables()) {
      if (card->in_report || (!games.contains(card->game) && !games.contains(card->also))) continue;
      try {
        std::int64_t read = 0;
        document.sections.push_back(section_of(*card, archive, level, read, seats[card->game]));
        any = true;
      } catch (const LacksData&) {
        continue;  // what else it needs was not played
      }
    }
    for (const auto& [game, all] : seats)
      if (!all.empty()) document.sections.push_back(who_played(archive, catalogue, all, game));
  });
  if (!any)
    throw Error(ErrorKind::not_found, "no table of a paper can be made of this archive", path,
                "'agon report --list-tables' says which suite plays for each");
}

Document table_document(const TableCard& card, const std::string& path, const Catalogue& catalogue,
                        const std::string& scenario_folder, const ScopeChoice& asked) {
  archive::Archive archive = archive::Archive::open(path);
  const std::string game = games_of(card);
  Document document;
  Made& made = document.made;
  made.table = {std::string(card.id), std::string(card.source), game};
  archive.together([&] {
    Narrowed scope = narrow(archive, asked);
    made.scope = scope;
    made.level = suite_wishes(archive).level;
    const auto games = archive.games();
    OpenRun run = open_run(archive, path, card.game);
    if (!run.open() && !card.also.empty()) run = open_run(archive, path, card.also);
    const bool there = std::any_of(games.begin(), games.end(), [&](const auto& g) {
      return g.second.name == card.game || (!card.also.empty() && g.second.name == card.also);
    });
    if (!there)
      lacks(card, fmt::format("matches of the game '{}'", game), path, scenario_folder, run);
    add_alerts(document, run, scope.warnings);
    std::map<std::int64_t, std::int64_t> seats;
    std::int64_t read = 0;
    try {
      document.sections.push_back(section_of(card, archive, made.level, read, seats));
    } catch (const LacksData& missing) {
      lacks(card, missing.what, path, scenario_folder, run);
    }
    made.matches = read;
    document.sections.push_back(who_played(archive, catalogue, seats, card.game));
  });
  return document;
}

}  // namespace agon::report
