#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace water_allocation {

/// How much of the rules of health is set.
struct HealthRules {
  int max_hp = 10;
  int drink_hp = 2;
  friend bool operator==(const HealthRules&, const HealthRules&) = default;
};

/// A resident's body. `no_drink` is what the next dry day costs: it starts at 1, so that the n-th
/// dry day in a row costs n.
struct Health {
  int hp = 8;
  int no_drink = 1;

  [[nodiscard]] constexpr bool alive() const { return hp > 0; }
  friend bool operator==(const Health&, const Health&) = default;
};

/// After a day with water.
constexpr Health drunk(Health h, const HealthRules& rules) {
  return {std::min(rules.max_hp, h.hp + rules.drink_hp), 1};
}
/// After a day without. Health is not clamped at 0.
constexpr Health dry(Health h) {
  return {h.hp - h.no_drink, h.no_drink + 1};
}

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
