// What a game's card promises is held against what the game does: a break of it is the game's
// fault, named with the place and a hint, and never a wrong line in a report.

#include "table/contract.hpp"

#include <agon/game.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "support.hpp"

namespace contract {

using agon::End;
using agon::MatchResult;
using agon::Outcome;
using namespace seam;

struct Settings {
  double endowment = 12.5;
};
AGON_DESCRIBE(Settings, (endowment, "tokens to give", agon::range(0, 100)))
struct Give {
  double amount = 0;
};
AGON_DESCRIBE(Give, (amount, "tokens that you give"))
struct Number {
  int x = 0;
};
AGON_DESCRIBE(Number, (x, "any number", agon::range(0, 10)))
struct Words {
  std::string text;
};
AGON_DESCRIBE(Words, (text, "any words"))
struct Status {
  int round = 0;
};
AGON_DESCRIBE(Status, (round, "which round it is"))
struct SeatMetrics {
  double share = 0;
};
AGON_DESCRIBE(SeatMetrics, (share, "part that was given", agon::range(0, 1)))
struct MatchMetrics {
  std::optional<double> efficiency;
};
AGON_DESCRIBE(MatchMetrics, (efficiency, "part of what there was", agon::at_most(1)))
struct Two {
  double a = 0, b = 0;
};
AGON_DESCRIBE(Two, (a, "one"), (b, "two"))

constexpr agon::Stage<"give", Give, Status> kGive{"how much you give"};
constexpr agon::Stage<"number", Number> kNumber{"a number"};
constexpr agon::Probe<"guess", Number> kGuess{"a guess"};
constexpr agon::Event<"number", Number> kSaid{"a number is said"};
constexpr agon::Event<"words", Words> kWords{"words are said"};
constexpr agon::PrivateEvent<"told", Number> kTold{"a number is told"};
using Table = agon::Table<kGive, kNumber, kGuess, kSaid, kWords, kTold>;

Outcome good(Table table) {
  const auto number = table.ask(0, kNumber);
  Outcome outcome(2);
  outcome.seat(0, {.score = number.x, .disagreement = 0, .ideal = 10})
      .seat(1, {.score = 1, .disagreement = 0, .ideal = 1});
  for (int seat = 0; seat < 2; ++seat) outcome.seat_metrics(seat, SeatMetrics{0.5});
  return outcome.match_metrics(MatchMetrics{});
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What is tried, as the game plays it.
struct Trial {
  Outcome (*play)(Table) = nullptr;
};
Outcome run(Table table, const Settings&, const Trial& trial) {
  return trial.play(table);
}
Trial no_trial(const Settings&) {
  return {&good};
}

agon::Game game() {
  return agon::game<&run, &no_trial>("contract", {.seats = {2, 2},
                                                  .rules = "Give some of {{endowment}}.",
                                                  .seat_metrics = &agon::type_of<SeatMetrics>(),
                                                  .match_metrics = &agon::type_of<MatchMetrics>()});
}

MatchResult played(Outcome (*play)(Table), const agon::Game& the_game) {
  static const Inline held(draws);
  const Scene scene(the_game, "{}");
  agon::MatchSetup setup = scene.setup({&held});
  const Trial trial{play};
  setup.prepared = &trial;
  return agon::play_match(setup);
}

/// Why the match ended as a fault of the game, if it did.
std::string problem(Outcome (*play)(Table), const agon::Game& the_game = game()) {
  const MatchResult result = played(play, the_game);
  return result.end == End::game_fault ? result.problem : "no fault";
}

TEST_CASE("a game that keeps to its card is left alone", "[seam][contract]") {
  CHECK(problem(&good) == "no fault");
  // A sum of doubles may end a hair beside its bound; no pie is no fault, nor is one of size 0.
  CHECK(
      problem([](Table t) {
        Outcome o = good(t);
        o.seat(0, {.score = 1, .disagreement = kNan, .ideal = kNan})
            .seat(1, {.score = 1, .disagreement = 2, .ideal = 2});
        return o.seat_metrics(0, SeatMetrics{1.0 + 1e-12}).match_metrics(MatchMetrics{1.0 + 1e-12});
      }) == "no fault");
}

TEST_CASE("scores, anchors and ranks mean something", "[seam][contract]") {
  CHECK(problem([](Table t) {
          Outcome o = good(t);
          o[1].score = kNan;
          return o;
        }) == "the score of seat 1 is NaN");
  CHECK(problem([](Table t) {
          Outcome o = good(t);
          o[0].score = kInfinity;
          return o;
        }) == "the score of seat 0 is infinity");
  CHECK(problem([](Table t) {
          return good(t).seat(0, {.score = 3, .disagreement = 10, .ideal = 0});
        }) ==
        "the disagreement point of seat 0 is 10, its ideal 0; the ideal is the best that the seat "
        "can get, and so no lower");
  CHECK(problem([](Table t) {
          return good(t).seat(1, {.score = 3, .disagreement = 0, .ideal = kNan});
        }) ==
        "the disagreement point of seat 1 is 0, its ideal NaN; give both as finite numbers, or "
        "neither where there is no pie");
  CHECK(problem([](Table t) {
          return good(t).seat(1, {.score = 3, .disagreement = 0, .ideal = kInfinity});
        }).find("its ideal infinity") != std::string::npos);
  CHECK(problem([](Table t) {
          Outcome o = good(t);
          o[0].rank = 1;
          return o;
        }) == "the rank of seat 1 is 0; give all ranks, 1 to 2, or none");
  CHECK(problem([](Table t) {
          Outcome o = good(t);
          o[0].rank = 1;
          o[1].rank = 3;
          return o;
        }) == "the rank of seat 1 is 3; give all ranks, 1 to 2, or none");
}

TEST_CASE("figures that no report can reckon with are refused", "[seam][contract]") {
  CHECK(problem([](Table t) {
          return good(t).seat(0, {.score = 1e50, .disagreement = -1e50, .ideal = 1e50});
        }) == "no fault");
  CHECK(problem([](Table t) {
          return good(t).seat(0, {.score = 0, .disagreement = 0, .ideal = 1e-50});
        }) == "no fault");
  CHECK(problem([](Table t) { return good(t).match_metrics(MatchMetrics{-1e150}); }) == "no fault");
  const std::string beyond = " that reports can reckon with: count in larger units";
  CHECK(problem([](Table t) { return good(t).seat(0, {.score = -2e50}); }) ==
        "the score of seat 0 is -2e+50, beyond the 1e+50" + beyond);
  CHECK(problem([](Table t) {
          return good(t).seat(0, {.score = 1, .disagreement = -2e50, .ideal = 1});
        }) == "the disagreement point of seat 0 is -2e+50, beyond the 1e+50" + beyond);
  CHECK(problem([](Table t) {
          return good(t).seat(1, {.score = 1, .disagreement = 0, .ideal = 2e50});
        }) == "the ideal of seat 1 is 2e+50, beyond the 1e+50" + beyond);
  CHECK(problem([](Table t) {
          return good(t).seat(1, {.score = 0, .disagreement = 0, .ideal = 2e-51});
        }) ==
        "the ideal of seat 1 is 2e-51 above its disagreement point, less than the 1e-50 that "
        "reports can reckon with: count in smaller units");
  CHECK(problem([](Table t) { return good(t).match_metrics(MatchMetrics{-2e150}); }) ==
        "the metric 'efficiency' of the match is -2e+150, beyond the 1e+150" + beyond);
}

TEST_CASE("a normalised score beyond the range of the card counts, and is known",
          "[seam][contract]") {
  agon::Game bounded = game();
  bounded.card.score_range = agon::range(-0.5, 1);
  const auto ends = [&](Outcome (*play)(Table)) {
    const MatchResult result = played(play, bounded);
    CHECK(result.end == End::finished);
    std::string beyond = agon::problem_of_score_range(bounded.card, result.outcome);
    return beyond.empty() ? "no fault" : beyond;
  };
  CHECK(ends([](Table t) {
          return good(t)
              .seat(0, {.score = 10, .disagreement = 0, .ideal = 10})
              .seat(1, {.score = -5, .disagreement = 0, .ideal = 10});
        }) == "no fault");
  CHECK(ends([](Table t) {
          return good(t).seat(0, {.score = 10 + 1e-12, .disagreement = 0, .ideal = 10});
        }) == "no fault");
  CHECK(ends([](Table t) {
          return good(t).seat(1, {.score = -6, .disagreement = 0, .ideal = 10});
        }) ==
        "the score of seat 1 is -6 with disagreement point 0 and ideal 10, so that the normalised "
        "score is below "
        "the -0.5 of the card's score_range");
  CHECK(
      ends([](Table t) { return good(t).seat(0, {.score = 3, .disagreement = 1, .ideal = 2}); }) ==
      "the score of seat 0 is 3 with disagreement point 1 and ideal 2, so that the normalised "
      "score is above the "
      "1 of the card's score_range");
  // Nothing to share: there is no normalised score, but what is lost would count in sums.
  CHECK(ends([](Table t) {
          return good(t).seat(0, {.score = 3, .disagreement = kNan, .ideal = kNan});
        }) == "no fault");
  CHECK(ends([](Table t) {
          return good(t).seat(0, {.score = 3, .disagreement = 3, .ideal = 3});
        }) == "no fault");
  CHECK(ends([](Table t) {
          return good(t).seat(0, {.score = 2, .disagreement = 3, .ideal = 3});
        }).find("below the -0.5") != std::string::npos);
  bounded.card.score_range = agon::at_most(1);
  CHECK(ends([](Table t) {
          return good(t).seat(1, {.score = -600, .disagreement = 0, .ideal = 1});
        }) == "no fault");
  // A card that says nothing promises nothing.
  CHECK(problem([](Table t) {
          return good(t).seat(1, {.score = 600, .disagreement = 0, .ideal = 1});
        }) == "no fault");
}

TEST_CASE("a match has the stake that its card names", "[seam][contract]") {
  agon::Game staked = game();
  staked.card.stake = "efficiency";
  const auto ends = [&](Outcome (*play)(Table)) { return problem(play, staked); };
  CHECK(ends([](Table t) { return good(t).match_metrics(MatchMetrics{0.5}); }) == "no fault");
  CHECK(ends([](Table t) { return good(t).match_metrics(MatchMetrics{0.0}); }) ==
        "the metric 'efficiency', the card's stake, is 0; it has to be above 0 where a seat has "
        "an ideal above its disagreement point");
  CHECK(ends([](Table t) {
          return good(t).match_metrics(MatchMetrics{kNan});
        }).find("is NaN; it has to be above 0") != std::string::npos);
  // Without a pie nothing is divided.
  CHECK(
      ends([](Table t) {
        return good(t).seat(0, {.score = 3}).seat(1, {.score = 3}).match_metrics(MatchMetrics{0.0});
      }) == "no fault");
}

TEST_CASE("metrics are those of the card", "[seam][contract]") {
  CHECK(problem([](Table t) { return good(t).seat_metrics(1, SeatMetrics{1.5}); }) ==
        "the metric 'share' of seat 1 is 1.5, above the 1 of its description");
  CHECK(problem([](Table t) { return good(t).seat_metrics(0, SeatMetrics{-0.5}); }) ==
        "the metric 'share' of seat 0 is -0.5, below the 0 of its description");
  CHECK(
      problem([](Table t) { return good(t).match_metrics(MatchMetrics{-kInfinity}); }) ==
      "the metric 'efficiency' of the match is -infinity; NaN or an empty optional says that it is "
      "not defined");
  CHECK(problem([](Table t) {
          return good(t).match_metrics(Two{1, 2});
        }) == "the metrics of the match are 'Two', the card declares 'MatchMetrics'");
  // As many, but others.
  CHECK(problem([](Table t) { return good(t).match_metrics(SeatMetrics{0.5}); }) ==
        "the metrics of the match are 'SeatMetrics', the card declares 'MatchMetrics'");
  CHECK(problem([](Table t) {
          Outcome o = good(t);
          return o.seat_metrics(0, MatchMetrics{0.5});
        }) == "the seats have metrics of different types");
  CHECK(problem([](Table t) {
          good(t);
          return Outcome(2)
              .seat(0, {.score = 0, .disagreement = 0, .ideal = 1})
              .seat(1, {.score = 0, .disagreement = 0, .ideal = 1});
        }) == "the outcome has no metrics of seat 0, the card declares 'SeatMetrics'");
  agon::Game undeclared = game();
  undeclared.card.match_metrics = nullptr;
  CHECK(problem(&good, undeclared) ==
        "the outcome has metrics of the match, the card declares none: set .match_metrics = "
        "&agon::type_of<...>()");
}

TEST_CASE("what a game breaks comes out the same when it is played again", "[seam][contract]") {
  static const Inline held(draws, false);
  agon::Game lax = game();
  const Scene scene(lax, "{}");
  const Trial probes{[](Table t) {
    (void)t.probe(0, kGuess);
    return good(t);
  }};
  const Trial breaks{
      [](Table t) { return good(t).seat(0, {.score = 1, .disagreement = 1, .ideal = 0}); }};
  for (const Trial* trial : {&probes, &breaks}) {
    agon::MatchSetup setup = scene.setup({&held});
    setup.prepared = trial;
    const MatchResult live = agon::play_match(setup);
    agon::MatchSetup again = scene.replay(live.record);
    again.prepared = trial;
    const MatchResult replayed = agon::play_match(again);
    CHECK(replayed.record == live.record);
    CHECK(replayed.end == live.end);
    CHECK(replayed.problem == live.problem);
    CHECK(live.end == (trial == &breaks ? End::game_fault : End::finished));
  }
}

TEST_CASE("seats that there are not are named", "[seam][contract]") {
  CHECK(problem([](Table t) {
          t.tell(2, kTold, Number{1});
          return good(t);
        }) == "the game threw: tell(): there is no seat 2, the match has 2 (0 to 1)");
  CHECK(problem([](Table t) {
          t.tell(-1, kTold, Number{1});
          return good(t);
        }) == "the game threw: tell(): there is no seat -1, the match has 2 (0 to 1)");
  CHECK(problem([](Table t) {
          t.carry<Number>(9, Number{1});
          return good(t);
        }).find("the game threw: carry(): there is no seat 9") == 0);
  CHECK(problem([](Table t) {
          t.carried<Number>(9);
          return good(t);
        }).find("the game threw: carried(): there is no seat 9") == 0);
  CHECK(problem([](Table t) {
          t.probe(40, kGuess);
          return good(t);
        }).find("the game threw: probe(): there is no seat 40") == 0);
  CHECK(problem([](Table t) {
          return t.name(2).empty() ? Outcome(2) : good(t);
        }).find("the game threw: name(): there is no seat 2") == 0);
  CHECK(problem(
            [](Table t) { return good(t).seat(2, {.score = 1, .disagreement = 0, .ideal = 1}); }) ==
        "the game threw after a question of stage 'number': the outcome has no seat 2, it has 2");
  CHECK(problem([](Table t) {
          t.ask(7, kNumber);
          return good(t);
        }) == "the match has no such seat at stage 'number' (question 0, seat 7)");
}

TEST_CASE("chance is drawn once at a place, and from something", "[seam][contract]") {
  CHECK(problem([](Table t) {
          for (int day = 0; day < 3; ++day) (void)t.chance("supply").between(1, 6);
          return good(t);
        }) ==
        "chance(\"supply\") is used a second time and would bring the same random numbers again: "
        "number the places, as in chance(\"supply\", round), or keep the RandomStream that it "
        "returns");
  CHECK(problem([](Table t) {
          for (int day = 0; day < 3; ++day) (void)t.chance("supply", 4, day / 2).unit();
          return good(t);
        }).find("chance(\"supply\", 4, 0) is used a second time") == 0);
  CHECK(problem([](Table t) {
          agon::RandomStream deck = t.chance("deck");
          std::vector<int> cards(8);
          deck.shuffle(std::span(cards));
          for (int day = 0; day < 3; ++day)
            for (int seat = 0; seat < 2; ++seat) (void)t.chance("deck", day, seat).happens(0.5);
          (void)t.chance("deck", 0).unit();
          return good(t);
        }) == "no fault");
  CHECK(problem([](Table t) {
          (void)t.chance("item").below(0);
          return good(t);
        }) == "the game threw: chance 'item': there is nothing between 0 and -1");
}

TEST_CASE("limits that leave nothing are found out, also by who draws", "[seam][contract]") {
  CHECK(problem([](Table t) {
          t.ask(0, kNumber, agon::limit(&Number::x, 5, 3));
          return good(t);
        }).find("nothing lies between 5 and 3; the lower bound comes first") != std::string::npos);
  CHECK(problem([](Table t) {
          t.ask(0, kNumber, agon::limit(&Number::x, 20, 30));
          return good(t);
        }).find("the game's own fallback is illegal: $.x: 0 is less than 20") == 0);
}

TEST_CASE("a game that does not end is ended", "[seam][contract]") {
  CHECK(problem([](Table t) -> Outcome {
          for (;;) t.ask(0, kNumber);
        }) == "the match's record has more than 200000 entries: does the game ever end?");
  CHECK(problem([](Table t) -> Outcome {
          for (;;) t.announce(kSaid, Number{1});
        }) == "the match's record has more than 200000 entries: does the game ever end?");
  CHECK(problem([](Table t) -> Outcome {
          for (;;) t.announce(kWords, Words{std::string(1'000'000, 'x')});
        }) == "the match's record has grown beyond 64 MiB: does the game ever end?");
  CHECK(problem([](Table t) {
          t.announce(kWords, Words{std::string(9'000'000, 'x')});
          return good(t);
        }) == "an entry of the match's record has more than 8 MiB");
}

TEST_CASE("limits of doubles keep their fractions", "[seam][contract]") {
  using Limit = agon::Limit<Give>;
  const Limit whole = agon::limit(&Give::amount, 0, 12), half = agon::limit(&Give::amount, 0, 12.5);
  const auto legal = [](const Limit& limit, double amount) {
    const Give give{amount};
    return !agon::find_problem(agon::type_of<Give>(), &give, std::span(&limit.data, 1));
  };
  CHECK(legal(whole, 12));
  CHECK(!legal(whole, 12.5));
  CHECK(legal(half, 12.5));
  CHECK(!legal(half, 12.75));
  CHECK(agon::schema_json(agon::type_of<Give>(), std::span(&half.data, 1)).find("12.5") !=
        std::string::npos);
  CHECK(!legal(agon::limit(&Give::amount, 0.25, 1), 0.2));
}

}  // namespace contract
