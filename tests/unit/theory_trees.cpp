#include <agon/analysis/game_theory.hpp>
#include <agon/error.hpp>
#include <limits>

#include "catch.hpp"

using namespace agon::theory;

namespace {

using Path = std::vector<std::size_t>;

TreeNode decision(std::size_t player, std::vector<std::size_t> children) {
  return {player, std::move(children), {}};
}

TreeNode end(double first, double second) {
  return {0, {}, {first, second}};
}

struct Solved {
  Path path;
  std::vector<double> payoffs;
};

Solved solve(std::vector<TreeNode> nodes) {
  const TreeGame game(2, std::move(nodes));
  const TreeSolution solution = backward_induction(game);
  return {solution.path, game.nodes()[solution.end[0]].payoffs};
}

std::string tree_refusal(std::size_t players, std::vector<TreeNode> nodes) {
  try {
    const TreeGame game(players, std::move(nodes));
  } catch (const agon::Error& error) {
    return error.where() + ": " + error.problem();
  }
  return "none";
}

}  // namespace

TEST_CASE("theory: backward induction in the escalation game") {
  const Solved found = solve({decision(0, {1, 2}), end(0, 0), decision(1, {3, 4}), end(1, -2),
                              decision(0, {5, 6}), end(-2, 1), end(-1, -1)});
  CHECK(found.path == Path{0});
  CHECK(found.payoffs == std::vector<double>{0, 0});
}

TEST_CASE("theory: backward induction in the monopoly game") {
  const Solved found =
      solve({decision(0, {1, 2}), end(0, 2), decision(1, {3, 4}), end(2, 1), end(-1, -1)});
  CHECK(found.path == Path{1, 0});
  CHECK(found.payoffs == std::vector<double>{2, 1});
}

TEST_CASE("theory: backward induction in the hot-cold game") {
  const Solved found = solve({decision(0, {1, 2}), decision(1, {3, 4}), decision(1, {5, 6}),
                              end(3, 2), end(2, 3), end(1, 4), end(4, 1)});
  CHECK(found.path == Path{0, 1});
  CHECK(found.payoffs == std::vector<double>{2, 3});
}

TEST_CASE("theory: backward induction in the Draco game") {
  const Solved found = solve({decision(0, {1, 2}), decision(1, {3, 4}), decision(1, {5, 6}),
                              end(5, 5), decision(0, {7, 8}), end(4, 5), decision(0, {9, 10}),
                              end(2, 2), end(3, 4), end(5, 3), end(2, 2)});
  CHECK(found.path == Path{0, 0});
  CHECK(found.payoffs == std::vector<double>{5, 5});
}

TEST_CASE("theory: backward induction in the TriGame, with the value of every node") {
  const TreeGame game(
      2, {decision(0, {1, 2}), decision(1, {3, 4}), decision(1, {5, 6}), decision(0, {7, 8}),
          decision(0, {9, 10}), decision(0, {11, 12}), decision(0, {13, 14}), end(20, 3), end(0, 4),
          end(2, 5), end(3, 4), end(1, 5), end(4, 10), end(2, 1), end(3, 2)});
  const TreeSolution solution = backward_induction(game);
  CHECK(solution.path == Path{1, 0, 1});
  CHECK(solution.nodes == Path{0, 2, 5, 12});
  CHECK(solution.end == Path{12, 10, 12, 7, 10, 12, 14, 7, 8, 9, 10, 11, 12, 13, 14});
  CHECK(solution.choice[1] == 1);
  CHECK(solution.choice[6] == 1);
  CHECK(solution.ties.empty());
}

TEST_CASE("theory: of equal actions the lowest is taken, and the tie is told") {
  const TreeGame game(2, {decision(1, {1, 2, 3, 4}), end(9, 1), end(0, 2), end(5, 2), end(7, 0)});
  const TreeSolution solution = backward_induction(game);
  CHECK(solution.path == Path{1});
  CHECK(solution.ties == Path{0});
  // A tie below the best is none.
  const TreeGame low(2, {decision(1, {1, 2, 3}), end(9, 1), end(0, 1), end(5, 2)});
  CHECK(backward_induction(low).ties.empty());
}

TEST_CASE("theory: a tree of 10 000 nodes in one line is solved") {
  // The centipede: stop and take, or pass on. Stopping at once is the only equilibrium.
  std::vector<TreeNode> nodes;
  const std::size_t moves = 10'000;
  for (std::size_t k = 0; k < moves; ++k) {
    const auto own = static_cast<double>(k + 2);
    const auto other = static_cast<double>(k);
    nodes.push_back(decision(k % 2, {2 * k + 1, 2 * k + 2}));
    nodes.push_back(k % 2 == 0 ? end(own, other) : end(other, own));
  }
  nodes.push_back(end(10'001, 10'000));
  const TreeGame game(2, nodes);
  const TreeSolution solution = backward_induction(game);
  CHECK(solution.path == Path{0});
  CHECK(solution.choice[2 * (moves - 1)] == 0);
}

TEST_CASE("theory: a broad tree of 10 000 nodes is solved") {
  std::vector<TreeNode> nodes{decision(0, {})};
  for (std::size_t k = 1; k < 10'000; ++k) {
    nodes[0].children.push_back(k);
    nodes.push_back(end(static_cast<double>(k * 7919 % 10'007), 0));
  }
  const TreeSolution solution = backward_induction(TreeGame(2, nodes));
  std::size_t best = 1;
  for (std::size_t k = 1; k < 10'000; ++k) {
    if (nodes[k].payoffs[0] > nodes[best].payoffs[0]) best = k;
  }
  CHECK(solution.path == Path{best - 1});
}

TEST_CASE("theory: a bad tree is refused with its place") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(tree_refusal(2, {}).find("nodes:") == 0);
  CHECK(tree_refusal(0, {end(0, 0)}).find("players:") == 0);
  CHECK(
      tree_refusal(2, {decision(0, {1, 2}), end(0, 0), {}}).find("nodes[2]: a branch is missing") ==
      0);
  CHECK(
      tree_refusal(2, {decision(0, {1, 2}), end(0, 0)}).find("nodes[0].children[1]: a branch is") ==
      0);
  CHECK(tree_refusal(2, {decision(2, {1}), end(0, 0)}).find("nodes[0].player") == 0);
  CHECK(tree_refusal(2, {end(0, nan)}).find("nodes[0].payoffs[1]") == 0);
  CHECK(tree_refusal(3, {end(0, 0)}).find("nodes[0].payoffs: ") == 0);
  CHECK(tree_refusal(2, {{0, {1}, {1, 1}}, end(0, 0)}).find("nodes[0].payoffs: ") == 0);
  CHECK(tree_refusal(2, {decision(0, {1, 1}), end(0, 0)}).find("two branches") !=
        std::string::npos);
  CHECK(tree_refusal(2, {decision(0, {0})}).find("two branches") != std::string::npos);
  CHECK(tree_refusal(2, {end(0, 0), decision(0, {2}), decision(0, {1})})
            .find("nodes[1]: the node is "
                  "not reached") == 0);
}
