#include "survival-auction/settings.hpp"

#include <fmt/format.h>

#include "shared/names.hpp"

namespace survival_auction {

std::vector<std::string> five_residents() {
  return {"Alex", "Bob", "Cindy", "David", "Eric"};
}

std::string check(const Settings& s) {
  if (std::string why = shared::check_names("residents", s.residents); !why.empty()) return why;
  if (s.start_hp > s.max_hp)
    return fmt::format("start_hp is {}, above max_hp, {}", s.start_hp, s.max_hp);
  return {};
}

}  // namespace survival_auction
