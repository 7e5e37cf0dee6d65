#include <boost/json/object.hpp>
#include <map>

#include "catch.hpp"
#include "command/folder.hpp"
#include "support/report_figures.hpp"

// The tables of K-Level Reasoning and of the eBay experiments, with rule agents in the models'
// places: numbers that follow from the rules alone.

using namespace command_test;

namespace papers_k_level_test {
namespace {

struct Cell {
  double value;
  double published;
  double n;
};

/// A table by row and column.
std::map<std::string, std::map<std::string, Cell>> table(const Folder& folder,
                                                         const std::string& id) {
  const auto number = [](const boost::json::value& v) {
    return v.is_null() ? -1 : v.to_number<double>();
  };
  const auto read = paper_table(folder, "a.agon", id);
  std::map<std::string, std::map<std::string, Cell>> cells;
  for (const auto& row : read.rows)
    for (std::size_t i = 0; i < read.columns.size(); ++i) {
      const auto& cell = row.cells.at(i);
      cells[row.label][read.columns[i]] = {number(cell.at("value")), number(cell.at("published")),
                                           number(cell.at("out_of"))};
    }
  return cells;
}

std::string suite(const std::string& file) {
  return std::string(AGON_TEST_SOURCE) + "/scenarios/papers/" + file;
}

void run(const Folder& folder, const std::string& file, const std::string& agent) {
  folder.succeeds({"run", suite(file), "--out", "a.agon", "--agent", agent, "--quiet"});
}

}  // namespace

TEST_CASE("k-level tables say what is missing, and not what is there", "[papers]") {
  const Folder folder;
  run(folder, "k-level/table-9.json", "k-level");
  folder.refuses({"report", "a.agon", "--paper-table", "k-level/table-1"}, 1,
                 {"all alike and none of the paper's programs\nhint: "});
  const Folder other;
  run(other, "k-level/table-2.json", "fraction");
  other.refuses({"report", "a.agon", "--paper-table", "k-level/adaption-index-survival"}, 1,
                {"and lives to the second half\nhint: "});
}

TEST_CASE("k-level tables 9 and 10: level 1 beats what always says 40", "[papers]") {
  const Folder folder;
  run(folder, "k-level/table-9.json", "k-level:k=1");
  const auto rates = table(folder, "k-level/table-9");
  CHECK(rates.size() == 6);
  const auto& fix = rates.at("0-Level (Fix)");
  CHECK(fix.size() == 7);
  for (const auto& [player, cell] : fix) {
    CHECK(cell.value == 1);
    CHECK(cell.n == 10);
  }
  CHECK(fix.at("K-R").published == 0.97);
  CHECK(rates.at("LastBids (Fix)").at("K-R").published == 0.75);
  // Against 40s: off by 8.38... in the first round, where it expects 50s, then by what rounding
  // leaves. Only the programs were met.
  const auto adaption = table(folder, "k-level/adaption-index");
  CHECK(adaption.at("0-Level (Fix)").at("Direct").value > 0);
  CHECK(adaption.at("0-Level (Fix)").at("Direct").value < 1);
  CHECK_FALSE(adaption.contains("Direct"));
  // Table 10 takes Direct and K-R from the same games.
  CHECK(table(folder, "k-level/table-10").at("0-Level (Fix)").at("Direct").value == 1);
}

TEST_CASE("k-level tables 1, 6 and 8: agents who are alike share the wins", "[papers]") {
  const Folder folder;
  run(folder, "k-level/table-1.json", "fix");
  const auto rates = table(folder, "k-level/table-1");
  REQUIRE(rates.size() == 8);
  double published = 0;
  for (const auto& [opponent, row] : rates) {
    // All choose 40, so that nobody ever wins.
    for (const auto& [player, cell] : row) CHECK(cell.value == 0);
    if (opponent != "Average") published += row.at("K-R").published;
  }
  CHECK(rates.at("Direct").at("Direct").n == 50);
  CHECK(rates.at("Direct").at("CoT").n == 10);
  CHECK(rates.at("Average").at("K-R").published == Approx(published / 7).margin(0.005));
  const auto first = table(folder, "k-level/table-6");
  CHECK(first.at("Mean Choice").at("Direct").value == 40);
  CHECK(first.at("Strategic Depth").at("Direct").value == 1);
  CHECK(first.at("Strategic Depth").at("K-R (k=3)").published == 1.89);
  CHECK(table(folder, "k-level/table-8-guess").at("Direct").at("K-R (k=3)").value == -1);
}

TEST_CASE("k-level table 2: who all bid the same die on day 4", "[papers]") {
  const Folder folder;
  run(folder, "k-level/table-2.json", "fraction");
  const auto rounds = table(folder, "k-level/table-2");
  double published = 0;
  for (const auto& [opponent, row] : rounds) {
    for (const auto& [player, cell] : row) CHECK(cell.value == 4);
    if (opponent != "Average") published += row.at("Refine").published;
  }
  CHECK(rounds.at("Average").at("Refine").published == Approx(published / 7).margin(0.005));
}

TEST_CASE("eBay tables: truthful bidders are done on the first day, snipers on the last",
          "[papers]") {
  for (const std::string agent : {"truthful", "sniper"}) {
    const Folder folder;
    run(folder, "llm-auctions/ebay.json", agent);
    const auto days = table(folder, "llm-auctions/ebay-final-bid");
    const auto added = table(folder, "llm-auctions/ebay-final-bid-cdf");
    const std::string day = agent == "truthful" ? "1" : "10";
    CHECK(days.at(day).at("T1").value == 1);
    CHECK(days.at(day).at("T1").n == 20);
    CHECK(added.at("9").at("T4 r=60").value == (agent == "truthful" ? 1 : 0));
    CHECK(added.at("10").at("T4 r=60").value == 1);
    const auto revenue = table(folder, "llm-auctions/ebay-revenue");
    const auto& lengths = revenue.at("days, with extensions");
    CHECK(lengths.at("T1").value == 10);
    // A first bid on the last day makes a new leader, and no bid follows it.
    CHECK(lengths.at("T2").value == (agent == "truthful" ? 10 : 11));
    CHECK(revenue.at("sold to a highest value").at("T1").value == 1);
    CHECK(revenue.at("sold").at("T3 r=60").value < 1);
    CHECK(revenue.at("revenue, $").at("T3 r=60").value <
          revenue.at("price at the close, $").at("T3 r=60").value);
    const auto tests = table(folder, "llm-auctions/ebay-tests");
    CHECK(tests.size() == 28);
    // With the same values and turns a soft close changes no price of theirs.
    CHECK(tests.at("T1 - T2").at("price: same draws").value == 0);
    CHECK(tests.at("T1 - T2").at("price: same draws").n == 20);
    CHECK(tests.at("T1 - T2").at("price: t").value == 0);
    CHECK(tests.at("T1 - T4 r=60").at("price: same draws").value == 0);
    if (agent == "truthful")
      CHECK(revenue.at("revenue, $").at("T1").value == revenue.at("revenue, $").at("T2").value);
  }
}

}  // namespace papers_k_level_test
