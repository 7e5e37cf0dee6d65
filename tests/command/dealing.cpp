#include <boost/json/object.hpp>
#include <map>
#include <set>

#include "catch.hpp"
#include "command/folder.hpp"

// What a data file lists can be dealt in turn, so that each thing is played once.

using namespace command_test;

namespace dealing_test {
namespace {

using Places = std::map<std::pair<int, int>, std::set<int>>;

/// By block and position: what was dealt, as the match metric of this name has it.
Places dealt(const Folder& folder, const std::string& metric) {
  Places places;
  for (const auto& match : exported(folder, "a.agon", "matches"))
    places[{match.at("block").to_number<int>(), match.at("position").to_number<int>()}].insert(
        static_cast<int>(match.at("metric_match_" + metric).to_number<double>()));
  return places;
}

void run(const Folder& folder, Words words) {
  folder.succeeds(words);
}

constexpr const char* kProducts = R"({"suite": "s", "seed": 7,
    "agents": {"a": "time-dependent", "b": "random"},
    "design": {"fixed": [["a", "a"], ["a", "b"]], "blocks": BLOCKS},
    "scenarios": [{"game": "bargaining", "sequence": 3, "set": {"order": "in_turn", "products": [
      {"codename": "p_0", "category": "x", "title": "t", "description": "",
       "list_price_cents": 1000, "cost_cents": 500},
      {"codename": "p_1", "category": "x", "title": "t", "description": "",
       "list_price_cents": 2000, "cost_cents": 900},
      {"codename": "p_2", "category": "y", "title": "t", "description": "",
       "list_price_cents": 3000, "cost_cents": 700},
      {"codename": "p_3", "category": "x", "title": "t", "description": "",
       "list_price_cents": 4000, "cost_cents": 100}] CATEGORY}}]})";

std::string products(const std::string& blocks, const std::string& category) {
  std::string text = kProducts;
  text.replace(text.find("BLOCKS"), 6, blocks);
  text.replace(text.find("CATEGORY"), 8, category);
  return text;
}

}  // namespace

TEST_CASE("in turn: n sequences have each of n products once at every position", "[dealing]") {
  const Folder folder;
  folder.write("s.json", products("2", ""));
  run(folder, {"run", "s.json", "--out", "a.agon", "--quiet"});
  // Further blocks go on where the archive ends.
  folder.write("s.json", products("5", ""));
  run(folder, {"run", "s.json", "--out", "a.agon", "--quiet"});
  const Places places = dealt(folder, "product");
  REQUIRE(places.size() == 5 * 3);
  for (const auto& [at, what] : places) CHECK(what == std::set<int>{(at.first + at.second) % 4});
  folder.succeeds({"replay", "a.agon"});
}

TEST_CASE("in turn: only products of the category have turns", "[dealing]") {
  const Folder folder;
  folder.write("s.json", products("3", R"(, "category": "x")"));
  run(folder, {"run", "s.json", "--out", "a.agon", "--quiet"});
  const std::vector<int> of_category{0, 1, 3};
  for (const auto& [at, what] : dealt(folder, "product"))
    CHECK(what == std::set<int>{of_category[static_cast<std::size_t>((at.first + at.second) % 3)]});
}

TEST_CASE("the papers' products and points are played once each, and carry intervals",
          "[dealing][papers]") {
  const std::string papers = std::string(AGON_TEST_SOURCE) + "/scenarios/papers/";
  struct Row {
    std::string file, agent, metric;
    int things;
  };
  for (const Row& row : {Row{"bargaining/experiment-b.json", "time-dependent", "product", 180},
                         Row{"game-theory/table-10.json", "concede", "instance", 50}}) {
    INFO(row.file);
    const Folder folder;
    run(folder, {"run", papers + row.file, "--out", "a.agon", "--agent", row.agent, "--quiet"});
    const Places places = dealt(folder, row.metric);
    REQUIRE(places.size() == static_cast<std::size_t>(row.things));
    for (const auto& [at, what] : places) CHECK(what == std::set<int>{at.first});
    const Ended report = folder.succeeds({"report", "a.agon"});
    const std::string board = report.out.substr(0, report.out.find("Scores by game"));
    CHECK(contains(board, "Leaderboard"));
    CHECK(!contains(board, "too few"));
  }
}

TEST_CASE("in turn needs a list", "[dealing]") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "s", "agents": {"a": "concede"},
    "design": {"fixed": [["a", "a"]]},
    "scenarios": [{"game": "deal-or-no-deal", "set": {"instances": [], "order": "in_turn"}}]})");
  folder.refuses({"run", "s.json", "--out", "a.agon"}, 5, {"no list of instances to deal in turn"});
}

}  // namespace dealing_test
