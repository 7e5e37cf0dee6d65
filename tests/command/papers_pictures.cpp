// Pictures of the papers' tables: each figure says its unit, and each picture has the paper's form.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

void play_paper(const Folder& folder, const std::string& suite, const std::string& agent,
                const std::string& blocks) {
  folder.succeeds({"run", std::string(AGON_TEST_SOURCE) + "/scenarios/papers/" + suite, "--out",
                   "a.agon", "--agent", agent, "--blocks", blocks, "--quiet"});
  folder.succeeds({"report", "a.agon", "--with-paper-tables", "--svg", "plots"});
}

/// Figures of papers' tables that are no curves and do not say what they count.
std::string without_unit(const Folder& folder) {
  const Ended made = folder.succeeds({"report", "a.agon", "--with-paper-tables", "--json"});
  const auto report = json_of(made.out);
  std::string missing;
  int figures = 0;
  for (const auto& section : report.at("sections").as_array()) {
    const std::string id(section.at("id").as_string());
    if (!contains(id, "/") || !section.at("series").as_array().empty()) continue;
    for (const auto& table : section.at("tables").as_array())
      for (const auto& row : table.at("rows").as_array())
        for (const auto& cell : row.at("cells").as_array()) {
          const auto& one = cell.as_object();
          if (!one.contains("value") && !one.contains("published")) continue;
          ++figures;
          if (!one.contains("unit")) missing += id + " ";
        }
  }
  CHECK(figures > 0);
  return missing;
}

}  // namespace

TEST_CASE("Alympics: prices of days are boxes, and the first game stands beside the means",
          "[papers][plots]") {
  const Folder folder;
  play_paper(folder, "alympics/setting-1.json", "survivor", "10");
  CHECK(without_unit(folder).empty());
  const std::string boxes = folder.read("plots/alympics-lowest-winning-bids-figure.svg");
  check_has(boxes, {">median</text>", ">mean</text>", ">dollars</text>", "<title>day 1: low "});
  CHECK(!contains(boxes, ">games</text>"));
  const std::string means = folder.read("plots/alympics-figure-7-figure.svg");
  const std::string first = folder.read("plots/alympics-figure-7-figure-2.svg");
  check_has(means, {"aria-label=\"setting 1 (low supply, no persona)\"", "class=\"area"});
  CHECK(contains(first, "aria-label=\"first game of setting 1 (low supply, no persona)\""));
  CHECK(!contains(first, "class=\"area"));
}

TEST_CASE("AucArena: bars of dollars and of items are apart, and priorities are fields",
          "[papers][plots]") {
  const Folder bars;
  play_paper(bars, "aucarena/figure-3.json", "value-cap", "2");
  CHECK(without_unit(bars).empty());
  const std::string profit = bars.read("plots/aucarena-figure-3-figure.svg");
  const std::string items = bars.read("plots/aucarena-figure-3-figure-2.svg");
  CHECK(contains(profit, ">dollars</text>"));
  CHECK(!contains(profit, ">items"));
  CHECK(contains(items, ">items</text>"));
  CHECK(!contains(items, "dollars"));

  const Folder fields;
  play_paper(fields, "aucarena/figure-4.json", "value-cap", "2");
  const std::string heat = fields.read("plots/aucarena-figure-4-figure.svg");
  check_has(heat, {"<title>colours, priority</title>", ">Apparatus H</text>"});
  CHECK(!contains(heat, "<polyline"));
}
