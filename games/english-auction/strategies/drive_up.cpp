#include "english-auction/strategies/drive_up.hpp"

namespace english_auction {

void Shill::answer(agon::Question& question) const {
  Bid* bid = question.answer<Bid>();
  const BidView* view = question.view<BidView>();
  if (bid == nullptr || view == nullptr) return question.decline();
  if (const std::optional<agon::Money> amount = drive_up(*view, params_.share))
    bid->move = Raise{*amount};
  else
    bid->move = Withdraw{};
}

void Spiteful::answer(agon::Question& question) const {
  Bid* bid = question.answer<Bid>();
  const BidView* view = question.view<BidView>();
  if (bid == nullptr || view == nullptr) return buyer_.answer(question);
  std::optional<agon::Money> amount = buyer_.buy(*view);
  if (!amount) amount = drive_up(*view, push_);
  if (amount)
    bid->move = Raise{*amount};
  else
    bid->move = Withdraw{};
}

agon::AgentCard shill_card() {
  return agon::agent<Shill>(
      {.id = "shill",
       .game = "english-auction",
       .doc =
           "Drives prices up: raises by the least amount, on any item, up to a share of its "
           "estimate, and leaves then, so that buyers pay more than that. What no buyer wants at "
           "that price it wins itself. Looks at no plan of its own, and says nothing."});
}

agon::AgentCard spiteful_card() {
  return agon::agent<Spiteful>(
      {.id = "spiteful",
       .game = "english-auction",
       .doc = "Buys as value-cap does, whatever its seat is after, and bids for all that it does "
              "not mean to buy up to a share "
              "of its estimate too, so that its rivals pay more.",
       .source = "the motive: Morgan, Steiglitz and Reis 2003, The Spite Motive and Equilibrium "
                 "Behavior in Auctions; the rule is our own"});
}

}  // namespace english_auction
