#include "ebay/settings.hpp"

#include <fmt/format.h>

#include "shared/names.hpp"

namespace ebay {

namespace {

/// Why the list does not name each seat once; empty if it does.
std::string check_seats(const std::string& where, const std::vector<int>& seats, std::size_t n) {
  std::vector<bool> named(n);
  for (const int seat : seats) {
    if (seat < 0 || static_cast<std::size_t>(seat) >= n)
      return fmt::format("{} names seat {}, but seats go from 0 to {}", where, seat, n - 1);
    if (named[static_cast<std::size_t>(seat)])
      return fmt::format("{} names seat {} twice", where, seat);
    named[static_cast<std::size_t>(seat)] = true;
  }
  if (seats.size() != n)
    return fmt::format("{} has {} entries for {} bidders", where, seats.size(), n);
  return {};
}

}  // namespace

std::vector<std::string> three_bidders() {
  return {"Bidder Andy", "Bidder Betty", "Bidder Charles"};
}

std::string check(const Settings& s) {
  const std::size_t n = s.bidders.size();
  if (std::string why = shared::check_names("bidders", s.bidders); !why.empty()) return why;
  if (s.values[0] > s.values[1])
    return fmt::format("values says at least {} and at most {}: turn the two round", s.values[0],
                       s.values[1]);
  if (!s.value_list.empty() && s.value_list.size() != n)
    return fmt::format("value_list has {} entries for {} bidders", s.value_list.size(), n);
  if (s.soft_close && s.max_days < s.days)
    return fmt::format("max_days is {}, below days, {}", s.max_days, s.days);
  if (s.highest_bid < s.start_price)
    return fmt::format("highest_bid is below start_price: nobody could bid");
  for (std::size_t i = 0; i < s.orders.size(); ++i) {
    std::string why = check_seats(fmt::format("orders[{}]", i), s.orders[i], n);
    if (!why.empty()) return why;
  }
  return s.tie_order.empty() ? "" : check_seats("tie_order", s.tie_order, n);
}

}  // namespace ebay
