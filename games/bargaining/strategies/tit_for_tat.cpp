#include "bargaining/strategies/tit_for_tat.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "bargaining/strategies/share.hpp"

namespace bargaining {
namespace {

// At most 15 bytes each: such texts need no memory of their own.
constexpr std::string_view kOfferTalk = "You move, I do.";
constexpr std::string_view kDealTalk = "Fair enough.";
constexpr std::string_view kQuitTalk = "No fair price.";

/// How far the last offer of `side` came nearer than the one before it, a buyer's rising, a
/// seller's falling, in cents; 0 if it did not.
std::int64_t last_step(std::span<const agon::Money> offers, Side side) {
  if (offers.size() < 2) return 0;
  const std::int64_t rise = offers[offers.size() - 1].cents - offers[offers.size() - 2].cents;
  return std::max<std::int64_t>(0, side == Side::buyer ? rise : -rise);
}

template <class Offer>
std::optional<agon::Money> own_last(std::span<const Utterance> history, Side side) {
  for (std::size_t i = history.size(); i-- > 0;)
    if (const auto* offer = std::get_if<Offer>(&history[i].action);
        offer != nullptr && history[i].side == side)
      return offer->price;
  return std::nullopt;
}

}  // namespace

TitForTat::TitForTat(const Params& params)
    : buyer_opening_(in_millionths(params.buyer_opening)),
      seller_opening_(in_millionths(params.seller_opening)) {}

Action TitForTat::decide(const BuyerView& view) const {
  const std::int64_t limit = view.budget.cents;
  const auto last = own_last<Buy>(view.history, Side::buyer);
  const std::int64_t step = last_step(view.seller_offers, Side::seller);
  const agon::Money next{last ? std::min(limit, last->cents + step)
                              : share_of(limit, buyer_opening_)};
  const auto best = std::min_element(view.seller_offers.begin(), view.seller_offers.end());
  const agon::Money most = view.turn == view.max_turns ? view.budget : next;
  if (best != view.seller_offers.end() && *best <= most) return Deal{*best};
  return Buy{next};
}

Action TitForTat::decide(const SellerView& view) const {
  const std::int64_t limit = view.cost.cents;
  const auto last = own_last<Sell>(view.history, Side::seller);
  const std::int64_t step = last_step(view.buyer_offers, Side::buyer);
  const agon::Money next{std::max(
      limit, last ? last->cents - step : share_of(view.product.list_price.cents, seller_opening_))};
  const auto best = std::max_element(view.buyer_offers.begin(), view.buyer_offers.end());
  const bool ends = view.turn == view.max_turns;
  const agon::Money least = ends ? view.cost : next;
  if (best != view.buyer_offers.end() && *best >= least) return Deal{*best};
  if (ends) return Quit{};
  return Sell{next};
}

void TitForTat::answer(agon::Question& question) const {
  auto* message = question.answer<Message>();
  const auto* buyer = question.view<BuyerView>();
  const auto* seller = question.view<SellerView>();
  if (message == nullptr || (buyer == nullptr && seller == nullptr)) return question.decline();
  message->action = buyer != nullptr ? decide(*buyer) : decide(*seller);
  const bool deals = std::holds_alternative<Deal>(message->action);
  const bool quits = std::holds_alternative<Quit>(message->action);
  message->talk = deals ? kDealTalk : quits ? kQuitTalk : kOfferTalk;
  question.think(deals ? "good enough" : quits ? "none fits" : "mirror the move");
}

}  // namespace bargaining
