#include "bargaining/telling.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bargaining {

using agon::money_text;

namespace {

std::string_view name(Side side) {
  return side == Side::buyer ? "buyer" : "seller";
}

/// What a message does, as a sentence without its end.
struct Deed {
  Side side;
  std::string operator()(const Buy& a) const {
    return fmt::format("The {} offers to pay {}", name(side), money_text(a.price));
  }
  std::string operator()(const Sell& a) const {
    return fmt::format("The {} asks {}", name(side), money_text(a.price));
  }
  std::string operator()(const Reject&) const {
    return fmt::format("The {} makes no offer now", name(side));
  }
  std::string operator()(const Deal& a) const {
    return fmt::format("The {} takes the {}'s offer, at {}", name(side), name(other(side)),
                       money_text(a.price));
  }
  std::string operator()(const Quit&) const { return fmt::format("The {} walks away", name(side)); }
};

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

std::string offers_text(std::string_view who, std::span<const agon::Money> offers) {
  if (offers.empty()) return fmt::format("The {} has not made an offer yet.", who);
  std::vector<std::string> prices;
  for (const agon::Money price : offers)
    if (std::string text = money_text(price);
        std::find(prices.begin(), prices.end(), text) == prices.end())
      prices.push_back(std::move(text));
  return fmt::format("The {} has offered {} so far.", who, agon::listed(prices));
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

std::string tell(const Saying& saying, const agon::Scene&) {
  std::string text =
      fmt::format("Turn {}: {}", saying.turn, std::visit(Deed{saying.side}, saying.action));
  return saying.talk.empty() ? text + "." : text + " and says: " + agon::speech(saying.talk);
}

std::string tell(const Ending& ending, const agon::Scene&) {
  const std::string price = ending.price ? money_text(*ending.price) : "";
  switch (ending.how) {
    case End::buyer_deal:
      return fmt::format("The buyer has taken an offer of the seller: a deal at {}.", price);
    case End::seller_deal:
      return fmt::format("The seller has taken an offer of the buyer: a deal at {}.", price);
    case End::buyer_quit:
      return "The buyer has walked away: no deal.";
    case End::seller_quit:
      return "The seller has walked away: no deal.";
    case End::buyer_action_error:
      return "The buyer gave no legal action: no deal.";
    case End::seller_action_error:
      return "The seller gave no legal action: no deal.";
    case End::buyer_invalid_deal:
      return "The buyer took an offer that was never made: no deal.";
    case End::seller_invalid_deal:
      return "The seller took an offer that was never made: no deal.";
    case End::turn_limit:
      return "The turns are over: no deal.";
  }
  return {};
}

std::string tell(const BuyerView& view, const agon::Scene&) {
  return fmt::format(
             "You are the buyer. This is for sale; the list price is known to both sides:\n{}\nYou "
             "can "
             "spend {} at most; the seller does not know that.\n{} {}",
             goods_text(view.product), money_text(view.budget),
             offers_text("seller", view.seller_offers),
             turns_text(view.turn, view.max_turns, view.turns_left)) +
         actions_text(Side::buyer, false, !view.seller_offers.empty());
}

std::string tell(const SellerView& view, const agon::Scene&) {
  return fmt::format(
             "You are the seller. This is what you have; the list price is known to both "
             "sides:\n{}\nIt "
             "cost you {}; the buyer does not know that.\n{} {}",
             goods_text(view.product), money_text(view.cost),
             offers_text("buyer", view.buyer_offers),
             turns_text(view.turn, view.max_turns, view.turns_left)) +
         actions_text(Side::seller, view.turns_left <= 1, !view.buyer_offers.empty());
}

}  // namespace bargaining
