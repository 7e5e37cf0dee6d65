#include "ebay/play.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>

namespace ebay {

using agon::money_text;

std::string tell(const Worth&, const agon::Scene&) {
  return {};  // it stands in every view
}

std::string tell(const Morning& m, const agon::Scene&) {
  std::string text =
      fmt::format("Day {} of {} begins at a price of {}.", m.day, m.days, money_text(m.price));
  text += m.order.empty() ? " The order of the turns is not told."
                          : fmt::format(" The order of the turns: {}.", fmt::join(m.order, ", "));
  return text;
}

std::string tell(const PriceLine& line, const agon::Scene&) {
  return fmt::format(
      "Day {}, after {}: the price is {}.", line.day,
      line.bidder ? "the turn of " + std::string(*line.bidder) : fmt::format("turn {}", line.turn),
      money_text(line.price));
}

std::string tell(const Extended& e, const agon::Scene&) {
  return fmt::format("Day {}: the end is put off; day {} is the last now.", e.day, e.days);
}

std::string tell(const Close& close, const agon::Scene&) {
  if (close.winner)
    return fmt::format("The auction is over after day {}: {} gets the item and pays {}.", close.day,
                       *close.winner, money_text(close.price));
  return fmt::format(
      "The auction is over after day {}: the item is not sold. The price stood at "
      "{}.",
      close.day, money_text(close.price));
}

std::string tell(const Hidden& hidden, const agon::Scene&) {
  std::vector<std::vector<std::string>> rows;
  for (const Truth& t : hidden.bidders)
    rows.push_back({std::string(t.name), money_text(t.value),
                    t.maximum.cents == 0 ? "never bid" : money_text(t.maximum)});
  constexpr std::array<std::string_view, 3> headings{"name", "value", "last maximum"};
  std::string text = hidden.leader ? fmt::format("{} led at the close. ", *hidden.leader)
                                   : "Nobody led at the close. ";
  if (hidden.reserve)
    text += fmt::format("The hidden reserve was {}. ", money_text(*hidden.reserve));
  return text + "What was hidden:\n" + agon::small_table(headings, rows);
}

std::string tell(const Desk& d, const agon::Scene& scene) {
  const Settings& settings = scene.settings<Settings>();
  const bool extendable = settings.soft_close && d.days < settings.max_days;
  // The order of the turns was told in the morning.
  std::string text = d.day == d.days
                         ? fmt::format("It is day {}, the last", d.day)
                         : fmt::format("It is day {}; the last is day {}", d.day, d.days);
  text += extendable ? " as things stand." : ".";
  text += fmt::format("\nThe item is worth {} to you. The price now is {}. ", money_text(d.value),
                      money_text(d.price));
  text += d.maximum.cents == 0
              ? fmt::format("You have not bid yet; a bid can be from {} to {}.",
                            money_text(d.lowest_bid), money_text(d.highest_bid))
              : fmt::format(
                    "The most you have told your proxy to pay is {}; a new bid cannot be "
                    "below that, nor above {}.",
                    money_text(d.maximum), money_text(d.highest_bid));
  if (d.lowest_bid < d.price) text += " With a bid below the price now you cannot lead.";
  return text;
}

Standing stand(std::span<const agon::Money> maxima, agon::Money start_price, agon::Money step) {
  Standing s;
  agon::Money second{};
  for (std::size_t i = 0; i < maxima.size(); ++i) {
    const agon::Money m = maxima[i];
    if (m.cents <= 0) continue;
    if (m > s.top) {
      second = s.top;
      s.top = m;
      s.leaders = 1U << i;
    } else {
      second = std::max(second, m);
      s.leaders |= m == s.top ? 1U << i : 0U;
    }
  }
  s.price = second.cents > 0 ? std::min(s.top, second + step) : start_price;
  return s;
}

bool is_sold(const Standing& standing, const Settings& settings) {
  if (standing.leaders == 0 && settings.no_bids == NoBids::no_sale) return false;
  if (!settings.reserve) return true;
  return settings.reserve_test == ReserveTest::price ? standing.price >= *settings.reserve
                                                     : standing.top > *settings.reserve;
}

void Closing::bid(bool took_lead) {
  bid_since_ = true;
  lead_taken_ = lead_taken_ || took_lead;
}

bool Closing::end_day(int day) {
  const bool lead_taken = lead_taken_;
  lead_taken_ = false;
  if (!settings_.soft_close || days_ >= settings_.max_days) return false;
  const bool more = settings_.close_rule == CloseRule::new_leader ? day == days_ && lead_taken
                                                                  : day == days_ - 1 && bid_since_;
  if (!more) return false;
  ++days_;
  bid_since_ = false;
  return true;
}

namespace {

/// One auction in the making.
class Match {
 public:
  Match(Table table, const Settings& settings)
      : table_(table), settings_(settings), closing_(settings) {
    for (int seat = 0; seat < table.seats(); ++seat) {
      seats_.push_back({});
      maxima_.push_back({});
      names_.push_back(settings.bidders[static_cast<std::size_t>(seat)]);
      seats_.back().value = draw_value(seat);
    }
    standing_ = standing();
  }
  Match(const Match&) = delete;
  Match& operator=(const Match&) = delete;

  agon::Outcome play() {
    for (int seat = 0; seat < table_.seats(); ++seat)
      table_.tell(seat, kWorth, [&] { return Worth{tally(seat).value}; });
    for (day_ = 1;; ++day_) {
      draw_order();
      play_day();
      if (closing_.end_day(day_)) {
        ++match_.extensions;
        table_.announce(kExtended, [&] { return Extended{day_, closing_.days()}; });
      }
      if (day_ >= closing_.days()) break;
    }
    return close();
  }

 private:
  SeatMetrics& tally(int seat) { return seats_[static_cast<std::size_t>(seat)]; }
  agon::Money& maximum(int seat) { return maxima_[static_cast<std::size_t>(seat)]; }
  [[nodiscard]] Standing standing() const {
    return stand(maxima_, settings_.start_price, settings_.step);
  }

  /// Whether the seat would win now, or be among those of whom the winner is drawn.
  [[nodiscard]] bool leads(int seat) const {
    if (settings_.tie == TieRule::random) return standing_.leads(seat);
    return standing_.leads(seat) && std::countr_zero(standing_.leaders) == seat;
  }

  agon::Money draw_value(int seat) {
    if (!settings_.value_list.empty()) return settings_.value_list[static_cast<std::size_t>(seat)];
    return agon::major(
        table_.chance("value", seat).between(settings_.values[0], settings_.values[1]));
  }

  void draw_order() {
    order_.clear();
    if (static_cast<std::size_t>(day_) <= settings_.orders.size()) {
      for (const int seat : settings_.orders[static_cast<std::size_t>(day_) - 1])
        order_.push_back(seat);
    } else {
      for (int seat = 0; seat < table_.seats(); ++seat) order_.push_back(seat);
      table_.chance("order", day_).shuffle(std::span<int>(order_));
    }
    // Told in the morning, but not on what is to be the last day.
    told_order_.clear();
    if (day_ < closing_.days())
      for (const int seat : order_) told_order_.push_back(names_[static_cast<std::size_t>(seat)]);
  }

  void play_day() {
    match_.last_day_raises = 0;
    for (SeatMetrics& seat : seats_) seat.last_day_raises = 0;
    table_.announce(kMorning, [&] {
      return Morning{day_, closing_.days(), standing_.price, told_order_};
    });
    int turns = 0;
    for (const int seat : order_) {
      const Turn turn = ask(seat);
      if (turn.bid)
        bid(seat, *turn.bid);
      else
        ++tally(seat).holds;
      prices_.push_back({day_, ++turns, std::nullopt, standing_.price});
      if (!told_order_.empty()) prices_.back().bidder = names_[static_cast<std::size_t>(seat)];
      table_.announce(kPrice, prices_.back());
    }
  }

  Turn ask(int seat) {
    const agon::Money lowest = std::max({maximum(seat), settings_.start_price, agon::Money{1}});
    return table_.ask(
        seat, kBid, agon::limit(&Turn::bid, lowest, settings_.highest_bid),
        agon::usual(&Turn::bid, lowest, std::min(tally(seat).value, settings_.highest_bid)),
        agon::view([this, seat, lowest] {
          return Desk{.name = names_[static_cast<std::size_t>(seat)],
                      .value = tally(seat).value,
                      .day = day_,
                      .days = closing_.days(),
                      .price = standing_.price,
                      .maximum = maximum(seat),
                      .lowest_bid = lowest,
                      .highest_bid = settings_.highest_bid,
                      .step = settings_.step,
                      .order = told_order_,
                      .prices = prices_};
        }));
  }

  void bid(int seat, agon::Money amount) {
    SeatMetrics& mine = tally(seat);
    ++mine.bids;
    ++match_.bids;
    if (!mine.first_bid_day) mine.first_bid_day = day_;
    if (amount > maximum(seat)) {
      ++mine.raises;
      ++match_.raises;
      ++mine.last_day_raises;
      ++match_.last_day_raises;
      mine.last_raise_day = day_;
    }
    const bool led = leads(seat);
    maximum(seat) = amount;
    standing_ = standing();
    const bool took_lead = !led && leads(seat);
    match_.lead_changes += took_lead;
    closing_.bid(took_lead);
  }

  /// Who has the highest maximum; -1 if nobody bid and nothing is sold then.
  int draw_leader() {
    if (standing_.leaders == 0) return settings_.no_bids == NoBids::first_seat ? 0 : -1;
    const int first = std::countr_zero(standing_.leaders);
    const int tied = std::popcount(standing_.leaders);
    match_.tied = tied > 1;
    if (tied == 1 || settings_.tie == TieRule::first_seat) return first;
    if (!settings_.tie_order.empty())
      return *std::find_if(settings_.tie_order.begin(), settings_.tie_order.end(),
                           [&](int seat) { return standing_.leads(seat); });
    agon::InlineList<int, agon::kMaxSeats> leaders;
    for (int seat = 0; seat < table_.seats(); ++seat)
      if (standing_.leads(seat)) leaders.push_back(seat);
    return table_.chance("tie").one_of(leaders);
  }

  agon::Outcome close() {
    const int leader = draw_leader();
    const bool sold = leader >= 0 && is_sold(standing_, settings_);
    table_.announce(kClose, [&] {
      Close event{day_, sold, {}, standing_.price};
      if (sold) event.winner = names_[static_cast<std::size_t>(leader)];
      return event;
    });
    table_.note(kHidden, [&] {
      Hidden hidden{{}, settings_.reserve, {}};
      for (std::size_t i = 0; i < seats_.size(); ++i)
        hidden.bidders.push_back({names_[i], seats_[i].value, maxima_[i]});
      if (leader >= 0) hidden.leader = names_[static_cast<std::size_t>(leader)];
      return hidden;
    });
    agon::Outcome result(table_.seats());
    for (int seat = 0; seat < table_.seats(); ++seat) {
      SeatMetrics& mine = tally(seat);
      mine.won = sold && seat == leader;
      mine.maximum = maximum(seat);
      if (mine.won) mine.paid = standing_.price;
      const agon::Money profit = mine.won ? mine.value - standing_.price : agon::Money{};
      mine.sniped = mine.first_bid_day == day_;
      mine.overbid = mine.maximum > mine.value;
      if (mine.bids > 0) mine.bid_gap = mine.maximum - mine.value;
      mine.regret = std::max(agon::Money{}, truthful_profit(seat) - profit);
      match_.snipers += mine.sniped;
      const agon::Money best = best_profit(mine.value);
      // With nothing to be won there is no scale to measure on.
      const double none = std::numeric_limits<double>::quiet_NaN();
      const bool is_pie = best.cents > 0;
      result
          .seat(seat, {.score = profit,
                       .disagreement = is_pie ? 0 : none,
                       .ideal = is_pie ? static_cast<double>(best.cents) : none})
          .seat_metrics(seat, mine);
    }
    summarise(leader, sold);
    result.match_metrics(match_);
    return result;
  }

  /// What the seat would have got with its value as its maximum, the others' as they are.
  agon::Money truthful_profit(int seat) {
    auto maxima = maxima_;
    const agon::Money value = std::min(tally(seat).value, settings_.highest_bid);
    maxima[static_cast<std::size_t>(seat)] = value;
    const Standing s = stand(maxima, settings_.start_price, settings_.step);
    const bool wins = s.leaders == 1U << seat && value >= settings_.start_price;
    return wins && is_sold(s, settings_) ? tally(seat).value - s.price : agon::Money{};
  }

  /// The most that a bidder can gain while the others gain nothing.
  [[nodiscard]] agon::Money best_profit(agon::Money value) const {
    agon::Money price = settings_.start_price;
    if (settings_.reserve && settings_.reserve_test == ReserveTest::price)
      price = std::max(price, *settings_.reserve);
    return value - price;
  }

  void summarise(int leader, bool sold) {
    MatchMetrics& m = match_;
    m.sold = sold;
    m.price = standing_.price;
    if (sold) m.revenue = standing_.price;
    m.no_bids = standing_.leaders == 0;
    m.reserve_failed = !sold && !m.no_bids;
    m.days = day_;
    if (leader >= 0 && tally(leader).last_raise_day) {
      m.final_bid_day = tally(leader).last_raise_day;
      m.final_bid_to_end = day_ - *m.final_bid_day;
      m.final_bid_on_last_day = *m.final_bid_day == day_;
    }
    if (m.raises > 0) m.last_day_share = static_cast<double>(m.last_day_raises) / m.raises;
    agon::InlineList<agon::Money, kMaxBidders> values;
    for (const SeatMetrics& seat : seats_) values.push_back(seat.value);
    const agon::Money highest = *std::max_element(values.begin(), values.end());
    if (sold) m.efficient = tally(leader).value == highest;
    if (highest.cents > 0)
      m.surplus_share =
          sold ? static_cast<double>(tally(leader).value.cents) / static_cast<double>(highest.cents)
               : 0.0;
    for (agon::Money& value : values) {
      value = std::min(value, settings_.highest_bid);
      if (value < settings_.start_price) value = {};
    }
    m.truthful_price = stand(values, settings_.start_price, settings_.step).price;
    m.price_gap = m.price - m.truthful_price;
  }

  Table table_;
  const Settings& settings_;
  Closing closing_;
  int day_ = 0;
  Standing standing_;
  agon::InlineList<std::string_view, kMaxBidders> names_;
  agon::InlineList<agon::Money, kMaxBidders> maxima_;
  agon::InlineList<SeatMetrics, kMaxBidders> seats_;
  agon::InlineList<int, kMaxBidders> order_;
  agon::InlineList<std::string_view, kMaxBidders> told_order_;
  agon::InlineList<PriceLine, std::size_t{kMaxDays} * kMaxBidders> prices_;
  MatchMetrics match_;
};

}  // namespace

agon::Outcome play(Table table, const Settings& settings) {
  return Match(table, settings).play();
}

}  // namespace ebay
