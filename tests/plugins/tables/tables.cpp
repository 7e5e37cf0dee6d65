// Tables of a made-up paper about the water game, for the tests of `agon report --paper-table`.
#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <agon/plugin.hpp>
#include <cmath>
#include <map>
#include <string>

namespace {

/// Mean score by scenario and agent, with a model that never played.
agon::PaperTable scores(const agon::PlayedMatches& matches) {
  std::map<std::string, std::map<std::string, agon::Sample>> cells;
  matches.each([&](const agon::PlayedMatch& match) {
    for (const agon::PlayedSeat& seat : match.seats())
      cells[std::string(match.scenario())][std::string(seat.agent)].add(
          std::to_string(match.block()), seat.score);
  });
  if (cells.empty()) throw agon::LacksData{"finished matches"};
  agon::PaperTable table;
  table.corner = "scenario";
  table.columns = {"gpt-5", "floor", "reference"};
  for (auto& [scenario, agents] : cells) {
    agon::TableRow row{scenario, {}};
    for (const std::string& column : table.columns) {
      agon::TableCell cell;
      if (agents.contains(column)) cell.ours = agents[column].mean(matches.level());
      if (column != "floor") cell.published = column == "gpt-5" ? 61.5 : 60;
      row.cells.push_back(cell);
    }
    table.rows.push_back(row);
  }
  table.notes = {"The paper's own average, 61, is that of another table."};
  return table;
}

/// Who won, word for word from the records: awkward for CSV.
agon::PaperTable winners(const agon::PlayedMatches& matches) {
  agon::PaperTable table;
  table.columns = {"entries, \"all\""};
  matches.each([&](const agon::PlayedMatch& match) {
    agon::TableCell cell;
    cell.text =
        "block " + std::to_string(match.block()) + ",\n" + std::to_string(match.entries().size());
    table.rows.push_back({std::string(match.scenario()), {cell}});
  });
  if (table.rows.size() < 3) throw agon::LacksData{"matches of three blocks"};
  return table;
}

/// More columns than fit a page, under headings, most with nothing to add below the value.
agon::PaperTable wide(const agon::PlayedMatches&) {
  agon::PaperTable table;
  table.corner = "game";
  for (int c = 1; c <= 16; ++c) table.columns.push_back("column " + std::to_string(c));
  table.rows.push_back({"first heading", std::vector<agon::TableCell>(16)});
  agon::TableRow row{"  a row", {}};
  for (int c = 1; c <= 16; ++c) {
    agon::TableCell cell;
    cell.decimals = 0;
    cell.ours.value = c % 5 == 0 ? agon::kNothing : c;
    if (c == 2) cell.ours.n = 12.5;
    if (c == 16) cell.ours = {.value = -0.2, .low = -1, .high = 0.4, .n = 7};
    if (c > 14) cell.published = 100 + c;
    row.cells.push_back(cell);
  }
  table.rows.push_back(std::move(row));
  return table;
}

/// Forgets a cell.
agon::PaperTable broken(const agon::PlayedMatches&) {
  return {.columns = {"a", "b"}, .rows = {{"row", {{}}}}};
}

void enter(agon::Registry& registry) {
  registry.add(agon::TableCard{"drought/table-1", "score by scenario",
                               "Nobody et al. 2020, table 1", "papers/drought/table-1.json",
                               "water-allocation", false, &scores});
  registry.add(agon::TableCard{"drought/figure-2", "entries of records", "the same, figure 2",
                               "papers/drought/figure-2.json", "water-allocation", true, &winners});
  registry.add(agon::TableCard{"drought/table-10", "a wide table", "the same, table 10",
                               "papers/drought/table-1.json", "water-allocation", false, &wide});
  registry.add(agon::TableCard{"drought/broken", "a table without a cell", "nowhere",
                               "papers/drought/table-1.json", "water-allocation", false, &broken});
  registry.add(agon::TableCard{"drought/elsewhere", "what was not played", "nowhere",
                               "papers/drought/elsewhere.json", "bargaining", false, &scores});
}

}  // namespace

AGON_PLUGIN("tables", "1.0", &enter)
