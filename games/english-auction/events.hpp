#pragma once

#include "english-auction/views.hpp"

namespace english_auction {

/// Public: an item and its start price.
struct OnSale {
  std::string_view item;
  agon::Money price;
};
AGON_DESCRIBE(OnSale, (item, "name of the item"), (price, "start price", agon::unit("dollars")))

/// Public: the auction begins.
struct Opening {
  std::span<const std::string_view> bidders;
  std::span<const OnSale> items;
};
AGON_DESCRIBE(Opening, (bidders, "who bids, in the order of the seats"),
              (items, "what is sold, in the order of sale"))

/// Private: what a bidder knows from the start.
struct PrivateFacts {
  agon::Money budget;
  Desire desire = Desire::profit;
  std::span<const std::string_view> wanted;
  std::span<const Lot> items;
};
AGON_DESCRIBE(PrivateFacts,
              (budget, "the money that you have for the whole auction", agon::unit("dollars")),
              (desire, "what you are after"),
              (wanted, "the items that you want, if only certain ones count"),
              (items, "the items in the order of sale, with your estimates of their true values"))

/// Public: an item comes up.
struct LotOpened {
  int number = 0;
  std::string_view item;
  agon::Money price;
};
AGON_DESCRIBE(LotOpened, (number, "its number in the sale, from 1"), (item, "name of the item"),
              (price, "start price", agon::unit("dollars")))

/// Public: a round of bidding is over.
struct RoundClosed {
  std::string_view item;
  int round = 0;
  std::span<const Move> moves;
  std::optional<std::string_view> leader;
  std::optional<agon::Money> leading_bid;
  int tied = 0;
};
AGON_DESCRIBE(RoundClosed, (item, "name of the item"),
              (round, "round of bidding for this item, from 1"),
              (moves, "what was done in this round"), (leader, "who leads now; null: nobody"),
              (leading_bid, "the leading bid", agon::unit("dollars")),
              (tied,
               "how many bidders shared the highest bid; over 1: the leader "
               "was drawn, or given by `tie_winners`"))

/// Public: nobody bid, and the item is offered again for half the price.
struct PriceCut {
  std::string_view item;
  agon::Money price;
};
AGON_DESCRIBE(PriceCut, (item, "name of the item"),
              (price, "new start price", agon::unit("dollars")))

/// To all, or to the bidders alone: messages that were sent at the same time.
struct Talked {
  std::string_view item;
  int message = 0;
  int messages = 0;
  std::span<const Remark> said;
};
AGON_DESCRIBE(Talked, (item, "the item to come"),
              (message, "which of the messages before it, from 1"),
              (messages, "how many messages there are before it"),
              (said, "who said what; who is not in it said nothing"))

/// Public: the least price at which an item will be sold.
struct ReserveSet {
  std::string_view item;
  agon::Money reserve;
};
AGON_DESCRIBE(ReserveSet, (item, "name of the item"),
              (reserve, "the least price at which it is sold", agon::unit("dollars")))

/// Public: the bidding for an item ended below the seller's reserve.
struct ReserveUnmet {
  std::string_view item;
  std::string_view bidder;
  agon::Money bid;
};
AGON_DESCRIBE(ReserveUnmet, (item, "name of the item"), (bidder, "who led"),
              (bid, "the leading bid", agon::unit("dollars")))

/// Private: what an item turned out to be worth to its winner, where values are private.
struct OwnValue {
  std::string_view item;
  agon::Money value;
  agon::Money profit;
};
AGON_DESCRIBE(OwnValue, (item, "name of the item"),
              (value, "its true value to you", agon::unit("dollars")),
              (profit, "that less what you paid", agon::unit("dollars")))

/// Private: how a bidder ended.
struct Report {
  std::string_view bidder;
  agon::Money budget;
  agon::Money left;
  agon::Money profit;
  std::span<const Sale> won;
};
AGON_DESCRIBE(Report, (bidder, "who"), (budget, "the money at the start", agon::unit("dollars")),
              (left, "the money left", agon::unit("dollars")),
              (profit, "sum of true value minus price over the items won", agon::unit("dollars")),
              (won, "the items won, in the order of sale"))

/// Record only: an item's true value.
struct TrueValue {
  std::string_view item;
  agon::Money value;
};
AGON_DESCRIBE(TrueValue, (item, "name of the item"), (value, "true value", agon::unit("dollars")))

/// Record only: the true values, in the order of sale.
struct TrueValues {
  std::span<const TrueValue> items;
};
AGON_DESCRIBE(TrueValues, (items, "the items in the order of sale"))

/// Record only: what the items are worth to one bidder, where values are private.
struct PrivateValues {
  std::string_view bidder;
  std::span<const TrueValue> items;
};
AGON_DESCRIBE(PrivateValues, (bidder, "who"), (items, "the items in the order of sale"))

/// Record only: a bidder was withdrawn because no attempt to answer was legal.
struct ForcedWithdrawal {
  std::string_view bidder;
  std::string_view item;
  int round = 0;
  int attempts = 0;
};
AGON_DESCRIBE(ForcedWithdrawal, (bidder, "who"), (item, "name of the item"),
              (round, "round of bidding for this item, from 1"),
              (attempts, "how many attempts were turned down"))

/// Record only: how one answer to the belief question compared with the truth.
struct BeliefChecked {
  std::string_view bidder;
  std::string_view item;
  int check = 0;
  bool budget_wrong = false;
  int self_errors = 0;
  int self_total = 0;
  int others_errors = 0;
  int others_total = 0;
};
AGON_DESCRIBE(BeliefChecked, (bidder, "who"), (item, "after which item"),
              (check, "which answer to the same question, from 1"),
              (budget_wrong, "whether the remaining budget was wrong"),
              (self_errors, "wrong figures on the bidder itself"),
              (self_total, "figures given on the bidder itself"),
              (others_errors, "wrong figures on the others"),
              (others_total, "figures given on the others"))

/// Record only: one bidder and one item: what was planned and what was done.
struct Engagement {
  std::string_view bidder;
  std::string_view item;
  std::optional<int> initial_priority;
  std::optional<int> current_priority;
  int bids = 0;
  bool won = false;
};
AGON_DESCRIBE(Engagement, (bidder, "who"), (item, "name of the item"),
              (initial_priority, "its priority by the first plan; null: not planned"),
              (current_priority, "its priority by the plan held when the item came up"),
              (bids, "legal bids made for it"), (won, "whether the bidder won it"))

/// Record only: the whole auction as a text for people, with the personal reports.
struct AuctionLog {
  std::string text;
};
AGON_DESCRIBE(AuctionLog, (text, "bidding history and personal reports"))

/// What a learning bidder takes along to its next auction.
struct Memo {
  std::string log;
  std::string report;
  std::vector<std::string> learnings;
};
AGON_DESCRIBE(Memo, (log, "the bidding history, without the personal reports"),
              (report, "the bidder's own personal report"),
              (learnings, "the tips that it played with"))

}  // namespace english_auction
