// The experiments of the game-theory paper: exact agents in the places of its models, and the
// published numbers beside ours.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;
namespace bj = boost::json;

namespace {

const std::string kScenarios = std::string(AGON_TEST_SOURCE) + "/scenarios/papers/game-theory/";

void play(const Folder& folder, const std::string& scenario, const Words& more) {
  Words words{"run", kScenarios + scenario + ".json", "--out", "t.agon", "--quiet"};
  words.insert(words.end(), more.begin(), more.end());
  const Ended played = folder.agon(words);
  INFO(played.err);
  REQUIRE(played.code == 0);
}

bj::value table(const Folder& folder, const std::string& id) {
  const Ended made = folder.agon({"report", "t.agon", "--table", "game-theory/" + id, "--json"});
  INFO(made.err);
  REQUIRE(made.code == 0);
  return json_of(made.out);
}

const bj::array& cells(const bj::value& made, const std::string& row) {
  for (const auto& r : made.at("rows").as_array())
    if (std::string_view(r.at("label").as_string()) == row) return r.at("cells").as_array();
  FAIL("no row " << row);
  return made.at("rows").as_array();
}

}  // namespace

TEST_CASE("game-theory tables 5 to 8: exact agents reach an equilibrium in every trial") {
  for (const std::string id : {"table-5", "table-6", "table-7", "table-8"}) {
    INFO(id);
    const Folder folder;
    play(folder, id, {"--agent", "nash"});
    const bj::value made = table(folder, id);
    REQUIRE(made.at("columns").as_array().size() == 4);
    REQUIRE(made.at("rows").as_array().size() == 12);
    for (const auto& row : made.at("rows").as_array())
      for (const auto& cell : row.at("cells").as_array()) {
        CHECK(cell.at("value").as_double() == 1);
        CHECK(cell.at("n").to_number<double>() == 10);
      }
  }
}

TEST_CASE("game-theory tables: what the paper prints stands beside ours") {
  const Folder folder;
  play(folder, "table-5", {"--agent", "nash", "--blocks", "1"});
  const bj::value made = table(folder, "table-5");
  CHECK(cells(made, "Stag Hunt")[3].at("published") == 0.4);
  CHECK(cells(made, "Stag Hunt, Pareto-best")[1].at("published") == 0.4);
  CHECK(cells(made, "Duopoly, Pareto-best")[0].at("published") == 0.2);
  CHECK(cells(made, "TriGame")[2].at("published") == 0.1);
  // An archive without workflows has nothing for table 7, and the message says what makes it.
  const Ended none = folder.agon({"report", "t.agon", "--table", "game-theory/table-7"});
  CHECK(none.code != 0);
  CHECK(contains(none.err, "with a workflow"));
  CHECK(contains(none.err, "papers/game-theory/table-7.json"));
}

TEST_CASE("game-theory: Golden Balls shows the counts of the published runs") {
  const Folder folder;
  play(folder, "golden-balls", {"--agent", "k-level:k=1", "--blocks", "2"});
  const bj::value made = table(folder, "golden-balls");
  REQUIRE(made.at("columns").as_array().size() == 6);
  REQUIRE(made.at("rows").as_array().size() == 14);
  CHECK(cells(made, "$250")[0].at("published") == 11 / 40.0);
  CHECK(cells(made, "$1500")[5].at("published") == 17 / 40.0);
  CHECK(cells(made, "$100150")[3].at("published") == 13 / 40.0);
  CHECK(cells(made, "all")[5].at("published").as_double() == Approx(127 / 520.0));
  // Stealing is never worse.
  for (const auto& cell : cells(made, "all")) {
    CHECK(cell.at("value").as_double() == 0);
    CHECK(cell.at("n").to_number<double>() == 52);
  }
}

TEST_CASE("game-theory: the figures of section 6 come from matches with the mock model") {
  const std::vector<std::pair<std::string, Words>> figures{{"figure-5", {"figure-5", "figure-6"}},
                                                           {"figure-7", {"figure-7"}},
                                                           {"figure-8", {"figure-8"}},
                                                           {"figure-9", {"figure-9", "figure-10"}},
                                                           {"figure-11", {"figure-11"}}};
  for (const auto& [scenario, ids] : figures) {
    INFO(scenario);
    const Folder folder;
    play(folder, scenario, {"--model", "mock", "--blocks", "2"});
    for (const std::string& id : ids) {
      const bj::value made = table(folder, id);
      for (const auto& row : made.at("rows").as_array()) {
        const auto& cell = row.at("cells").as_array()[0];
        INFO(std::string_view(row.at("label").as_string()));
        REQUIRE(cell.at("value").is_double());
        CHECK(cell.at("value").as_double() >= 0);
        CHECK(cell.at("value").as_double() <= 1);
        CHECK(cell.at("n").to_number<double>() >= 2);
      }
      // Nothing is missing.
      for (const auto& note : made.at("notes").as_array())
        CHECK_FALSE(contains(std::string(note.as_string()), "Nobody has played"));
    }
  }
}
