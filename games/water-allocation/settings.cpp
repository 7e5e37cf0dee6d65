#include "water-allocation/settings.hpp"

#include <fmt/format.h>

namespace water_allocation {

std::vector<Resident> five_residents() {
  const auto resident = [](const char* name, int need, int salary, const char* profession,
                           const char* personality, const char* background) {
    Resident r;
    r.name = name, r.need = need, r.salary = agon::major(salary);
    r.profession = profession, r.personality = personality, r.background = background;
    return r;
  };
  return {
      resident("Alex", 8, 70, "out of work",
               "slow with figures and slow with people, quickly irritated, keeps away from others",
               "grew up in a poor neighbourhood, dropped out of school very young and has never "
               "held a steady job"),
      resident("Bob", 9, 75, "teacher at a secondary school",
               "of ordinary intelligence, good with feelings, full of understanding for others",
               "comes from a family that sticks together and teaches because he wants to do some "
               "good"),
      resident("Cindy", 10, 100, "psychologist",
               "clever and warm in equal measure: puts herself in other people's place and thinks "
               "things through",
               "answered calls at a crisis line as a volunteer before she became a therapist"),
      resident("David", 11, 120, "mathematician",
               "brilliant, looks for the best possible solution, afraid of company",
               "a child of a small town who lived among books and puzzles and took a doctorate in "
               "mathematics"),
      resident("Eric", 12, 120, "head of marketing",
               "brighter than most and sure of his feelings, charming, reads people and sways them",
               "raised in a big city, studied business and has led campaigns that everybody "
               "remembers"),
  };
}

std::string check(const Settings& s) {
  if (s.first_day > s.days)
    return fmt::format("first_day is {}, but the last day is {} (days)", s.first_day, s.days);
  if (s.supply[0] > s.supply[1])
    return fmt::format("supply says at least {} and at most {}: turn the two round", s.supply[0],
                       s.supply[1]);
  const auto days = static_cast<std::size_t>(s.days - s.first_day) + 1;
  if (!s.supply_list.empty() && s.supply_list.size() != days)
    return fmt::format("supply_list has {} entries for {} days (from first_day to days)",
                       s.supply_list.size(), days);
  for (std::size_t i = 0; i < s.supply_list.size(); ++i)
    if (s.supply_list[i] < s.supply[0] || s.supply_list[i] > s.supply[1])
      return fmt::format(
          "supply_list[{}] is {}, outside of the {} to {} that residents are told (supply)", i,
          s.supply_list[i], s.supply[0], s.supply[1]);
  if (s.start_hp > s.max_hp)
    return fmt::format("start_hp is {}, above max_hp, {}", s.start_hp, s.max_hp);
  bool anybody = false;
  for (std::size_t i = 0; i < s.residents.size(); ++i) {
    const Resident& r = s.residents[i];
    if (r.hp.value_or(s.start_hp) > s.max_hp)
      return fmt::format("residents[{}].hp is {}, above max_hp, {}", i, *r.hp, s.max_hp);
    anybody = anybody || r.hp.value_or(s.start_hp) > 0;
    for (std::size_t j = 0; j < i; ++j)
      if (s.residents[j].name == r.name)
        return fmt::format("residents[{}] and residents[{}] are both called {}", j, i, r.name);
  }
  return anybody ? "" : "every resident is dead (hp 0) before the first day";
}

}  // namespace water_allocation
