#include <agon/error.hpp>
#include <algorithm>
#include <map>
#include <numeric>

#include "catch.hpp"
#include "design/plan.hpp"

using namespace agon::design;

namespace {

std::vector<std::uint64_t> up_to(std::uint64_t count) {
  std::vector<std::uint64_t> out(count);
  std::iota(out.begin(), out.end(), std::uint64_t{0});
  return out;
}

}  // namespace

TEST_CASE("a shuffle reaches every order equally often", "[design]") {
  std::map<std::vector<std::uint64_t>, int> counts;
  for (std::uint64_t seed = 0; seed < 24'000; ++seed) ++counts[shuffled(4, seed)];
  CHECK(counts.size() == 24);
  double chi_square = 0;
  for (const auto& [order, count] : counts)
    chi_square += (count - 1000.0) * (count - 1000.0) / 1000;
  CHECK(chi_square < 49.7);  // 23 degrees of freedom: passed by 999 of 1000 even shuffles
}

TEST_CASE("a shuffle is a permutation and depends on the seed only", "[design]") {
  CHECK(shuffled(0, 1).empty());
  CHECK_THROWS_AS(shuffled(kMostInOrder + 1, 1), agon::Error);
  CHECK(shuffled(1, 1) == up_to(1));
  auto order = shuffled(1000, 5);
  CHECK(order == shuffled(1000, 5));
  CHECK(order != shuffled(1000, 6));
  std::sort(order.begin(), order.end());
  CHECK(order == up_to(1000));
}

TEST_CASE("riffled lists keep their order and advance together", "[design]") {
  const std::vector<std::uint64_t> sizes{40, 40, 0, 10, 40};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto turns = riffled(sizes, seed);
    REQUIRE(turns.size() == 130);
    std::vector<std::uint64_t> done(sizes.size(), 0);
    bool ordered = true;
    bool even = true;
    for (const OrderItem& turn : turns) {
      ordered = ordered && turn.item == done[turn.list];
      ++done[turn.list];
      const auto [low, high] = std::minmax({done[0], done[1], done[4]});
      even = even && high - low <= 1;
      // A list of 10 is never more than one of its own items ahead of or behind a list of 40.
      even = even && done[3] * 4 <= done[0] + 4 + 3 && done[0] <= done[3] * 4 + 4 + 3;
    }
    CHECK(ordered);
    CHECK(even);
    CHECK(done == sizes);
  }
  CHECK(riffled(sizes, 1) != riffled(sizes, 2));
  CHECK(riffled({}, 1).empty());
  const std::vector<std::uint64_t> endless{std::uint64_t{1} << 40};
  CHECK_THROWS_WITH(riffled(endless, 1),
                    "more than 100000000 matches are too many to order; "
                    "use fewer agents, seats or blocks");
}

TEST_CASE("interleaved items are a permutation with balanced beginnings", "[design]") {
  std::vector<std::uint32_t> group;
  for (std::uint32_t g = 0; g < 7; ++g) group.insert(group.end(), 30, g);
  const auto order = interleaved(group, 11);
  std::vector<int> done(7, 0);
  bool even = true;
  for (const std::uint64_t i : order) {
    ++done[group[i]];
    const auto [low, high] = std::minmax_element(done.begin(), done.end());
    even = even && *high - *low <= 1;
  }
  CHECK(even);
  auto sorted = order;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == up_to(210));
  CHECK(order != interleaved(group, 12));
  // Within a group the order is shuffled as well.
  std::vector<std::uint64_t> first;
  std::copy_if(order.begin(), order.end(), std::back_inserter(first),
               [&](std::uint64_t i) { return group[i] == 0; });
  CHECK_FALSE(std::is_sorted(first.begin(), first.end()));
}

TEST_CASE("orders are the same on every machine", "[design]") {
  CHECK(shuffled(10, 20261120) == std::vector<std::uint64_t>{5, 3, 7, 0, 6, 2, 1, 9, 4, 8});
  const std::vector<std::uint32_t> group{0, 0, 0, 0, 1, 1, 2, 2, 2};
  CHECK(interleaved(group, 20261120) == std::vector<std::uint64_t>{8, 0, 5, 2, 6, 1, 4, 3, 7});
}
