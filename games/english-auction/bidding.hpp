#pragma once

#include <agon/inline_list.hpp>
#include <agon/money.hpp>
#include <agon/table.hpp>
#include <optional>
#include <span>
#include <string>

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

}  // namespace english_auction
