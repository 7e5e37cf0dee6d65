#pragma once

#include <span>

namespace water_allocation {

/// What a planner who knew the needs could do with a day's water.
struct DayYardstick {
  int most_water = 0;   ///< largest sum of needs that the supply covers, exact
  int most_served = 0;  ///< most residents who could drink, exact
};

/// The yardstick for these needs (each 1..kMaxWater) and supply (0..kMaxWater).
DayYardstick day_yardstick(std::span<const int> needs, int supply);

/// The most residents who could be alive at the end if water could be carried from day to day: an
/// upper bound on what any allocation can reach. Resident i must drink `drinks[i]` times
/// `needs[i]`.
int survivors_bound(std::span<const int> drinks, std::span<const int> needs, int total_supply);

}  // namespace water_allocation
