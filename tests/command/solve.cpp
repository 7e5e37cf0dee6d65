// `agon solve` as a person uses it.

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

bool says(const Ended& ended, const std::string& text) {
  return ended.out.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("agon solve: a shipped payoff table by its name") {
  const Folder folder;
  const Ended dilemma = folder.succeeds({"solve", "prisoners-dilemma"});
  CHECK(dilemma.err.empty());
  CHECK(says(dilemma, "choice_2 defect     5, 0                1, 1 *\n"));
  CHECK(says(dilemma, "Pure equilibria\n  (choice_2, choice_2): 1, 1  (Pareto-best)\n"));
  CHECK(says(dilemma,
             "  1      Alice   choice_1  choice_2\n  1      Bob     choice_1  choice_2\n"
             "  left: choice_2; choice_2\n"));
  CHECK(says(dilemma, "  Alice: 1\n  Bob: 1\n"));
  CHECK(says(dilemma, "Nash bargaining point over that\n  (choice_1, choice_1): 3, 3\n"));
}

TEST_CASE("agon solve: mixed equilibria are exact fractions") {
  const Folder folder;
  const Ended sexes = folder.succeeds({"solve", "battle-of-sexes"});
  CHECK(says(sexes, "  Alice   2/3       1/3       2/3\n  Bob     1/3       2/3       2/3\n"));
  const Ended hands = folder.agon({"solve", "rock-paper-scissors"});
  CHECK(says(hands, "Pure equilibria\n  none\n"));
  CHECK(says(hands, "  Alice   1/3       1/3       1/3       0\n"));
  CHECK(says(hands, "Strict dominance crosses out\n  nothing\n"));
}

TEST_CASE("agon solve: a tree, with its principal path and the value of every node") {
  const Folder folder;
  const Ended draco = folder.succeeds({"solve", "draco"});
  CHECK(says(draco, "Principal path\n  (choice_1, choice_1): 5, 5\n"));
  CHECK(says(draco, "  choice_1, choice_2  Alice  choice_2  3, 4\n"));
  CHECK(says(draco, "  (nothing)           Alice  choice_1  5, 5   on the path\n"));
}

TEST_CASE("agon solve: a deep tree fits the page, whatever its ways are") {
  const Folder folder;
  // A centipede of 20 moves: to take leaves the other less.
  std::string nodes;
  for (int i = 0; i < 20; ++i) {
    const auto pair = [](int mine, int theirs, bool first) {
      return "[" + std::to_string(first ? mine : theirs) + ", " +
             std::to_string(first ? theirs : mine) + "]";
    };
    const bool first = i % 2 == 0;
    nodes += std::string(i == 0 ? "" : ", ") + R"({"name": "n)" + std::to_string(i) +
             R"(", "player": )" + (first ? "0" : "1") + R"(, "moves": [{"payoffs": )" +
             pair(i + 2, i, first) + "}, " +
             (i < 19 ? R"({"to": "n)" + std::to_string(i + 1) + "\"}"
                     : R"({"payoffs": )" + pair(20, 22, first) + "}") +
             "]}";
  }
  folder.write("centipede.json", R"({ "format": "agon.classic.game", "version": 1, "rows": [
    { "name": "centipede", "players": ["Alice", "Bob"], "nodes": [)" +
                                     nodes + "] } ] }");
  const Ended solved = folder.succeeds({"solve", "centipede.json"});
  for (const std::string& line : lines(solved.out)) CHECK(line.size() <= 100);
  CHECK(says(solved, "  1     (nothing)          Alice  choice_1  2, 0    on the path\n"));
  CHECK(says(solved, "  20    node 19: choice_2  Bob    choice_1  19, 21\n"));
  CHECK(says(solved, "Principal path\n  (choice_1): 2, 0\n"));
  CHECK(says(solved, ",\n    choice_2, "));
}

TEST_CASE("agon solve: a suite, a data file, and JSON") {
  const Folder folder;
  folder.write("suite.json", R"({
    "agents": { "a": "default", "b": "random" },
    "scenarios": [
      { "game": "classic", "name": "x", "treatments": { "rounds": [0, 2],
        "game": ["stag-hunt", "golden-balls"] }, "set": { "scale": 100 } },
      { "game": "bargaining" }
    ] })");
  const auto solved = json_of(folder.agon({"solve", "suite.json", "--json"}).out);
  // With other rounds it is the same game.
  REQUIRE(solved.as_array().size() == 2);
  CHECK(solved.at(0).at("game").as_string() == "stag-hunt");
  CHECK(solved.at(0).at("best_pure_equilibria").as_array().size() == 1);
  CHECK(solved.at(1).at("pure_equilibria").as_array().size() == 3);
  CHECK(solved.at(1).at("payoffs").at(0).at(0).as_double() == 50);

  folder.write("mine.json", R"({ "format": "agon.classic.game", "version": 1, "rows": [
    { "players": ["A", "B", "C"], "actions": [["x", "y"], ["x"], ["x", "y"]],
      "payoffs": [[1, 0, 1], [0, 0, 0], [0, 0, 0], [2, 0, 2]] } ] })");
  const Ended mine = folder.succeeds({"solve", "mine.json"});
  CHECK(says(mine, "  choice_2 y  choice_1 x  choice_2 y  2, 0, 2 *\n"));
  CHECK(says(mine, "two players only"));
}

TEST_CASE("agon solve: a table too large for mixtures is solved without them") {
  const Folder folder;
  // The largest table there may be: payoffs i and j, so that the last actions dominate.
  std::string payoffs, actions;
  for (int i = 0; i < 64; ++i) {
    actions += (i == 0 ? "\"a" : ", \"a") + std::to_string(i) + "\"";
    for (int j = 0; j < 64; ++j)
      payoffs += (i + j == 0 ? "[" : ", [") + std::to_string(i) + ", " + std::to_string(j) + "]";
  }
  folder.write("large.json", R"({"format": "agon.classic.game", "version": 1, "rows": [
    {"name": "large", "players": ["A", "B"], "actions": [[)" +
                                 actions + "], [" + actions + R"(]], "payoffs": [)" + payoffs +
                                 "]}]}");
  const Ended text = folder.succeeds({"solve", "large.json"});
  CHECK(says(text, "Pure equilibria\n  (choice_64, choice_64): 63, 63  (Pareto-best)\n"));
  CHECK(says(text, "the game is too large for mixed equilibria"));
  CHECK(says(text, "Strict dominance by single actions (the game is too large for mixtures)"));
  CHECK(says(text, "left: choice_64; choice_64\n"));
  const auto json = json_of(folder.agon({"solve", "large.json", "--json"}).out);
  CHECK_FALSE(json.at(0).at("strict_dominance").at("mixtures").as_bool());
  const auto small = json_of(folder.agon({"solve", "stag-hunt", "--json"}).out);
  CHECK(small.at(0).at("strict_dominance").at("mixtures").as_bool());
}

TEST_CASE("agon solve: what is wrong is said with file and place") {
  const Folder folder;
  const Ended none = folder.agon({"solve"});
  CHECK(none.code == 2);
  const Ended unknown = folder.agon({"solve", "prisoner-dilema"});
  CHECK(unknown.code == 3);
  CHECK(unknown.err.find("there is no data file 'prisoner-dilema'") != std::string::npos);
  folder.write("holes.json", R"({ "format": "agon.classic.game", "version": 1, "rows": [
    { "players": ["A", "B"], "actions": [["x", "y"], ["x"]], "payoffs": [[1, 0]] } ] })");
  const Ended holes = folder.agon({"solve", "holes.json"});
  CHECK(holes.code == 5);
  CHECK(holes.err.find("holes.json") != std::string::npos);
  CHECK(holes.err.find("payoffs): 1 cell is given, but 2 x 1 actions make 2") != std::string::npos);
  folder.write("two.json", R"({ "format": "agon.classic.game", "version": 1, "rows": [] })");
  const Ended two = folder.agon({"solve", "two.json"});
  CHECK(two.code == 5);
  CHECK(two.err.find("0 elements, fewer than 1") != std::string::npos);
  folder.write("other.json", R"({ "agents": { "a": "random" },
    "scenarios": [ { "game": "bargaining" } ] })");
  const Ended other = folder.agon({"solve", "other.json"});
  CHECK(other.code == 3);
  CHECK(other.err.find("no scenario plays 'classic'") != std::string::npos);
  CHECK(folder.agon({"solve", "draco", "--jsn"}).code == 2);
  CHECK(folder.agon({"solve", "draco", "trigame"}).code == 2);
}
