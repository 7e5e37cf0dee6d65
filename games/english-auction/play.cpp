#include "english-auction/play.hpp"

#include <algorithm>

#include "english-auction/game.hpp"

namespace english_auction {

Match::Match(Table table, const Settings& settings, const Prepared& prepared)
    : table_(table),
      settings_(settings),
      prepared_(prepared),
      seats_(static_cast<int>(prepared.bidders.size())),
      items_(static_cast<int>(prepared.items.size())),
      keeps_log_(!prepared.learners.empty()) {
  for (int seat = 0; seat < seats_; ++seat) {
    names_[static_cast<std::size_t>(seat)] = table.name(seat);
    Account start;
    start.budget = bidder(seat).settings.budget;
    accounts_.push_back(start);
  }
  for (int i = 0; i < items_; ++i) results_.push_back({});
  for (int i = 0; i < items_ * seats_; ++i) bids_.push_back(0);
}

agon::Outcome Match::play() {
  draw_order();
  draw_values();
  lay_out_lots();
  open();
  learn();
  plan();
  for (int place = 0; place < items_; ++place) {
    sell(place);
    believe(place);
    if (place + 1 < items_) replan(place + 1);
  }
  note_engagement();
  hand_over_memos();
  return outcome();
}

void Match::draw_order() {
  std::array<int, kMaxItems> loose;
  const std::span<int> drawn(loose.data(), prepared_.loose.size());
  std::copy(prepared_.loose.begin(), prepared_.loose.end(), drawn.begin());
  if (settings_.shuffle && drawn.size() > 1) table_.chance("order").shuffle(drawn);
  std::size_t next = 0;
  for (std::size_t place = 0; place < prepared_.pinned.size(); ++place) {
    const int pinned = prepared_.pinned[place];
    order_[place] = pinned >= 0 ? pinned : drawn[next++];
  }
}

void Match::draw_values() {
  if (!prepared_.draws_values) return;
  own_values_ = prepared_.values;
  std::vector<Bidder> bidders;
  for (int seat = 0; seat < seats_; ++seat) {
    bidders.push_back(bidder(seat).settings);
    for (int i = 0; i < items_; ++i) {
      if (prepared_.given[cell(seat, i)]) continue;
      // In hundredths of a percent, so that few values are the same.
      const std::int64_t most = std::int64_t{100} * settings_.value_spread;
      const std::int64_t off = table_.chance("value", seat, i).between(-most, most);
      own_values_[cell(seat, i)] = whole_dollars({item(i).value.cents * (10'000 + off) / 10'000});
    }
  }
  own_yardsticks_ = yardsticks(settings_, prepared_.items, bidders, own_values_);
}

void Match::lay_out_lots() {
  for (int seat = 0; seat < seats_; ++seat)
    for (int place = 0; place < items_; ++place) {
      const int i = item_at(place);
      Lot lot{item(i).name, item(i).price, std::nullopt, std::nullopt};
      if (bidder(seat).sees_estimates) lot.estimate = thought_value(seat, i);
      lots_.push_back(lot);
    }
  for (int place = 0; place < items_; ++place) in_order_.push_back(item(item_at(place)).name);
}

void Match::open() {
  agon::InlineList<OnSale, kMaxItems> on_sale;
  table_.announce(kOpening, [&] {
    for (const Lot& lot : lots(0, 0)) on_sale.push_back({lot.item, lot.price});
    return Opening{{names_.data(), static_cast<std::size_t>(seats_)}, on_sale};
  });
  for (int seat = 0; seat < seats_; ++seat)
    table_.tell(seat, kPrivate, [&] {
      return PrivateFacts{account(seat).budget, bidder(seat).settings.desire, bidder(seat).wanted,
                          lots(seat, 0)};
    });
  agon::InlineList<TrueValue, kMaxItems> values;
  table_.note(kTrueValues, [&] {
    for (int place = 0; place < items_; ++place)
      values.push_back({item(item_at(place)).name, item(item_at(place)).value});
    return TrueValues{values};
  });
  for (int seat = 0; seat < seats_ && prepared_.is_private; ++seat)
    table_.note(kPrivateValues, [&] {
      values.clear();
      for (int place = 0; place < items_; ++place)
        values.push_back({item(item_at(place)).name, value(seat, item_at(place))});
      return PrivateValues{name(seat), values};
    });
}

void Match::sell(int place) {
  const int i = item_at(place);
  put_up(place);
  War war(prepared_.war, seats_, start_price_);
  moves_.clear();
  round_starts_ = last_round_starts_ = 0;
  for (int seat = 0; seat < seats_ && !minds_.empty(); ++seat)
    mind(seat).held_plan[static_cast<std::size_t>(i)] =
        static_cast<std::int8_t>(lot(seat, place).priority.value_or(0));
  show_item(place);
  publish(kLot, [&] { return LotOpened{place + 1, item(i).name, start_price_}; });
  if (const auto told = told_reserve(); told && *told > start_price_)
    table_.announce(kReserve, [&] { return ReserveSet{item(i).name, *told}; });
  for (;;) {
    const bool first = place == 0 || settings_.talk_time == TalkTime::item;
    if (settings_.talk_time == TalkTime::round || (first && war.round() == 0)) talk(war, place);
    ask_for_bids(war, place);
    const int tied = static_cast<int>(war.tied().size());
    const int drawn = draw_leader(war, i);
    const War::Verdict verdict = war.close(drawn);
    ++totals_.rounds;
    totals_.ties += tied > 1 ? 1 : 0;
    publish(kRound, [&] {
      RoundClosed event{item(i).name, war.round(),  std::span(moves_).subspan(round_starts_),
                        std::nullopt, std::nullopt, tied};
      if (war.leader() >= 0) {
        event.leader = name(war.leader());
        event.leading_bid = war.moment().leading_bid;
      }
      return event;
    });
    last_round_starts_ = round_starts_;
    round_starts_ = moves_.size();
    if (verdict == War::Verdict::reopened) {
      ++totals_.discounts;
      publish(kDiscount, [&] { return PriceCut{item(i).name, war.moment().start_price}; });
    } else if (verdict != War::Verdict::goes_on) {
      const bool led = verdict == War::Verdict::sold;
      const bool sold = led && *war.moment().leading_bid >= reserve_;
      totals_.capped += sold && war.capped() ? 1 : 0;
      if (led && !sold) {
        ++totals_.reserve_unmet;
        table_.announce(kReserveUnmet, [&] {
          return ReserveUnmet{item(i).name, name(war.leader()), *war.moment().leading_bid};
        });
      }
      settle(war, place, sold);
      return;
    }
  }
}

/// Some steps up, not above what the bidder takes the item for; none that it cannot pay.
static agon::Limit<Bid> usual_raise(const BidView& seen) {
  constexpr std::int64_t steps = 5;
  const agon::Money some = seen.minimum + seen.increment * steps;
  const agon::Money worth = std::max(seen.minimum, seen.estimate.value_or(some));
  return agon::usual(&Bid::move, &Raise::amount, seen.minimum,
                     std::min({some, worth, seen.budget}));
}

void Match::ask_for_bids(War& war, int place) {
  const War::SeatList asked = war.asked();
  if (asked.empty()) return;
  if (settings_.guide_bids) {
    // The limits say all that a check could.
    hear(war, place, asked, [&](int seat) {
      const BidView& seen = show_round(war, seat);
      return agon::asking<Bid>(agon::view([&seen]() -> const BidView& { return seen; }),
                               agon::allow_if(&Bid::move, {true, seen.budget >= seen.minimum}),
                               agon::limit(&Bid::move, &Raise::amount, seen.minimum, seen.budget),
                               usual_raise(seen));
    });
  } else {
    hear(war, place, asked, [&](int seat) {
      const BidView& seen = show_round(war, seat);
      const agon::Money most{static_cast<std::int64_t>(kMostCents)};
      return agon::asking<Bid>(agon::view([&seen]() -> const BidView& { return seen; }),
                               agon::allow_if(&Bid::move, {true, true}),
                               agon::limit(&Bid::move, &Raise::amount, agon::Money{0}, most),
                               usual_raise(seen), agon::check([&war, &seen](const Bid& bid) {
                                 const Raise* raise = std::get_if<Raise>(&bid.move);
                                 return raise == nullptr
                                            ? std::string{}
                                            : bid_problem(war.moment(), seen.budget, raise->amount);
                               }));
    });
  }
}

template <class Question>
void Match::hear(War& war, int place, std::span<const int> asked, const Question& question) {
  if (asked.size() == 1) {  // the most frequent case, and cheaper without a list
    auto only = question(asked[0]);
    take_bid(war, place, asked[0], table_.ask_as(asked[0], kBid, only));
    return;
  }
  const auto answers = table_.ask_all(asked, kBid, question);
  for (std::size_t k = 0; k < asked.size(); ++k) take_bid(war, place, asked[k], answers[k]);
}

void Match::take_bid(War& war, int place, int seat, const agon::Answer<Bid>& answer) {
  const int i = item_at(place);
  Account& mine = account(seat);
  mine.failed += answer.illegal();
  mine.answers += answer.rejected() + (answer.forced() ? 0 : 1);
  moves_.push_back({war.round() + 1, name(seat), std::nullopt});
  Move& move = moves_.back();
  if (const Raise* raise = std::get_if<Raise>(&answer.move)) {
    war.bid(seat, raise->amount);
    move.bid = raise->amount;
    ++mine.bids;
    if (++bids_for(seat, i) == 1) ++result(i).bidders;
  } else {
    war.withdraw(seat);
  }
  if (!answer.forced()) return;
  ++mine.forced;
  table_.note(kForcedWithdrawal, [&] {
    return ForcedWithdrawal{name(seat), item(i).name, war.round() + 1, answer.rejected()};
  });
}

void Match::show_item(int place) {
  views_.clear();
  for (int seat = 0; seat < seats_; ++seat) {
    const Lot& lot = lots(seat, place).front();
    views_.push_back({});
    BidView& view = views_.back();
    view.item = lot.item;
    view.number = place + 1;
    view.estimate = lot.estimate;
    view.priority = lot.priority;
    view.budget = account(seat).budget;
    view.desire = bidder(seat).settings.desire;
    view.wanted = bidder(seat).wanted;
    view.later = lots(seat, place).subspan(1);
    view.sales = sales_;
    view.markup = settings_.markup;
    show_account(view, seat);
    view.tips = tips(seat);
    view.spite = spite(seat);
    view.reserve = told_reserve();
    view.me = name(seat);
  }
}

const BidView& Match::show_round(const War& war, int seat) {
  const BidMoment& moment = war.moment();
  BidView& view = views_[static_cast<std::size_t>(seat)];
  view.round = war.round() + 1;
  view.start_price = moment.start_price;
  view.leader.reset();
  if (war.leader() >= 0) view.leader = name(war.leader());
  view.leading_bid = moment.leading_bid;
  // While answers come in, moves_ holds the rounds before this one only.
  view.last_round =
      std::span(moves_).subspan(last_round_starts_).first(round_starts_ - last_round_starts_);
  view.increment = moment.step;
  view.minimum = moment.minimum();
  view.talk = talk_;
  view.my_bids = bids_for(seat, item_at(view.number - 1));
  return view;
}

int Match::draw_leader(const War& war, int item) {
  const War::SeatList& tied = war.tied();
  if (tied.empty()) return -1;
  if (tied.size() == 1) return tied[0];
  for (const PreparedTie& tie : prepared_.ties)
    if (tie.item == item && tie.round == war.round() &&
        std::find(tied.begin(), tied.end(), tie.winner) != tied.end())
      return tie.winner;
  agon::RandomStream luck = table_.chance("tie", item, war.round());
  if (settings_.ties == TieRule::uniform) return luck.one_of({tied.data(), tied.size()});
  // Every seat has a coin of its own, so that one draw serves all ties.
  int leader = tied[0];
  for (int seat = 0; seat <= tied.back(); ++seat) {
    const bool leads = luck.below(2) == 1;
    if (leads && std::find(tied.begin(), tied.end(), seat) != tied.end()) leader = seat;
  }
  return leader;
}

void Match::settle(const War& war, int place, bool sold) {
  const int i = item_at(place);
  Sale sale{item(i).name, std::nullopt, std::nullopt, std::nullopt};
  result(i).to_beat = std::max(war.moment().minimum(), reserve_);
  if (sold) {
    const int winner = war.leader();
    const agon::Money price = *war.moment().leading_bid;
    const agon::Money worth = value(winner, i);
    const agon::Money thought = thought_value(winner, i);
    Account& mine = account(winner);
    mine.budget -= price;
    mine.spent += price;
    mine.profit += worth - price;
    mine.overpaid += std::max(price - thought, agon::Money{0});
    mine.losses += std::max(price - worth, agon::Money{0});
    ++mine.items_won;
    if ((bidder(winner).wants >> i & 1U) != 0) ++mine.wanted_won;
    result(i).winner = winner;
    result(i).price = price;
    sale = {item(i).name, name(winner), price, worth};
    if (prepared_.is_private) sale.value.reset();
    if (is_shill(winner)) {
      ++totals_.bought_back;
    } else {
      ++totals_.items_sold;
      totals_.revenue += price;
      totals_.value_sold += worth;
      totals_.items_at_a_loss += price > worth ? 1 : 0;
      totals_.uncontested += result(i).bidders == 1 ? 1 : 0;
      agon::Money most;
      for (int seat = 0; seat < seats_; ++seat)
        if (is_buyer(bidder(seat).settings, item(i))) most = std::max(most, value(seat, i));
      totals_.well_placed += worth >= most ? 1 : 0;
    }
  } else {
    ++totals_.items_unsold;
  }
  sales_.push_back(sale);
  publish(kHammer, [&] { return sale; });
  if (sold && prepared_.is_private)
    table_.tell(war.leader(), kOwnValue, [&] {
      const Sale own = sale_to(war.leader(), place);
      return OwnValue{own.item, *own.value, *own.value - *own.price};
    });
}

}  // namespace english_auction

// What an auction has beyond AucArena: a seller at the table, and talk among bidders.

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

agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared) {
  return Match(table, settings, prepared).play();
}

}  // namespace english_auction
