#pragma once

#include <agon/inline_list.hpp>
#include <agon/limits.hpp>
#include <agon/money.hpp>
#include <agon/table.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "english-auction/settings.hpp"

namespace english_auction {

/// Truncates an amount of at least one dollar to whole dollars, as the published code does with
/// every amount it computes; smaller amounts keep their cents, and are at least one cent.
[[nodiscard]] constexpr agon::Money whole_dollars(agon::Money amount) {
  if (amount.cents >= 100) return {amount.cents - amount.cents % 100};
  return {amount.cents < 1 ? 1 : amount.cents};
}

/// The least raise over the leading bid: `markup` percent of the item's start price as it stands.
[[nodiscard]] constexpr agon::Money increment(agon::Money price, int markup) {
  return whole_dollars({price.cents * markup / 100});
}

/// The price of an item that is offered again because nobody bid.
[[nodiscard]] constexpr agon::Money halved(agon::Money price) {
  return whole_dollars({price.cents / 2});
}

/// A bidder's estimate: the true value overstated by so many percent, in whole dollars if it is at
/// least one.
[[nodiscard]] constexpr agon::Money estimate(agon::Money value, int overestimate) {
  const std::int64_t cents = value.cents * (100 + overestimate) / 100;
  return {cents < 100 ? cents : cents - cents % 100};
}

/// Where the bidding for an item stands when a bid is asked for.
struct BidMoment {
  agon::Money start_price;
  std::optional<agon::Money> leading_bid;  ///< at the end of the last round
  agon::Money step;                        ///< the least raise: increment() of the start price

  /// The lowest bid that counts. Bids of the same round are not compared with each other.
  [[nodiscard]] constexpr agon::Money minimum() const {
    return leading_bid ? *leading_bid + step : start_price;
  }
};

/// Why a bid does not count, empty if it does: tested against the budget, then the start price,
/// then the least raise (rules: AucArena's code).
[[nodiscard]] std::string bid_problem(const BidMoment& moment, agon::Money budget, agon::Money bid);

/// The bidding for one item, round by round. Seats are told apart by number; who is asked, what
/// counts and when the hammer falls is decided here, who answers what is not.
class War {
 public:
  struct Rules {
    int markup = 10;
    bool discount = false;
    int most_discounts = 3;
    int most_rounds = 200;
    std::uint32_t absent = 0;  ///< bit s: seat s is never asked
  };
  enum class Verdict { goes_on, reopened, sold, unsold };
  using SeatList = agon::InlineList<int, agon::kMaxSeats>;

  War(const Rules& rules, int seats, agon::Money price)
      : rules_(rules),
        seats_(seats),
        moment_{price, std::nullopt, increment(price, rules.markup)} {}

  /// Everybody who is neither the leader nor withdrawn. May be nobody: the round then closes empty.
  [[nodiscard]] SeatList asked() const;
  [[nodiscard]] const BidMoment& moment() const { return moment_; }
  /// 0-based.
  [[nodiscard]] int round() const { return round_; }
  /// Who led at the end of the last round; -1: nobody.
  [[nodiscard]] int leader() const { return leader_; }

  void withdraw(int seat) { out_ |= 1U << seat; }
  /// The least raise from now on.
  void set_step(agon::Money step) { moment_.step = step; }
  /// A bid that counts.
  void bid(int seat, agon::Money amount);
  /// Those who share the highest bid of this round, in seat order; empty: nobody bid.
  [[nodiscard]] const SeatList& tied() const { return tied_; }
  /// True if the hammer fell only because the most rounds were reached.
  [[nodiscard]] bool capped() const { return capped_; }
  /// Ends the round. `winner` is the one of tied() who leads now; -1 if nobody bid.
  Verdict close(int winner);

 private:
  Rules rules_;
  int seats_;
  BidMoment moment_;
  int round_ = 0;
  int leader_ = -1;
  std::uint32_t out_ = 0;
  int bids_ = 0;
  bool capped_ = false;
  agon::Money best_{-1};
  SeatList tied_;
};

/// Something that can be bought once.
struct Purchase {
  std::int64_t cost = 0;  ///< cents, at least 0
  std::int64_t gain = 0;  ///< any integer; what does not gain is never bought
};

/// The largest total gain of any set that costs at most `budget` in total: the 0/1 knapsack, exact
/// over integers. Keeps the undominated (cost, gain) pairs and drops those that cannot beat a
/// greedy set even if the rest could be bought in parts. Costs and gains stay below 10^9.
[[nodiscard]] std::int64_t best_gain(std::span<const Purchase> purchases, std::int64_t budget);

/// 0 and 1 of a seat's normalised score, in cents.
struct Anchors {
  double disagreement = 0;
  double ideal = 0;
};

/// What an auction is held against. It follows from settings and values, never from play. Buyers
/// of an item are the bidders that are no shills and have the money for its start price.
struct Yardsticks {
  agon::InlineList<Anchors, agon::kMaxSeats> bidders;
  Anchors seller;
  /// Most true value that all buyers' budgets together can buy at start prices, each item by the
  /// buyer to whom it is worth most.
  agon::Money best_value;
  /// What buyers pay if each goes up to its own value: for each item the second highest of their
  /// values, or the start price if that is more, where one of them would buy it at all; at most all
  /// their budgets together.
  agon::Money competitive;
};

/// Scores are shown with two decimals, since most are amounts in cents; so an item counts as 1.00
/// where a bidder wants items rather than profit.
inline constexpr int kScoreOfItem = 100;

/// What things are worth to whom: `values` has a row a bidder, with what each item, as listed, is
/// worth to it.
[[nodiscard]] Yardsticks yardsticks(const Settings& settings, const std::vector<Item>& items,
                                    const std::vector<Bidder>& bidders,
                                    std::span<const agon::Money> values);

/// The best that a bidder alone can reach at start prices: the largest surplus (in cents) that its
/// budget can buy, or the largest number of items, or of wanted items.
[[nodiscard]] std::int64_t best_alone(const Bidder& bidder, const std::vector<Item>& items);

/// Does the bidder count among those who may buy the item? A shill does not, nor who never has the
/// money for it.
[[nodiscard]] bool is_buyer(const Bidder& bidder, const Item& item);

/// What an item costs its seller.
[[nodiscard]] agon::Money cost_of(const Item& item, const Settings& settings);

/// One bidder, with what follows from the settings.
struct PreparedBidder {
  Bidder settings;
  std::vector<std::string_view> wanted;
  std::vector<agon::Money> estimates;  ///< by item as listed
  bool sees_estimates = true;
  std::uint64_t wants = 0;  ///< bit i: item i as listed is wanted
};

/// A tie whose winner is given.
struct PreparedTie {
  int item = 0;   ///< as listed
  int round = 0;  ///< 0-based
  int winner = 0;
};

/// What is worked out once for given settings.
struct Prepared {
  Prepared() = default;
  Prepared(Prepared&&) = default;
  Prepared& operator=(Prepared&&) = default;
  ~Prepared() = default;
  // Views point into the strings here.
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  std::vector<Item> items;
  std::vector<PreparedBidder> bidders;
  std::vector<int> pinned;  ///< by place in the sale: item as listed, or -1: drawn
  std::vector<int> loose;   ///< items that are not pinned, as listed
  std::vector<PreparedTie> ties;
  War::Rules war;
  agon::InlineList<int, agon::kMaxSeats> learners, planners, replanners, believers;
  /// Each bidder's value of each item, a row a bidder; where values are private, of those that are
  /// given only, and else that of the item.
  std::vector<agon::Money> values;
  std::vector<bool> given;  ///< which of them are given
  bool is_private = false;
  bool draws_values = false;  ///< some are drawn in each match, and yardsticks with them
  Yardsticks yardsticks;
};

/// Why settings make no sense together; empty if they do.
[[nodiscard]] std::string check(const Settings& settings);

/// Works out what all matches of these settings share.
[[nodiscard]] Prepared prepare(const Settings& settings);

}  // namespace english_auction
