#include "english-auction/play.hpp"

#include <algorithm>

#include "english-auction/game.hpp"
#include "english-auction/match.hpp"

namespace english_auction {

Auction::Auction(const Table& at, const Settings& by, const Prepared& from)
    : table(at),
      settings(by),
      prepared(from),
      seats(static_cast<int>(from.bidders.size())),
      items(static_cast<int>(from.items.size())) {
  for (int seat = 0; seat < seats; ++seat) {
    names_[static_cast<std::size_t>(seat)] = table.name(seat);
    Account start;
    start.budget = bidder(seat).settings.budget;
    accounts_.push_back(start);
  }
  for (int i = 0; i < items; ++i) results_.push_back({});
  draw_order();
  draw_values();
  lay_out_lots();
}

void Auction::draw_order() {
  std::array<int, kMaxItems> loose;
  const std::span<int> drawn(loose.data(), prepared.loose.size());
  std::copy(prepared.loose.begin(), prepared.loose.end(), drawn.begin());
  if (settings.shuffle && drawn.size() > 1) table.chance("order").shuffle(drawn);
  std::size_t next = 0;
  for (std::size_t place = 0; place < prepared.pinned.size(); ++place) {
    const int pinned = prepared.pinned[place];
    order_[place] = pinned >= 0 ? pinned : drawn[next++];
  }
}

void Auction::draw_values() {
  if (!prepared.draws_values) return;
  own_values_ = prepared.values;
  std::vector<Bidder> bidders;
  for (int seat = 0; seat < seats; ++seat) {
    bidders.push_back(bidder(seat).settings);
    for (int i = 0; i < items; ++i) {
      if (prepared.given[cell(seat, i)]) continue;
      // In hundredths of a percent, so that few values are the same.
      const std::int64_t most = std::int64_t{100} * settings.value_spread;
      const std::int64_t off = table.chance("value", seat, i).between(-most, most);
      own_values_[cell(seat, i)] = whole_dollars({item(i).value.cents * (10'000 + off) / 10'000});
    }
  }
  own_yardsticks_ = yardsticks(settings, prepared.items, bidders, own_values_);
}

void Auction::lay_out_lots() {
  for (int seat = 0; seat < seats; ++seat)
    for (int place = 0; place < items; ++place) {
      const int i = item_at(place);
      Lot lot{item(i).name, item(i).price, std::nullopt, std::nullopt};
      if (bidder(seat).sees_estimates) lot.estimate = thought_value(seat, i);
      lots_.push_back(lot);
    }
  for (int place = 0; place < items; ++place) in_order_.push_back(item(item_at(place)).name);
}

namespace {

/// Tells what is for sale, and each bidder what it alone knows.
void open(Auction& auction) {
  agon::InlineList<OnSale, kMaxItems> on_sale;
  auction.table.announce(kOpening, [&] {
    for (const Lot& lot : auction.lots(0, 0)) on_sale.push_back({lot.item, lot.price});
    return Opening{auction.names(), on_sale};
  });
  for (int seat = 0; seat < auction.seats; ++seat)
    auction.table.tell(seat, kPrivate, [&] {
      return PrivateFacts{auction.account(seat).budget, auction.bidder(seat).settings.desire,
                          auction.bidder(seat).wanted, auction.lots(seat, 0)};
    });
  agon::InlineList<TrueValue, kMaxItems> values;
  auction.table.note(kTrueValues, [&] {
    for (int place = 0; place < auction.items; ++place)
      values.push_back(
          {auction.item(auction.item_at(place)).name, auction.item(auction.item_at(place)).value});
    return TrueValues{values};
  });
  for (int seat = 0; seat < auction.seats && auction.prepared.is_private; ++seat)
    auction.table.note(kPrivateValues, [&] {
      values.clear();
      for (int place = 0; place < auction.items; ++place)
        values.push_back({auction.item(auction.item_at(place)).name,
                          auction.value(seat, auction.item_at(place))});
      return PrivateValues{auction.name(seat), values};
    });
}

}  // namespace

agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared) {
  Auction auction(table, settings, prepared);
  Minds minds(auction);
  Bidding bidding(auction, minds);
  open(auction);
  minds.learn();
  minds.plan();
  for (int place = 0; place < auction.items; ++place) {
    bidding.sell(place);
    minds.believe(place, bidding.moves());
    if (place + 1 < auction.items) minds.replan(place + 1);
  }
  return conclude(auction, minds, bidding.log());
}

}  // namespace english_auction
