#pragma once

#include <agon/describe.hpp>
#include <optional>

#include "ebay/settings.hpp"

namespace ebay {

/// What is measured of one bidder. Counted up while the match runs.
struct SeatMetrics {
  agon::Money value{};
  bool won = false;
  agon::Money paid{};
  int bids = 0;
  int raises = 0;
  int holds = 0;
  agon::Money maximum{};
  std::optional<int> first_bid_day;
  std::optional<int> last_raise_day;
  int last_day_raises = 0;
  bool sniped = false;
  std::optional<agon::Money> bid_gap;
  bool overbid = false;
  agon::Money regret{};
};
AGON_DESCRIBE(
    SeatMetrics, (value, "what the item is worth", agon::unit("dollars"), agon::at_least(0)),
    (won, "bought the item"), (paid, "price paid", agon::unit("dollars"), agon::at_least(0)),
    (bids, "turns with a bid, also of the maximum that stood already", agon::range(0, kMaxDays)),
    (raises, "turns that raised the maximum", agon::range(0, kMaxDays)),
    (holds, "turns without a bid", agon::range(0, kMaxDays)),
    (maximum, "the last maximum; 0: never bid", agon::unit("dollars"), agon::at_least(0)),
    (first_bid_day, "day of the first bid", agon::unit("days"), agon::range(1, kMaxDays)),
    (last_raise_day, "last day with a raise of the maximum", agon::unit("days"),
     agon::range(1, kMaxDays)),
    (last_day_raises, "raises on the day that turned out to be the last", agon::range(0, 1)),
    (sniped, "bid for the first time on the day that turned out to be the last"),
    (bid_gap, "last maximum less value; 0 is the dominant strategy; undefined without a bid",
     agon::unit("dollars")),
    (overbid, "the last maximum is above the value", agon::Better::lower),
    (regret,
     "profit forgone against telling the proxy its value, the others' last maxima as they were",
     agon::unit("dollars"), agon::at_least(0), agon::Better::lower))

/// What is measured of the auction.
struct MatchMetrics {
  bool sold = false;
  agon::Money price{};
  agon::Money revenue{};
  bool no_bids = false;
  bool reserve_failed = false;
  int days = 0;
  int extensions = 0;
  std::optional<int> final_bid_day;
  std::optional<int> final_bid_to_end;
  std::optional<bool> final_bid_on_last_day;
  int bids = 0;
  int raises = 0;
  int last_day_raises = 0;
  std::optional<double> last_day_share;
  int snipers = 0;
  int lead_changes = 0;
  bool tied = false;
  std::optional<bool> efficient;
  std::optional<double> surplus_share;
  agon::Money truthful_price{};
  agon::Money price_gap{};
};
AGON_DESCRIBE(
    MatchMetrics, (sold, "the item found a buyer", agon::Better::higher),
    (price, "the price shown at the close, sold or not", agon::unit("dollars"), agon::at_least(0),
     agon::source("Shah et al., eBay: revenue is the final price")),
    (revenue, "what the seller gets: the price, or nothing", agon::unit("dollars"),
     agon::at_least(0)),
    (no_bids, "nobody bid", agon::Better::lower),
    (reserve_failed, "there were bids, and the hidden reserve was not met"),
    (days, "days played, with all extensions", agon::unit("days"), agon::range(1, kMaxDays)),
    (extensions, "days by which the end was put off", agon::unit("days"), agon::range(0, kMaxDays)),
    (final_bid_day,
     "final winning bid: last day on which who leads at the close raised the maximum, sold or not",
     agon::unit("days"), agon::range(1, kMaxDays),
     agon::source("Shah et al., eBay: time of the final winning bid")),
    (final_bid_to_end, "days from there to the close", agon::unit("days"),
     agon::range(0, kMaxDays)),
    (final_bid_on_last_day, "the final winning bid fell on the last day: 1 to end with a snipe"),
    (bids, "turns with a bid", agon::at_least(0)),
    (raises, "turns that raised a maximum", agon::at_least(0)),
    (last_day_raises, "of these, on the last day", agon::at_least(0)),
    (last_day_share, "last day's share of the raises", agon::range(0, 1)),
    (snipers, "bidders who bid for the first time on the last day", agon::range(0, kMaxBidders)),
    (lead_changes, "bids by which somebody took the lead who did not have it", agon::at_least(0)),
    (tied, "several had the highest maximum at the close"),
    (efficient, "sold to a bidder with the highest value; undefined without a sale",
     agon::Better::higher),
    (surplus_share,
     "value to the buyer (0 without a sale) over the highest value; undefined if that is 0",
     agon::range(0, 1), agon::Better::higher),
    (truthful_price, "price at the close if every bidder had told the proxy its value",
     agon::unit("dollars"), agon::at_least(0)),
    (price_gap, "price less that", agon::unit("dollars")))

}  // namespace ebay
