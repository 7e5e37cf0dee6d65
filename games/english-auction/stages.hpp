#pragma once

#include <agon/table.hpp>

#include "english-auction/answers.hpp"
#include "english-auction/telling.hpp"

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
inline constexpr agon::Note<"engagement", Engagement> kEngagement{
    "what a bidder planned for an item, and what it did", &tell};
inline constexpr agon::PrivateEvent<"report", Report> kReport{"how a bidder ended", &tell};
inline constexpr agon::Note<"log", AuctionLog> kLog{"the whole auction as a text for people",
                                                    &tell};

using Table = agon::Table<kLearn, kPlan, kPutUp, kTalk, kBid, kBelief, kReplan, kOpening, kPrivate,
                          kTrueValues, kPrivateValues, kLot, kReserve, kTalked, kTalkedApart,
                          kRound, kDiscount, kReserveUnmet, kHammer, kOwnValue, kForcedWithdrawal,
                          kBeliefChecked, kEngagement, kReport, kLog>;

}  // namespace english_auction
