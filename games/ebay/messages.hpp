#pragma once

#include <agon/table.hpp>
#include <agon/telling.hpp>

#include "ebay/settings.hpp"

namespace ebay {

/// The one answer of the game: a new maximum for the proxy, or none.
struct Turn {
  std::optional<agon::Money> bid;
};
AGON_DESCRIBE(Turn, (bid,
                     "BID: the most you are willing to pay from now on, not below your maximum so "
                     "far; the price rises only as far as others' bids make it. null: HOLD, leave "
                     "your maximum as it is",
                     agon::at_least(1), agon::unit("dollars")))

/// The price after one bidder's turn.
struct PriceLine {
  int day = 0;
  int turn = 0;
  std::optional<std::string_view> bidder;
  agon::Money price{};
};
AGON_DESCRIBE(PriceLine, (day, "the day of the turn"), (turn, "which turn of the day, from 1"),
              (bidder, "whose turn it was; null: the order of that day is not told"),
              (price, "price after it", agon::unit("dollars")))

/// What a bidder sees when its turn comes.
struct Desk {
  std::string_view name;
  agon::Money value{};
  int day = 0;
  int days = 0;
  agon::Money price{};
  agon::Money maximum{};
  agon::Money lowest_bid{};
  agon::Money highest_bid{};
  agon::Money step{};
  std::span<const std::string_view> order;
  std::span<const PriceLine> prices;
};
AGON_DESCRIBE(Desk, (name, "you are"),
              (value, "what the item is worth to you", agon::unit("dollars")),
              (day, "today", agon::unit("days")),
              (days, "the last day as things stand", agon::unit("days")),
              (price, "price now", agon::unit("dollars")),
              (maximum, "the most you have told your proxy to pay; 0: you have not bid",
               agon::unit("dollars")),
              (lowest_bid, "a bid cannot be lower", agon::unit("dollars")),
              (highest_bid, "nor higher", agon::unit("dollars")),
              (step, "how far the price stands above the second highest maximum at most",
               agon::unit("dollars")),
              (order, "who is asked today, in this order; not told on the last day"),
              (prices, "the price after each turn up to now, first to last"))

/// Told to each seat at the start.
struct Worth {
  agon::Money value{};
};
AGON_DESCRIBE(Worth, (value, "what the item is worth to you", agon::unit("dollars")))

/// Announced every morning.
struct Morning {
  int day = 0;
  int days = 0;
  agon::Money price{};
  agon::InlineList<std::string_view, kMaxBidders> order;
};
AGON_DESCRIBE(Morning, (day, "number of the day"), (days, "the last day as things stand"),
              (price, "price in the morning", agon::unit("dollars")),
              (order, "who is asked today, in this order; not told on the last day"))

/// Announced in the evening if the end is put off.
struct Extended {
  int day = 0;
  int days = 0;
};
AGON_DESCRIBE(Extended, (day, "number of the day"), (days, "the last day from now on"))

/// Announced at the end.
struct Close {
  int day = 0;
  bool sold = false;
  std::optional<std::string_view> winner;
  agon::Money price{};
};
AGON_DESCRIBE(Close, (day, "number of the last day"),
              (sold, "false: nobody bid, or the hidden reserve was not met"),
              (winner, "who gets the item; null: nobody"),
              (price, "the final price, paid by the winner", agon::unit("dollars")))

/// One bidder's truth, for the record.
struct Truth {
  std::string_view name;
  agon::Money value{};
  agon::Money maximum{};
};
AGON_DESCRIBE(Truth, (name, "who"), (value, "what the item is worth", agon::unit("dollars")),
              (maximum, "the last maximum; 0: never bid", agon::unit("dollars")))

/// For the record only: what was hidden.
struct Hidden {
  agon::InlineList<Truth, kMaxBidders> bidders;
  std::optional<agon::Money> reserve;
  std::optional<std::string_view> leader;
};
AGON_DESCRIBE(Hidden, (bidders, "all bidders, in the order of the seats"),
              (reserve, "hidden reserve", agon::unit("dollars")),
              (leader, "who led at the close, sold or not; null: nobody bid"))

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const Worth& worth, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Morning& morning, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PriceLine& line, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Extended& extended, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Close& close, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Hidden& hidden, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Desk& desk, const agon::Scene& scene);
///@}

}  // namespace ebay
