// What is refused in the data of a game, and what still works.

#include <agon/error.hpp>

#include "catch.hpp"
#include "classic_support.hpp"
#include "settings/settings.hpp"
#include "support/settings.hpp"

using namespace classic_test;
using agon::test::ScriptedMatch;
using Catch::Matchers::Contains;

namespace {

/// Why settings with this game, in JSON, are refused; empty if they are taken.
std::string refusal(const std::string& game, const std::string& more = {}) {
  const agon::Game card = classic::game();
  try {
    static_cast<void>(
        agon::test::read_settings(card, R"({"game": )" + game + more + "}", "a test"));
  } catch (const agon::Error& error) {
    return error.what();
  }
  return {};
}

std::string table(const std::string& payoffs,
                  const std::string& actions = R"([["a", "b"], ["a", "b"]])") {
  return R"({"players": ["A", "B"], "actions": )" + actions + R"(, "payoffs": )" + payoffs + "}";
}

std::string tree(const std::string& nodes) {
  return R"({"players": ["A", "B"], "nodes": )" + nodes + "}";
}

/// A chain of `nodes` nodes, each of which may end the game.
std::string chain(int nodes) {
  std::string text = "[";
  for (int i = 0; i < nodes; ++i) {
    const std::string n = std::to_string(i);
    const std::string on =
        i + 1 == nodes ? R"({"payoffs": [1, 2]})" : R"({"to": "n)" + std::to_string(i + 1) + "\"}";
    text += std::string(i == 0 ? "" : ",") + R"({"name": "n)" + n + R"(", "player": )" +
            std::to_string(i % 2) + R"(, "moves": [{"payoffs": [0, )" + n + "]}, " + on + "]}";
  }
  return tree(text + "]");
}

/// A full binary tree of this many levels of nodes.
std::string full(int levels) {
  std::string text = "[";
  const int nodes = (1 << levels) - 1;
  for (int i = 0; i < nodes; ++i) {
    int depth = 0;
    for (int k = i + 1; k > 1; k /= 2) ++depth;
    const auto move = [&](int child) {
      return child < nodes ? R"({"to": "n)" + std::to_string(child) + "\"}"
                           : R"({"payoffs": [)" + std::to_string(child % 17) + ", " +
                                 std::to_string(child % 13) + "]}";
    };
    text += std::string(i == 0 ? "" : ",") + R"({"name": "n)" + std::to_string(i) +
            R"(", "player": )" + std::to_string(depth % 2) + R"(, "moves": [)" + move(2 * i + 1) +
            ", " + move(2 * i + 2) + "]}";
  }
  return tree(text + "]");
}

}  // namespace

TEST_CASE("classic: payoff tables with holes are refused with the place") {
  CHECK(refusal(table("[[1, 2], [3, 4], [5, 6], [7, 8]]")).empty());
  CHECK_THAT(refusal(table("[[1, 2], [3, 4], [5, 6]]")),
             Contains("3 cells are given, but 2 x 2 actions make 4"));
  CHECK_THAT(refusal(table("[[1, 2], [3, 4], [5], [7, 8]]")),
             Contains("payoffs[2]): 1 payoff for 2 players"));
  CHECK_THAT(refusal(table("[[1, 2], [3, 4], null, [7, 8]]")), Contains("payoffs[2]"));
  CHECK_THAT(refusal(table("[[1, 2], [3, null], [5, 6], [7, 8]]")), Contains("payoffs[1][1]"));
  CHECK_THAT(refusal(table("[[1, 2], [3, 4], [5, 6], [7, 8]]", R"([["a", "b"], []])")),
             Contains("actions[1]): B has no action"));
  CHECK_THAT(refusal(table("[[1, 2], [3, 4], [5, 6], [7, 8]]", R"([["a", "a"], ["a", "b"]])")),
             Contains("actions[0][1]): \"a\" is there twice"));
  CHECK_THAT(refusal(table("[[1, 2], [3, 4], [5, 6], [7, 8]]", R"([["a", "b"]])")),
             Contains("actions for 1 players, but 2 players"));
}

TEST_CASE("classic: payoffs that are no finite numbers are refused with the place") {
  CHECK_THAT(refusal(table("[[1, 2], [3, NaN], [5, 6], [7, 8]]")), Contains("1:"));
  CHECK_THAT(refusal(table(R"([[1, 2], [3, "NaN"], [5, 6], [7, 8]])")), Contains("payoffs[1][1]"));
  CHECK_THAT(refusal(table("[[1, 2], [3, 1e999], [5, 6], [7, 8]]")), !Contains("something broke"));
  CHECK_FALSE(refusal(table("[[1, 2], [3, 1e999], [5, 6], [7, 8]]")).empty());
  CHECK_THAT(refusal(table("[[1, 2], [3, 1e13], [5, 6], [7, 8]]")),
             Contains("payoffs[1][1]): a payoff must be a finite number"));
  CHECK_THAT(refusal(table("[[1, 2], [3, 1e12], [5, 6], [7, 8]]"), R"(, "scale": 2)"),
             Contains("scale makes a payoff larger"));
}

TEST_CASE("classic: trees with a missing branch, a circle or two ways to a node are refused") {
  const std::string end = R"({"payoffs": [0, 0]})";
  const auto node = [](const std::string& name, const std::string& moves) {
    return R"({"name": ")" + name + R"(", "player": 0, "moves": [)" + moves + "]}";
  };
  const auto to = [](const std::string& name) { return R"({"to": ")" + name + "\"}"; };
  CHECK(refusal(tree("[" + node("a", to("b") + "," + end) + "," + node("b", end) + "]")).empty());
  CHECK_THAT(refusal(tree("[" + node("a", to("c") + "," + end) + "]")),
             Contains("nodes[0].moves[0].to): there is no node \"c\""));
  CHECK_THAT(refusal(tree("[" + node("a", "{}," + end) + "]")),
             Contains("nodes[0].moves[0]): it leads nowhere"));
  CHECK_THAT(refusal(tree("[" + node("a", "") + "]")), Contains("nodes[0].moves"));
  CHECK_THAT(refusal(tree("[" + node("a", R"({"payoffs": [1]})") + "]")),
             Contains("nodes[0].moves[0].payoffs): 1 payoff for 2 players"));
  CHECK_THAT(refusal(tree("[" + node("a", to("a")) + "]")), Contains("back to the first node"));
  CHECK_THAT(refusal(tree("[" + node("a", to("b") + "," + to("b")) + "," + node("b", end) + "]")),
             Contains("another move leads to \"b\" already"));
  CHECK_THAT(refusal(tree("[" + node("a", end) + "," + node("b", end) + "]")),
             Contains("no move leads to \"b\""));
  CHECK_THAT(refusal(tree("[" + node("a", end) + "," + node("b", to("c")) + "," +
                          node("c", to("b")) + "]")),
             Contains("in a circle"));
  CHECK_THAT(refusal(tree("[" + node("a", end) + "," + node("a", end) + "]")),
             Contains("another node is called \"a\""));
  CHECK_THAT(refusal(tree(R"([{"name": "a", "player": 2, "moves": [{"payoffs": [0, 0]}]}])")),
             Contains("nodes[0].player): 2 is no player"));
}

TEST_CASE("classic: large trees work, and beyond the limit they are refused with it") {
  // 4095 nodes and 4096 ends; 64 moves in a row.
  for (const std::string& game : {full(12), chain(64)}) {
    REQUIRE(refusal(game).empty());
    const classic::Nash nash({});
    const auto played = ScriptedMatch(classic::game(), R"({"game": )" + game + "}")
                            .agent(0, nash)
                            .agent(1, nash)
                            .play();
    CHECK(played.metric("spe") == 1);
  }
  CHECK_THAT(refusal(chain(65)), Contains("more than 64 moves from the beginning"));
  CHECK_THAT(refusal(full(13)), Contains("16383 places (nodes and ends), more than 10000"));
  CHECK_THAT(refusal(chain(10'001)), Contains("10000"));
}

TEST_CASE("classic: games that are neither or both, and other slips") {
  CHECK_THAT(refusal(R"({"players": ["A", "B"]})"),
             Contains("game.payoffs): there is neither a payoff table"));
  CHECK_THAT(refusal(R"({"players": ["A"], "actions": [["a"]], "payoffs": [[1]]})"),
             Contains("players"));
  CHECK_THAT(refusal(R"({"players": ["A", "A"], "actions": [["a"], ["a"]], "payoffs": [[1, 1]]})"),
             Contains("players[1]): \"A\" is there twice"));
  CHECK_THAT(refusal(R"({"players": ["A", "B"], "actions": [["a"], ["a"]], "payoffs": [[1, 1]],
      "nodes": [{"name": "n", "player": 0, "moves": [{"payoffs": [1, 1]}]}]})"),
             Contains("game.nodes): a game is a payoff table (actions, payoffs) or a tree"));
  CHECK_THAT(refusal("\"no-such-game\""), Contains("there is no data file 'no-such-game'"));
  CHECK_THAT(refusal("\"" + shipped("stag-hunt") + "\"", R"(, "who_first": 3)"),
             Contains("who_first is 3"));
  CHECK_THAT(refusal("\"" + shipped("draco") + "\"", R"(, "labels": true)"),
             Contains("some moves of the tree have none"));
  CHECK_THAT(refusal(R"({"players": ["A", "B"], "actions": [["a"], ["b"]], "payoffs": [[1, 1]],
                         "cooperate": "a"})"),
             Contains("cooperate): \"a\" is not an action of every player"));
}
