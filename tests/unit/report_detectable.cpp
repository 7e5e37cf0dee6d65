// The effects that a pilot says can be found.

#include <cmath>

#include "catch.hpp"
#include "report/detectable.hpp"
#include "report_samples.hpp"

using namespace report_samples;

namespace {

report::PlannedStudy study(std::uint64_t blocks) {
  return {{{"s", "g", blocks}}, {"a", "b"}, "b", 0.95};
}

/// What 'a' has more than 'b' in a block.
double apart(int block) {
  return 0.1 * (block % 5) - 0.05 * (block % 3);
}

}  // namespace

TEST_CASE("The detectable effect is by the report's blocks: treatments share their random numbers",
          "[report]") {
  Book one;
  Book two;
  one.scenario("s", one.game("g"));
  const auto game = two.game("g");
  two.scenario("s", game, "s", R"({"x":1})");
  two.scenario("s2", game, "s", R"({"x":2})");
  for (int block = 0; block < 16; ++block) {
    for (Book* book : {&one, &two})
      book->match({"s", block}, {{"a", 0.5 + apart(block)}, {"b", 0.5}});
    two.match({"s2", block}, {{"a", 0.5 + apart(block)}, {"b", 0.5}});
  }
  const auto plain = report::detectable_effects(study(64), one.collect());
  const auto treated = report::detectable_effects(study(64), two.collect());
  REQUIRE(plain.effects.size() == 1);
  REQUIRE(treated.effects.size() == 1);
  double mean = 0;
  double squares = 0;
  for (int block = 0; block < 16; ++block) mean += apart(block) / 16;
  for (int block = 0; block < 16; ++block) squares += std::pow(apart(block) - mean, 2);
  // Over the textbook's (z(.975) + z(.8)) errors, as 16 blocks tell the spread no better.
  const double textbook = (1.959964 + 0.841621) * std::sqrt(squares / 15 / 64);
  CHECK(plain.effects[0].gain > textbook);
  CHECK(plain.effects[0].gain < 1.4 * textbook);
  CHECK(plain.effects[0].loss > textbook);
  CHECK(plain.effects[0].loss < 1.4 * textbook);
  CHECK(plain.effects[0].pilot_units == 16);
  // The same again under another treatment is no more evidence.
  CHECK(treated.effects[0].gain == Approx(plain.effects[0].gain));
  CHECK(treated.effects[0].pilot_units == 16);
}

TEST_CASE("The detectable effect follows items and the fault policy", "[report]") {
  Book book("s", "g");
  for (int block = 0; block < 24; ++block) {
    const bool forced = block % 8 == 0;
    // A sequence over two items is a unit by itself, as in the report.
    for (int position = 0; position < 2; ++position) {
      const std::string item =
          block == 1 ? "two " + std::to_string(position) : "item " + std::to_string(block % 12);
      book.match({.scenario = "s", .block = block, .cluster = item, .position = position},
                 {{"a", 0.5 + apart(block), 0, 1, "", forced ? 1 : 0}, {"b", 0.5}});
    }
  }
  const auto played = report::detectable_effects(study(24), book.collect());
  REQUIRE(played.effects.size() == 1);
  CHECK(played.effects[0].pilot_units == 13);
  const auto forfeit =
      report::detectable_effects(study(24), book.collect({.policy = agon::FaultPolicy::forfeit}));
  REQUIRE(forfeit.effects.size() == 1);
  CHECK(forfeit.effects[0].loss > 1.5 * played.effects[0].loss);
}

TEST_CASE("A pilot that tells no effect says why", "[report]") {
  Book book("s", "g");
  for (int block = 0; block < 9; ++block)
    book.match({"s", block}, {{"a", 0.5 + apart(block)}, {"b", 0.5}});
  auto power = report::detectable_effects(study(64), book.collect());
  CHECK(power.effects.empty());
  REQUIRE(power.notes.size() == 1);
  CHECK(power.notes[0] ==
        "scenario 's': no effect is told of 'a' against 'b': the pilot has 9 independent blocks "
        "of both, and 10 are needed");
  book.match({"s", 9}, {{"a", 0.5}, {"b", 0.5}});
  CHECK(report::detectable_effects(study(64), book.collect()).effects.size() == 1);
  auto other = study(64);
  other.agents.emplace_back("c");
  power = report::detectable_effects(other, book.collect());
  REQUIRE(power.notes.size() == 2);
  CHECK(power.notes[1].find("a pilot with \"repeats\": 2 tells") != std::string::npos);
  CHECK(power.notes[0].find("'c' against 'b': the pilot has no scores of both") !=
        std::string::npos);
  other.against.clear();
  CHECK(report::detectable_effects(other, book.collect()).notes.size() == 1);
}

TEST_CASE("Repeats bring down the chance within matches, blocks bring down all", "[report]") {
  // The agent is as good on every block, and its matches are worth 0 or 1 by chance.
  const auto pilot = [](bool within) {
    Book book("s", "g");
    for (int block = 0; block < 20; ++block)
      for (int repeat = 0; repeat < 2; ++repeat) {
        const bool up = ((block * 7 + (within ? repeat * 3 : 0)) % 5) < 2;
        Place place{"s", block};
        place.repeat = repeat;
        place.assignment = 0;
        book.match(place, {{"a", up ? 1.0 : 0.0}, {"b", 0.5}});
      }
    report::PlannedStudy wanted = study(20);
    wanted.effect = 0.05;
    wanted.scenarios[0].repeats = 2;
    const auto power = report::detectable_effects(wanted, book.collect());
    REQUIRE(power.effects.size() == 1);
    return power.effects[0];
  };
  const auto within = pilot(true);
  const auto across = pilot(false);
  REQUIRE(within.components.repeats);
  CHECK(*within.components.repeats > 0.5);
  CHECK(across.components.repeats.value() == Approx(0).margin(1e-9));
  REQUIRE(within.needed.size() == 2);
  REQUIRE(across.needed.size() == 2);
  CHECK(within.needed[1].blocks < 0.8 * within.needed[0].blocks);
  CHECK(across.needed[1].blocks == Approx(across.needed[0].blocks));
  // Repeats never need fewer matches than blocks.
  CHECK(within.needed[1].matches >= within.needed[0].matches);
  CHECK(across.needed[1].matches == Approx(2 * across.needed[0].matches));
}

namespace {

/// What a pilot of one game says of 'a', and the report's figures that it goes by.
const report::ScoreUnit& unit_of(const report::Results& results, const std::string& agent) {
  for (const report::ScoreUnit& unit : results.games.at(0).scores)
    if (results.agents[unit.agent] == agent) return unit;
  throw std::runtime_error("no unit of " + agent);
}

}  // namespace

TEST_CASE("Opponents and assignments are no repeats", "[report]") {
  // A round robin that is played once: 'a' does as well as its opponents let it.
  Book book("s", "g");
  for (int block = 0; block < 12; ++block) {
    for (const auto& [other, score] : {std::pair{"b", 0.1}, {"c", 0.5}, {"d", 0.9}})
      book.match({.scenario = "s", .block = block, .assignment = 0},
                 {{"a", score + apart(block)}, {other, 0.5}});
    book.match({.scenario = "s", .block = block, .assignment = 1},
               {{"a", 0.3 + apart(block)}, {"b", 0.5}});
  }
  const report::Results pilot = book.collect();
  CHECK(unit_of(pilot, "a").repeats == 1);
  CHECK(unit_of(pilot, "a").repeat_variance == 0);
  const auto power = report::detectable_effects(study(12), pilot);
  REQUIRE(power.effects.size() == 1);
  CHECK_FALSE(power.effects[0].components.repeats);
  REQUIRE(power.notes.size() == 1);
  CHECK(power.notes[0].find("a pilot with \"repeats\": 2 tells") != std::string::npos);
}

TEST_CASE("What repeats add is their spread at each table", "[report]") {
  Book book("s", "g");
  const auto play = [&](const std::string& other, std::int64_t assignment, std::int64_t repeat,
                        double score) {
    book.match({.scenario = "s", .repeat = repeat, .assignment = assignment},
               {{"a", score}, {other, 0.5}});
  };
  play("b", 0, 0, 0.25), play("b", 0, 1, 0.75);
  play("b", 1, 0, 0.5), play("b", 1, 1, 0.5);
  play("c", 0, 0, 0), play("c", 0, 1, 0.5), play("c", 0, 2, 1);
  // Variances of the three means 1/16, 0 and 1/12; they weigh 2, 2 and 3 of 7 matches.
  CHECK(unit_of(book.collect(), "a").repeats == 2);
  CHECK(unit_of(book.collect(), "a").repeat_variance ==
        Approx((4.0 / 16 + 9.0 / 12) / 49).epsilon(1e-12));
}

TEST_CASE("A learning sequence that is played again is one draw", "[report]") {
  Book book("s", "g");
  // Whoever does well at the first position does so at the second.
  for (int position = 0; position < 2; ++position)
    for (int repeat = 0; repeat < 2; ++repeat)
      book.match({.scenario = "s", .repeat = repeat, .position = position, .assignment = 0},
                 {{"a", 0.25 + 0.5 * repeat + 0.125 * position}, {"b", 0.5}});
  CHECK(unit_of(book.collect(), "a").repeats == 2);
  CHECK(unit_of(book.collect(), "a").repeat_variance == Approx(0.0625));
}

namespace {

report::Results pilot_of(const std::vector<std::string>& games) {
  Book book;
  for (const std::string& game : games) {
    book.scenario(game, book.game(game));
    for (int block = 0; block < 16; ++block)
      book.match({game, block}, {{"a", 0.5 + apart(block)}, {"b", 0.5}});
  }
  return book.collect();
}

report::PlannedStudy study_of(const std::vector<std::string>& games) {
  report::PlannedStudy wanted{{}, {"a", "b"}, "b", 0.95, 0.05};
  for (const std::string& game : games) wanted.scenarios.push_back({game, game, 64});
  return wanted;
}

}  // namespace

TEST_CASE("Games of the pilot that the suite does not play have no part in its effects",
          "[report]") {
  const auto one = report::detectable_effects(study_of({"g"}), pilot_of({"g", "other"}));
  REQUIRE(one.effects.size() == 1);
  CHECK(one.effects[0].what == "scenario");
  const auto both = report::detectable_effects(study_of({"g", "h"}), pilot_of({"g", "h"}));
  const auto more = report::detectable_effects(study_of({"g", "h"}), pilot_of({"g", "h", "other"}));
  REQUIRE(both.effects.size() == 3);
  REQUIRE(more.effects.size() == 3);
  CHECK(more.effects[2].what == "headline");
  CHECK(more.effects[2].blocks == 128);
  CHECK(more.effects[2].gain == both.effects[2].gain);
  REQUIRE(more.effects[2].needed.size() == 1);
  CHECK(more.effects[2].needed[0].blocks == both.effects[2].needed[0].blocks);
}

TEST_CASE("Scenarios of a suite with the same draws share their blocks", "[report]") {
  report::PlannedStudy wanted = study_of({"g", "h"});
  wanted.scenarios.push_back({"more", "g", 40, 1, "g"});
  const report::Results pilot = pilot_of({"g", "h"});
  const auto shared = report::detectable_effects(wanted, pilot);
  REQUIRE(shared.effects.back().what == "headline");
  CHECK(shared.effects.back().blocks == 128);
  wanted.scenarios.back().draws.clear();
  const auto apart = report::detectable_effects(wanted, pilot);
  REQUIRE(apart.effects.back().what == "headline");
  CHECK(apart.effects.back().blocks == 168);
}

TEST_CASE("A game that the pilot has not played leaves no effect over all games", "[report]") {
  const auto power =
      report::detectable_effects(study_of({"g", "h", "i", "j"}), pilot_of({"g", "h"}));
  REQUIRE(power.effects.size() == 2);
  CHECK(power.effects[1].what == "scenario");
  REQUIRE(power.notes.size() == 4);
  CHECK(power.notes[0] ==
        "scenario 'i': no effect is told of 'a' against 'b': the pilot has no scores of both");
  CHECK(power.notes[2] ==
        "no effect over all games is told: the pilot has no finished match of 'i', 'j'; play a few "
        "blocks of each game of the suite");
}
