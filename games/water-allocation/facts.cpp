#include "water-allocation/facts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace water_allocation {

Facts facts(const Settings& s) {
  Facts facts;
  facts.days = s.days;
  facts.least_supply = s.supply[0];
  facts.most_supply = s.supply[1];
  if (!s.supply_list.empty()) {
    const auto [least, most] = std::minmax_element(s.supply_list.begin(), s.supply_list.end());
    facts.least_supply = *least;
    facts.most_supply = *most;
  }
  for (const Resident& r : s.residents) facts.need += r.need;
  facts.max_hp = s.max_hp;
  facts.drink_hp = s.drink_hp;
  // The score is the number of days survived, and nothing else.
  facts.objective = fmt::format(
      "Each day at whose end you are alive counts one; the aim is to be alive after day {}. Money "
      "and health that are left over count nothing.",
      s.days);
  return facts;
}

}  // namespace water_allocation
