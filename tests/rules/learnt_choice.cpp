// A choice between two ways of play that is learnt from what each brought.

#include "shared/learnt_choice.hpp"

#include <agon/random.hpp>

#include "catch.hpp"

namespace {

using shared::LearntChoice;

/// How often the first way was taken in the last `counted` of `matches`, if the ways gain so much.
int taken(double first, double second, int matches, int counted, std::uint64_t key) {
  LearntChoice learnt;
  int taken = 0;
  for (int i = 0; i < matches; ++i) {
    // What is known passes through its own words, as from match to match.
    learnt = LearntChoice::read(learnt.text(0.2));
    const bool use = agon::Dice(key, static_cast<std::uint64_t>(i)).unit() < learnt.chance(0.2);
    learnt.add(use, use ? first : second, use ? first : second, 0.2);
    taken += use && i >= matches - counted ? 1 : 0;
  }
  return taken;
}

}  // namespace

TEST_CASE("learnt choice: weights and chances are those of Exp3") {
  LearntChoice learnt;
  CHECK(learnt.chance(0.2) == 0.5);
  learnt.add(true, 3, 1, 0.2);
  // A gain of 1 that had a chance of 1/2 weighs 2: 0.8 / (1 + exp(-0.2)) + 0.1.
  CHECK(learnt.chance(0.2) == Approx(0.539867).epsilon(1e-5));
  CHECK(learnt.text(0.2) ==
        "Matches with the workflow: 1, points 3.000000, estimated cumulative reward 2.000000. "
        "Matches without it: 0, points 0.000000, estimated cumulative reward 0.000000. Chance of "
        "using it next: 0.540.");
  learnt.add(false, -1, 0, 0.2);
  CHECK(learnt.chance(0.2) == Approx(0.539867).epsilon(1e-5));
  CHECK(learnt.text(0.2).find("Matches without it: 1, points -1.000000") != std::string::npos);
  CHECK(LearntChoice::read(learnt.text(0.2)).text(0.2) == learnt.text(0.2));
  // Other words teach nothing, and drawing evenly forgets all.
  CHECK(LearntChoice::read("Be bold.").chance(0.2) == 0.5);
  CHECK(learnt.chance(1) == 0.5);
}

TEST_CASE("learnt choice: it comes to the better of two ways") {
  for (const std::uint64_t key : {1, 2, 3, 4, 5}) {
    INFO(key);
    CHECK(taken(0.9, 0.1, 200, 100, key) > 75);
    CHECK(taken(0.1, 0.9, 200, 100, key) < 25);
  }
}

TEST_CASE("learnt choice: the first number of a text is read") {
  CHECK(shared::number_in("Your score: 3 (points).") == 3);
  CHECK(shared::number_in("Your score: -1,234.5.") == -1234.5);
  CHECK_FALSE(shared::number_in("Your score: -."));
}
