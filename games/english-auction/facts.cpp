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
  return facts;
}

}  // namespace english_auction
