#include "water-allocation/welfare.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstdint>

#include "water-allocation/settings.hpp"

namespace water_allocation {

namespace {

int largest_sum(std::span<const int> needs, int supply) {
  // Bit k: some of the residents need k units together.
  if (supply < 64) {
    std::uint64_t sums = 1;
    for (const int need : needs)
      if (need <= supply) sums |= sums << need;
    const std::uint64_t within = sums & (~std::uint64_t{0} >> (63 - supply));
    return 63 - std::countl_zero(within);
  }
  std::bitset<kMaxWater + 1> sums;
  sums[0] = true;
  for (const int need : needs) sums |= sums << static_cast<std::size_t>(need);
  int best = supply;
  while (!sums[static_cast<std::size_t>(best)]) --best;
  return best;
}

int most_that_fit(std::span<const int> costs, int total) {
  std::array<int, kMaxResidents> sorted;
  const auto end = std::copy(costs.begin(), costs.end(), sorted.begin());
  std::sort(sorted.begin(), end);
  int n = 0;
  for (auto cost = sorted.begin(); cost != end && *cost <= total; ++cost) total -= *cost, ++n;
  return n;
}

}  // namespace

DayYardstick day_yardstick(std::span<const int> needs, int supply) {
  return {largest_sum(needs, supply), most_that_fit(needs, supply)};
}

int survivors_bound(std::span<const int> drinks, std::span<const int> needs, int total_supply) {
  std::array<int, kMaxResidents> costs{};
  for (std::size_t i = 0; i < needs.size(); ++i) costs[i] = drinks[i] * needs[i];
  return most_that_fit({costs.data(), needs.size()}, total_supply);
}

}  // namespace water_allocation
