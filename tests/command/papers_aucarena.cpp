#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <map>
#include <set>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

agon::test::PaperFigures table_of(const Folder& folder, const std::string& id) {
  return paper_table(folder, "a.agon", "aucarena/" + id);
}

void play(const Folder& folder, const std::string& file) {
  folder.succeeds({"run", std::string(AGON_TEST_SOURCE) + "/scenarios/papers/aucarena/" + file,
                   "--out", "a.agon", "--agent", "value-cap", "--blocks", "3", "--quiet"});
}

double value(const agon::test::PaperFigures& table, std::size_t row, std::size_t column) {
  return table.rows.at(row).cells.at(column).at("value").to_number<double>();
}

}  // namespace

TEST_CASE("AucArena table 1: whether bids follow plans", "[papers]") {
  const Folder folder;
  play(folder, "figure-2.json");
  const auto table = table_of(folder, "table-1");
  std::map<std::string, std::vector<double>> rho;
  for (const auto& [label, cells] : table.rows) {
    if (label.ends_with(": p")) continue;
    CHECK(cells[0].at("out_of") == 120.0);  // two budgets, three auctions, two bidders, ten items
    CHECK_FALSE(cells[0].at("published").is_null());
    for (const auto& cell : cells) rho[label].push_back(cell.at("value").to_number<double>());
  }
  REQUIRE(rho.size() == 5);
  // The same of any auctions says the same of these.
  int compared = 0;
  const auto any = table_of(folder, "plans");
  for (const auto& [label, cells] : any.rows) {
    if (label.ends_with(": p")) continue;
    const auto& ours = rho.at(label);
    for (std::size_t c = 0; c < ours.size(); ++c) {
      const auto& cell = cells.at(c);
      CHECK(cell.at("value").to_number<double>() == ours[c]);
      CHECK(cell.at("published").is_null());
    }
    ++compared;
  }
  CHECK(compared == 5);
  const auto rates = table_of(folder, "figure-2");
  CHECK(rates.notes.at(0).find("Corrected Failure Rate (CFR)") == 0);
  CHECK(rates.rows.size() == 10);
  CHECK(value(rates, 0, 0) == 0);  // value-cap breaks no rule
}

TEST_CASE("AucArena: money left, sales and ranks add up", "[papers]") {
  const Folder folder;
  play(folder, "figure-3.json");
  const auto profits = table_of(folder, "figure-3");
  CHECK(profits.rows.size() == 5 * 2);
  // Its items come in drawn orders only, and figure 9 is about orders.
  folder.refuses({"report", "a.agon", "--paper-table", "aucarena/figure-9"}, 1,
                 {"with items at fixed places"});
  // Whether plans are followed is told of any bidders: of three, two plan.
  const auto plans = table_of(folder, "plans");
  CHECK(plans.rows.at(0).cells.at(0).at("out_of") == 3 * 120.0);  // plannings in three orders

  // Three orders, each by itself: the expensive items first, in the middle, last.
  const Folder ordered;
  play(ordered, "figure-4.json");
  const auto left = table_of(ordered, "figure-9");
  REQUIRE(left.rows.size() == 5 * 3 * 3);
  std::set<std::string> orders;
  for (const auto& [label, cells] : left.rows) {
    const std::size_t order = label.find(": ");
    orders.insert(label.substr(order, label.rfind(": ") - order));
    CHECK(cells[0].at("value").to_number<double>() <= 10'000);
    CHECK(cells[9].at("value").to_number<double>() >= 0);
    for (std::size_t item = 1; item < 10; ++item)
      CHECK(cells[item].at("value").to_number<double>() <=
            cells[item - 1].at("value").to_number<double>());
  }
  CHECK(orders == std::set<std::string>{": Equipment E 1, Mechanism J 2",
                                        ": Equipment E 5, Mechanism J 6",
                                        ": Equipment E 9, Mechanism J 10"});
  const Ended drawn = ordered.agon({"report", "a.agon", "--paper-table", "aucarena/figure-3"});
  CHECK(contains(drawn.err, "with items in a drawn order"));

  const Folder desires;
  play(desires, "figure-7.json");
  const auto bids = table_of(desires, "figure-7");
  double sold = 0;
  for (const auto& [label, cells] : bids.rows) {
    if (!cells[0].at("value").is_null())
      sold += cells[0].at("value").to_number<double>() + cells[2].at("value").to_number<double>();
  }
  CHECK(sold > 0);
  CHECK(sold <= 3 * 3 * 20);  // three budgets, three auctions, twenty items

  const Folder sequence;
  play(sequence, "figure-6.json");
  const auto ranks = table_of(sequence, "figure-6");
  // Five people with panels of their own, and the bidder that learns.
  REQUIRE(ranks.rows.size() == 6 * 7);
  for (const char* person : {"person-1: human-1", "person-5: human-5"})
    CHECK(ranks.row(person).at(9).at("out_of") == 1.0);
  for (std::size_t panel = 0; panel < 6; ++panel)
    for (std::size_t match = 0; match < 10; ++match) {
      double sum = 0;
      for (std::size_t row = 0; row < 7; ++row) sum += value(ranks, panel * 7 + row, match);
      CHECK(sum == Approx(28));  // 1 + 2 + ... + 7
    }
}

TEST_CASE("AucArena figure 5: 30 orders of items a panel, everybody five times on each seat",
          "[papers]") {
  const Folder folder;
  folder.succeeds({"run",
                   std::string(AGON_TEST_SOURCE) + "/scenarios/papers/aucarena/figure-5.json",
                   "--out", "a.agon", "--agent", "value-cap", "--quiet"});
  std::map<std::string, std::set<std::string>> orders;      // by panel
  std::map<std::string, std::map<std::string, int>> times;  // by panel: seat and agent
  for (const boost::json::object& match : exported(folder, "a.agon", "records")) {
    const std::string panel(match.at("scenario").as_string());
    for (const auto& entry : match.at("record").as_array()) {
      const auto* name = entry.as_object().if_contains("name");
      if (name == nullptr || *name != "opening") continue;
      std::string order;
      for (const auto& item : entry.at("value").at("items").as_array())
        order += std::string(item.at("item").as_string()) + ",";
      CHECK(std::count(order.begin(), order.end(), ',') == 20);
      orders[panel].insert(order);
    }
  }
  for (const boost::json::object& seat : exported(folder, "a.agon"))
    ++times[std::string(seat.at("scenario").as_string())]
           [std::to_string(seat.at("seat").to_number<int>()) + " " +
            std::string(seat.at("agent").as_string())];
  for (const char* panel : {"A", "B", "C", "D"}) {
    INFO("panel " << panel);
    CHECK(orders[panel].size() == 30);
    CHECK(times[panel].size() == 36);
    for (const auto& [place, n] : times[panel]) CHECK(n == 5);
  }
}

TEST_CASE("AucArena: every planning is on every seat in as many auctions", "[papers]") {
  for (const char* file : {"figure-3.json", "figure-4.json", "figure-8.json"}) {
    INFO(file);
    const boost::json::value suite = json_with_comments(
        read_file(std::string(AGON_TEST_SOURCE) + "/scenarios/papers/aucarena/" + file));
    CHECK(suite.at("design").at("blocks") == 10);
    // By budget and order of items: the plannings of each seat.
    std::map<std::string, std::vector<std::set<std::string>>> seats;
    for (const auto& scenario : suite.at("scenarios").as_array()) {
      const auto& set = scenario.at("set").as_object();
      const auto& bidders = set.at("bidders").as_array();
      const auto* order = set.if_contains("order");
      auto& field = seats[boost::json::serialize(bidders[0].at("budget")) +
                          (order == nullptr ? "" : boost::json::serialize(*order))];
      field.resize(3);
      for (std::size_t s = 0; s < 3; ++s)
        CHECK(field[s].insert(std::string(bidders[s].at("planning").as_string())).second);
    }
    CHECK(seats.size() == (file == std::string("figure-3.json") ? 2 : 3));
    for (const auto& [what, field] : seats)
      for (const auto& plannings : field) CHECK(plannings.size() == 3);
  }
}

TEST_CASE("AucArena's scenarios ask in words that a second model reads, with the paper's aim",
          "[papers]") {
  const std::filesystem::path folder(std::string(AGON_TEST_SOURCE) + "/scenarios/papers/aucarena");
  int suites = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".json") continue;
    INFO(file.path());
    ++suites;
    const boost::json::value suite = json_with_comments(read_file(file.path()));
    CHECK(suite.at("models").at("reader").at("temperature") == 0);
    for (const auto& [name, agent] : suite.at("agents").as_object()) {
      if (!agent.is_object()) continue;
      CHECK(agent.at("reasoning") == "free-text:view=false");
      CHECK(agent.at("models").at("extract") == "reader");
    }
    for (const auto& scenario : suite.at("scenarios").as_array()) {
      CHECK(scenario.at("set").at("aim") == "relative");
      CHECK(scenario.at("set").at("sum_up") == true);
    }
  }
  CHECK(suites == 9);
}
