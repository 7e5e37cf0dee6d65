#include "survival-auction/play.hpp"

#include <algorithm>
#include <cstdlib>

#include "survival-auction/answers.hpp"
#include "survival-auction/auction.hpp"
#include "survival-auction/metrics.hpp"

namespace survival_auction {

namespace {

using Answers = agon::InlineList<agon::Answer<Bid>, agon::kMaxSeats>;

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
class Match {
 public:
  Match(Table table, const Settings& settings) : table_(table), settings_(settings) {
    for (int seat = 0; seat < table.seats(); ++seat) {
      Neighbour n;
      n.name = settings.residents[static_cast<std::size_t>(seat)];
      n.hp = settings.start_hp;
      town_.push_back(n);
      seats_.push_back({});
      distances_.push_back({});
      alive_.push_back(seat);
    }
  }
  Match(const Match&) = delete;
  Match& operator=(const Match&) = delete;

  agon::Outcome play() {
    for (day_ = 1; day_ <= settings_.days && !alive_.empty(); ++day_) {
      for (const int seat : alive_) at(seat).balance += settings_.salary;
      const Answers answers = ask();
      settle(answers);
      bury_the_dead();
    }
    return outcome();
  }

 private:
  Neighbour& at(int seat) { return town_[static_cast<std::size_t>(seat)]; }
  SeatMetrics& tally(int seat) { return seats_[static_cast<std::size_t>(seat)]; }

  // Kept out of line: inlined, g++ 12 takes the list of answers for smaller than it is and warns.
  [[gnu::noinline]] Answers ask() {
    // Where bids above the balance are taken as said, up to all that can be earned in the game.
    const agon::Money all = settings_.salary * settings_.days;
    const bool any = settings_.over_balance == OverBalance::wasted;
    return table_.ask_all({alive_.data(), alive_.size()}, kBid, [&](int seat) {
      return agon::asking<Bid>(agon::limit(&Bid::bid, {}, any ? all : at(seat).balance),
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
                   .town = {town_.data(), town_.size()},
                   .history = {past_.data(), past_.size()}};
  }

  void settle(const Answers& answers) {
    agon::InlineList<Offer, kMaxResidents> offers;
    for (std::size_t i = 0; i < alive_.size(); ++i)
      offers.push_back({answers[i].bid, at(alive_[i]).balance});
    const auto winner = winner_of({offers.data(), offers.size()});
    measure(offers, winner);
    const std::size_t first = lines_.size();
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      Neighbour& n = at(alive_[i]);
      const bool won = winner == i;
      const Health before{n.hp, n.no_drink};
      const Health after = won ? drunk(before, settings_.drink_hp, settings_.max_hp) : dry(before);
      n.hp = after.hp;
      n.no_drink = after.no_drink;
      if (won) n.balance -= offers[i].bid;
      lines_.push_back({n.name, offers[i].bid, won, n.balance, n.hp, n.no_drink});
    }
    const std::span<const ResidentDay> lines(lines_.data() + first, alive_.size());
    past_.push_back({day_, lines});
    table_.announce(kDay, [&] {
      Day day{day_, {}, {}};
      if (winner) day.winner = at(alive_[*winner]).name;
      for (const ResidentDay& line : lines) day.residents.push_back(line);
      return day;
    });
  }

  void measure(const agon::InlineList<Offer, kMaxResidents>& offers,
               std::optional<std::size_t> winner) {
    ++match_.days_played;
    agon::Money highest{};
    for (const Offer& offer : offers) highest = std::max(highest, offer.bid);
    int able = 0;
    for (const Offer& offer : offers) able += offer.bid == highest && offer.bid <= offer.balance;
    match_.days_with_winner += winner.has_value();
    match_.tied_days += able > 1;
    match_.wasted_days += able == 0;
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      const Neighbour& n = at(alive_[i]);
      SeatMetrics& mine = tally(alive_[i]);
      const Offer& offer = offers[i];
      agon::Money rivals{};
      for (std::size_t j = 0; j < alive_.size(); ++j)
        if (j != i) rivals = std::max(rivals, offers[j].bid);
      mine.survival_round = day_;
      mine.bid_sum += offer.bid;
      mine.wasted_bids += offer.bid > offer.balance;
      mine.tied_days += able > 1 && offer.bid == highest && offer.bid <= offer.balance;
      const bool critical = n.hp <= n.no_drink;
      mine.critical_days += critical;
      Distance& distance =
          distances_[static_cast<std::size_t>(alive_[i])][day_ <= settings_.days / 2 ? 0 : 1];
      distance.cents += std::abs(offer.bid.cents - rivals.cents);
      ++distance.days;
      if (winner != i) continue;
      ++mine.wins;
      mine.critical_wins += critical;
      mine.spent += offer.bid;
      // Alone, nothing at all would have been enough.
      const agon::Money enough = alive_.size() > 1 ? rivals + agon::Money{1} : agon::Money{};
      mine.overpaid += std::max(agon::Money{}, offer.bid - enough);
      if (!match_.price_lowest || offer.bid < *match_.price_lowest) match_.price_lowest = offer.bid;
      if (!match_.price_highest || offer.bid > *match_.price_highest)
        match_.price_highest = offer.bid;
    }
  }

  void bury_the_dead() {
    std::size_t living = 0;
    for (const int seat : alive_) {
      Neighbour& n = at(seat);
      if (n.hp > 0) {
        ++tally(seat).days_survived;
        alive_[living++] = seat;
        continue;
      }
      const agon::Money forfeited = n.balance;
      n.alive = false;
      n.balance = {};
      table_.announce(kDeath, [&] { return Death{day_, n.name, forfeited}; });
    }
    alive_.resize(living);
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
  agon::InlineList<int, kMaxResidents> alive_;
  agon::InlineList<Neighbour, kMaxResidents> town_;
  agon::InlineList<SeatMetrics, kMaxResidents> seats_;
  agon::InlineList<std::array<Distance, 2>, kMaxResidents> distances_;
  agon::InlineList<ResidentDay, std::size_t{kMaxDays} * kMaxResidents> lines_;
  agon::InlineList<PastDay, kMaxDays> past_;
  MatchMetrics match_;
};

}  // namespace

agon::Outcome play(Table table, const Settings& settings) {
  return Match(table, settings).play();
}

}  // namespace survival_auction
