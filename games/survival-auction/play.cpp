#include "survival-auction/play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace survival_auction {

using agon::money_text;

std::string tell(const Day& day, const agon::Scene&) {
  agon::Money highest{};
  std::vector<std::string> bidders;
  std::vector<std::vector<std::string>> rows;
  for (const ResidentDay& r : day.residents) {
    if (r.bid > highest) bidders.clear();
    highest = std::max(highest, r.bid);
    if (r.bid == highest) bidders.emplace_back(r.name);
    const bool alive = r.hp > 0;
    rows.push_back({std::string(r.name), money_text(r.bid), r.won ? "yes" : "no",
                    money_text(r.balance), alive ? std::to_string(r.hp) : "dead",
                    alive ? std::to_string(r.no_drink) : "-"});
  }
  std::string text = fmt::format("Day {}: ", day.day);
  if (day.winner)
    text += fmt::format("{} got the water for {}.", *day.winner, money_text(highest));
  else if (bidders.size() > 1)
    text += fmt::format("nobody got the water, because {} bid the most, {}, together.",
                        agon::listed(bidders), money_text(highest));
  else
    text += fmt::format("nobody got the water, because {} could not pay the highest bid, {}.",
                        agon::listed(bidders), money_text(highest));
  constexpr std::array<std::string_view, 6> headings{"name",  "bid",    "water",
                                                     "money", "health", "health lost next dry day"};
  text += "\n" + agon::small_table(headings, rows);
  for (const ResidentDay& r : day.residents)
    if (r.hp <= 0) text += "\n" + shared::drought::death_text(r.name, r.balance);
  return text;
}

std::string tell(const Morning& m, const agon::Scene&) {
  // How everybody else stands was told with the last day.
  return fmt::format(
      "It is the morning of day {} of {}, and everybody has been paid {}. You have a balance "
      "of {} and a health of {}: without water today you lose {} of it, with water you gain {}, up "
      "to {}.",
      m.day, m.day + m.days_left, money_text(m.salary), money_text(m.balance), m.hp, m.no_drink,
      m.drink_hp, m.max_hp);
}

std::optional<std::size_t> winner_of(std::span<const Offer> offers) {
  agon::Money highest{-1};
  for (const Offer& offer : offers) highest = std::max(highest, offer.bid);
  std::optional<std::size_t> winner;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    if (offers[i].bid != highest || offers[i].bid > offers[i].balance) continue;
    if (winner) return std::nullopt;
    winner = i;
  }
  return winner;
}

namespace {

namespace drought = shared::drought;

using Answers = agon::InlineList<agon::Answer<Bid>, agon::kMaxSeats>;
using Offers = agon::InlineList<Offer, kMaxResidents>;

/// Distances of a seat's bids from the highest bid of the others, in one half of the days.
struct Distance {
  std::int64_t cents = 0;
  int days = 0;
  [[nodiscard]] std::optional<double> mean() const {
    if (days == 0) return std::nullopt;
    return static_cast<double>(cents) / days;
  }
};

/// One match in the making.
class Match
    : drought::Residents<Neighbour, SeatMetrics, ResidentDay, PastDay, kMaxResidents, kMaxDays> {
 public:
  Match(Table table, const Settings& settings)
      : Residents({settings.max_hp, settings.drink_hp}), table_(table), settings_(settings) {
    for (const std::string& name : settings.residents) {
      add({.name = name, .hp = settings.start_hp});
      distances_.push_back({});
    }
  }

  agon::Outcome play() {
    for (day_ = 1; day_ <= settings_.days && !alive().empty(); ++day_) {
      for (const int seat : alive()) at(seat).balance += settings_.salary;
      settle(ask());
      bury_the_dead(table_, day_, [](int, agon::Money) {});
    }
    return outcome();
  }

 private:
  Answers ask() {
    // Where bids above the balance are taken as said, up to all that can be earned in the game.
    const agon::Money all = settings_.salary * settings_.days;
    const bool any = settings_.over_balance == OverBalance::wasted;
    return table_.ask_all(alive(), kBid, [&](int seat) {
      return agon::asking<Bid>(agon::limit(&Bid::bid, {}, any ? all : at(seat).balance),
                               agon::usual(&Bid::bid, agon::Money{}, at(seat).balance),
                               agon::view([this, seat] { return morning(seat); }));
    });
  }

  Morning morning(int seat) {
    const Neighbour& me = at(seat);
    return Morning{.day = day_,
                   .days_left = settings_.days - day_,
                   .name = me.name,
                   .salary = settings_.salary,
                   .balance = me.balance,
                   .hp = me.hp,
                   .no_drink = me.no_drink,
                   .max_hp = settings_.max_hp,
                   .drink_hp = settings_.drink_hp,
                   .town = seats(),
                   .history = past()};
  }

  void settle(const Answers& answers) {
    Offers offers;
    for (std::size_t i = 0; i < answers.size(); ++i)
      offers.push_back({answers[i].bid, at(alive()[i]).balance});
    const auto winner = winner_of(offers);
    measure(offers, winner);
    for (std::size_t i = 0; i < offers.size(); ++i) live(alive()[i], offers[i].bid, winner == i);
    keep({day_, lines()});
    table_.announce(kDay, [&] {
      Day day{day_, {}, {}};
      if (winner) day.winner = at(alive()[*winner]).name;
      for (const ResidentDay& line : lines()) day.residents.push_back(line);
      return day;
    });
  }

  void measure(const Offers& offers, std::optional<std::size_t> winner) {
    ++match_.days_played;
    agon::Money highest{};
    for (const Offer& offer : offers) highest = std::max(highest, offer.bid);
    int able = 0;
    for (const Offer& offer : offers) able += offer.bid == highest && offer.bid <= offer.balance;
    match_.days_with_winner += winner.has_value();
    match_.tied_days += able > 1;
    match_.wasted_days += able == 0;
    for (std::size_t i = 0; i < offers.size(); ++i) {
      const int seat = alive()[i];
      SeatMetrics& mine = tally(seat);
      const Offer& offer = offers[i];
      agon::Money rivals{};
      for (std::size_t j = 0; j < offers.size(); ++j)
        if (j != i) rivals = std::max(rivals, offers[j].bid);
      mine.survival_round = day_;
      mine.bid_sum += offer.bid;
      mine.wasted_bids += offer.bid > offer.balance;
      mine.tied_days += able > 1 && offer.bid == highest && offer.bid <= offer.balance;
      const bool critical = drought::is_critical(at(seat));
      mine.critical_days += critical;
      Distance& distance =
          distances_[static_cast<std::size_t>(seat)][day_ <= settings_.days / 2 ? 0 : 1];
      distance.cents += std::abs(offer.bid.cents - rivals.cents);
      ++distance.days;
      if (winner != i) continue;
      ++mine.wins;
      mine.critical_wins += critical;
      mine.spent += offer.bid;
      // Alone, nothing at all would have been enough.
      const agon::Money enough = offers.size() > 1 ? rivals + agon::Money{1} : agon::Money{};
      mine.overpaid += std::max(agon::Money{}, offer.bid - enough);
      if (!match_.price_lowest || offer.bid < *match_.price_lowest) match_.price_lowest = offer.bid;
      if (!match_.price_highest || offer.bid > *match_.price_highest)
        match_.price_highest = offer.bid;
    }
  }

  agon::Outcome outcome() {
    agon::Outcome result(table_.seats());
    int rounds = 0;
    for (int seat = 0; seat < table_.seats(); ++seat) {
      const Neighbour& n = at(seat);
      SeatMetrics& mine = tally(seat);
      const auto& [first, second] = distances_[static_cast<std::size_t>(seat)];
      mine.survived = n.alive;
      mine.hp_end = n.hp;
      mine.balance_end = n.balance;
      mine.distance_first = first.mean();
      mine.distance_second = second.mean();
      if (first.cents > 0 && second.days > 0) mine.adaption_index = *second.mean() / *first.mean();
      match_.survivors += n.alive;
      match_.spent += mine.spent;
      match_.overpaid += mine.overpaid;
      rounds += mine.survival_round;
      result.seat(seat, {.score = mine.days_survived, .disagreement = 0, .ideal = settings_.days})
          .seat_metrics(seat, mine);
    }
    match_.survival_rate = static_cast<double>(match_.survivors) / table_.seats();
    match_.mean_survival_round = static_cast<double>(rounds) / table_.seats();
    if (match_.days_with_winner > 0)
      match_.price_mean = static_cast<double>(match_.spent.cents) / match_.days_with_winner;
    result.match_metrics(match_);
    return result;
  }

  Table table_;
  const Settings& settings_;
  int day_ = 0;
  agon::InlineList<std::array<Distance, 2>, kMaxResidents> distances_;
  MatchMetrics match_;
};

}  // namespace

agon::Outcome play(Table table, const Settings& settings) {
  return Match(table, settings).play();
}

}  // namespace survival_auction
