#include "english-auction/strategies/drive_up.hpp"

#include <fmt/format.h>

#include <agon/game.hpp>
#include <array>

#include "english-auction/items.hpp"

namespace english_auction {

void Shill::answer(agon::Question& question) const {
  Bid* bid = question.answer<Bid>();
  const BidView* view = question.view<BidView>();
  if (bid == nullptr || view == nullptr) return question.decline();
  *bid = raise_or_withdraw(drive_up(*view, params_.share));
}

void Spiteful::answer(agon::Question& question) const {
  Bid* bid = question.answer<Bid>();
  const BidView* view = question.view<BidView>();
  if (bid == nullptr || view == nullptr) return buyer_.answer(question);
  const std::optional<agon::Money> bought = buyer_.buy(*view);
  *bid = raise_or_withdraw(bought ? bought : drive_up(*view, push_));
}

namespace {

constexpr std::array<std::string_view, 1> kRoles{"bidder"};

/// Empty if a seat is after that; else the reason why an agent that is cannot play.
std::string needs(const Settings& settings, Desire desire, std::string_view name) {
  for (const Bidder& bidder : bidders_at_seats(settings))
    if (bidder.desire == desire) return {};
  return fmt::format(
      "it bids for {0}, and no bidder is after that: set `desires`, or the desire of "
      "a bidder, to {0}",
      name);
}

}  // namespace

std::string why_no_shill(const Settings& settings) {
  return needs(settings, Desire::shill, "shill");
}
std::string why_no_spite(const Settings& settings) {
  return needs(settings, Desire::spite, "spite");
}

agon::AgentCard shill_card() {
  return agon::agent<Shill>(
      {.id = "shill",
       .game = "english-auction",
       .doc =
           "Drives prices up: raises by the least amount, on any item, up to a share of its "
           "estimate, and leaves then, so that buyers pay more than that. What no buyer wants at "
           "that price it wins itself. Looks at no plan of its own, and says nothing. For "
           "auctions with a bidder after `shill`.",
       .roles = kRoles,
       .check = agon::hook<&why_no_shill>});
}

agon::AgentCard spiteful_card() {
  return agon::agent<Spiteful>(
      {.id = "spiteful",
       .game = "english-auction",
       .doc = "Buys as value-cap does, and bids for all that it does "
              "not mean to buy up to a share "
              "of its estimate too, so that its rivals pay more.",
       .source = "the motive: Morgan, Steiglitz and Reis 2003, The Spite Motive and Equilibrium "
                 "Behavior in Auctions; the rule is our own",
       .roles = kRoles,
       .check = agon::hook<&why_no_spite>});
}

}  // namespace english_auction
