#pragma once

#include <agon/table.hpp>

#include "sealed-bid/answers.hpp"
#include "sealed-bid/telling.hpp"

/// What the game asks and says.
namespace sealed_bid {

inline constexpr agon::Probe<"plan", Plan, PlanView> kPlan{
    "Before the first round, not knowing your value or estimate yet: plan how you will bid.",
    "everybody, if plans are asked for", agon::Purpose::plan, &tell};
inline constexpr agon::Probe<"replan", Plan, PlanView> kReplan{
    "Before a later round, not knowing your value or estimate yet: plan how you will bid in it.",
    "everybody, if plans are asked for", agon::Purpose::replan, &tell};
inline constexpr agon::Stage<"bid", Bid, BidView> kBid{"Make your sealed bid.",
                                                       "everybody, all at once", &tell};
inline constexpr agon::Probe<"reflect", Reflection, ReflectView> kReflect{
    "After a round: what would have come of another bid, and what do you learn from it?",
    "everybody, if lessons are asked for, but not after the last round", agon::Purpose::learn,
    &tell};

inline constexpr agon::Note<"values", ValuesDrawn> kValues{"the values of a round", &tell};
inline constexpr agon::Note<"sold", Sold> kSold{"how a round ended", &tell};
inline constexpr agon::PrivateEvent<"outcome", PastRound> kOutcome{"how a round ended for the seat",
                                                                   &tell};

using Table = agon::Table<kPlan, kReplan, kBid, kReflect, kValues, kSold, kOutcome>;

}  // namespace sealed_bid
