#pragma once

#include <agon/game.hpp>

#include "shared/auction-values/equilibrium.hpp"
#include "shared/auction-values/rounds.hpp"
#include "shared/auction-values/values.hpp"

namespace sealed_bid {

/// Who pays what; the highest bid wins.
enum class Payment : std::uint8_t { first_price, second_price, third_price, all_pay };
AGON_DESCRIBE_ENUM(Payment, (first_price, "the winner pays its own bid"),
                   (second_price, "the winner pays the second highest bid"),
                   (third_price, "the winner pays the third highest bid"),
                   (all_pay, "everybody pays their own bid, the losers too"))

/// What bidders are told beside the bare rules. The treatments of arXiv:2507.09083.
enum class Intervention : std::uint8_t { none, menu, proxy, nash, direct, wrong, risk };
AGON_DESCRIBE_ENUM(
    Intervention, (none, "nothing more"),
    (menu, "the second price told as a menu: a price to win, which the others' bids make"),
    (proxy, "the second price told as a rising clock on which the bid is an automatic exit"),
    (nash, "advice to think through a slightly higher and a slightly lower bid"),
    (direct, "the true advice that bidding one's value is never worse"),
    (wrong, "the false advice that half one's value is the best bid"),
    (risk, "the bidder is told to be indifferent to risk"))

/// Settings of a match.
struct Settings {
  Payment payment = Payment::second_price;
  int bidders = 3;
  int rounds = 15;
  auction_values::ValueModel values = auction_values::ValueModel::independent;
  std::optional<auction_values::Span> common_range;
  std::optional<auction_values::Span> own_range;
  std::vector<auction_values::GivenRound> given;
  std::optional<int> highest_bid;
  bool plan = true;
  bool reflect = true;
  Intervention intervention = Intervention::none;
  auction_values::Currency currency = auction_values::Currency::dollars;
};
AGON_DESCRIBE(
    Settings, (payment, "who pays what; the highest bid wins"),
    (bidders, "how many bid", agon::range(auction_values::kMinBidders, auction_values::kMaxBidders),
     agon::source("arXiv:2507.09083: 3; 2 to 6 for common values; 4, 5 and 10 as a check")),
    (rounds, "auctions in a match, each with values of its own",
     agon::range(1, auction_values::kMaxRounds), agon::unit("rounds"),
     agon::source("arXiv:2507.09083: 15 with independent values, 10 with the others")),
    (values, "what the item is worth to whom"),
    (common_range,
     "least and most of the part of a value that all share (null: 0 to 20), or of the common value "
     "(null: 20 to 79)",
     agon::range(-auction_values::kMaxValue, auction_values::kMaxValue), agon::unit("currency")),
    (own_range,
     "least and most of an independent value (null: 0 to 99), of a bidder's own part (null: 0 to "
     "20), or of its error about the common value (null: -20 to 20)",
     agon::range(-auction_values::kMaxValue, auction_values::kMaxValue), agon::unit("currency")),
    (given,
     "values given instead of drawn, one entry a round; entries beyond the rounds are not used",
     agon::length(0, auction_values::kMaxRounds)),
    (highest_bid,
     "most that may be bid; null: the highest value that a bidder can see, with the third price so "
     "many times as much as the equilibrium asks for",
     agon::range(0, 10 * auction_values::kMaxValue), agon::unit("currency")),
    (plan, "ask for a plan before each round, before the value is known"),
    (reflect, "ask after each round but the last what there is to learn from it"),
    (intervention, "what bidders are told beside the bare rules"),
    (currency, "what money is called; amounts are whole numbers of it"))

/// The auction as the theory knows it.
[[nodiscard]] auction_values::Contest contest(Payment payment, const auction_values::Source& source,
                                              int bidders);

/// Most that may be bid.
[[nodiscard]] int highest_bid(const Settings& settings);

/// Most that anybody would have reason to bid: what highest_bid is if nothing is set.
[[nodiscard]] int reasonable_bid(const Settings& settings);

/// Why the settings make no sense together; empty if they do.
[[nodiscard]] std::string check(const Settings& settings);

}  // namespace sealed_bid
