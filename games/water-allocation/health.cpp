#include "water-allocation/health.hpp"

namespace water_allocation {

ThirstTable::ThirstTable(int days, HealthRules rules) : rules_(rules), days_(days) {
  const int most = rules_.max_hp;
  least_.resize(index(days_, {most, most}) + 1);
  for (int d = 1; d <= days_; ++d)
    for (int hp = 1; hp <= most; ++hp)
      for (int cost = 1; cost <= most; ++cost) {
        const Health now{hp, cost};
        int best = 1 + least_drinks(d - 1, drunk(now, rules_));
        if (dry(now).alive()) best = std::min(best, least_drinks(d - 1, dry(now)));
        least_[index(d, now)] = static_cast<std::uint8_t>(best);
      }
}

int ThirstTable::least_drinks(int days, Health h) const {
  // A dry day that costs all the health there can be and one that costs more are alike.
  h.no_drink = std::min(h.no_drink, rules_.max_hp);
  return least_[index(days, h)];
}

std::size_t ThirstTable::index(int days, Health h) const {
  const auto most = static_cast<std::size_t>(rules_.max_hp);
  return (static_cast<std::size_t>(days) * most + static_cast<std::size_t>(h.hp - 1)) * most +
         static_cast<std::size_t>(h.no_drink - 1);
}

}  // namespace water_allocation
