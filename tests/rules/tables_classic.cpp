// Tables of games with payoffs, from matches written by hand.

#include <algorithm>
#include <array>

#include "catch.hpp"
#include "classic/tables/tables.hpp"
#include "plugin/catalogue.hpp"
#include "support/written_matches.hpp"

namespace tables_of_classic_test {
namespace {

using agon::test::cells_of;
using agon::test::WrittenMatch;
using agon::test::WrittenMatches;
using Lines = std::vector<std::string>;

/// The prisoner's dilemma, choices called as here.
const std::string kDilemma =
    R"("labels": true, "game": {"name": "d", "players": ["Alice", "Bob"],
       "actions": [["keep", "break"], ["keep", "break"]], "cooperate": "keep",
       "payoffs": [[3, 3], [0, 5], [5, 0], [1, 1]]})";

/// A trial of one of the paper's games; a choice of 0 was forced.
WrittenMatch trial(const std::string& game, int block, std::array<int, 2> choices, int rounds = 0,
                   const std::string& agent = "m") {
  const auto seat = [&](int choice) {
    return WrittenMatch::Seat{agent,
                              {{"choice", std::max(1, choice)}, {"forced", choice == 0 ? 1 : 0}}};
  };
  return {.seats = {seat(choices[0]), seat(choices[1])},
          .settings = fmt::format(R"({{"game": {{"name": "{}"}}, "scale": 1, "rounds": {},
                                      "who_first": 0, "prompt": 0}})",
                                  game, rounds),
          .block = block,
          .metrics = {{"valid", 1}, {"nash", 0}, {"best_nash", 0}}};
}

}  // namespace

TEST_CASE("joint actions tell who chose what against what") {
  agon::Catalogue added;
  classic::add_figures(added);
  // The first stag against hare is not the second; a forced choice is in no cell and counts.
  const WrittenMatches matches({trial("stag-hunt", 0, {1, 1}), trial("stag-hunt", 1, {1, 2}),
                                trial("stag-hunt", 2, {2, 1}), trial("stag-hunt", 3, {1, 1}),
                                trial("stag-hunt", 4, {0, 1}),
                                // With negotiation it belongs to another figure.
                                trial("stag-hunt", 5, {2, 2}, 1)});
  const agon::PaperTable table = added.table("game-theory/figure-6-pairs").make(matches);
  CHECK(table.columns == Lines{"Bob: choice_1", "Bob: choice_2"});
  CHECK(cells_of(table) == Lines{"as it is |  | ", "  Alice: choice_1 | 0.40 of 5 | 0.20 of 5",
                                 "  Alice: choice_2 | 0.20 of 5 | 0.00 of 5"});
  CHECK(table.notes.back().starts_with("Nobody has played: both stag: 300; "));
  CHECK(table.units == Lines{"share"});
  REQUIRE(table.plots.size() == 1);
  CHECK(table.plots[0].how == agon::TablePlot::How::heat_map);
  CHECK(table.plots[0].apart);
  CHECK_THROWS_AS(added.table("game-theory/figure-5-pairs").make(matches), agon::LacksData);
}

TEST_CASE("joint actions of three choices have nine cells, and agents their own") {
  agon::Catalogue added;
  classic::add_figures(added);
  const WrittenMatches matches(
      {trial("rock-paper-scissors", 0, {1, 3}), trial("rock-paper-scissors", 1, {3, 1}),
       trial("battle-of-sexes", 0, {2, 2}, 2), trial("battle-of-sexes", 0, {1, 2}, 2, "n")});
  CHECK(cells_of(added.table("game-theory/figure-8-pairs").make(matches)) ==
        Lines{"Battle of the Sexes, 2 rounds, m |  |  | ",
              "  Alice: choice_1 | 0.00 of 1 | 0.00 of 1 | ",
              "  Alice: choice_2 | 0.00 of 1 | 1.00 of 1 | ",
              "Battle of the Sexes, 2 rounds, n |  |  | ",
              "  Alice: choice_1 | 0.00 of 1 | 1.00 of 1 | ",
              "  Alice: choice_2 | 0.00 of 1 | 0.00 of 1 | ",
              "Rock-Paper-Scissors, 0 rounds, m |  |  | ",
              "  Alice: choice_1 | 0.00 of 2 | 0.00 of 2 | 0.50 of 2",
              "  Alice: choice_2 | 0.00 of 2 | 0.00 of 2 | 0.00 of 2",
              "  Alice: choice_3 | 0.50 of 2 | 0.00 of 2 | 0.00 of 2"});
}

TEST_CASE("shares of actions leave forced choices out") {
  const auto match = [](int block, std::array<double, 2> choice, std::array<double, 2> forced) {
    return WrittenMatch{.seats = {{"a", {{"choice", choice[0]}, {"forced", forced[0]}}},
                                  {"b", {{"choice", choice[1]}, {"forced", forced[1]}}}},
                        .settings = "{" + kDilemma + "}",
                        .block = block};
  };
  // a chooses 1, 2, 1 and is forced to 2 once; b chooses 2, 2, 1, and 0 where it chose nothing.
  const WrittenMatches matches({match(0, {1, 2}, {0, 0}), match(1, {2, 2}, {0, 0}),
                                match(2, {1, 1}, {0, 0}), match(3, {2, 0}, {1, 0})});
  const agon::PaperTable table = classic::action_frequencies(matches);
  CHECK(table.columns == Lines{"a", "b", "equilibrium"});
  // Of Alice's 3 choices 2 are the first action; of Bob's 3 one is.
  CHECK(cells_of(table) == Lines{"s |  |  | ", "  Alice: keep | 0.67 of 3 |  | 0.00",
                                 "  Alice: break | 0.33 of 3 |  | 1.00",
                                 "  Bob: keep |  | 0.33 of 3 | 0.00",
                                 "  Bob: break |  | 0.67 of 3 | 1.00"});
}

TEST_CASE("cooperation by period names all who sit opposite") {
  // Three players: keep leaves each of the others 1 more.
  const std::string settings =
      R"({"periods": 3, "labels": true, "game": {"name": "t", "players": ["A", "B", "C"],
        "actions": [["keep", "break"], ["keep", "break"], ["keep", "break"]], "cooperate": "keep",
        "payoffs": [[2, 2, 2], [1, 1, 3], [1, 3, 1], [0, 2, 2],
                    [3, 1, 1], [2, 0, 2], [2, 2, 0], [1, 1, 1]]}})";
  const auto period = [](int n, const char* first, const char* second, const char* third) {
    return std::pair<std::string, std::string>(
        "period", fmt::format(R"({{"period": {}, "actions": ["{}", "{}", "{}"], "payoffs": []}})",
                              n, first, second, third));
  };
  const WrittenMatches matches(
      {{.seats = {{"a"}, {"b"}, {"c"}},
        .settings = settings,
        .block = 0,
        .events = {period(1, "keep", "keep", "break"), period(2, "keep", "break", "break")}},
       // Another third player: lines of their own.
       {.seats = {{"a"}, {"b"}, {"d"}},
        .settings = settings,
        .block = 1,
        .events = {period(1, "break", "keep", "keep")}},
       {.seats = {{"a"}, {"b"}, {"c"}},
        .settings = settings,
        .block = 2,
        .events = {period(1, "break", "keep", "break")}}});
  const agon::PaperTable table = classic::cooperation_by_period(matches);
  CHECK(table.columns == Lines{"1", "2"});
  CHECK(cells_of(table) ==
        Lines{"s |  | ", "  a with b and c | 0.50 of 2 | 1.00 of 1",
              "  a with b and d | 0.00 of 1 | ", "  b with a and c | 1.00 of 2 | 0.00 of 1",
              "  b with a and d | 1.00 of 1 | ", "  c with a and b | 0.00 of 2 | 0.00 of 1",
              "  d with a and b | 1.00 of 1 | "});
}

}  // namespace tables_of_classic_test
