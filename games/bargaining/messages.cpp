#include "bargaining/messages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bargaining/play.hpp"

namespace bargaining {
namespace {

std::string price_text(agon::Money price) {
  const auto whole = price.cents / 100, rest = price.cents % 100;
  if (rest == 0) return fmt::format("{}", whole);
  if (rest % 10 == 0) return fmt::format("{}.{}", whole, rest / 10);
  return fmt::format("{}.{:02}", whole, rest);
}

}  // namespace

std::string action_text(const Action& action, std::string_view codename, int quantity) {
  const auto priced = [&](std::string_view word, agon::Money price) {
    return fmt::format("[{}] ${} ({}x {})", word, price_text(price), quantity, codename);
  };
  if (const auto* buy = std::get_if<Buy>(&action)) return priced("BUY", buy->price);
  if (const auto* sell = std::get_if<Sell>(&action)) return priced("SELL", sell->price);
  if (const auto* deal = std::get_if<Deal>(&action)) return priced("DEAL", deal->price);
  return std::holds_alternative<Reject>(action) ? "[REJECT]" : "[QUIT]";
}

using agon::money_text;

namespace {

std::string_view name(Side side) {
  return side == Side::buyer ? "buyer" : "seller";
}

/// "The buyer", and to the buyer "You".
std::string subject(Side side, const agon::Scene& scene) {
  return scene.is_reader(static_cast<int>(side)) ? "You" : fmt::format("The {}", name(side));
}

/// What a message does, as a sentence without its end.
struct Deed {
  Side side;
  const agon::Scene& scene;
  [[nodiscard]] std::string does(std::string_view offers, std::string_view offer) const {
    return subject(side, scene) + " " +
           std::string(scene.is_reader(static_cast<int>(side)) ? offer : offers);
  }
  std::string operator()(const Buy& a) const {
    return does("offers to pay ", "offer to pay ") + money_text(a.price);
  }
  std::string operator()(const Sell& a) const {
    return does("asks ", "ask ") + money_text(a.price);
  }
  std::string operator()(const Reject&) const {
    return does("makes no offer now", "make no offer now");
  }
  std::string operator()(const Deal& a) const {
    const bool yours = scene.is_reader(static_cast<int>(other(side)));
    return does("takes ", "take ") + (yours ? "your" : fmt::format("the {}'s", name(other(side)))) +
           " offer of " + money_text(a.price);
  }
  std::string operator()(const Quit&) const { return does("walks away", "walk away"); }
};

}  // namespace

std::string goods_text(const Goods& goods) {
  std::string text = agon::speech(goods.title) + ", list price " + money_text(goods.list_price);
  if (!goods.category.empty()) {
    std::string category(goods.category);
    std::replace(category.begin(), category.end(), '-', ' ');
    text += ", category " + category;
  }
  text += ".";
  if (!goods.description.empty()) text += "\n" + agon::speech(goods.description);
  return text;
}

namespace {

std::string offers_text(std::string_view who, std::span<const agon::Money> offers) {
  if (offers.empty()) return fmt::format("The {} has not made an offer yet.", who);
  return fmt::format("The {} has offered {} so far.", who, prices_text(offers));
}

std::string turns_text(int turn, int max_turns, int left) {
  return left <= 1 ? fmt::format("This is turn {} of {}, and your last message.", turn, max_turns)
                   : fmt::format(
                         "This is turn {} of {}; you can still send {} messages, this one "
                         "included.",
                         turn, max_turns, left);
}

/// What a side can do now: there may be no offer to take, and the seller's last one is in vain.
std::string actions_text(Side side, bool in_vain, bool any_offer) {
  const bool buyer = side == Side::buyer;
  std::string text = in_vain ? "\nA price that you ask now cannot be taken any more. You can "
                     : buyer ? "\nYou can buy (offer a price), "
                             : "\nYou can sell (ask a price), ";
  text += "reject (offer nothing now)";
  if (any_offer)
    text += fmt::format(", deal (take a price that the {} has offered)", name(other(side)));
  return text + " or quit.";
}

}  // namespace

std::string tell(const Listing&, const agon::Scene&) {
  return {};  // it stands in every view, as do the next two
}

std::string tell(const BuyerFacts&, const agon::Scene&) {
  return {};
}

std::string tell(const SellerFacts&, const agon::Scene&) {
  return {};
}

std::string tell(const Truth& truth, const agon::Scene&) {
  return fmt::format(
      "Product {} of the list: list price {}, the buyer's budget {}, the seller's cost {}. {}",
      truth.product, money_text(truth.list_price), money_text(truth.budget), money_text(truth.cost),
      truth.mutual ? "A deal can serve both." : "No price serves both.");
}

std::string message_text(Side side, const Action& action, std::string_view talk,
                         const agon::Scene& scene) {
  const Deed deed{side, scene};
  const std::string text = std::visit(deed, action);
  if (talk.empty()) return text + ".";
  return text + (scene.is_reader(static_cast<int>(side)) ? " and say: " : " and says: ") +
         agon::speech(talk);
}

std::string tell(const Saying& saying, const agon::Scene& scene) {
  return fmt::format("Turn {}: {}", saying.turn,
                     message_text(saying.side, saying.action, saying.talk, scene));
}

std::string tell(const Ending& ending, const agon::Scene&) {
  switch (ending.how) {
    case End::buyer_deal:
    case End::seller_deal:
      return fmt::format("It is a deal, at {}.", money_text(ending.price.value_or(agon::Money{})));
    case End::buyer_quit:
    case End::seller_quit:
      return "The bargaining is over: no deal.";
    case End::buyer_action_error:
      return "The buyer gave no legal action: no deal.";
    case End::seller_action_error:
      return "The seller gave no legal action: no deal.";
    case End::buyer_invalid_deal:
    case End::seller_invalid_deal:
      return "No such offer was made: no deal.";
    case End::turn_limit:
      return "The turns are over: no deal.";
  }
  return {};
}

std::string tell(const BuyerView& view, const agon::Scene&) {
  return fmt::format(
             "This is for sale; the list price is known to both sides:\n{}\nYou can spend {} at "
             "most; the seller does not know that.\n{} {}",
             goods_text(view.product), money_text(view.budget),
             offers_text("seller", view.seller_offers),
             turns_text(view.turn, view.max_turns, view.turns_left)) +
         actions_text(Side::buyer, false, !view.seller_offers.empty());
}

std::string tell(const SellerView& view, const agon::Scene&) {
  return fmt::format(
             "This is what you have for sale; the list price is known to both sides:\n{}\nIt cost "
             "you {}; the buyer does not know that.\n{} {}",
             goods_text(view.product), money_text(view.cost),
             offers_text("buyer", view.buyer_offers),
             turns_text(view.turn, view.max_turns, view.turns_left)) +
         actions_text(Side::seller, view.turns_left <= 1, !view.buyer_offers.empty());
}

}  // namespace bargaining
