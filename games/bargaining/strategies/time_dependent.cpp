#include "bargaining/strategies/time_dependent.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bargaining/strategies/share.hpp"

namespace bargaining {
namespace {

// At most 15 bytes each: such texts need no memory of their own.
constexpr std::array<std::string_view, 3> kBuyerTalk{"I can pay this.", "A little more.",
                                                     "I stretch here."};
constexpr std::array<std::string_view, 3> kSellerTalk{"A fair price.", "A little less.",
                                                      "I come down now"};
constexpr std::string_view thanks = "Agreed.";
constexpr std::string_view farewell = "We are apart.";

template <class Talk>
std::string_view talk_for(const Action& action, int turn, const Talk& talk) {
  if (std::holds_alternative<Deal>(action)) return thanks;
  if (std::holds_alternative<Quit>(action)) return farewell;
  return talk[static_cast<std::size_t>(turn - 1) % talk.size()];
}

std::string_view thought_for(const Action& action) {
  if (std::holds_alternative<Deal>(action)) return "beats my next";
  if (std::holds_alternative<Quit>(action)) return "none fits";
  return "on schedule";
}

}  // namespace

TimeDependent::TimeDependent(const Params& params)
    : exponent_(1 / params.concession),
      at_once_(in_millionths(params.at_once)),
      buyer_opening_(in_millionths(params.buyer_opening)),
      seller_opening_(in_millionths(params.seller_opening)) {}

std::int64_t TimeDependent::conceded(int t, int last) const {
  if (t >= last) return million;
  const double power = std::pow(static_cast<double>(t) / last, exponent_);
  return at_once_ + share_of(million - at_once_, in_millionths(power));
}

Action TimeDependent::decide(const BuyerView& view) const {
  const std::int64_t limit = view.budget.cents;
  const std::int64_t opening = share_of(limit, buyer_opening_);
  const agon::Money next{opening +
                         share_of(limit - opening, conceded(view.turn - 1, view.max_turns - 1))};
  const auto best = std::min_element(view.seller_offers.begin(), view.seller_offers.end());
  if (best != view.seller_offers.end() && *best <= next) return Deal{*best};
  return Buy{next};
}

Action TimeDependent::decide(const SellerView& view) const {
  const std::int64_t limit = view.cost.cents;
  const std::int64_t opening =
      std::max(limit, share_of(view.product.list_price.cents, seller_opening_));
  const agon::Money next{opening -
                         share_of(opening - limit, conceded(view.turn - 1, view.max_turns - 1))};
  const auto best = std::max_element(view.buyer_offers.begin(), view.buyer_offers.end());
  if (best != view.buyer_offers.end() && *best >= next) return Deal{*best};
  if (view.turn == view.max_turns) return Quit{};
  return Sell{next};
}

void TimeDependent::answer(agon::Question& question) const {
  auto* message = question.answer<Message>();
  if (message == nullptr) return question.decline();
  if (const auto* view = question.view<BuyerView>()) {
    message->action = decide(*view);
    message->talk = talk_for(message->action, view->turn, kBuyerTalk);
  } else if (const auto* seller = question.view<SellerView>()) {
    message->action = decide(*seller);
    message->talk = talk_for(message->action, seller->turn, kSellerTalk);
  } else {
    return question.decline();
  }
  question.think(std::string(thought_for(message->action)));
}

}  // namespace bargaining
