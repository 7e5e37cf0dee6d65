#include "deal-or-no-deal/strategies/position.hpp"

namespace deal_or_no_deal {
namespace {

void take_piles(const Piles& piles, int total_value, Position& position) {
  for (const Pile& pile : piles) {
    position.counts.push_back(pile.count);
    position.values.push_back(pile.value);
  }
  position.total_value = total_value > 0 ? total_value : static_cast<int>(position.maximum());
}

/// Walks through the history. An own proposal is rejected once the other side has spoken after it
/// and has not proposed the same split.
class History {
 public:
  explicit History(Position& position) : position_(position) {}

  void own(const ItemCounts& take) {
    position_.own_latest = amounts(take);
    waiting_ = position_.own_latest;
  }
  void other(const ItemCounts* take) {
    if (take != nullptr) position_.offered = minus(position_.counts, amounts(*take));
    if (waiting_ && (take == nullptr || position_.offered != waiting_)) {
      position_.rejected.push_back(*waiting_);
    }
    waiting_.reset();
  }
  void take(std::span<const OfferMade> offers) {
    for (const OfferMade& offer : offers) {
      if (offer.seat == position_.seat)
        own(offer.keep);
      else
        other(&offer.keep);
    }
  }
  void take(std::span<const MessageSent> messages) {
    for (const MessageSent& message : messages) {
      const ItemCounts* proposed = message.proposal ? &message.proposal->take : nullptr;
      if (message.seat != position_.seat)
        other(proposed);
      else if (proposed != nullptr)
        own(*proposed);
    }
  }

 private:
  Position& position_;
  std::optional<Amounts> waiting_;
};

}  // namespace

std::optional<Position> position_of(agon::Question& question) {
  Position position;
  position.seat = question.seat();
  if (const auto* view = question.view<OfferView>()) {
    take_piles(view->items, view->total_value, position);
    History(position).take(view->offers);
    // The offer that ends the game is no chance to agree for anybody, but it is a decision.
    const int turns = view->turn - 1 + view->offers_left;
    position.decision = (view->turn - 1) / 2;
    position.decisions = (turns + 1 - position.seat) / 2;
    return position;
  }
  if (const auto* view = question.view<TalkView>()) {
    take_piles(view->items, view->total_value, position);
    History(position).take(view->messages);
    position.decision = view->round - 1;
    position.decisions = view->round + view->rounds_left - (view->rounds_left > 0 ? 1 : 0);
    return position;
  }
  if (const auto* view = question.view<BeliefView>()) {
    take_piles(view->items, view->total_value, position);
    History history(position);
    history.take(view->offers);
    history.take(view->messages);
    return position;
  }
  return std::nullopt;
}

void play_proposal(agon::Question& question, const Position& position, bool accept,
                   const Amounts& propose, const Amounts& last_take) {
  const auto act = [&](auto& move) {
    if (accept)
      move.action = Agree{};
    else
      move.action = Offer{listed(propose)};
  };
  if (auto* move = question.answer<Move>()) {
    act(*move);
  } else if (auto* spoken = question.answer<SpokenMove>()) {
    act(*spoken);
  } else if (auto* message = question.answer<Message>()) {
    message->proposal = Proposal{listed(accept ? *position.offered : propose)};
    message->halt = accept;
  } else if (auto* decision = question.answer<Decision>()) {
    decision->choice = Take{listed(last_take)};
  } else {
    question.decline();
  }
}

}  // namespace deal_or_no_deal
