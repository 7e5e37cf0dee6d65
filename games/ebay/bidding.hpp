#pragma once

#include <agon/inline_list.hpp>
#include <agon/money.hpp>
#include <cstdint>
#include <optional>
#include <span>

#include "ebay/settings.hpp"

namespace ebay {

/// How the proxies stand: what follows from the bidders' maxima.
struct Standing {
  agon::Money top{};          ///< highest maximum; 0: nobody has bid
  agon::Money price{};        ///< what is shown
  std::uint32_t leaders = 0;  ///< bit s: seat s has the highest maximum
  [[nodiscard]] bool leads(int seat) const { return (leaders >> seat & 1U) != 0; }
};

/// The price is one step above the second highest maximum, but never above the highest; the start
/// price as long as fewer than two have bid. A maximum of 0 is no bid.
[[nodiscard]] Standing stand(std::span<const agon::Money> maxima, agon::Money start_price,
                             agon::Money step);

/// Whether the item is sold: somebody bid (or `no_bids` sells it all the same), and the reserve, if
/// there is one, is met.
[[nodiscard]] bool is_sold(const Standing& standing, const Settings& settings);

/// Decides when the auction ends, day by day.
class Closing {
 public:
  explicit Closing(const Settings& settings) : settings_(settings), days_(settings.days) {}
  /// The last day as things stand.
  [[nodiscard]] int days() const { return days_; }
  /// A bid was placed today; `took_lead`: the bidder leads and did not before.
  void bid(bool took_lead);
  /// The day is over; true if the end was put off by a day.
  bool end_day(int day);

 private:
  const Settings& settings_;
  int days_;
  bool bid_since_ = false;   ///< any bid since the end was last put off
  bool lead_taken_ = false;  ///< today
};

}  // namespace ebay
