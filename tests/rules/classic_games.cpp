// The shipped games of the rules, section 4.1: payoffs, equilibria, and what exact agents make of
// them.

#include <agon/telling.hpp>
#include <array>
#include <cmath>

#include "catch.hpp"
#include "classic_support.hpp"
#include "settings/settings.hpp"
#include "support/settings.hpp"

using namespace classic_test;
using agon::test::ScriptedMatch;

namespace {

/// The pure equilibria of a shipped payoff table as "(2,2)", counted from 1 as in the paper.
std::string equilibria(const std::string& name, bool best) {
  const agon::Game game = classic::game();
  const auto settings = agon::test::read_settings(game, with_game(name), "a test");
  const auto& made = *static_cast<const classic::Prepared*>(settings.prepared());
  const std::vector<bool>& cells = best ? made.best_nash : made.nash;
  std::string text;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (!cells[c]) continue;
    const auto profile = made.matrix->profile(c);
    text += "(" + std::to_string(profile[0] + 1) + "," + std::to_string(profile[1] + 1) + ")";
  }
  return text;
}

}  // namespace

TEST_CASE("classic 4.1: the pure equilibria of the payoff tables") {
  struct Row {
    const char* game;
    const char* all;
    const char* best;
  };
  const Row rows[] = {{"prisoners-dilemma", "(2,2)", "(2,2)"},
                      {"stag-hunt", "(1,1)(2,2)", "(1,1)"},
                      {"battle-of-sexes", "(1,1)(2,2)", "(1,1)(2,2)"},
                      {"wait-go", "(1,2)(2,1)", "(1,2)(2,1)"},
                      {"duopoly", "(3,3)", "(3,3)"},
                      {"rock-paper-scissors", "", ""},
                      {"golden-balls", "(1,2)(2,1)(2,2)", "(1,2)(2,1)"}};
  for (const Row& row : rows) {
    INFO(row.game);
    CHECK(equilibria(row.game, false) == row.all);
    CHECK(equilibria(row.game, true) == row.best);
  }
}

TEST_CASE("classic 4.1: perturbed payoffs keep the equilibria") {
  for (const char* variant : {"plus-300", "minus-300", "plus-1000", "minus-1000"})
    CHECK(equilibria(std::string("prisoners-dilemma-") + variant, false) == "(2,2)");
  for (const char* variant : {"plus-300", "minus-100", "plus-1000", "minus-1000"}) {
    CHECK(equilibria(std::string("stag-hunt-") + variant, false) == "(1,1)(2,2)");
    CHECK(equilibria(std::string("stag-hunt-") + variant, true) == "(1,1)");
  }
}

TEST_CASE("classic 4.1: the Pareto-optimal cells of the duopoly") {
  std::string cells;
  for (int own = 1; own <= 6; ++own)
    for (int other = 1; other <= 6; ++other) {
      const auto played = ScriptedMatch(classic::game(), with_game("duopoly"))
                              .seat(0, {choice(own)})
                              .seat(1, {choice(other)})
                              .play();
      if (played.metric("pareto") == 1)
        cells += "(" + std::to_string(own) + "," + std::to_string(other) + ")";
    }
  CHECK(cells == "(1,4)(2,2)(2,3)(3,2)(4,1)");
}

TEST_CASE("classic 4.1: backward induction finds the paths of the trees") {
  struct Row {
    const char* game;
    std::vector<int> path;
    double alice, bob;
  };
  const Row rows[] = {{"escalation", {1}, 0, 0},
                      {"monopoly", {2, 1}, 2, 1},
                      {"hot-cold", {1, 2}, 2, 3},
                      {"draco", {1, 1}, 5, 5},
                      {"trigame", {2, 1, 2}, 4, 10}};
  for (const Row& row : rows) {
    INFO(row.game);
    std::array<std::vector<std::string>, 2> answers;
    for (std::size_t i = 0; i < row.path.size(); ++i) answers[i % 2].push_back(choice(row.path[i]));
    const auto played = ScriptedMatch(classic::game(), with_game(row.game))
                            .seat(0, answers[0])
                            .seat(1, answers[1])
                            .play();
    CHECK(played.metric("spe") == 1);
    CHECK(played.metric("nash") == 1);
    CHECK(played.outcome[0].score == row.alice);
    CHECK(played.outcome[1].score == row.bob);
    CHECK(played.metric("regret", 0) == 0);
    CHECK(played.metric("moves") == static_cast<double>(row.path.size()));
  }
}

TEST_CASE("classic: exact agents reach an equilibrium in all ten games, with negotiation or not") {
  const classic::Nash nash({});
  const classic::Nash talker({classic::Talk::announce});
  for (const char* game : {"prisoners-dilemma", "stag-hunt", "battle-of-sexes", "wait-go",
                           "duopoly", "escalation", "monopoly", "hot-cold", "draco", "trigame"})
    for (const char* rounds : {"\"rounds\": 0", "\"rounds\": 4"}) {
      INFO(game << " " << rounds);
      const auto played = ScriptedMatch(classic::game(), with_game(game, rounds))
                              .agent(0, nash)
                              .agent(1, talker)
                              .play();
      CHECK(played.metric("nash") == 1);
      CHECK(played.metric("best_nash") == 1);
      CHECK(played.metric("valid") == 1);
      for (const int seat : {0, 1}) CHECK(played.metric("forced", seat) == 0);
    }
}

TEST_CASE("classic: without a pure equilibrium the exact agent mixes as theory says") {
  const classic::Nash nash({});
  std::array<int, 3> counts{};
  for (std::uint64_t luck = 1; luck <= 900; ++luck) {
    const auto played = ScriptedMatch(classic::game(), with_game("rock-paper-scissors"))
                            .agent(0, nash)
                            .agent(1, nash)
                            .luck(luck)
                            .play();
    CHECK(std::isnan(played.metric("nash")));
    ++counts[static_cast<std::size_t>(played.metric("choice", 0)) - 1];
  }
  for (const int n : counts) CHECK(std::abs(n - 300) < 60);
}

TEST_CASE("classic: level k in games worked by hand") {
  const auto plays = [](const std::string& game, int k, classic::LevelZero zero) {
    const classic::LevelK agent({k, zero, classic::Talk::halt});
    return ScriptedMatch(classic::game(), with_game(game)).agent(0, agent).agent(1, agent).play();
  };
  using Zero = classic::LevelZero;
  // Against anything, hares bring 1 and stags 1.5.
  CHECK(plays("stag-hunt", 1, Zero::uniform).metric("choice", 0) == 1);
  // Against anything, waiting brings 0 and going -1; against somebody who waits, one goes.
  CHECK(plays("wait-go", 1, Zero::uniform).metric("choice", 0) == 1);
  CHECK(plays("wait-go", 2, Zero::uniform).metric("choice", 0) == 2);
  CHECK(plays("wait-go", 3, Zero::uniform).metric("choice", 1) == 1);
  // Paper beats rock, scissors beat paper, rock beats scissors.
  CHECK(plays("rock-paper-scissors", 0, Zero::first).metric("choice", 0) == 1);
  CHECK(plays("rock-paper-scissors", 1, Zero::first).metric("choice", 0) == 2);
  CHECK(plays("rock-paper-scissors", 2, Zero::first).metric("choice", 0) == 3);
  CHECK(plays("rock-paper-scissors", 3, Zero::first).metric("choice", 0) == 1);
  // TriGame at level 1: behind move 1 Alice expects (20 + 3)/2 of a Bob who moves anyhow, behind
  // move 2 (4 + 3)/2. At level 2 Bob is expected to choose by the ends that follow anyhow:
  // 3.5 or 4.5 behind move 1, so 2, and 7.5 or 1.5 behind move 2, so 1.
  CHECK(plays("trigame", 1, Zero::uniform).metric("choice", 0) == 1);
  CHECK(plays("trigame", 2, Zero::uniform).metric("choice", 0) == 2);
}

TEST_CASE("classic 6.7: Golden Balls with its jackpots") {
  for (const int jackpot :
       {250, 500, 1000, 1500, 2000, 2500, 5000, 10000, 15000, 20000, 25000, 50000, 100150}) {
    const std::string scale = "\"scale\": " + std::to_string(jackpot);
    const auto match = [&](int a, int b) {
      return ScriptedMatch(classic::game(), with_game("golden-balls", scale))
          .seat(0, {choice(a)})
          .seat(1, {choice(b)})
          .play();
    };
    const auto split = match(1, 1);
    CHECK(split.outcome[0].score == jackpot / 2.0);
    CHECK(split.metric("cooperation") == 1);
    CHECK(split.metric("nash") == 0);
    CHECK(split.metric("regret", 0) == jackpot / 2.0);
    const auto stolen = match(1, 2);
    CHECK(stolen.outcome[0].score == 0);
    CHECK(stolen.outcome[1].score == jackpot);
    CHECK(stolen.metric("cooperation") == 0.5);
    CHECK(stolen.metric("cooperated", 1) == 0);
    CHECK(stolen.metric("nash") == 1);
    CHECK(match(2, 2).metric("nash") == 1);
    CHECK(split.asked[0].view_json.find(agon::money_text(agon::Money{jackpot * 50})) !=
          std::string::npos);
  }
}

TEST_CASE("classic: anchors are the safe outcome and the best one that others can live with") {
  struct Row {
    const char* game;
    double zero, one;
  };
  // NaN: there is no pie.
  const Row rows[] = {{"prisoners-dilemma", 1, 3},    {"stag-hunt", 1, 3},
                      {"battle-of-sexes", 0, 2},      {"wait-go", 0, 2},
                      {"rock-paper-scissors", -1, 1}, {"monopoly", 0, 2}};
  for (const Row& row : rows) {
    INFO(row.game);
    const auto played = ScriptedMatch(classic::game(), with_game(row.game)).play();
    CHECK(played.outcome[0].disagreement == row.zero);
    CHECK(played.outcome[0].ideal == row.one);
  }
  // Hot-cold: Alice is sure of 2, and where Bob gets the 3 that he is sure of she has no more.
  CHECK(std::isnan(ScriptedMatch(classic::game(), with_game("hot-cold")).play().outcome[0].ideal));
  const auto played = ScriptedMatch(classic::game(), with_game("escalation")).play();
  CHECK(std::isnan(played.outcome[0].disagreement));
  CHECK(played.outcome[1].disagreement == -1);
  CHECK(played.outcome[1].ideal == 0);
}
