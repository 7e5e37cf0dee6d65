#pragma once

#include <cstdint>
#include <vector>

#include "shared/drought.hpp"

namespace water_allocation {

using shared::drought::drunk;
using shared::drought::dry;
using shared::drought::Health;
using shared::drought::HealthRules;

/// How often somebody must drink to stay alive, worked out once for all states of health.
class ThirstTable {
 public:
  /// For up to `days` days.
  ThirstTable(int days, HealthRules rules);

  /// The fewest of the coming `days` days with water that keep somebody in this state alive to the
  /// end of them; 0 <= days <= the table's.
  [[nodiscard]] int least_drinks(int days, Health h) const;
  [[nodiscard]] const HealthRules& rules() const { return rules_; }
  [[nodiscard]] int days() const { return days_; }

 private:
  [[nodiscard]] std::size_t index(int days, Health h) const;

  HealthRules rules_;
  int days_;
  std::vector<std::uint8_t> least_;
};

}  // namespace water_allocation
