// Tools of model agents, as whoever runs a suite meets them.
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <map>

#include "catch.hpp"
#include "command/folder.hpp"

namespace tools_test {

using namespace command_test;

const std::string kSuite = R"({"suite": "tools", "seed": 4, "models": {"m": {"provider": "mock"}},
  "agents": {"a": {"llm": "m", "factors": {"tools": ["none", "calculator-and-own-moves:calls=4"],
                                           "memory": ["whole", "retrieval"]}}, "floor": "random"},
  "scenarios": [{"game": "water-allocation", "set": {"days": 3}, "blocks": 2,
                 "treatments": {"persona": [false, true]},
                 "design": {"focal": "a/*", "background": "floor"}}]})";

TEST_CASE("tools are played, shown, replayed, planned and crossed like any other part") {
  const Folder folder;
  folder.write("s.json", kSuite);
  folder.succeeds({"run", "s.json", "--out", "a.agon", "--quiet"});
  const Ended replayed = folder.succeeds({"replay", "a.agon"});
  CHECK(contains(replayed.out, "come out byte for byte the same"));
  const Ended read_again = folder.succeeds({"replay", "a.agon", "--reparse"});
  CHECK(contains(read_again.out, "0 of "));
  CHECK(contains(folder.agon({"report", "a.agon"}).out,
                 "tools: calculator-and-own-moves:calls=4 less none"));
  // The whole of a question: what was called, what came of it, and the answer.
  std::string shown;
  for (int match = 1; match <= 40 && !contains(shown, "> tool\n"); ++match)
    for (const char* question : {"0", "1", "5", "6"})
      if (!contains(shown, "> tool\n"))
        shown = folder.agon({"show", "a.agon", std::to_string(match), "--question", question}).out;
  INFO(shown);
  check_has(shown, {"< called", "> tool_calls", "> tool\n", "< said"});
  CHECK(folder.agon({"plan", "s.json"}).code == 0);
  // What is given up and taken up again is what it would have been.
  REQUIRE(folder.agon({"run", "s.json", "--out", "b.agon", "--quiet", "--max-calls", "60"}).code !=
          0);
  CHECK(folder.agon({"run", "s.json", "--out", "b.agon", "--quiet"}).code == 0);
  const auto figures = [&](const char* archive) {
    return folder.agon({"report", archive, "--json", "--section", "scores,metrics,faults"}).out;
  };
  CHECK(figures("b.agon") == figures("a.agon"));
  // No answered call was made twice.
  const std::size_t calls = lines(folder.agon({"export", "a.agon", "--rows", "calls"}).out).size();
  CHECK(calls > 100);
  CHECK(lines(folder.agon({"export", "b.agon", "--rows", "calls"}).out).size() == calls);
}

TEST_CASE("a report says what treatments change in pairs") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "s", "seed": 4,
  "agents": {"a": "survivor", "b": "random"},
  "scenarios": [{"name": "dry", "game": "water-allocation", "set": {"days": 20}, "blocks": 30,
                 "treatments": {"supply": [[20, 30], [10, 20]]},
                 "design": {"fixed": [["a", "a", "a", "a", "a"], ["b", "b", "b", "b", "b"]]}}]})");
  REQUIRE(folder.agon({"run", "s.json", "--out", "a.agon", "--quiet"}).code == 0);
  const std::string report = folder.agon({"report", "a.agon"}).out;
  INFO(report);
  check_has(report, {"Treatment effects", "dry: supply [10,20] \u2212 dry: supply [20,30]"});
  const auto section = [&](const std::string& id) {
    return json_of(folder.agon({"report", "a.agon", "--json", "--section", id}).out)
        .at("sections")
        .at(0)
        .at("tables")
        .at(0)
        .at("rows")
        .as_array();
  };
  // Two treatments, each with the scores of both agents; all blocks are in both.
  std::map<std::string, std::vector<double>> scores;
  for (const auto& row : section("treatments"))
    for (const auto& cell : row.at("cells").as_array())
      if (const auto& figure = cell.as_object();
          figure.contains("metric") && figure.at("metric") == "normalized_score")
        scores[std::string(figure.at("agent").as_string())].push_back(
            figure.at("value").to_number<double>());
  REQUIRE(scores.size() == 2);
  const auto contrasts = section("contrasts");
  REQUIRE(contrasts.size() == 2);
  for (const auto& row : contrasts) {
    const auto& figure = row.at("cells").at(1);
    const auto& both = scores.at(std::string(figure.at("agent").as_string()));
    REQUIRE(both.size() == 2);
    const double change = figure.at("value").to_number<double>();
    CHECK(change == Approx(both[1] - both[0]));
    CHECK(figure.at("n") == 30);
    // Less water is worse, beyond chance.
    CHECK(change < 0);
    CHECK(figure.at("high").to_number<double>() < 0);
  }
}

}  // namespace tools_test
