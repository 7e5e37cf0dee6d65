#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <map>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

boost::json::value report_of(const Folder& folder, const Words& more) {
  Words words{"report", "a.agon", "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const Ended made = folder.agon(words);
  INFO(made.err);
  REQUIRE(made.code == 0);
  return json_of(made.out);
}

void play(const Folder& folder, const std::string& file) {
  const Ended played =
      folder.agon({"run", std::string(AGON_TEST_SOURCE) + "/scenarios/papers/aucarena/" + file,
                   "--out", "a.agon", "--agent", "value-cap", "--blocks", "3", "--quiet"});
  INFO(played.err);
  REQUIRE(played.code == 0);
}

double value(const boost::json::value& table, std::size_t row, std::size_t column) {
  return table.at("rows")
      .as_array()
      .at(row)
      .at("cells")
      .as_array()
      .at(column)
      .at("value")
      .to_number<double>();
}

}  // namespace

TEST_CASE("AucArena table 1: whether bids follow plans", "[papers]") {
  const Folder folder;
  play(folder, "figure-2.json");
  const auto table = report_of(folder, {"--table", "aucarena/table-1"});
  std::map<std::string, std::vector<double>> rho;
  for (const auto& row : table.at("rows").as_array()) {
    if (row.at("label") == "  p") continue;
    const auto& cells = row.at("cells").as_array();
    CHECK(cells[0].at("n") == 120.0);  // two budgets, three auctions, two bidders, ten items
    CHECK_FALSE(cells[0].at("published").is_null());
    for (const auto& cell : cells)
      rho[std::string(row.at("label").as_string())].push_back(cell.at("value").to_number<double>());
  }
  REQUIRE(rho.size() == 5);
  // The same of any auctions says the same of these.
  int compared = 0;
  const auto any = report_of(folder, {"--table", "aucarena/plans"});
  for (const auto& row : any.at("rows").as_array()) {
    if (row.at("label") == "  p") continue;
    const auto& ours = rho.at(std::string(row.at("label").as_string()));
    for (std::size_t c = 0; c < ours.size(); ++c) {
      const auto& cell = row.at("cells").as_array().at(c);
      CHECK(cell.at("value").to_number<double>() == ours[c]);
      CHECK(cell.at("published").is_null());
    }
    ++compared;
  }
  CHECK(compared == 5);
  const auto rates = report_of(folder, {"--table", "aucarena/figure-2"});
  CHECK(rates.at("rows").as_array().size() == 10);
  CHECK(value(rates, 0, 0) == 0);  // value-cap breaks no rule
}

TEST_CASE("AucArena: money left, sales and ranks add up", "[papers]") {
  const Folder folder;
  play(folder, "figure-3.json");
  const auto left = report_of(folder, {"--table", "aucarena/figure-9"});
  const auto profits = report_of(folder, {"--table", "aucarena/figure-3"});
  // Whether plans are followed is told of any bidders: of three, two plan.
  const auto plans = report_of(folder, {"--table", "aucarena/plans"});
  CHECK(plans.at("rows").as_array().at(0).at("cells").as_array().at(0).at("n") == 120.0);
  REQUIRE(left.at("rows").as_array().size() == 5 * 2 * 3);
  for (std::size_t row = 0; row < 30; ++row)
    for (std::size_t item = 1; item < 10; ++item)
      CHECK(value(left, row, item) <= value(left, row, item - 1));
  // Rows go by bidder, budget and planning; items are worth 2000 or 10,000 each.
  for (std::size_t planning = 0; planning < 3; ++planning) {
    const double spent = 10'000 - value(left, planning, 9);
    const double worth = value(profits, 0, planning) + spent;
    CHECK(worth >= 2000 * value(profits, 0, 3 + planning) - 1e-6);
    CHECK(worth <= 10'000 * value(profits, 0, 3 + planning) + 1e-6);
  }

  const Folder desires;
  play(desires, "figure-7.json");
  const auto bids = report_of(desires, {"--table", "aucarena/figure-7"});
  double sold = 0;
  for (const auto& row : bids.at("rows").as_array()) {
    const auto& cells = row.at("cells").as_array();
    if (!cells[0].at("value").is_null())
      sold += cells[0].at("value").to_number<double>() + cells[2].at("value").to_number<double>();
  }
  CHECK(sold > 0);
  CHECK(sold <= 3 * 3 * 20);  // three budgets, three auctions, twenty items

  const Folder sequence;
  play(sequence, "figure-6.json");
  const auto ranks = report_of(sequence, {"--table", "aucarena/figure-6"});
  REQUIRE(ranks.at("rows").as_array().size() == 2 * 8);
  for (std::size_t match = 0; match < 10; ++match) {
    double sum = 0;
    for (std::size_t row = 1; row < 8; ++row) sum += value(ranks, row, match);
    CHECK(sum == Approx(28));  // 1 + 2 + ... + 7
  }
}
