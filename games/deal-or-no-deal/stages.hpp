#pragma once

#include <agon/table.hpp>

#include "deal-or-no-deal/telling.hpp"

/// What the game asks and says.
namespace deal_or_no_deal {

inline constexpr agon::Stage<"claim", Claim, ClaimView> kClaim{
    "state what the items are worth to you, or nothing",
    "both, before anything else, if the settings have claims", &tell};
inline constexpr agon::Stage<"message", Message, TalkView> kMessage{
    "send a message, with or without a concrete proposal, or ask to stop talking",
    "both, Alice first, in a negotiation", &tell};
inline constexpr agon::Stage<"take", Decision, TalkView> kTake{
    "present privately what you take; only takes that fit together are a deal",
    "both at once, after a negotiation", &tell, &ends_match};
inline constexpr agon::Stage<"move", Move, OfferView> kMove{
    "make a binding offer, or agree to the other side's last one",
    "in turn, with alternating offers and no messages", &tell, &ends_match};
inline constexpr agon::Stage<"spoken-move", SpokenMove, OfferView> kSpokenMove{
    "make a binding offer or agree to the other side's last one, with a message",
    "in turn, with alternating offers and messages", &tell, &ends_match};
inline constexpr agon::Probe<"belief", BeliefReport, BeliefView> kBelief{
    "say which values of the other side you hold possible; the other side never sees it",
    "both, after every round", agon::Purpose::belief, &tell};

inline constexpr agon::Note<"instance", InstanceDealt> kInstance{"the whole truth of the instance"};
inline constexpr agon::PrivateEvent<"private", PrivateValues> kPrivate{
    "what is on the table, and its value to the seat", &tell};
inline constexpr agon::Event<"claimed", Claimed> kClaimed{
    "a side has stated what the items are worth to it", &tell};
inline constexpr agon::Event<"offer", OfferMade> kOffer{"an offer is made", &tell};
inline constexpr agon::Event<"agreed", Agreed> kAgreed{"an offer is accepted", &tell};
inline constexpr agon::Event<"broken-down", BrokenDown> kBrokenDown{"talks break down by chance",
                                                                    &tell};
inline constexpr agon::Event<"out-of-turns", OutOfTurns> kOutOfTurns{
    "the last offer is made: no deal", &tell};
inline constexpr agon::Event<"message", MessageSent> kMessageSent{"a side has spoken", &tell};
inline constexpr agon::Event<"talk-ended", TalkEnded> kTalkEnded{"talking is over", &tell};
inline constexpr agon::Event<"presented", Presented> kPresented{
    "what both sides take, and what comes of it", &tell};
inline constexpr agon::Note<"belief-judged", BeliefJudged> kBeliefJudged{
    "how good a reported belief is", &tell};

using Table = agon::Table<kClaim, kMessage, kTake, kMove, kSpokenMove, kBelief, kInstance, kPrivate,
                          kClaimed, kOffer, kAgreed, kBrokenDown, kOutOfTurns, kMessageSent,
                          kTalkEnded, kPresented, kBeliefJudged>;

}  // namespace deal_or_no_deal
