#pragma once

#include <agon/describe.hpp>
#include <agon/outcome.hpp>
#include <agon/table.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "english-auction/messages.hpp"
#include "english-auction/prepared.hpp"
#include "english-auction/settings.hpp"

/// What the game asks and says.
namespace english_auction {

inline constexpr agon::Probe<"learn", Tips, LearnView> kLearn{
    "Read the bidding history of your last auction and write down what you take from it for the "
    "next one.",
    "bidders with learning, from the second auction of a sequence on", agon::Purpose::learn, &tell};
inline constexpr agon::Probe<"plan", Plan, PlanView> kPlan{
    "Before the first item: rate every item by how hard you mean to compete for it.",
    "bidders with static or adaptive planning", agon::Purpose::plan, &tell};
inline constexpr agon::Stage<"bid", Bid, BidView> kBid{
    "Bid for the item under the hammer, or withdraw from the bidding for it.",
    "all but the leader and those who have withdrawn", &tell};
inline constexpr agon::Stage<"talk", Message, TalkView> kTalk{
    "Say something to the other bidders before the bidding, or say nothing.",
    "every bidder, all at once, where bidders may talk", &tell};
inline constexpr agon::Stage<"put-up", PutUp, PutUpView> kPutUp{
    "Put the next item up: set its start price, and the least price at which you sell it.",
    "the seller, where one sits at the table", &tell};
inline constexpr agon::Probe<"belief", Belief, BeliefView> kBelief{
    "After an item: say how the auction stands, for you and for every other bidder.",
    "bidders with beliefs", agon::Purpose::belief, &tell};
inline constexpr agon::Probe<"sum-up", NotedBelief, BeliefView> kSumUp{
    "After an item: sum up what was notable in what the others did, and say how the auction "
    "stands, for you and for every other bidder.",
    "bidders with beliefs, where they sum up what others do", agon::Purpose::belief, &tell};
inline constexpr agon::Stage<"conduct", Conduct, ConductView> kConduct{
    "After a round of bidding: let it go on, set the least raise, or end it; and say something, or "
    "nothing.",
    "the seller, where it acts in the middle of the bidding", &tell};
inline constexpr agon::Probe<"replan", Plan, PlanView> kReplan{
    "Rate the items still to come anew, now that one more is gone.",
    "bidders with adaptive planning", agon::Purpose::replan, &tell};

inline constexpr agon::Event<"opening", Opening> kOpening{"the auction begins", &tell};
inline constexpr agon::PrivateEvent<"private", PrivateFacts> kPrivate{
    "what a bidder knows from the start", &tell};
inline constexpr agon::Note<"true-values", TrueValues> kTrueValues{"what the items are worth",
                                                                   &tell};
inline constexpr agon::Event<"lot", LotOpened> kLot{"an item comes up", &tell};
inline constexpr agon::Event<"round", RoundClosed> kRound{"a round of bidding is over", &tell};
inline constexpr agon::Event<"discount", PriceCut> kDiscount{
    "nobody bid, and the item is offered again for half the price", &tell};
inline constexpr agon::Event<"conducted", Conducted> kConducted{
    "the seller acts in the middle of the bidding", &tell};
inline constexpr agon::Event<"hammer", Sale> kHammer{"an item is sold, or nobody wants it", &tell};
inline constexpr agon::Event<"talked", Talked> kTalked{"bidders have talked, and all hear it",
                                                       &tell};
inline constexpr agon::PrivateEvent<"talked", Talked> kTalkedApart{
    "bidders have talked, and the seller does not hear it", &tell};
inline constexpr agon::Event<"reserve", ReserveSet> kReserve{
    "the least price at which an item is sold", &tell};
inline constexpr agon::Event<"reserve-unmet", ReserveUnmet> kReserveUnmet{
    "the bidding for an item ended below the seller's reserve", &tell};
inline constexpr agon::PrivateEvent<"own-value", OwnValue> kOwnValue{
    "what an item is worth to its winner, where values are private", &tell};
inline constexpr agon::Note<"private-values", PrivateValues> kPrivateValues{
    "what the items are worth to a bidder, where values are private", &tell};
inline constexpr agon::Note<"forced-withdrawal", ForcedWithdrawal> kForcedWithdrawal{
    "a bidder is out because no attempt to answer was legal", &tell};
inline constexpr agon::Note<"belief-checked", BeliefChecked> kBeliefChecked{
    "how an answer about the state of the auction compares with the truth", &tell};
inline constexpr agon::Note<"prices-checked", PricesChecked> kPricesChecked{
    "how many errors of such an answer are wrong prices alone", &tell};
inline constexpr agon::Note<"engagement", Engagement> kEngagement{
    "what a bidder planned for an item, and what it did", &tell};
inline constexpr agon::PrivateEvent<"report", Report> kReport{"how a bidder ended", &tell};
inline constexpr agon::Note<"log", AuctionLog> kLog{"the whole auction as a text for people",
                                                    &tell};

using Table =
    agon::Table<kLearn, kPlan, kPutUp, kTalk, kBid, kBelief, kReplan, kOpening, kPrivate,
                kTrueValues, kPrivateValues, kLot, kReserve, kTalked, kTalkedApart, kRound,
                kDiscount, kReserveUnmet, kHammer, kOwnValue, kForcedWithdrawal, kBeliefChecked,
                kEngagement, kReport, kLog, kSumUp, kConduct, kConducted, kPricesChecked>;

/// What is measured of one seat. Counts stand beside the rates made of them, so that a suite can
/// pool them.
struct SeatMetrics {
  agon::Money profit;
  int items_won = 0;
  int wanted_won = 0;
  agon::Money spent;
  agon::Money money_left;
  int total_bids = 0;
  int failed_bids = 0;
  std::optional<double> failed_rate;
  int forced_withdrawals = 0;
  int bids = 0;
  int items_bid_for = 0;
  agon::Money overpaid;
  agon::Money missed;
  agon::Money regret;
  agon::Money losses;
  int plans = 0;
  int plan_changes = 0;
  std::optional<double> initial_plan_bids;
  std::optional<double> initial_plan_wins;
  std::optional<double> current_plan_bids;
  std::optional<double> current_plan_wins;
  int belief_answers = 0;
  int belief_self_errors = 0;
  int belief_self_total = 0;
  std::optional<double> belief_self_rate;
  int belief_others_errors = 0;
  int belief_others_total = 0;
  std::optional<double> belief_others_rate;
  int tips = 0;
  int messages = 0;
  agon::Money rivals_profit;
};
AGON_DESCRIBE(
    SeatMetrics,
    (profit,
     "sum of true value minus price over the items won (of a shill, as it looks to others); of a "
     "seller at the table, what buyers paid less what the items cost it",
     agon::unit("dollars"), agon::Better::higher),
    (items_won, "items won", agon::range(0, 64), agon::Better::higher),
    (wanted_won, "wanted items won (desire specific_items)", agon::range(0, 64),
     agon::Better::higher),
    (spent, "money paid", agon::at_least(0), agon::unit("dollars")),
    (money_left, "budget not spent", agon::at_least(0), agon::unit("dollars")),
    (total_bids,
     "answers to the question for a bid: bids, withdrawals and all that was turned down",
     agon::at_least(0)),
    (failed_bids,
     "answers among them that broke a rule of bidding; what could not be read is in total_bids "
     "alone",
     agon::at_least(0), agon::Better::lower),
    (failed_rate,
     "failed_bids / total_bids: the Corrected Failure Rate (CFR) of AucArena, section 4",
     agon::range(0, 1), agon::Better::lower),
    (forced_withdrawals, "withdrawals made because no attempt was legal", agon::at_least(0),
     agon::Better::lower),
    (bids, "legal bids", agon::at_least(0)),
    (items_bid_for, "items with at least one legal bid", agon::range(0, 64)),
    (overpaid, "paid above the bidder's own estimates, summed over the items won",
     agon::at_least(0), agon::unit("dollars"), agon::Better::lower),
    (missed,
     "largest surplus by its own estimate in an item it did not win, at the price that would have "
     "beaten the last bid, if the money left at the end would have paid it; items whose "
     "bidding the seller ended are left out",
     agon::at_least(0), agon::unit("dollars"), agon::Better::lower),
    (regret, "overpaid + missed: what hindsight on prices adds by the bidder's own estimates",
     agon::at_least(0), agon::unit("dollars"), agon::Better::lower),
    (losses, "paid above the true values, summed over the items won (the winner's curse)",
     agon::at_least(0), agon::unit("dollars"), agon::Better::lower),
    (plans, "plans given", agon::at_least(0)),
    (plan_changes, "plans in which a priority differs from the plan before", agon::at_least(0)),
    (initial_plan_bids, "Spearman correlation of first-plan priority and number of bids, by item",
     agon::range(-1, 1), agon::Better::higher),
    (initial_plan_wins, "Spearman correlation of first-plan priority and winning, by item",
     agon::range(-1, 1), agon::Better::higher),
    (current_plan_bids, "the same as initial_plan_bids for the plan held when the item came up",
     agon::range(-1, 1), agon::Better::higher),
    (current_plan_wins, "the same as initial_plan_wins for the plan held when the item came up",
     agon::range(-1, 1), agon::Better::higher),
    (belief_answers, "answers to the belief question", agon::at_least(0)),
    (belief_self_errors, "wrong figures on itself in checked answers", agon::at_least(0),
     agon::Better::lower),
    (belief_self_total, "figures on itself in checked answers", agon::at_least(0)),
    (belief_self_rate, "belief_self_errors / belief_self_total", agon::range(0, 1),
     agon::Better::lower),
    (belief_others_errors, "wrong figures on others in checked answers", agon::at_least(0),
     agon::Better::lower),
    (belief_others_total, "figures on others in checked answers", agon::at_least(0)),
    (belief_others_rate, "belief_others_errors / belief_others_total", agon::range(0, 1),
     agon::Better::lower),
    (tips, "tips learned from the auction before", agon::range(0, 20)),
    (messages, "messages to the other bidders, silence left out", agon::at_least(0)),
    (rivals_profit, "mean profit of the other bidders", agon::unit("dollars")))

/// What is measured of the auction as a whole.
struct MatchMetrics {
  int items_sold = 0;
  int items_unsold = 0;
  agon::Money revenue;
  agon::Money value_sold;
  agon::Money value_best;
  std::optional<double> efficiency;
  std::optional<double> price_to_value;
  agon::Money surplus;
  int items_at_a_loss = 0;
  int rounds = 0;
  int ties = 0;
  int discounts = 0;
  int capped = 0;
  int total_bids = 0;
  int failed_bids = 0;
  int forced_withdrawals = 0;
  int well_placed = 0;
  int bought_back = 0;
  int reserve_unmet = 0;
  agon::Money seller_gain;
  agon::Money competitive_revenue;
  agon::Money shortfall;
  std::optional<double> revenue_to_competitive;
  int uncontested = 0;
  std::optional<double> uncontested_share;
  std::optional<double> rotation;
  std::optional<double> rotation_by_chance;
  int messages = 0;
  int silent_rounds = 0;
};
AGON_DESCRIBE(
    MatchMetrics,
    (items_sold, "items sold to buyers: bidders that are no shills", agon::range(0, 64)),
    (items_unsold, "items that nobody bought", agon::range(0, 64), agon::Better::lower),
    (revenue, "sum of prices that buyers paid", agon::at_least(0), agon::unit("dollars")),
    (value_sold, "true value of the items sold, each to its buyer", agon::at_least(0),
     agon::unit("dollars"), agon::Better::higher),
    (value_best,
     "largest true value that all buyers' budgets put together could have bought at start prices, "
     "each item by the buyer to whom it is worth most",
     agon::at_least(0), agon::unit("dollars")),
    (efficiency,
     "value_sold / value_best; where values are common, only unsold items cost efficiency "
     "(discounts may lift it over 1)",
     agon::at_least(0), agon::Better::higher),
    (price_to_value, "revenue / value_sold: 1 leaves the bidders no surplus", agon::at_least(0)),
    (surplus, "profit of all buyers together", agon::unit("dollars")),
    (items_at_a_loss, "items sold above their true value", agon::range(0, 64)),
    (rounds, "rounds of bidding, over all items", agon::at_least(0)),
    (ties, "rounds in which the leader was drawn or given", agon::at_least(0)),
    (discounts, "times a price was halved", agon::at_least(0)),
    (capped, "items sold because the most rounds were reached", agon::range(0, 64)),
    (total_bids, "answers to the question for a bid, of all bidders", agon::at_least(0)),
    (failed_bids, "answers among them that broke a rule of bidding", agon::at_least(0)),
    (forced_withdrawals, "withdrawals made because no attempt was legal", agon::at_least(0)),
    (well_placed, "items sold to a buyer to whom they are worth most", agon::range(0, 64),
     agon::Better::higher),
    (bought_back, "items that a shill won, and that so went back to the seller",
     agon::range(0, 64)),
    (reserve_unmet, "items for which the leading bid was below the reserve", agon::range(0, 64)),
    (seller_gain, "revenue less what the items sold cost the seller", agon::unit("dollars")),
    (competitive_revenue,
     "what buyers pay who all go up to their own values: the second highest value of each item, or "
     "its start price if that is more, over the items that one of them would buy; at most all "
     "their budgets",
     agon::at_least(0), agon::unit("dollars")),
    (shortfall, "competitive_revenue - revenue: what the seller misses, by collusion too",
     agon::unit("dollars")),
    (revenue_to_competitive, "revenue / competitive_revenue", agon::at_least(0)),
    (uncontested, "items sold for which nobody but the winner made a legal bid",
     agon::range(0, 64)),
    (uncontested_share, "uncontested / items_sold: high where bidders keep out of each other's way",
     agon::range(0, 1)),
    (rotation, "sales won by another buyer than the sale before, as a share: 1 in strict turns",
     agon::range(0, 1)),
    (rotation_by_chance, "what rotation is on average if the same sales come in any order",
     agon::range(0, 1)),
    (messages, "messages of all bidders, silence left out", agon::at_least(0)),
    (silent_rounds, "rounds of messages in which nobody said anything", agon::at_least(0)))

/// What is true of one bidder.
struct TrueStanding {
  std::string_view bidder;
  agon::Money profit;
  std::vector<std::string_view> items;
  std::vector<agon::Money> prices{};  ///< of the items; empty: not compared
};

/// How a belief compares with the truth. Each figure that was given counts once: the budget, and
/// for each bidder named its profit and the set of its items, with their prices where these count.
struct BeliefErrors {
  bool budget_wrong = false;
  int self_errors = 0;
  int self_total = 0;
  int others_errors = 0;
  int others_total = 0;
  /// Among the errors: the items are right, and only prices are wrong.
  ///@{
  int self_price_errors = 0;
  int others_price_errors = 0;
  ///@}

  [[nodiscard]] bool any() const { return self_errors + others_errors > 0; }
};

/// Compares a belief with the truth (AucArena, section 3.2, and its code). Names that are no bidder
/// are ignored, bidders left out are no error; prices of won items are compared where `truth` has
/// them. Names are the same if they are equal, not if one contains the other. Each error adds a
/// sentence with the true figures to `corrections`, if given.
[[nodiscard]] BeliefErrors check_belief(const Belief& belief, std::string_view self,
                                        agon::Money budget, std::span<const TrueStanding> truth,
                                        std::vector<std::string>* corrections);

/// Spearman's rank correlation of two equally long lists of at most 64 numbers; ties share their
/// average rank. Empty if either list is constant or shorter than two.
[[nodiscard]] std::optional<double> rank_correlation(std::span<const int> a,
                                                     std::span<const int> b);

}  // namespace english_auction
