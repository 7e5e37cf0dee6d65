// The experiment of docs/experiments/narrator-against-adversaries.md: the numbers that its page
// prints of agents by rule.
#include <algorithm>
#include <boost/json/object.hpp>
#include <cmath>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

TEST_CASE("an experiment: what buyers get of adversaries is as its page prints it") {
  const Folder folder;
  const std::string source = AGON_TEST_SOURCE;
  folder.succeeds({"run", source + "/scenarios/experiments/narrator-against-adversaries.json",
                   "--model", "mock", "--out", "a.agon", "--quiet"});
  const auto table = paper_table(folder, "a.agon", "experiments/buyers-by-sellers");
  const auto cell = [&](const std::string& seller, const std::string& what,
                        const std::string& buyer) {
    const auto column = std::find(table.columns.begin(), table.columns.end(), buyer);
    REQUIRE(column != table.columns.end());
    const auto& value = table.row(seller + ": " + what)
                            .at(static_cast<std::size_t>(column - table.columns.begin()))
                            .at("value");
    return value.is_null() ? -1 : value.to_number<double>();
  };
  const std::string part = "buyer's part, a session";
  const std::string page = read_file(source + "/docs/experiments/narrator-against-adversaries.md");
  const auto printed = [](double value) {
    const auto thousandths = std::llround(value * 1000);
    const std::string digits = std::to_string(1000 + thousandths);
    return "." + digits.substr(1);
  };
  for (const std::string seller : {"fair", "anchoring", "stubborn", "exploiting"}) {
    std::string row = "| `" + seller + "` |";
    for (const std::string buyer : {"no-words", "no-words-firm", "mirrors"})
      row += " " + printed(cell(seller, part, buyer)) + " |";
    INFO(row);
    CHECK(contains(page, row + "\n"));
    // Nobody hears the narrators there.
    CHECK(cell(seller, part, "strong-narrator") == cell(seller, part, "no-words"));
    CHECK(cell(seller, part, "firm-narrator") == cell(seller, part, "no-words-firm"));
  }
  CHECK(cell("stubborn", "deals", "no-words-firm") == 0);
  CHECK(cell("stubborn", "deals in which it beats the seller", "no-words-firm") == -1);
  // The mock, as the page says.
  CHECK(contains(page, "`model`: " + printed(cell("model", part, "strong-narrator")) +
                           " of both, " + printed(cell("model", part, "small")) + " of `small`"));
  CHECK(cell("model", "deals", "strong-narrator") > 0.35);
  CHECK(cell("model", "deals", "small") > 0.35);
  CHECK(contains(
      folder.agon({"report", "a.agon", "--paper-table", "experiments/buyers-by-sellers"}).out,
      "'mock' is no model"));
}

TEST_CASE("the mock closes about half of the bargains and wins water every day", "[papers]") {
  const Folder folder;
  const std::string papers = std::string(AGON_TEST_SOURCE) + "/scenarios/papers/";
  const auto play = [&](const std::string& suite) {
    folder.succeeds({"run", papers + suite, "--model", "mock", "--out", "a.agon", "--quiet"});
  };
  play("bargaining/experiment-a.json");
  const Ended deals =
      folder.agon({"report", "a.agon", "--paper-table", "bargaining/experiment-a", "--json"});
  const auto bargains = agon::test::paper_figures(json_of(deals.out));
  for (const auto& cell : bargains.row("deal rate, of all sessions")) {
    CHECK(cell.at("value").to_number<double>() > 0.35);
    CHECK(cell.at("value").to_number<double>() < 0.65);
  }
  for (const auto& cell : bargains.row("valid rate"))
    CHECK(cell.at("value").to_number<double>() == 1);

  const Folder dry;
  dry.succeeds(
      {"run", papers + "alympics/setting-2.json", "--model", "mock", "--out", "w.agon", "--quiet"});
  const auto bids = paper_table(dry, "w.agon", "alympics/lowest-winning-bids");
  const auto games = std::find(bids.columns.begin(), bids.columns.end(), "games");
  REQUIRE(games != bids.columns.end());
  std::size_t days = 0;
  for (const auto& row : bids.rows)
    if (contains(row.label, "day ")) {
      ++days;
      INFO(row.label);
      CHECK(row.cells.at(static_cast<std::size_t>(games - bids.columns.begin())).at("value") ==
            10.0);
    }
  CHECK(days == 20);
}
