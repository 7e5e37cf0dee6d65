// The tables of clocks and sealed bids by rule agents, whose numbers are known.

#include <boost/json/object.hpp>
#include <filesystem>
#include <map>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

using Cells = std::map<std::string, boost::json::value>;

/// A table of the paper by an agent in the place of every model: cells by "row|column".
Cells table(const Folder& folder, const std::string& scenario, const std::string& agent,
            const std::string& id) {
  const auto file = std::filesystem::path(AGON_TEST_SOURCE) / "scenarios/papers/llm-auctions" /
                    (scenario + ".json");
  const std::string archive = scenario + ".agon";
  folder.succeeds(
      {"run", file.string(), "--agent", agent, "--out", archive, "--blocks", "4", "--quiet"});
  const auto read = paper_table(folder, archive, "llm-auctions/" + id);
  Cells cells;
  for (const auto& row : read.rows)
    for (std::size_t c = 0; c < row.cells.size(); ++c)
      cells[row.label + "|" + read.columns[c]] = row.cells[c];
  return cells;
}

double number(const Cells& cells, const std::string& name, const char* what = "value") {
  INFO(name << " " << what);
  REQUIRE(cells.contains(name));
  return cells.at(name).at(what).to_number<double>();
}

}  // namespace

TEST_CASE("table 1 of clocks and sealed bids: truthful bidders, and the published numbers") {
  const Folder folder;
  const Cells cells = table(folder, "table-1", "truthful", "table-1");
  for (const std::string format : {"AC", "AC-B", "SPSB"}) {
    CHECK(number(cells, "gpt-4o: truthful (%)|" + format) == 100);
    CHECK(number(cells, "gpt-4o: truthful (%): mean difference|" + format) == 0);
    CHECK(number(cells, "gpt-4o: truthful (%): n, winners too|" + format) == 4 * 10 * 3);
    CHECK(number(cells, "gpt-4o: truthful (%): mean difference|" + format, "out_of") == 4 * 10 * 2);
  }
  CHECK(number(cells, "gpt-4-0613: truthful (%)|AC-B", "published") == 76.7);
  CHECK(number(cells, "gpt-4-0613: truthful (%): mean difference|SPSB", "published") == 6.26);
  CHECK(number(cells, "gpt-4o: truthful (%)|AC", "published") == 95);
  const Ended revenue =
      folder.agon({"report", "table-1.agon", "--paper-table", "llm-auctions/revenue", "--csv"});
  CHECK(contains(revenue.out, ",\"gpt-4o: AC-B, affiliated\",efficiency,1,"));
}

TEST_CASE("table 1 of clocks and sealed bids: the same values for all three formats") {
  const Folder folder;
  // A clock that truthful bidders leave at their value brings the second value, as sealed bids do.
  const Cells cells = table(folder, "table-1", "truthful", "revenue");
  const double price = number(cells, "gpt-4o: AC, affiliated|second value");
  for (const std::string format : {"AC", "AC-B", "SPSB"}) {
    CHECK(number(cells, "gpt-4o: " + format + ", affiliated|second value") == price);
    CHECK(number(cells, "gpt-4o: " + format + ", affiliated|revenue") == price);
    CHECK(number(cells, "gpt-4-0613: " + format + ", affiliated|revenue") == price);
  }
  // Those who shade do it alike with and without word of exits; draw by draw there is no
  // difference, where the tests, which take the values as independent, only find none that is sure.
  const Folder other;
  const Cells shaded = table(other, "table-1", "shade:share=50", "table-1");
  const std::string same = "gpt-4o: truthful (%): AC minus this, same values";
  CHECK(number(shaded, same + "|AC-B") == 0);
  CHECK(number(shaded, same + "|AC-B", "out_of") == 4);
  CHECK(number(shaded, same + "|SPSB") ==
        Approx(number(shaded, "gpt-4o: truthful (%): mean difference|AC") -
               number(shaded, "gpt-4o: truthful (%): mean difference|SPSB"))
            .margin(1e-9));
  CHECK(shaded.at(same + "|AC").at("value").is_null());
}

TEST_CASE("table 1 of clocks and sealed bids: bidders at 80 % of their value, and the tests") {
  const Folder folder;
  const Cells cells = table(folder, "table-1", "shade:share=80", "table-1");
  // With a clock they leave at the same price as they bid sealed: 4 off at a value of 20.
  CHECK(number(cells, "gpt-4o: truthful (%)|AC") < 60);
  CHECK(number(cells, "gpt-4o: truthful (%): mean difference|AC") > 1);
  CHECK(number(cells, "gpt-4o: truthful (%): mean difference|AC") ==
        Approx(number(cells, "gpt-4o: truthful (%): mean difference|AC-B")).margin(2));
  CHECK(std::abs(number(cells, "gpt-4o: truthful (%): t, AC minus this|SPSB")) < 3);
  CHECK(number(cells, "gpt-4o: truthful (%): p|SPSB") > 0.001);
}

TEST_CASE("interventions: half the value everywhere, by the published definitions") {
  const Folder folder;
  const Cells cells = table(folder, "interventions", "shade:share=50", "interventions");
  for (const std::string what : {"none", "menu", "proxy", "nash", "direct", "wrong", "risk"}) {
    CHECK(number(cells, "gpt-4o: " + what + "|R2") == Approx(-3).margin(0.8));
    CHECK(number(cells, "gpt-4o: " + what + "|SS above") < 60);  // a bid of 1 at a value of 1
    CHECK(number(cells, "gpt-4o: " + what + "|bids") == 4 * 15 * 3);
  }
  CHECK(number(cells, "gpt-4o: wrong|R2", "published") == -0.8258);
  // They bid alike whatever they are told, and on the same values.
  CHECK(number(cells, "gpt-4o: wrong||b - v| less none's") == 0);
  CHECK(number(cells, "gpt-4o: wrong||b - v| less none's", "out_of") == 4);
  CHECK(cells.at("gpt-4o: none||b - v| less none's").at("value").is_null());
}

TEST_CASE("common values: the winner's curse of those who bid their estimate") {
  const Folder folder;
  const Cells naive = table(folder, "common-values", "truthful", "common-values");
  CHECK(number(naive, "gpt-4o: 6|bid - estimate") == 0);
  CHECK(number(naive, "gpt-4o: 6|winner's profit") < 0);
  const Folder other;
  const Cells careful = table(other, "common-values", "equilibrium-bid", "common-values");
  CHECK(number(careful, "gpt-4o: 6|winner's profit") > 0);
  CHECK(number(careful, "gpt-4o: 6|SMAD (%)") < 1);
}

TEST_CASE("formats: equilibrium bidders are off by rounding only, and tables say what they lack") {
  const Folder folder;
  const Cells cells = table(folder, "formats", "equilibrium-bid", "formats");
  CHECK(number(cells, "gpt-4o: SPSB|SMAD (%)") == 0);
  CHECK(number(cells, "gpt-4o: FPSB|SMAD (%)") < 1.5);
  CHECK(number(cells, "gpt-4o: TPSB|above (%)") > 90);
  CHECK(number(cells, "gpt-4o: SPSB|within 1 (%)", "published") == 37.78);
  folder.refuses({"report", "formats.agon", "--paper-table", "llm-auctions/table-1"}, 1,
                 {"with affiliated values", "papers/llm-auctions/table-1.json"});
}
