#include "ebay/bidding.hpp"

#include <algorithm>

namespace ebay {

Standing stand(std::span<const agon::Money> maxima, agon::Money start_price, agon::Money step) {
  Standing s;
  agon::Money second{};
  for (std::size_t i = 0; i < maxima.size(); ++i) {
    const agon::Money m = maxima[i];
    if (m.cents <= 0) continue;
    if (m > s.top) {
      second = s.top;
      s.top = m;
      s.leaders = 1U << i;
    } else {
      second = std::max(second, m);
      s.leaders |= m == s.top ? 1U << i : 0U;
    }
  }
  s.price = second.cents > 0 ? std::min(s.top, second + step) : start_price;
  return s;
}

bool is_sold(const Standing& standing, const Settings& settings) {
  if (standing.leaders == 0 && settings.no_bids == NoBids::no_sale) return false;
  if (!settings.reserve) return true;
  return settings.reserve_test == ReserveTest::price ? standing.price >= *settings.reserve
                                                     : standing.top > *settings.reserve;
}

void Closing::bid(bool took_lead) {
  bid_since_ = true;
  lead_taken_ = lead_taken_ || took_lead;
}

bool Closing::end_day(int day) {
  const bool lead_taken = lead_taken_;
  lead_taken_ = false;
  if (!settings_.soft_close || days_ >= settings_.max_days) return false;
  const bool more = settings_.close_rule == CloseRule::new_leader ? day == days_ && lead_taken
                                                                  : day == days_ - 1 && bid_since_;
  if (!more) return false;
  ++days_;
  bid_since_ = false;
  return true;
}

}  // namespace ebay
