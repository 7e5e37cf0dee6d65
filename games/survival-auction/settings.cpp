#include "survival-auction/settings.hpp"

#include <fmt/format.h>

namespace survival_auction {

std::vector<std::string> five_residents() {
  return {"Alex", "Bob", "Cindy", "David", "Eric"};
}

std::string check(const Settings& s) {
  for (std::size_t i = 0; i < s.residents.size(); ++i) {
    if (s.residents[i].empty()) return fmt::format("residents[{}] has no name", i);
    for (std::size_t j = 0; j < i; ++j)
      if (s.residents[j] == s.residents[i])
        return fmt::format("residents[{}] and residents[{}] are both called {}", j, i,
                           s.residents[i]);
  }
  if (s.start_hp > s.max_hp)
    return fmt::format("start_hp is {}, above max_hp, {}", s.start_hp, s.max_hp);
  return {};
}

}  // namespace survival_auction
