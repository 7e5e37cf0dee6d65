#include <agon/error.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "stats/pairwise.hpp"

namespace stats = agon::stats;

TEST_CASE("the pairwise table counts meetings", "[stats]") {
  std::vector<stats::MatchResult> matches;
  matches.push_back({"g", "1", "", {{"a", 3}, {"b", 1}, {"c", 3}}});
  matches.push_back({"g", "1", "", {{"a", 0}, {"b", 5}, {"b", 0}}});  // two seats of b
  matches.push_back({"g", "2", "", {{"b", 2}, {"a", 4}}});
  const auto table = stats::pairwise_table(matches, {});
  REQUIRE(table.size() == 6);
  const auto& ab = table[0];
  CHECK(ab.agent == "a");
  CHECK(ab.opponent == "b");
  CHECK(ab.meetings == 4);
  CHECK(ab.wins == 2);
  CHECK(ab.ties == 1);
  CHECK(ab.losses == 1);
  // Block 1: (2 - 5 + 0) / 3 = -1, block 2: 2. Their mean.
  CHECK(*ab.difference.value == Approx(0.5));
  CHECK(ab.difference.note == stats::Note::too_few);
  const auto& ba = table[2];
  CHECK(ba.agent == "b");
  CHECK(ba.opponent == "a");
  CHECK(ba.wins == 1);
  CHECK(ba.losses == 2);
  CHECK(*ba.difference.value == Approx(-0.5));
  CHECK(table[1].ties == 1);
  CHECK(table[1].meetings == 1);
}

TEST_CASE("pairwise intervals resample blocks and mirror", "[stats]") {
  std::vector<stats::MatchResult> matches;
  const std::vector<double> leads = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
  for (std::size_t b = 0; b < leads.size(); ++b) {
    for (int repeat = 0; repeat < 5; ++repeat) {  // repeats of one block are no new evidence
      matches.push_back({"g", std::to_string(b), "", {{"x", leads[b]}, {"y", 0}}});
    }
  }
  const auto table = stats::pairwise_table(matches, {});
  REQUIRE(table.size() == 2);
  CHECK(table[0].meetings == 60);
  CHECK(table[0].wins == 60);
  CHECK(table[0].difference.units == 12);
  CHECK(*table[0].difference.standard_error == Approx(std::sqrt((296 - 52.0 * 52 / 12) / 11 / 12)));
  CHECK(table[1].difference.interval->low == -table[0].difference.interval->high);
  CHECK(table[1].difference.interval->high == -table[0].difference.interval->low);
}

TEST_CASE("pairwise differences weigh games equally and cluster by item", "[stats]") {
  std::vector<stats::MatchResult> matches;
  for (int b = 0; b < 40; ++b) {
    const double wobble = b % 2 == 0 ? 0.5 : -0.5;
    const std::string item = std::to_string(b / 2);
    if (b < 20) matches.push_back({"p", std::to_string(b), "", {{"x", 4 + wobble}, {"y", 0}}});
    matches.push_back({"q", std::to_string(b), item, {{"x", b % 3 - 2.0}, {"y", 0}}});
  }
  const auto table = stats::pairwise_table(matches, {.resamples = 499});
  CHECK(table[0].difference.blocks == 60);
  CHECK(table[0].difference.units == 40);
  double q = 0;
  for (int b = 0; b < 40; ++b) q += (b % 3 - 2) / 40.0;
  CHECK(*table[0].difference.value == Approx((4 + q) / 2));
}

TEST_CASE("pairwise: nobody met, or a score is broken", "[stats]") {
  const std::vector<stats::MatchResult> alone = {{"g", "1", "", {{"a", 1}, {"a", 2}}}};
  CHECK(stats::pairwise_table(alone, {}).empty());
  const std::vector<stats::MatchResult> broken = {{"g", "1", "", {{"a", INFINITY}, {"b", 2}}}};
  CHECK_THROWS_AS(stats::pairwise_table(broken, {}), agon::Error);
}
