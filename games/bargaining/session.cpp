#include "bargaining/session.hpp"

#include <fmt/format.h>

#include <agon/telling.hpp>
#include <algorithm>
#include <cmath>

namespace bargaining {

bool same_price(agon::Money a, agon::Money b, Tolerance tolerance) {
  if (tolerance == Tolerance::exact) return a == b;
  if (tolerance == Tolerance::cents) return std::abs(a.cents - b.cents) <= 1;
  // Division by 100 is correctly rounded, so these are the numbers that reading "100.00" gives.
  const double first = static_cast<double>(a.cents) / 100;
  const double second = static_cast<double>(b.cents) / 100;
  return std::abs(first - second) <= 0.01;
}

std::string prices_text(std::span<const agon::Money> prices) {
  std::vector<std::string> texts;
  for (const agon::Money price : prices)
    if (std::string text = agon::money_text(price);
        std::find(texts.begin(), texts.end(), text) == texts.end())
      texts.push_back(std::move(text));
  return agon::listed(texts);
}

void Session::add(int turn, Side side, const Message& message) {
  history_.push_back({turn, side, message.talk, message.action});
  if (const auto* buy = std::get_if<Buy>(&message.action); buy != nullptr && side == Side::buyer)
    buys_.push_back(buy->price);
  if (const auto* sell = std::get_if<Sell>(&message.action);
      sell != nullptr && side == Side::seller)
    sells_.push_back(sell->price);
}

bool Session::takes_offer(Side side, agon::Money price, Tolerance tolerance) const {
  const auto theirs = offers(other(side));
  return std::any_of(theirs.begin(), theirs.end(),
                     [&](agon::Money offer) { return same_price(offer, price, tolerance); });
}

std::string why_no_deal(const Session& session, Side side, const Message& message,
                        Tolerance tolerance) {
  const auto* deal = std::get_if<Deal>(&message.action);
  if (deal == nullptr || session.takes_offer(side, deal->price, tolerance)) return {};
  const auto theirs = session.offers(other(side));
  if (theirs.empty()) return "there is no deal to take: the other side has made no offer yet";
  return fmt::format("a deal takes an offer of the other side; none was at {}, these were: {}",
                     agon::money_text(deal->price), prices_text(theirs));
}

std::optional<End> end_after(const Session& session, Side side, const Action& action,
                             Tolerance tolerance) {
  const bool buyer = side == Side::buyer;
  if (const auto* deal = std::get_if<Deal>(&action)) {
    if (session.takes_offer(side, deal->price, tolerance))
      return buyer ? End::buyer_deal : End::seller_deal;
    return buyer ? End::buyer_invalid_deal : End::seller_invalid_deal;
  }
  if (std::holds_alternative<Quit>(action)) return buyer ? End::buyer_quit : End::seller_quit;
  return std::nullopt;
}

}  // namespace bargaining
