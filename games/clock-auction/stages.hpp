#pragma once

#include <agon/table.hpp>

#include "clock-auction/telling.hpp"

/// What the game asks and says.
namespace clock_auction {

inline constexpr agon::Probe<"plan", Plan, PlanView> kPlan{
    "Before the first round, not knowing your value yet: plan how you will play.",
    "everybody, if plans are asked for", agon::Purpose::plan, &tell};
inline constexpr agon::Probe<"replan", Plan, PlanView> kReplan{
    "Before a later round, not knowing your value yet: plan how you will play it.",
    "everybody, if plans are asked for", agon::Purpose::replan, &tell};
inline constexpr agon::Stage<"stay", Stay, StayView> kStay{
    "Stay in at the price that is called, or leave for the rest of the round.",
    "every bidder still in, all at once, with a rising clock", &tell};
inline constexpr agon::Stage<"take", Take, TakeView> kTake{
    "Take the item at the price that is called, or wait for a lower one.",
    "every bidder, all at once, with a falling clock", &tell};
inline constexpr agon::Stage<"stay-written", WrittenStay, StayView> kStayWritten{
    "Stay in at the price that is called, or leave for the rest of the round, with your plan and "
    "what you think of it.",
    "as `stay`, where plans and reflections are written with every action", &tell};
inline constexpr agon::Stage<"take-written", WrittenTake, TakeView> kTakeWritten{
    "Take the item at the price that is called, or wait for a lower one, with your plan and what "
    "you think of it.",
    "as `take`, where plans and reflections are written with every action", &tell};
inline constexpr agon::Probe<"reflect", Reflection, ReflectView> kReflect{
    "After a round: what would have come of playing otherwise, and what do you learn?",
    "everybody, if lessons are asked for, but not after the last round", agon::Purpose::learn,
    &tell};

inline constexpr agon::Note<"values", ValuesDrawn> kValues{"the values of a round", &tell};
inline constexpr agon::Event<"call", CallOver> kCall{"a call of a rising clock is over", &tell};
inline constexpr agon::Note<"call", CallOver> kBlindCall{"a call of a blind clock is over", &tell};
inline constexpr agon::Note<"sold", Sold> kSold{"how a round ended", &tell};
inline constexpr agon::PrivateEvent<"outcome", PastRound> kOutcome{"how a round ended for the seat",
                                                                   &tell};

using Table = agon::Table<kPlan, kReplan, kStay, kTake, kStayWritten, kTakeWritten, kReflect,
                          kValues, kCall, kBlindCall, kSold, kOutcome>;

}  // namespace clock_auction
