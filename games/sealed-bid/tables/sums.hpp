#pragma once

#include <agon/analysis/statistics.hpp>
#include <string>

#include "sealed-bid/settings.hpp"

namespace sealed_bid {

/// What all seats of the matches of one kind add up to.
struct Sums {
  double n = 0;  ///< bids
  double bids = 0, bid_squares = 0;
  double squares_above = 0, squares_below = 0;
  agon::Sample revenue, efficiency, profit;  ///< a round
  agon::Sample exact, near, above, below;    ///< of bids
  agon::Sample error;                        ///< |bid - value|
  agon::Sample smad;                         ///< |bid - equilibrium bid| / equilibrium bid
  agon::Sample winner_profit, lost_money;    ///< a round
  agon::Sample over_estimate, should_be;     ///< bid, equilibrium bid, less what was seen

  void add(const agon::PlayedMatch& match);
  /// Mean distance from the equilibrium bid as a share of the mean equilibrium bid.
  [[nodiscard]] agon::Figure off_equilibrium(double level) const;
  /// By the definition of the intervention table, over all bids; NaN without spread.
  [[nodiscard]] double r_squared() const;
  /// Share of the squared errors that lies above the value; NaN without errors.
  [[nodiscard]] double share_above() const;
};

/// The settings of a match of sealed bids.
[[nodiscard]] std::optional<Settings> settings_of(const agon::PlayedMatch& match);

/// "FPSB", "SPSB", "TPSB", "all-pay".
[[nodiscard]] std::string short_name(Payment payment);

}  // namespace sealed_bid
