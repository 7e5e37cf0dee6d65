#pragma once

#include "english-auction/answers.hpp"
#include "english-auction/settings.hpp"

namespace english_auction {

/// An item still to be sold, as one bidder sees it.
struct Lot {
  std::string_view item;
  agon::Money price;
  std::optional<agon::Money> estimate;
  std::optional<int> priority;
};
AGON_DESCRIBE(Lot, (item, "name of the item"), (price, "start price", agon::unit("dollars")),
              (estimate, "your estimate of its true value; it may be wrong", agon::unit("dollars")),
              (priority, "your priority for it by your current plan, 1 to 3"))

/// A bid or a withdrawal, as everybody saw it.
struct Move {
  int round = 0;
  std::string_view bidder;
  std::optional<agon::Money> bid;
};
AGON_DESCRIBE(Move, (round, "round of bidding for this item, from 1"), (bidder, "who"),
              (bid, "the amount; null: withdrew", agon::unit("dollars")))

/// What a bidder said, as those who talk heard it.
struct Remark {
  int number = 0;
  int round = 0;
  int message = 0;
  std::string_view bidder;
  std::string_view text;
};
AGON_DESCRIBE(Remark, (number, "the item that was to come, by its number in the sale from 1"),
              (round, "round of bidding that was to come, from 1"),
              (message, "which round of messages before that, from 1"), (bidder, "who"),
              (text, "what was said"))

/// How an item was sold, as everybody saw it.
struct Sale {
  std::string_view item;
  std::optional<std::string_view> winner;
  std::optional<agon::Money> price;
  std::optional<agon::Money> value;
};
AGON_DESCRIBE(Sale, (item, "name of the item"), (winner, "who won it; null: nobody"),
              (price, "what the winner paid", agon::unit("dollars")),
              (value,
               "its true value, revealed after a sale; null: unsold, or a value of the winner's "
               "own",
               agon::unit("dollars")))

/// What a bidder last believed of one bidder.
struct Standing {
  std::string_view bidder;
  agon::Money profit;
  std::span<const Won> won;
};
AGON_DESCRIBE(Standing, (bidder, "who"), (profit, "total profit", agon::unit("dollars")),
              (won, "items won"))

/// What a bidder sees when asked for a bid.
struct BidView {
  std::string_view item;
  int number = 0;
  int round = 0;
  agon::Money start_price;
  std::optional<std::string_view> leader;
  std::optional<agon::Money> leading_bid;
  std::span<const Move> last_round;
  agon::Money increment;
  agon::Money minimum;
  std::optional<agon::Money> estimate;
  std::optional<int> priority;
  agon::Money budget;
  int my_bids = 0;
  Desire desire = Desire::profit;
  std::span<const std::string_view> wanted;
  std::span<const Lot> later;
  std::span<const Sale> sales;
  int markup = 0;
  std::optional<agon::Money> account_budget;
  std::span<const Standing> account;
  std::span<const std::string> tips;
  std::optional<int> spite;
  std::optional<agon::Money> reserve;
  std::string_view me;
  std::span<const Remark> talk;
};
AGON_DESCRIBE(
    BidView, (item, "the item under the hammer"), (number, "its number in the sale, from 1"),
    (round, "round of bidding for this item, from 1"),
    (start_price, "its start price now, after any discount", agon::unit("dollars")),
    (leader, "who leads after the last round; null: nobody has bid yet"),
    (leading_bid, "the leading bid; null: nobody has bid yet", agon::unit("dollars")),
    (last_round, "what was done in the last round"),
    (increment, "the least raise over the leading bid", agon::unit("dollars")),
    (minimum, "the lowest bid that counts now", agon::unit("dollars")),
    (estimate, "your estimate of its true value; it may be wrong. Null: you have none",
     agon::unit("dollars")),
    (priority, "your priority for it by your current plan: 1 low, 2, 3 high; null: no plan"),
    (budget, "the money that you have left", agon::unit("dollars")),
    (my_bids, "how many bids you have made for this item so far"), (desire, "what you are after"),
    (wanted, "the items that you want, if only certain ones count"),
    (later, "the items still to come after this one, in the order of sale"),
    (sales, "the items sold before"),
    (markup, "the least raise as a share of the start price", agon::unit("percent")),
    (account_budget, "the money that you have left by your own last account; null: you gave none",
     agon::unit("dollars")),
    (account, "how the bidders stand by it"), (tips, "your tips from earlier auctions"),
    (spite, "desire spite: the weight of the mean of the other bidders' profits",
     agon::unit("percent")),
    (reserve, "the least price at which the seller sells it; null: none, or you are not told",
     agon::unit("dollars")),
    (me, "your own name"), (talk, "what bidders have said to each other so far"))

/// What a bidder sees when asked for a plan, before the first item or between two.
struct PlanView {
  agon::Money budget;
  Desire desire = Desire::profit;
  std::span<const std::string_view> wanted;
  std::span<const Lot> items;
  std::span<const Sale> sales;
  agon::Money profit;
  int items_won = 0;
  int markup = 0;
  std::optional<agon::Money> account_budget;
  std::span<const Standing> account;
  std::span<const std::string> tips;
  std::optional<int> spite;
};
AGON_DESCRIBE(
    PlanView, (budget, "the money that you have left", agon::unit("dollars")),
    (desire, "what you are after"), (wanted, "the items that you want, if only certain ones count"),
    (items, "the items still to be sold, in the order of sale, with your last priorities"),
    (sales, "the items sold before"), (profit, "your profit so far", agon::unit("dollars")),
    (items_won, "how many items you have won so far"),
    (markup, "the least raise as a share of the start price", agon::unit("percent")),
    (account_budget, "the money that you have left by your own last account; null: you gave none",
     agon::unit("dollars")),
    (account, "how the bidders stand by it"), (tips, "your tips from earlier auctions"),
    (spite, "desire spite: the weight of the mean of the other bidders' profits",
     agon::unit("percent")))

/// What a bidder sees when asked how the auction stands after an item.
struct BeliefView {
  Sale sale;
  bool won = false;
  std::span<const Move> moves;
  agon::Money last_budget;
  std::span<const Standing> last_standings;
  std::span<const std::string> corrections;
  std::span<const std::string> tips;
  std::string_view me;
  bool private_values = false;
};
AGON_DESCRIBE(BeliefView, (sale, "how the last item went"), (won, "whether you won it"),
              (moves, "the bidding for it from the first round on"),
              (last_budget, "the money that you had left by your own last account",
               agon::unit("dollars")),
              (last_standings, "how the bidders stood before this item by your own last account"),
              (corrections, "what was wrong in your last answer to this question"),
              (tips, "your tips from earlier auctions"), (me, "your own name"),
              (private_values,
               "whether values are private: then you are asked for no profit but your own"))

/// What a bidder sees when it may talk.
struct TalkView {
  std::string_view me;
  int number = 0;
  int round = 0;
  int message = 0;
  int messages = 0;
  std::string_view item;
  agon::Money start_price;
  std::optional<agon::Money> reserve;
  std::optional<agon::Money> estimate;
  std::optional<std::string_view> leader;
  std::optional<agon::Money> leading_bid;
  agon::Money budget;
  Desire desire = Desire::profit;
  std::span<const std::string_view> wanted;
  std::optional<int> spite;
  std::span<const Lot> later;
  std::span<const Sale> sales;
  std::span<const Remark> talk;
};
AGON_DESCRIBE(
    TalkView, (me, "your own name"), (number, "the item to come, by its number in the sale from 1"),
    (round, "round of bidding to come for it, from 1"),
    (message, "which of the messages before it, from 1"),
    (messages, "how many messages there are before it"), (item, "the item to come"),
    (start_price, "its start price", agon::unit("dollars")),
    (reserve, "the least price at which the seller sells it; null: none, or you are not told",
     agon::unit("dollars")),
    (estimate, "your estimate of its true value; null: you have none", agon::unit("dollars")),
    (leader, "who leads; null: nobody has bid yet"),
    (leading_bid, "the leading bid; null: nobody has bid yet", agon::unit("dollars")),
    (budget, "the money that you have left", agon::unit("dollars")), (desire, "what you are after"),
    (wanted, "the items that you want, if only certain ones count"),
    (spite, "desire spite: the weight of the mean of the other bidders' profits",
     agon::unit("percent")),
    (later, "the items after it, in the order of sale"), (sales, "the items sold before"),
    (talk, "what was said so far"))

/// What the seller sees when it puts an item up.
struct PutUpView {
  std::string_view item;
  int number = 0;
  int items = 0;
  agon::Money price;
  agon::Money estimate;
  agon::Money cost;
  agon::Money lowest;
  agon::Money highest;
  Reserve reserve = Reserve::none;
  std::span<const std::string_view> bidders;
  std::span<const Lot> later;
  std::span<const Sale> sales;
  agon::Money revenue;
};
AGON_DESCRIBE(PutUpView, (item, "the item that comes up"),
              (number, "its number in the sale, from 1"), (items, "how many items there are"),
              (price, "the start price that it is listed with", agon::unit("dollars")),
              (estimate, "your estimate of what it is worth to bidders; it may be wrong",
               agon::unit("dollars")),
              (cost, "what it costs you to sell it", agon::unit("dollars")),
              (lowest, "the lowest start price that you may set", agon::unit("dollars")),
              (highest, "the highest start price and reserve", agon::unit("dollars")),
              (reserve, "whether there is a reserve, and who is told"), (bidders, "who bids"),
              (later, "the items still to come after this one, in the order of sale"),
              (sales, "the items sold before"),
              (revenue, "what bidders have paid so far", agon::unit("dollars")))

/// What a bidder sees when asked to learn from its last auction.
struct LearnView {
  std::string_view log;
  std::span<const std::string> last_tips;
};
AGON_DESCRIBE(LearnView, (log, "the bidding history of your last auction"),
              (last_tips, "the tips that you had in it"))

}  // namespace english_auction
