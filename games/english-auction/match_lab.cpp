// What an auction has beyond AucArena: a seller at the table, and talk among bidders.

#include <algorithm>

#include "english-auction/match.hpp"

namespace english_auction {

void Match::put_up(int place) {
  const Item& listed = item(item_at(place));
  start_price_ = listed.price;
  reserve_ = agon::Money{0};
  if (!settings_.seller) return;
  PutUpView view;
  view.item = listed.name;
  view.number = place + 1;
  view.items = items_;
  view.price = listed.price;
  view.estimate = estimate(listed.value, settings_.seller_overestimate);
  view.cost = cost_of(listed, settings_);
  view.lowest = whole_dollars({listed.price.cents * settings_.least_start / 100});
  view.highest = whole_dollars({listed.price.cents * settings_.most_start / 100});
  view.reserve = settings_.reserve;
  view.bidders = {names_.data(), static_cast<std::size_t>(seats_)};
  agon::InlineList<Lot, kMaxItems> later;  // without what a bidder thinks of them
  for (const Lot& lot : lots(0, place).subspan(1))
    later.push_back({lot.item, lot.price, std::nullopt, std::nullopt});
  view.later = later;
  view.sales = sales_;
  // What a shill bought is told as the others' are: the seller does not know who is one.
  for (const Sale& sale : view.sales)
    if (sale.price) view.revenue += *sale.price;
  const agon::Money most_reserve =
      settings_.reserve == Reserve::none ? agon::Money{0} : view.highest;
  const auto answer =
      table_.ask(seats_, kPutUp, agon::view([&view]() -> const PutUpView& { return view; }),
                 agon::limit(&PutUp::start_price, view.lowest, view.highest),
                 agon::limit(&PutUp::reserve, agon::Money{0}, most_reserve),
                 agon::fallback(PutUp{std::clamp(listed.price, view.lowest, view.highest), {}}));
  start_price_ = answer.start_price;
  reserve_ = answer.reserve;
}

TalkView Match::talk_view(const War& war, int place, int seat, int message) const {
  const Lot& lot = lots(seat, place).front();
  TalkView view;
  view.me = name(seat);
  view.number = place + 1;
  view.round = war.round() + 1;
  view.message = message + 1;
  view.messages = settings_.talk;
  view.item = lot.item;
  view.start_price = war.moment().start_price;
  view.reserve = told_reserve();
  view.estimate = lot.estimate;
  if (war.leader() >= 0) view.leader = name(war.leader());
  view.leading_bid = war.moment().leading_bid;
  view.budget = account(seat).budget;
  view.desire = bidder(seat).settings.desire;
  view.wanted = bidder(seat).wanted;
  view.spite = spite(seat);
  view.later = lots(seat, place).subspan(1);
  view.sales = sales_;
  view.talk = talk_;
  return view;
}

void Match::hear_out(const Talked& talked) {
  if (!settings_.seller || settings_.seller_hears) return publish(kTalked, [&] { return talked; });
  log_.add(talked);
  for (int seat = 0; seat < seats_; ++seat) table_.tell(seat, kTalkedApart, talked);
}

void Match::talk(const War& war, int place) {
  War::SeatList everybody;
  for (int seat = 0; seat < seats_; ++seat)
    if (bidder(seat).settings.desire != Desire::absent) everybody.push_back(seat);
  for (int message = 0; message < settings_.talk; ++message) {
    const auto answers = table_.ask_all(everybody, kTalk, [&](int seat) {
      return agon::asking<Message>(
          agon::view([&, seat, message] { return talk_view(war, place, seat, message); }),
          agon::limit_length(&Message::text, 0, settings_.talk_length));
    });
    const std::size_t before = talk_.size();
    for (std::size_t k = 0; k < everybody.size(); ++k) {
      const int seat = everybody[k];
      const std::string& text = answers[k].text;
      if (text.find_first_not_of(" \t\r\n") == std::string::npos) continue;  // silence
      ++account(seat).messages;
      talk_.push_back(
          {place + 1, war.round() + 1, message + 1, name(seat), texts_.emplace_back(text)});
    }
    totals_.silent_rounds += talk_.size() == before ? 1 : 0;
    hear_out({item(item_at(place)).name, message + 1, settings_.talk,
              std::span<const Remark>(talk_).subspan(before)});
  }
}

}  // namespace english_auction
