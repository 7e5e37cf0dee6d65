#pragma once

#include <agon/outcome.hpp>

#include "water-allocation/health.hpp"
#include "water-allocation/settings.hpp"
#include "water-allocation/stages.hpp"

namespace water_allocation {

/// What follows from the settings alone and is shared by all their matches.
struct Prepared {
  double expected_supply = 0;
  int needs_start = 0;
  /// How often each resident must drink to live to the end; seats in order.
  agon::InlineList<int, kMaxResidents> least_drinks;
};

Prepared prepare(const Settings& settings);

/// Plays one match.
agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared);

}  // namespace water_allocation
