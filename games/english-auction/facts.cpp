#include "english-auction/facts.hpp"

#include <fmt/format.h>

#include "english-auction/items.hpp"

namespace english_auction {

Facts facts(const Settings& settings) {
  Facts facts;
  facts.bidders = static_cast<int>(bidders_at_seats(settings).size());
  facts.items = static_cast<int>(items_for_sale(settings).size());
  facts.markup = settings.markup;
  facts.most_rounds = settings.most_rounds;
  facts.discount =
      settings.discount
          ? fmt::format(
                "An item for which nobody bids is offered again at half its price, up to "
                "{} times.",
                settings.most_discounts)
          : "An item for which nobody bids stays unsold.";
  facts.among = settings.seller ? ". With you at the table are" : ", and bid against";
  facts.auction =
      settings.seller
          ? fmt::format(
                ". In this English auction {} puts up {} items one after another; prices rise, and "
                "the highest bid takes the item.",
                kSellerName, facts.items)
          : fmt::format(
                " in an English auction: {} items come up one after another, prices rise, and the "
                "highest bid takes the item.",
                facts.items);
  facts.account =
      settings.value_spread > 0 || !settings.given_values.empty()
          ? "your own profit so far (true value to you less price, over all items won; what others "
            "made of theirs nobody else knows), and for each bidder, you too, the items won with "
            "their prices"
          : "for each bidder, you too, the profit so far (true value less price, over all items "
            "won) and the items won with their prices";
  return facts;
}

}  // namespace english_auction
