#include "bargaining/strategies/adversary.hpp"

#include <agon/inline_list.hpp>
#include <algorithm>

#include "bargaining/settings.hpp"
#include "bargaining/strategies/share.hpp"

namespace bargaining {
namespace {

using Prices = agon::InlineList<std::int64_t, kMaxTurnsLimit>;

/// A bargain as if the side wanted prices to be low: a seller's prices have their sign changed.
struct Stand {
  std::int64_t opening = 0;
  std::int64_t limit = 0;
  Prices own{};
  Prices theirs{};
  bool is_last = false;  ///< of the own turns
};

std::int64_t next_price(Pressure style, std::int64_t nudge, const Stand& stand) {
  if (stand.own.empty() || style == Pressure::stubborn) return stand.opening;
  const std::int64_t last = stand.own.back();
  const Prices& theirs = stand.theirs;
  std::int64_t step = 0;
  if (style == Pressure::anchoring) {
    step = theirs.empty() ? 0 : (theirs.back() - last) / 2;
  } else if (const std::size_t n = theirs.size(); n < 2 || theirs[n - 1] >= theirs[n - 2]) {
    step = n < 2 ? 0 : share_of(stand.limit - last, nudge);
  }
  return std::min(stand.limit, last + std::max<std::int64_t>(0, step));
}

/// The price of theirs that is taken; nothing: none is.
std::optional<std::int64_t> taken(Pressure style, std::int64_t next, const Stand& stand) {
  const auto best = std::min_element(stand.theirs.begin(), stand.theirs.end());
  const bool takes_any = stand.is_last && style != Pressure::stubborn;
  if (best == stand.theirs.end() || *best > (takes_any ? stand.limit : next)) return {};
  return *best;
}

/// At most 15 bytes: such texts need no memory of their own.
std::string_view press_talk(const Action& action, std::span<const Utterance> history) {
  if (std::holds_alternative<Deal>(action)) return "I take that.";
  if (std::holds_alternative<Quit>(action)) return "Not for that.";
  if (history.size() < 2) return "It is worth it.";
  const bool repeats = std::any_of(history.begin(), history.end(),
                                   [&](const Utterance& said) { return said.action == action; });
  return repeats ? "As I said." : "One step. You?";
}

double opening_of(const std::optional<double>& given, Pressure style, double anchoring,
                  double stubborn, double exploiting) {
  if (given) return *given;
  return style == Pressure::anchoring  ? anchoring
         : style == Pressure::stubborn ? stubborn
                                       : exploiting;
}

}  // namespace

Adversary::Adversary(const Params& params)
    : style_(params.style),
      buyer_opening_(in_millionths(opening_of(params.buyer_opening, style_, 0.2, 0.6, 0.5))),
      seller_opening_(in_millionths(opening_of(params.seller_opening, style_, 1.5, 0.75, 1.0))),
      nudge_(in_millionths(params.nudge)) {}

Action Adversary::decide(const BuyerView& view) const {
  Stand stand{.opening = share_of(view.budget.cents, buyer_opening_),
              .limit = view.budget.cents,
              .is_last = view.turn == view.max_turns};
  for (const Utterance& said : view.history)
    if (const auto* offer = std::get_if<Buy>(&said.action); offer && said.side == Side::buyer)
      stand.own.push_back(offer->price.cents);
  for (const agon::Money price : view.seller_offers) stand.theirs.push_back(price.cents);
  const std::int64_t next = next_price(style_, nudge_, stand);
  if (const auto price = taken(style_, next, stand)) return Deal{{*price}};
  return Buy{{next}};
}

Action Adversary::decide(const SellerView& view, agon::Money highest) const {
  const std::int64_t wanted = share_of(view.product.list_price.cents, seller_opening_);
  const std::int64_t cost = view.cost.cents;
  Stand stand{.opening = -std::max(cost, std::min(wanted, highest.cents)),
              .limit = -cost,
              .is_last = view.turn == view.max_turns};
  for (const Utterance& said : view.history)
    if (const auto* offer = std::get_if<Sell>(&said.action); offer && said.side == Side::seller)
      stand.own.push_back(-offer->price.cents);
  for (const agon::Money price : view.buyer_offers) stand.theirs.push_back(-price.cents);
  const std::int64_t next = next_price(style_, nudge_, stand);
  if (const auto price = taken(style_, next, stand)) return Deal{{-*price}};
  if (stand.is_last) return Quit{};
  if (-next > highest.cents) return Reject{};  // even its cost is above what may be asked
  return Sell{{-next}};
}

void Adversary::answer(agon::Question& question) const {
  auto* message = question.answer<Message>();
  const auto* buyer = question.view<BuyerView>();
  const auto* seller = question.view<SellerView>();
  if (message == nullptr || (buyer == nullptr && seller == nullptr)) return question.decline();
  agon::Money highest{kMaxPriceCents};
  constexpr auto kAsked =
      agon::limit(&Message::action, &Sell::price, agon::Money{0}, agon::Money{0}).data.slot;
  for (const agon::LimitData& limit : question.limits())
    if (limit.kind == agon::LimitKind::range && limit.slot == kAsked) highest = {limit.hi};
  message->action = buyer != nullptr ? decide(*buyer) : decide(*seller, highest);
  message->talk = press_talk(message->action, buyer != nullptr ? buyer->history : seller->history);
  question.think(std::holds_alternative<Deal>(message->action)   ? "mine by now"
                 : std::holds_alternative<Quit>(message->action) ? "none fits"
                                                                 : "press on");
}

}  // namespace bargaining
