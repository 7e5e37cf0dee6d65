#pragma once

#include <agon/describe.hpp>
#include <map>
#include <optional>

namespace english_auction {

/// Leaves the bidding for this item.
struct Withdraw {};
AGON_DESCRIBE(Withdraw)

/// Bids an amount.
struct Raise {
  agon::Money amount;
};
AGON_DESCRIBE(Raise, (amount, "what you bid and would pay if nobody bids more", agon::range(0, 1e9),
                      agon::unit("dollars")))

/// A move in the bidding for one item. Withdrawing is final for this item.
struct Bid {
  std::variant<Withdraw, Raise> move;
};
AGON_DESCRIBE(Bid,
              (move, "raise: bid an amount; withdraw: leave the bidding for this item for good"))

/// The move of who bids an amount, or has none to bid.
[[nodiscard]] inline Bid raise_or_withdraw(const std::optional<agon::Money>& amount) {
  if (amount) return {Raise{*amount}};
  return {Withdraw{}};
}

/// How eagerly a bidder means to bid for each item still to come. Its later views tell that, item
/// by item in the order of sale.
struct Plan {
  std::map<std::string, int> priorities;
};
AGON_DESCRIBE(Plan, (priorities,
                     "for each item: 1 let it go unless it is very cheap, 2 compete for it within "
                     "reason, 3 mean to win it",
                     agon::range(1, 3), agon::unshown))

/// An item that somebody won.
struct Won {
  std::string item;
  agon::Money price;
};
AGON_DESCRIBE(Won, (item, "name of the item"), (price, "what was paid", agon::unit("dollars")))

/// Where a bidder thinks the auction stands. Its later views tell that.
struct Belief {
  agon::Money remaining_budget;
  std::map<std::string, agon::Money> total_profits;
  std::map<std::string, std::vector<Won>> winning_bids;
};
AGON_DESCRIBE(Belief,
              (remaining_budget, "the money that you have left", agon::unit("dollars"),
               agon::unshown),
              (total_profits,
               "for each bidder, you too: the sum of true value minus price over the items won",
               agon::unit("dollars"), agon::unshown),
              (winning_bids, "for each bidder, you too: the items won so far", agon::unshown))

/// What a bidder says to the others.
struct Message {
  std::string text;
};
AGON_DESCRIBE(Message, (text, "what you say to the other bidders; empty: nothing"))

/// How the seller puts an item up.
struct PutUp {
  agon::Money start_price;
  agon::Money reserve;
};
AGON_DESCRIBE(PutUp,
              (start_price, "the lowest first bid", agon::range(0, 1e9), agon::unit("dollars")),
              (reserve,
               "the least price at which you sell; at or below the start price: any bid will do",
               agon::range(0, 1e9), agon::unit("dollars")))

/// What a bidder takes from its last auction.
struct Tips {
  std::vector<std::string> tips;
};
AGON_DESCRIBE(Tips, (tips, "short pieces of advice to yourself, the weightiest first",
                     agon::length(1, 20)))

}  // namespace english_auction
