#pragma once

#include <agon/describe.hpp>
#include <agon/inline_list.hpp>
#include <agon/money.hpp>
#include <agon/outcome.hpp>
#include <agon/table.hpp>
#include <agon/telling.hpp>
#include <cstdint>
#include <optional>
#include <span>

#include "ebay/game.hpp"

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

inline constexpr agon::Stage<"bid", Turn, Desk> kBid{
    "Bid or hold: raise the most that your proxy may pay, or leave it as it is.",
    "one bidder after another, each once a day", &tell};

inline constexpr agon::PrivateEvent<"private", Worth> kWorth{"what the item is worth to the seat",
                                                             &tell};
inline constexpr agon::Event<"day", Morning> kMorning{"a day begins", &tell};
inline constexpr agon::Event<"price", PriceLine> kPrice{"the price after one bidder's turn", &tell};
inline constexpr agon::Event<"extended", Extended> kExtended{"the end is put off", &tell};
inline constexpr agon::Event<"close", Close> kClose{"the auction is over", &tell};
inline constexpr agon::Note<"hidden", Hidden> kHidden{"values and highest bids of all", &tell};

using Table = agon::Table<kBid, kWorth, kMorning, kPrice, kExtended, kClose, kHidden>;

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

/// Plays one match.
agon::Outcome play(Table table, const Settings& settings);

}  // namespace ebay
