#include <agon/error.hpp>
#include <algorithm>
#include <map>
#include <set>

#include "catch.hpp"
#include "design/plan.hpp"

using namespace agon::design;

namespace {

MatchPlan small_plan() {
  return MatchPlan(
      {Seating::make({{0, 1}, -1}), Seating::make({{2, 2}, -1}), Seating::make({{0, 2}, 0})}, 3, 2,
      4);
}

}  // namespace

TEST_CASE("a plan crosses everything once, the block changing last", "[design]") {
  const MatchPlan plan = small_plan();
  REQUIRE(plan.round_size() == 4 * 5);
  REQUIRE(plan.size() == 3 * 2 * 4 * 5);
  std::uint64_t i = 0;
  for (std::uint64_t block = 0; block < 3; ++block)
    for (std::uint64_t repeat = 0; repeat < 2; ++repeat)
      for (std::uint64_t treatment = 0; treatment < 4; ++treatment)
        for (std::uint64_t line_up = 0; line_up < 3; ++line_up) {
          const Seating& seating = plan.line_ups()[line_up];
          for (std::uint64_t a = 0; a < seating.size(); ++a)
            CHECK(plan.match(i++) == PlannedMatch{block, repeat, treatment, line_up, a,
                                                  seating.assignment(a), seating.focal()});
        }
  CHECK(i == plan.size());
}

TEST_CASE("by-block: a plan of 30 blocks has 30 matches, everybody five times on each of six seats",
          "[design]") {
  const MatchPlan plan({Seating::make({{0, 1, 2, 3, 4, 5}, -1}, SeatDesign::by_block)}, 30);
  REQUIRE(plan.size() == 30);
  std::map<std::pair<std::size_t, int>, int> times;
  for (std::uint64_t i = 0; i < plan.size(); ++i) {
    const PlannedMatch match = plan.match(i);
    CHECK(match.block == i);
    CHECK(match.assignment == 0);
    for (std::size_t seat = 0; seat < 6; ++seat) ++times[{seat, match.agents[seat]}];
  }
  CHECK(times.size() == 36);
  for (const auto& [place, n] : times) CHECK(n == 5);
}

TEST_CASE("a plan that lists its matches has blocks of any size, each played as a whole",
          "[design]") {
  std::vector<PlannedMatch> listed;
  for (const std::uint64_t block : {4, 4, 4, 7, 9, 9})
    listed.push_back({.block = block, .agents = {0, 1}, .branch = listed.size()});
  const MatchPlan plan({Seating::make({{0, 1}, -1})}, listed, 1);
  REQUIRE(plan.size() == 6);
  CHECK(plan.blocks() == 3);
  for (std::uint64_t i = 0; i < 6; ++i) CHECK(plan.match(i) == listed[i]);
  const std::vector<std::uint64_t> begins{0, 3, 4, 6};
  for (std::uint64_t block = 0; block <= 3; ++block) CHECK(plan.begin_of(block) == begins[block]);
  const std::vector<std::uint64_t> blocks{0, 0, 0, 1, 2, 2};
  for (std::uint64_t i = 0; i < 6; ++i) CHECK(plan.block_of(i) == blocks[i]);
  std::set<std::uint64_t> played;
  for (std::uint64_t first = 0; first < 2; ++first) {
    const ExecutionOrder order(plan, 5, {first, 2});
    CHECK(order.rounds() == 2 - first);
    for (std::uint64_t k = 0; k < order.rounds(); ++k) {
      const auto round = order.round(k);
      for (const std::uint64_t match : round) {
        CHECK(plan.block_of(match) == plan.block_of(round.front()));
        CHECK(plan.block_of(match) % 2 == first);
        CHECK(played.insert(match).second);
      }
    }
  }
  CHECK(played.size() == 6);
  CHECK_THROWS_AS(MatchPlan({Seating::make({{0, 1}, -1})}, {}, std::uint64_t{1}), agon::Error);
}

TEST_CASE("further blocks only add matches to a plan", "[design]") {
  const Seating seating = Seating::make({{0, 1, 2}, -1});
  const MatchPlan small({seating}, 2, 2, 2);
  const MatchPlan large({seating}, 5, 2, 2);
  for (std::uint64_t i = 0; i < small.size(); ++i) CHECK(small.match(i) == large.match(i));
}

TEST_CASE("a plan of billions of matches is only numbers", "[design]") {
  std::vector<int> agents(16);
  for (int i = 0; i < 16; ++i) agents[static_cast<std::size_t>(i)] = i;
  const MatchPlan plan({Seating::all({agents, -1})}, 1000, 10, 4);
  CHECK(plan.size() == 20'922'789'888'000U * 40'000U);
  const PlannedMatch last = plan.match(plan.size() - 1);
  CHECK(last.block == 999);
  CHECK(last.repeat == 9);
  CHECK(last.treatment == 3);
  std::reverse(agents.begin(), agents.end());
  CHECK(last.agents == agents);
  CHECK_THROWS_WITH(ExecutionOrder(plan, 1),
                    "a plan of 836911595520000000 matches in 10000 rounds is too large to order; "
                    "use the seat design pairwise or latin, or fewer blocks");
}

TEST_CASE("plans say what is wrong with them", "[design]") {
  const std::vector<Seating> one{Seating::make({{0, 1}, -1})};
  CHECK_THROWS_WITH(MatchPlan({}, 1), "the plan has no line-ups; list at least one agent");
  CHECK_THROWS_WITH(MatchPlan(one, 0), "the plan has no blocks; ask for at least 1");
  CHECK_THROWS_WITH(MatchPlan(one, 1, 0), "the plan has no repeats; ask for at least 1");
  CHECK_THROWS_WITH(MatchPlan(one, 1, 1, 0), "the plan has no treatments; ask for at least 1");
  CHECK_THROWS_WITH(MatchPlan(one, std::uint64_t{1} << 63),
                    "the plan has more than 10^19 matches; "
                    "use the seat design pairwise or latin, or fewer blocks");
  CHECK_THROWS_WITH(MatchPlan(one, 1).match(2),
                    "there is no match number 2: the plan has 2; count from 0");
  CHECK_THROWS_WITH(ExecutionOrder(MatchPlan(one, 3), 1).round(3),
                    "there is no round number 3: there are 3; count from 0");
}

TEST_CASE("the order of play has whole blocks, each balanced over line-ups", "[design]") {
  const MatchPlan plan({Seating::make({{0, 1, 2}, -1}), Seating::make({{0, 1, 3}, -1}),
                        Seating::make({{1, 2, 3}, -1})},
                       20, 2, 2);
  const ExecutionOrder order(plan, 99);
  REQUIRE(order.rounds() == 40);
  std::vector<std::uint64_t> flat;
  std::set<std::vector<std::uint64_t>> patterns;
  std::vector<std::uint64_t> blocks;
  for (std::uint64_t k = 0; k < order.rounds(); ++k) {
    const auto round = order.round(k);
    REQUIRE(round.size() == plan.round_size());
    const PlannedMatch first = plan.match(round[0]);
    blocks.push_back(first.block);
    CHECK(first.repeat == k / 20);
    std::map<std::pair<std::uint64_t, std::uint64_t>, int> done;
    bool even = true;
    std::vector<std::uint64_t> pattern;
    for (const std::uint64_t i : round) {
      const PlannedMatch match = plan.match(i);
      REQUIRE(match.block == first.block);
      REQUIRE(match.repeat == first.repeat);
      ++done[{match.treatment, match.line_up}];
      int low = 99;
      int high = 0;
      for (std::uint64_t t = 0; t < 2; ++t)
        for (std::uint64_t l = 0; l < 3; ++l) {
          low = std::min(low, done[{t, l}]);
          high = std::max(high, done[{t, l}]);
        }
      even = even && high - low <= 1;
      pattern.push_back(i % plan.round_size());
    }
    CHECK(even);
    patterns.insert(pattern);
    flat.insert(flat.end(), round.begin(), round.end());
  }
  CHECK(patterns.size() == 40);  // no two rounds are played in the same order
  CHECK_FALSE(std::is_sorted(blocks.begin(), blocks.begin() + 20));
  CHECK(std::set(blocks.begin(), blocks.begin() + 20).size() == 20);
  CHECK(flat == order.flat());
  CHECK(flat == ExecutionOrder(plan, 99).flat());
  CHECK(flat != ExecutionOrder(plan, 98).flat());
  std::sort(flat.begin(), flat.end());
  for (std::uint64_t i = 0; i < plan.size(); ++i) REQUIRE(flat[i] == i);
}

TEST_CASE("an order of some of the blocks has these, whatever the size of the plan", "[design]") {
  const std::vector<Seating> one{Seating::make({{0, 1}, -1})};
  const MatchPlan plan(one, 20, 2);
  std::vector<std::uint64_t> all;
  for (std::uint64_t first = 0; first < 3; ++first) {
    const ExecutionOrder order(plan, 99, {.first = first, .step = 3});
    CHECK(order.rounds() == 2 * (first < 2 ? 7U : 6U));
    const std::vector<std::uint64_t> flat = order.flat();
    for (const std::uint64_t i : flat) CHECK(plan.match(i).block % 3 == first);
    CHECK_FALSE(std::is_sorted(flat.begin(), flat.end()));
    all.insert(all.end(), flat.begin(), flat.end());
  }
  std::sort(all.begin(), all.end());
  REQUIRE(all.size() == plan.size());
  for (std::uint64_t i = 0; i < plan.size(); ++i) CHECK(all[i] == i);

  CHECK(ExecutionOrder(plan, 99, {.first = 20, .step = 3}).rounds() == 0);
  CHECK(ExecutionOrder(plan, 99, {.first = 19, .step = 3}).rounds() == 2);
  const MatchPlan large(one, 20 * kMostInOrder);
  CHECK_THROWS_AS(ExecutionOrder(large, 1), agon::Error);
  const ExecutionOrder part(large, 1, {.first = 5, .step = kMostInOrder});
  CHECK(part.rounds() == 20);
  for (const std::uint64_t i : part.flat()) CHECK(large.match(i).block % kMostInOrder == 5);
}
