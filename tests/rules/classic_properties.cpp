// What holds in every game, whoever plays: random payoff tables and trees.

#include <agon/random.hpp>
#include <cmath>

#include "catch.hpp"
#include "classic_support.hpp"

using namespace classic_test;
using agon::test::Played;
using agon::test::ScriptedMatch;

namespace {

/// A random payoff table of 2 to 4 players with small payoffs, so that ties are common.
struct Table {
  std::vector<std::size_t> actions;
  std::vector<std::vector<int>> cells;
  std::string json;
};

Table random_table(agon::Dice& dice) {
  Table made;
  const std::size_t players = 2 + dice.below(3);
  std::size_t cells = 1;
  std::string names, actions, payoffs;
  for (std::size_t p = 0; p < players; ++p) {
    const std::size_t n = 1 + dice.below(4);
    made.actions.push_back(n);
    cells *= n;
    names += (p == 0 ? "\"p" : ", \"p") + std::to_string(p) + "\"";
    actions += p == 0 ? "[" : ", [";
    for (std::size_t a = 0; a < n; ++a)
      actions += (a == 0 ? "\"a" : ", \"a") + std::to_string(a) + "\"";
    actions += "]";
  }
  for (std::size_t c = 0; c < cells; ++c) {
    made.cells.emplace_back();
    payoffs += c == 0 ? "[" : ", [";
    for (std::size_t p = 0; p < players; ++p) {
      made.cells.back().push_back(static_cast<int>(dice.between(-3, 3)));
      payoffs += (p == 0 ? "" : ", ") + std::to_string(made.cells.back().back());
    }
    payoffs += "]";
  }
  made.json = R"({"players": [)" + names + R"(], "actions": [)" + actions + R"(], "payoffs": [)" +
              payoffs + "]}";
  return made;
}

std::size_t stride(const Table& t, std::size_t player) {
  std::size_t s = 1;
  for (std::size_t p = player + 1; p < t.actions.size(); ++p) s *= t.actions[p];
  return s;
}

/// The best that `player` could have made of the cell by itself, less what it got.
int regret(const Table& t, std::size_t cell, std::size_t player) {
  const std::size_t s = stride(t, player);
  const std::size_t own = cell / s % t.actions[player];
  int best = t.cells[cell][player];
  for (std::size_t a = 0; a < t.actions[player]; ++a)
    best = std::max(best, t.cells[cell - own * s + a * s][player]);
  return best - t.cells[cell][player];
}

bool is_nash(const Table& t, std::size_t cell) {
  for (std::size_t p = 0; p < t.actions.size(); ++p)
    if (regret(t, cell, p) > 0) return false;
  return true;
}

/// A random tree of two or three players.
std::string random_tree(agon::Dice& dice) {
  const int players = 2 + static_cast<int>(dice.below(2));
  std::string names;
  for (int p = 0; p < players; ++p) names += (p == 0 ? "\"p" : ", \"p") + std::to_string(p) + "\"";
  std::string nodes;
  int next = 1;
  for (int n = 0; n < next; ++n) {
    nodes += (n == 0 ? R"({"name": "n)" : R"(, {"name": "n)") + std::to_string(n) +
             R"(", "player": )" + std::to_string(dice.below(static_cast<std::uint64_t>(players))) +
             R"(, "moves": [)";
    const std::uint64_t moves = 1 + dice.below(3);
    for (std::uint64_t m = 0; m < moves; ++m) {
      nodes += m == 0 ? "" : ", ";
      if (next < 20 && dice.below(2) == 0) {
        nodes += R"({"to": "n)" + std::to_string(next++) + "\"}";
        continue;
      }
      nodes += R"({"payoffs": [)";
      for (int p = 0; p < players; ++p)
        nodes += (p == 0 ? "" : ", ") + std::to_string(dice.between(-5, 5));
      nodes += "]}";
    }
    nodes += "]}";
  }
  return R"({"players": [)" + names + R"(], "nodes": [)" + nodes + "]}";
}

Played play(const std::string& game, const agon::Agent& agent, std::uint64_t luck,
            const std::string& more = {}) {
  ScriptedMatch match(classic::game(), R"({"game": )" + game + more + "}");
  for (int seat = 0; seat < 4; ++seat) match.agent(seat, agent);
  return match.luck(luck).play();
}

}  // namespace

TEST_CASE("classic properties: metrics of random payoff tables are those of the definitions") {
  agon::Dice dice(20261121);
  const agon::test::DrawingAgent draws;
  for (std::uint64_t round = 0; round < 150; ++round) {
    const Table table = random_table(dice);
    INFO(table.json);
    const Played played = play(table.json, draws, round, R"(, "rounds": 1)");
    const auto cell = static_cast<std::size_t>(played.metric("cell"));
    REQUIRE(cell < table.cells.size());
    bool any = false;
    for (std::size_t c = 0; c < table.cells.size(); ++c) any = any || is_nash(table, c);
    CHECK(std::isnan(played.metric("nash")) == !any);
    if (any) CHECK((played.metric("nash") == 1) == is_nash(table, cell));
    if (any && played.metric("best_nash") == 1) CHECK(played.metric("nash") == 1);
    int welfare = 0;
    bool pareto = true;
    for (const auto& other : table.cells) {
      bool worse = false, better = false;
      for (std::size_t p = 0; p < other.size(); ++p) {
        worse = worse || other[p] < table.cells[cell][p];
        better = better || other[p] > table.cells[cell][p];
      }
      pareto = pareto && (worse || !better);
    }
    CHECK((played.metric("pareto") == 1) == pareto);
    for (std::size_t p = 0; p < table.actions.size(); ++p) {
      const int seat = static_cast<int>(p);
      CHECK(played.outcome[seat].score == table.cells[cell][p]);
      CHECK(played.metric("regret", seat) == regret(table, cell, p));
      CHECK(played.metric("choice", seat) ==
            static_cast<double>(cell / stride(table, p) % table.actions[p] + 1));
      welfare += table.cells[cell][p];
      // In an equilibrium nobody has less than it could have made sure of.
      if (any && is_nash(table, cell) && !std::isnan(played.outcome[seat].disagreement))
        CHECK(played.outcome[seat].score >= played.outcome[seat].disagreement);
    }
    CHECK(played.metric("welfare") == welfare);
    CHECK(played.metric("valid") == 1);
  }
}

TEST_CASE("classic properties: exact agents coordinate in random payoff tables") {
  agon::Dice dice(7);
  const classic::Nash nash({});
  for (std::uint64_t round = 0; round < 150; ++round) {
    const Table table = random_table(dice);
    INFO(table.json);
    const Played played = play(table.json, nash, round);
    bool any = false;
    for (std::size_t c = 0; c < table.cells.size(); ++c) any = any || is_nash(table, c);
    if (any) {
      CHECK(played.metric("best_nash") == 1);
      for (std::size_t p = 0; p < table.actions.size(); ++p)
        CHECK(played.metric("regret", static_cast<int>(p)) == 0);
    }
    CHECK(played.metric("valid") == 1);
  }
}

TEST_CASE("classic properties: random trees by backward induction, and by chance") {
  agon::Dice dice(99);
  const classic::Nash exact({});
  const classic::LevelK deep({12, classic::LevelZero::uniform, classic::Talk::silent});
  const agon::test::DrawingAgent draws;
  for (std::uint64_t round = 0; round < 150; ++round) {
    const std::string tree = random_tree(dice);
    INFO(tree);
    const Played best = play(tree, exact, round, R"(, "rounds": 1)");
    CHECK(best.metric("spe") == 1);
    const auto seats = best.outcome.seats();
    for (int seat = 0; seat < seats; ++seat) {
      CHECK(best.metric("regret", seat) == 0);
      if (!std::isnan(best.outcome[seat].disagreement))
        CHECK(best.outcome[seat].score >= best.outcome[seat].disagreement);
    }
    // As deep as the tree, level k is backward induction.
    CHECK(play(tree, deep, round).metric("welfare") == best.metric("welfare"));
    const Played chance = play(tree, draws, round);
    for (int seat = 0; seat < seats; ++seat) CHECK(chance.metric("regret", seat) >= 0);
    CHECK(chance.metric("moves") >= 1);
  }
}

TEST_CASE("classic: nobody's simultaneous choice is in what another sees") {
  const auto views = [](int other) {
    const auto played = ScriptedMatch(classic::game(), with_game("duopoly"))
                            .seat(0, {choice(other)})
                            .seat(1, {choice(2)})
                            .play();
    REQUIRE(played.asked.size() == 2);
    CHECK(played.asked[1].seat == 1);
    // All that is said comes after both have chosen, but for the note on the game.
    CHECK(played.count("ended") == 1);
    return played.asked[1].view_json;
  };
  CHECK(views(1) == views(6));
}
