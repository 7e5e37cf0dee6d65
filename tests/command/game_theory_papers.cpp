// The experiments of the game-theory paper: exact agents in the places of its models, and the
// published numbers beside ours.

#include <algorithm>
#include <boost/json/object.hpp>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;
namespace bj = boost::json;

namespace {

const std::string kScenarios = std::string(AGON_TEST_SOURCE) + "/scenarios/papers/game-theory/";

void play(const Folder& folder, const std::string& scenario, const Words& more) {
  folder.succeeds(
      joined({"run", kScenarios + scenario + ".json", "--out", "t.agon", "--quiet"}, more));
}

agon::test::PaperFigures table(const Folder& folder, const std::string& id) {
  return paper_table(folder, "t.agon", "game-theory/" + id);
}

}  // namespace

TEST_CASE("game-theory tables 5 to 8: exact agents reach an equilibrium in every trial") {
  for (const std::string id : {"table-5", "table-6", "table-7", "table-8"}) {
    INFO(id);
    const Folder folder;
    play(folder, id, {"--agent", "nash"});
    const auto made = table(folder, id);
    REQUIRE(made.columns.size() == 4);
    const bool counts = id == "table-5" || id == "table-6";
    REQUIRE(made.rows.size() == (counts ? 20U : 14U));
    for (std::size_t r = 0; r < 12; ++r)
      for (const auto& cell : made.rows[r].cells) {
        CHECK(cell.at("value").as_double() == 1);
        CHECK(cell.at("out_of").to_number<double>() == 10);
      }
    for (const auto& cell : made.row("Average")) {
      CHECK(cell.at("value").as_double() == Approx(1));
      CHECK(cell.at("out_of").to_number<double>() == 100);
      CHECK(cell.at("published").is_null() == (id == "table-7"));  // not at hand
    }
    for (const auto& cell : made.row("Average, Pareto-best")) {
      CHECK(cell.at("value").as_double() == Approx(1));
      CHECK(cell.at("published").is_null() == (id != "table-5"));  // not at hand
    }
    // The duopoly's equilibrium is the third choice of both.
    for (int choice = 1; counts && choice <= 6; ++choice)
      for (const auto& cell : made.row("Duopoly, times choice_" + std::to_string(choice))) {
        CHECK(cell.at("value").to_number<double>() == (choice == 3 ? 20 : 0));
        CHECK(cell.at("out_of").to_number<double>() == 20);
        // The paper counts the action that is best for both.
        CHECK(cell.at("published").is_null() == (choice != 2));
      }
  }
}

TEST_CASE("game-theory tables: what the paper prints stands beside ours") {
  const Folder folder;
  play(folder, "table-5", {"--agent", "nash", "--blocks", "1"});
  const auto made = table(folder, "table-5");
  CHECK(made.row("Stag Hunt")[3].at("published") == 0.4);
  CHECK(made.row("Stag Hunt, Pareto-best")[1].at("published") == 0.4);
  CHECK(made.row("Duopoly, Pareto-best")[0].at("published") == 0.2);
  CHECK(made.row("TriGame")[2].at("published") == 0.1);
  // Printed, and not the mean of what is printed above: a misprint that a note names.
  const double averages[] = {.45, .32, .59, .78};
  for (std::size_t model = 0; model < 4; ++model)
    CHECK(made.row("Average")[model].at("published") == averages[model]);
  const auto names = [](const agon::test::PaperFigures& figures, const std::string& what) {
    return std::any_of(figures.notes.begin(), figures.notes.end(),
                       [&](const std::string& note) { return contains(note, what); });
  };
  CHECK(names(made, "whose means are .48 and .33"));
  const double best[] = {.44, .28, .50, .75};
  for (std::size_t model = 0; model < 4; ++model)
    CHECK(made.row("Average, Pareto-best")[model].at("published") == best[model]);
  CHECK(names(made, "where the mean is .29"));
  const double counts[] = {5, 0, 4, 4};
  for (std::size_t model = 0; model < 4; ++model)
    CHECK(made.row("Duopoly, times choice_2")[model].at("published") == counts[model]);
  const Folder other;
  play(other, "table-8", {"--agent", "nash", "--blocks", "1"});
  const auto eighth = table(other, "table-8");
  CHECK(eighth.row("Average")[1].at("published") == .78);
  CHECK(names(eighth, "whose mean is .79"));
  // An archive without workflows has nothing for table 7, and the message says what makes it.
  const Ended none = folder.agon({"report", "t.agon", "--paper-table", "game-theory/table-7"});
  CHECK(none.code != 0);
  check_has(none.err, {"with a workflow", "papers/game-theory/table-7.json"});
}

TEST_CASE("game-theory: Golden Balls shows the counts of the published runs") {
  const Folder folder;
  play(folder, "golden-balls", {"--agent", "k-level:k=1", "--blocks", "2"});
  const auto made = table(folder, "golden-balls");
  REQUIRE(made.columns.size() == 7);
  REQUIRE(made.rows.size() == 14);
  CHECK(made.row("$250")[0].at("published") == 11 / 40.0);
  CHECK(made.row("$1500")[5].at("published") == 17 / 40.0);
  CHECK(made.row("$100150")[3].at("published") == 13 / 40.0);
  CHECK(made.row("all")[5].at("published").as_double() == Approx(127 / 520.0));
  // Stealing is never worse.
  for (std::size_t c = 0; c < 6; ++c) {
    CHECK(made.row("all")[c].at("value").as_double() == 0);
    CHECK(made.row("all")[c].at("out_of").to_number<double>() == 52);
  }
  // Nobody has played as people on television do.
  CHECK(made.row("all")[6].at("value").is_null());
  CHECK(made.row("all")[6].at("published") == 0.53);

  const auto curves = table(folder, "figure-12");
  REQUIRE(curves.columns.size() == 13);
  CHECK(curves.columns.back() == "$100150");
  CHECK(curves.row("witty")[3].at("published") == 17 / 40.0);
  CHECK(curves.row("witty")[3].at("value").as_double() == 0);
  CHECK(curves.rows.size() == 6);
}

TEST_CASE("game-theory: the figures of section 6 come from matches with the mock model") {
  const std::vector<std::pair<std::string, Words>> figures{
      {"figure-5", {"figure-5", "figure-6", "figure-5-pairs", "figure-6-pairs"}},
      {"figure-7", {"figure-7", "figure-7-pairs"}},
      {"figure-8", {"figure-8", "figure-8-pairs"}},
      {"figure-9", {"figure-9", "figure-10", "figure-9-pairs", "figure-10-pairs"}},
      {"figure-11", {"figure-11"}}};
  for (const auto& [scenario, ids] : figures) {
    INFO(scenario);
    const Folder folder;
    play(folder, scenario, {"--model", "mock", "--blocks", "2"});
    for (const std::string& id : ids) {
      const auto made = table(folder, id);
      for (const auto& row : made.rows) {
        const auto& cell = row.cells[0];
        INFO(row.label);
        REQUIRE(cell.at("value").is_double());
        CHECK(cell.at("value").as_double() >= 0);
        CHECK(cell.at("value").as_double() <= 1);
        CHECK(cell.at("out_of").to_number<double>() >= 2);
      }
      // Nothing is missing.
      for (const std::string& note : made.notes) CHECK_FALSE(contains(note, "Nobody has played"));
    }
  }
}

TEST_CASE("game-theory: joint actions add up, and those of equilibria to their rate") {
  const Folder folder;
  play(folder, "figure-8", {"--agent", "random", "--blocks", "20"});
  const auto shares = table(folder, "figure-8");
  const auto pairs = table(folder, "figure-8-pairs");
  REQUIRE(pairs.columns.size() == 3);
  REQUIRE(pairs.rows.size() == 3 * 4 * 2 + 4 * 3);
  const auto share = [](const auto& cell) {
    return cell.at("value").is_null() ? 0 : cell.at("value").template to_number<double>();
  };
  const auto cell = [&](const std::string& heading, int alice, int bob) {
    return share(pairs.row(heading + ": Alice: choice_" +
                           std::to_string(alice))[static_cast<std::size_t>(bob) - 1]);
  };
  for (const std::string rounds : {"0 rounds", "1 round", "2 rounds", "3 rounds"}) {
    for (const std::string game : {"Prisoner's Dilemma", "Stag Hunt", "Battle of the Sexes"}) {
      const std::string heading = game + ", " + rounds;
      INFO(heading);
      const double both_first = cell(heading, 1, 1), both_second = cell(heading, 2, 2);
      CHECK(both_first + cell(heading, 1, 2) + cell(heading, 2, 1) + both_second == Approx(1));
      CHECK(share(shares.row(heading + ": NE")[0]) ==
            Approx((game == "Prisoner's Dilemma" ? 0 : both_first) + both_second));
      // Over both players.
      CHECK(share(shares.row(heading + ": choice_1")[0]) ==
            Approx(both_first + (cell(heading, 1, 2) + cell(heading, 2, 1)) / 2));
      CHECK(pairs.row(heading + ": Alice: choice_1")[2].at("value").is_null());
    }
    double all = 0;
    for (int alice = 1; alice <= 3; ++alice)
      for (int bob = 1; bob <= 3; ++bob) all += cell("Rock-Paper-Scissors, " + rounds, alice, bob);
    CHECK(all == Approx(1));
  }
}
