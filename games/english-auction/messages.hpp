#pragma once

#include <agon/describe.hpp>
#include <agon/telling.hpp>
#include <map>
#include <optional>
#include <string>

#include "english-auction/settings.hpp"

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

/// The same, with what was notable in the bidding that it follows.
struct NotedBelief {
  std::string rivals;
  agon::Money remaining_budget;
  std::map<std::string, agon::Money> total_profits;
  std::map<std::string, std::vector<Won>> winning_bids;
};
AGON_DESCRIBE(NotedBelief,
              (rivals, "what was notable in what the other bidders did, in a few sentences",
               agon::length(0, 4000), agon::unshown),
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

/// The bidding goes on as it is.
struct GoOn {};
AGON_DESCRIBE(GoOn)

/// The least raise over the leading bid is another one from now on, for this item.
struct ChangeStep {
  agon::Money step;
};
AGON_DESCRIBE(ChangeStep, (step, "the least raise over the leading bid, for this item",
                           agon::range(1, 1e9), agon::unit("dollars")))

/// The bidding for this item ends now.
struct CloseNow {};
AGON_DESCRIBE(CloseNow)

/// What the seller does after a round of bidding.
struct Conduct {
  std::variant<GoOn, ChangeStep, CloseNow> action;
  std::string words;
};
AGON_DESCRIBE(Conduct,
              (action,
               "go_on: leave it as it is; change_step: set the least raise; close_now: end the "
               "bidding for this item"),
              (words, "what you say to all bidders; empty: nothing"))

/// What a bidder takes from its last auction.
struct Tips {
  std::vector<std::string> tips;
};
AGON_DESCRIBE(Tips, (tips, "short pieces of advice to yourself, the weightiest first",
                     agon::length(1, 20)))

/// An item still to be sold, as one bidder sees it.
struct Lot {
  std::string_view item;
  agon::Money price;
  std::optional<agon::Money> estimate;
  std::optional<int> priority;
};
AGON_DESCRIBE(Lot, (item, "name of the item", agon::prose),
              (price, "start price", agon::unit("dollars")),
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
AGON_DESCRIBE(Sale, (item, "name of the item", agon::prose), (winner, "who won it; null: nobody"),
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
  std::string_view rivals;
};
AGON_DESCRIBE(
    BidView, (item, "the item under the hammer", agon::prose),
    (number, "its number in the sale, from 1"), (round, "round of bidding for this item, from 1"),
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
    (me, "your own name"), (talk, "what bidders have said to each other so far"),
    (rivals, "what you last noted of the other bidders; left out: nothing", agon::left_out))

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
  std::string_view rivals;
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
     agon::unit("percent")),
    (rivals, "what you last noted of the other bidders; left out: nothing", agon::left_out))

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
  std::string_view rivals;
};
AGON_DESCRIBE(
    BeliefView, (sale, "how the last item went"), (won, "whether you won it"),
    (moves, "the bidding for it from the first round on"),
    (last_budget, "the money that you had left by your own last account", agon::unit("dollars")),
    (last_standings, "how the bidders stood before this item by your own last account"),
    (corrections, "what was wrong in your last answer to this question", agon::prose),
    (tips, "your tips from earlier auctions"), (me, "your own name"),
    (private_values, "whether values are private: then you are asked for no profit but your own"),
    (rivals, "what you last noted of the other bidders; left out: nothing", agon::left_out))

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

/// What the seller sees after a round of bidding that goes on.
struct ConductView {
  std::string_view item;
  int number = 0;
  int round = 0;
  agon::Money start_price;
  std::string_view leader;
  agon::Money leading_bid;
  agon::Money step;
  agon::Money lowest;
  agon::Money highest;
  int bidders_left = 0;
  agon::Money estimate;
  agon::Money cost;
  std::optional<agon::Money> reserve;
  std::span<const Move> last_round;
  std::span<const Lot> later;
  std::span<const Sale> sales;
  agon::Money revenue;
};
AGON_DESCRIBE(ConductView, (item, "the item under the hammer", agon::prose),
              (number, "its number in the sale, from 1"),
              (round, "the round of bidding for it that is over, from 1"),
              (start_price, "its start price", agon::unit("dollars")), (leader, "who leads"),
              (leading_bid, "the leading bid", agon::unit("dollars")),
              (step, "the least raise over it, as it stands", agon::unit("dollars")),
              (lowest, "the lowest least raise that you may set", agon::unit("dollars")),
              (highest, "the highest least raise that you may set", agon::unit("dollars")),
              (bidders_left, "how many bidders may still raise", agon::unit("bidders")),
              (estimate, "your estimate of what it is worth to bidders; it may be wrong",
               agon::unit("dollars")),
              (cost, "what it costs you to sell it", agon::unit("dollars")),
              (reserve, "the least price at which you sell it; null: any", agon::unit("dollars")),
              (last_round, "what was done in this round"),
              (later, "the items still to come after this one, in the order of sale"),
              (sales, "the items sold before"),
              (revenue, "what bidders have paid so far", agon::unit("dollars")))

/// What a bidder sees when asked to learn from its last auction.
struct LearnView {
  std::string_view log;
  std::span<const std::string> last_tips;
};
AGON_DESCRIBE(LearnView, (log, "the bidding history of your last auction", agon::prose),
              (last_tips, "the tips that you had in it"))

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

/// Public: the seller acted between two rounds of bidding.
struct Conducted {
  std::string_view item;
  int round = 0;
  std::optional<agon::Money> step;
  bool closed = false;
  std::string_view words;
};
AGON_DESCRIBE(Conducted, (item, "name of the item"),
              (round, "after which round of bidding for it, from 1"),
              (step, "the new least raise; null: as before", agon::unit("dollars")),
              (closed, "whether the seller ended the bidding"),
              (words, "what the seller said; empty: nothing"))

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

/// Record only: how many errors of an answer to the belief question are wrong prices alone, where
/// prices are compared.
struct PricesChecked {
  std::string_view bidder;
  std::string_view item;
  int check = 0;
  int self_errors = 0;
  int others_errors = 0;
};
AGON_DESCRIBE(PricesChecked, (bidder, "who"), (item, "after which item"),
              (check, "which answer to the same question, from 1"),
              (self_errors,
               "figures on the bidder itself counted as wrong whose items are right and prices are "
               "not"),
              (others_errors, "figures on the others, likewise"))

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

/// Turns the events of an auction, in the order in which they happened, into a history for people
/// (and for learning bidders). It allocates nothing before the first event.
class BiddingLog {
 public:
  void add(const LotOpened& event);
  void add(const RoundClosed& event);
  void add(const PriceCut& event);
  void add(const Conducted& event);
  void add(const Talked& event);
  void add(const Sale& event);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A bidder's personal report as text.
[[nodiscard]] std::string report_text(const Report& report);

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const Opening& opening, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PrivateFacts& facts, const agon::Scene& scene);
[[nodiscard]] std::string tell(const TrueValues& values, const agon::Scene& scene);
[[nodiscard]] std::string tell(const LotOpened& lot, const agon::Scene& scene);
[[nodiscard]] std::string tell(const RoundClosed& round, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PriceCut& cut, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Conducted& conducted, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Sale& sale, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PrivateValues& values, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Talked& talked, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ReserveSet& set, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ReserveUnmet& unmet, const agon::Scene& scene);
[[nodiscard]] std::string tell(const OwnValue& own, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ForcedWithdrawal& forced, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BeliefChecked& checked, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PricesChecked& checked, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Engagement& engagement, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Report& report, const agon::Scene& scene);
[[nodiscard]] std::string tell(const AuctionLog& log, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BidView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PlanView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const TalkView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PutUpView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ConductView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BeliefView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const LearnView& view, const agon::Scene& scene);
///@}

}  // namespace english_auction
