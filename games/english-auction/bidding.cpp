#include <algorithm>

#include "english-auction/match.hpp"

namespace english_auction {

void Bidding::sell(int place) {
  const int i = auction_.item_at(place);
  put_up(place);
  War war(auction_.prepared.war, auction_.seats, start_price_);
  moves_.clear();
  round_starts_ = last_round_starts_ = 0;
  minds_.hold_plans(place);
  show_item(place);
  publish(kLot, [&] { return LotOpened{place + 1, auction_.item(i).name, start_price_}; });
  if (const auto told = told_reserve(); told && *told > start_price_)
    auction_.table.announce(kReserve, [&] { return ReserveSet{auction_.item(i).name, *told}; });
  for (;;) {
    const bool first = place == 0 || auction_.settings.talk_time == TalkTime::item;
    if (auction_.settings.talk_time == TalkTime::round || (first && war.round() == 0))
      talk(war, place);
    ask_for_bids(war, place);
    const int tied = static_cast<int>(war.tied().size());
    const int drawn = draw_leader(war, i);
    const War::Verdict verdict = war.close(drawn);
    ++auction_.totals.rounds;
    auction_.totals.ties += tied > 1 ? 1 : 0;
    publish(kRound, [&] {
      RoundClosed event{
          auction_.item(i).name, war.round(),  std::span(moves_).subspan(round_starts_),
          std::nullopt,          std::nullopt, tied};
      if (war.leader() >= 0) {
        event.leader = auction_.name(war.leader());
        event.leading_bid = war.moment().leading_bid;
      }
      return event;
    });
    last_round_starts_ = round_starts_;
    round_starts_ = moves_.size();
    if (verdict == War::Verdict::reopened) {
      ++auction_.totals.discounts;
      publish(kDiscount, [&] { return PriceCut{auction_.item(i).name, war.moment().start_price}; });
    } else if (verdict != War::Verdict::goes_on) {
      return finish(war, place);
    } else if (conduct(war, place)) {
      auction_.result(i).closed = true;
      return finish(war, place);
    }
  }
}

void Bidding::finish(const War& war, int place) {
  const bool led = war.leader() >= 0;
  const bool sold = led && *war.moment().leading_bid >= reserve_;
  auction_.totals.capped += sold && war.capped() ? 1 : 0;
  if (led && !sold) {
    ++auction_.totals.reserve_unmet;
    auction_.table.announce(kReserveUnmet, [&] {
      return ReserveUnmet{auction_.item(auction_.item_at(place)).name, auction_.name(war.leader()),
                          *war.moment().leading_bid};
    });
  }
  settle(war, place, sold);
}

template <class View>
void Bidding::show_seller(View& view, int place, agon::InlineList<Lot, kMaxItems>& later) const {
  const Item& listed = auction_.item(auction_.item_at(place));
  view.item = listed.name;
  view.number = place + 1;
  view.estimate = estimate(listed.value, auction_.settings.seller_overestimate);
  view.cost = cost_of(listed, auction_.settings);
  for (const Lot& lot : auction_.lots(0, place).subspan(1))  // without what a bidder thinks of them
    later.push_back({lot.item, lot.price, std::nullopt, std::nullopt});
  view.later = later;
  view.sales = auction_.sales;
  // What a shill bought is told as the others' are: the seller does not know who is one.
  for (const Sale& sale : view.sales)
    if (sale.price) view.revenue += *sale.price;
}

ConductView Bidding::conduct_view(const War& war, int place,
                                  agon::InlineList<Lot, kMaxItems>& later) const {
  const BidMoment& moment = war.moment();
  ConductView view;
  show_seller(view, place, later);
  view.round = war.round();
  view.start_price = moment.start_price;
  view.leader = auction_.name(war.leader());
  view.leading_bid = *moment.leading_bid;
  view.step = moment.step;
  view.lowest = increment(moment.start_price, auction_.settings.markup);
  view.highest = std::max(view.lowest, moment.start_price);
  view.bidders_left = static_cast<int>(war.asked().size());
  if (reserve_.cents > 0) view.reserve = reserve_;
  view.last_round =
      std::span(moves_).subspan(last_round_starts_).first(round_starts_ - last_round_starts_);
  return view;
}

bool Bidding::conduct(War& war, int place) {
  if (!auction_.settings.seller_acts.value_or(false)) return false;
  agon::InlineList<Lot, kMaxItems> later;
  const ConductView view = conduct_view(war, place, later);
  const auto answer = auction_.table.ask(
      auction_.seats, kConduct, agon::view([&view]() -> const ConductView& { return view; }),
      agon::allow_if(&Conduct::action, {true, view.lowest < view.highest, true}),
      agon::limit(&Conduct::action, &ChangeStep::step, view.lowest, view.highest),
      agon::limit_length(&Conduct::words, 0, auction_.settings.talk_length));
  Conducted event{view.item, view.round, std::nullopt, false, answer.words};
  if (event.words.find_first_not_of(" \t\r\n") == std::string_view::npos) event.words = {};
  if (const ChangeStep* change = std::get_if<ChangeStep>(&answer.action);
      change != nullptr && change->step != view.step) {
    event.step = change->step;
    war.set_step(change->step);
  }
  event.closed = std::holds_alternative<CloseNow>(answer.action);
  if (event.step || event.closed || !event.words.empty())
    publish(kConducted, [&] { return event; });
  return event.closed;
}

/// Some steps up, not above what the bidder takes the item for; none that it cannot pay.
static agon::Limit<Bid> usual_raise(const BidView& seen) {
  constexpr std::int64_t steps = 5;
  const agon::Money some = seen.minimum + seen.increment * steps;
  const agon::Money worth = std::max(seen.minimum, seen.estimate.value_or(some));
  return agon::usual(&Bid::move, &Raise::amount, seen.minimum,
                     std::min({some, worth, seen.budget}));
}

void Bidding::ask_for_bids(War& war, int place) {
  const War::SeatList asked = war.asked();
  if (asked.empty()) return;
  if (auction_.settings.guide_bids) {
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
void Bidding::hear(War& war, int place, std::span<const int> asked, const Question& question) {
  if (asked.size() == 1) {  // the most frequent case, and cheaper without a list
    auto only = question(asked[0]);
    take_bid(war, place, asked[0], auction_.table.ask_as(asked[0], kBid, only));
    return;
  }
  const auto answers = auction_.table.ask_all(asked, kBid, question);
  for (std::size_t k = 0; k < asked.size(); ++k) take_bid(war, place, asked[k], answers[k]);
}

void Bidding::take_bid(War& war, int place, int seat, const agon::Answer<Bid>& answer) {
  const int i = auction_.item_at(place);
  Account& mine = auction_.account(seat);
  mine.failed += answer.illegal();
  mine.answers += answer.rejected() + (answer.forced() ? 0 : 1);
  moves_.push_back({war.round() + 1, auction_.name(seat), std::nullopt});
  Move& move = moves_.back();
  if (const Raise* raise = std::get_if<Raise>(&answer.move)) {
    war.bid(seat, raise->amount);
    move.bid = raise->amount;
    ++mine.bids;
    if (++mine.bids_for[static_cast<std::size_t>(i)] == 1) ++auction_.result(i).bidders;
  } else {
    war.withdraw(seat);
  }
  if (!answer.forced()) return;
  ++mine.forced;
  auction_.table.note(kForcedWithdrawal, [&] {
    return ForcedWithdrawal{auction_.name(seat), auction_.item(i).name, war.round() + 1,
                            answer.rejected()};
  });
}

void Bidding::show_item(int place) {
  views_.clear();
  for (int seat = 0; seat < auction_.seats; ++seat) {
    const Lot& lot = auction_.lots(seat, place).front();
    views_.push_back({});
    BidView& view = views_.back();
    view.item = lot.item;
    view.number = place + 1;
    view.estimate = lot.estimate;
    view.priority = lot.priority;
    view.budget = auction_.account(seat).budget;
    view.desire = auction_.bidder(seat).settings.desire;
    view.wanted = auction_.bidder(seat).wanted;
    view.later = auction_.lots(seat, place).subspan(1);
    view.sales = auction_.sales;
    view.markup = auction_.settings.markup;
    minds_.show_account(view, seat);
    view.tips = minds_.tips(seat);
    view.spite = auction_.spite(seat);
    view.reserve = told_reserve();
    view.me = auction_.name(seat);
  }
}

const BidView& Bidding::show_round(const War& war, int seat) {
  const BidMoment& moment = war.moment();
  BidView& view = views_[static_cast<std::size_t>(seat)];
  view.round = war.round() + 1;
  view.start_price = moment.start_price;
  view.leader.reset();
  if (war.leader() >= 0) view.leader = auction_.name(war.leader());
  view.leading_bid = moment.leading_bid;
  // While answers come in, moves_ holds the rounds before this one only.
  view.last_round =
      std::span(moves_).subspan(last_round_starts_).first(round_starts_ - last_round_starts_);
  view.increment = moment.step;
  view.minimum = moment.minimum();
  view.talk = talk_;
  view.my_bids =
      auction_.account(seat).bids_for[static_cast<std::size_t>(auction_.item_at(view.number - 1))];
  return view;
}

int Bidding::draw_leader(const War& war, int item) {
  const War::SeatList& tied = war.tied();
  if (tied.empty()) return -1;
  if (tied.size() == 1) return tied[0];
  for (const PreparedTie& tie : auction_.prepared.ties)
    if (tie.item == item && tie.round == war.round() &&
        std::find(tied.begin(), tied.end(), tie.winner) != tied.end())
      return tie.winner;
  agon::RandomStream luck = auction_.table.chance("tie", item, war.round());
  if (auction_.settings.ties == TieRule::uniform) return luck.one_of({tied.data(), tied.size()});
  // Every seat has a coin of its own, so that one draw serves all ties.
  int leader = tied[0];
  for (int seat = 0; seat <= tied.back(); ++seat) {
    const bool leads = luck.below(2) == 1;
    if (leads && std::find(tied.begin(), tied.end(), seat) != tied.end()) leader = seat;
  }
  return leader;
}

void Bidding::settle(const War& war, int place, bool sold) {
  const int i = auction_.item_at(place);
  Sale sale{auction_.item(i).name, std::nullopt, std::nullopt, std::nullopt};
  auction_.result(i).to_beat = std::max(war.moment().minimum(), reserve_);
  if (sold) {
    const int winner = war.leader();
    const agon::Money price = *war.moment().leading_bid;
    const agon::Money worth = auction_.value(winner, i);
    const agon::Money thought = auction_.thought_value(winner, i);
    Account& mine = auction_.account(winner);
    mine.budget -= price;
    mine.spent += price;
    mine.profit += worth - price;
    mine.overpaid += std::max(price - thought, agon::Money{0});
    mine.losses += std::max(price - worth, agon::Money{0});
    ++mine.items_won;
    if ((auction_.bidder(winner).wants >> i & 1U) != 0) ++mine.wanted_won;
    auction_.result(i).winner = winner;
    auction_.result(i).price = price;
    sale = {auction_.item(i).name, auction_.name(winner), price, worth};
    if (auction_.prepared.is_private) sale.value.reset();
    if (auction_.is_shill(winner)) {
      ++auction_.totals.bought_back;
    } else {
      ++auction_.totals.items_sold;
      auction_.totals.revenue += price;
      auction_.totals.value_sold += worth;
      auction_.totals.items_at_a_loss += price > worth ? 1 : 0;
      auction_.totals.uncontested += auction_.result(i).bidders == 1 ? 1 : 0;
      agon::Money most;
      for (int seat = 0; seat < auction_.seats; ++seat)
        if (is_buyer(auction_.bidder(seat).settings, auction_.item(i)))
          most = std::max(most, auction_.value(seat, i));
      auction_.totals.well_placed += worth >= most ? 1 : 0;
    }
  } else {
    ++auction_.totals.items_unsold;
  }
  auction_.sales.push_back(sale);
  publish(kHammer, [&] { return sale; });
  if (sold && auction_.prepared.is_private)
    auction_.table.tell(war.leader(), kOwnValue, [&] {
      const Sale own = auction_.sale_to(war.leader(), place);
      return OwnValue{own.item, *own.value, *own.value - *own.price};
    });
}

void Bidding::put_up(int place) {
  const Item& listed = auction_.item(auction_.item_at(place));
  start_price_ = listed.price;
  reserve_ = agon::Money{0};
  if (!auction_.settings.seller) return;
  PutUpView view;
  agon::InlineList<Lot, kMaxItems> later;
  show_seller(view, place, later);
  view.items = auction_.items;
  view.price = listed.price;
  view.lowest = whole_dollars({listed.price.cents * auction_.settings.least_start / 100});
  view.highest = whole_dollars({listed.price.cents * auction_.settings.most_start / 100});
  view.reserve = auction_.settings.reserve;
  view.bidders = auction_.names();
  const agon::Money most_reserve =
      auction_.settings.reserve == Reserve::none ? agon::Money{0} : view.highest;
  const auto answer = auction_.table.ask(
      auction_.seats, kPutUp, agon::view([&view]() -> const PutUpView& { return view; }),
      agon::limit(&PutUp::start_price, view.lowest, view.highest),
      agon::limit(&PutUp::reserve, agon::Money{0}, most_reserve),
      agon::fallback(PutUp{std::clamp(listed.price, view.lowest, view.highest), {}}));
  start_price_ = answer.start_price;
  reserve_ = answer.reserve;
}

TalkView Bidding::talk_view(const War& war, int place, int seat, int message) const {
  const Lot& lot = auction_.lots(seat, place).front();
  TalkView view;
  view.me = auction_.name(seat);
  view.number = place + 1;
  view.round = war.round() + 1;
  view.message = message + 1;
  view.messages = auction_.settings.talk;
  view.item = lot.item;
  view.start_price = war.moment().start_price;
  view.reserve = told_reserve();
  view.estimate = lot.estimate;
  if (war.leader() >= 0) view.leader = auction_.name(war.leader());
  view.leading_bid = war.moment().leading_bid;
  view.budget = auction_.account(seat).budget;
  view.desire = auction_.bidder(seat).settings.desire;
  view.wanted = auction_.bidder(seat).wanted;
  view.spite = auction_.spite(seat);
  view.later = auction_.lots(seat, place).subspan(1);
  view.sales = auction_.sales;
  view.talk = talk_;
  return view;
}

void Bidding::hear_out(const Talked& talked) {
  if (!auction_.settings.seller || auction_.settings.seller_hears)
    return publish(kTalked, [&] { return talked; });
  log_.add(talked);
  for (int seat = 0; seat < auction_.seats; ++seat) auction_.table.tell(seat, kTalkedApart, talked);
}

void Bidding::talk(const War& war, int place) {
  War::SeatList everybody;
  for (int seat = 0; seat < auction_.seats; ++seat)
    if (auction_.bidder(seat).settings.desire != Desire::absent) everybody.push_back(seat);
  for (int message = 0; message < auction_.settings.talk; ++message) {
    const auto answers = auction_.table.ask_all(everybody, kTalk, [&](int seat) {
      return agon::asking<Message>(
          agon::view([&, seat, message] { return talk_view(war, place, seat, message); }),
          agon::limit_length(&Message::text, 0, auction_.settings.talk_length));
    });
    const std::size_t before = talk_.size();
    for (std::size_t k = 0; k < everybody.size(); ++k) {
      const int seat = everybody[k];
      const std::string& text = answers[k].text;
      if (text.find_first_not_of(" \t\r\n") == std::string::npos) continue;  // silence
      ++auction_.account(seat).messages;
      talk_.push_back({place + 1, war.round() + 1, message + 1, auction_.name(seat),
                       texts_.emplace_back(text)});
    }
    auction_.totals.silent_rounds += talk_.size() == before ? 1 : 0;
    hear_out({auction_.item(auction_.item_at(place)).name, message + 1, auction_.settings.talk,
              std::span<const Remark>(talk_).subspan(before)});
  }
}

}  // namespace english_auction
