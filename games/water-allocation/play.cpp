#include "water-allocation/play.hpp"

#include <algorithm>
#include <bit>

#include "water-allocation/allocation.hpp"
#include "water-allocation/answers.hpp"
#include "water-allocation/append_list.hpp"
#include "water-allocation/metrics.hpp"
#include "water-allocation/welfare.hpp"

namespace water_allocation {

namespace {

/// Where bids above the balance are ignored, any amount may be said.
constexpr agon::Money kAnyAmount = agon::major(1'000'000'000);

using Seats = agon::InlineList<int, kMaxResidents>;
using Answers = agon::InlineList<agon::Answer<Bid>, agon::kMaxSeats>;

/// One match in the making.
class Match {
 public:
  Match(Table table, const Settings& settings, const Prepared& prepared)
      : table_(table), settings_(settings), prepared_(prepared) {
    for (const Resident& r : settings.residents) {
      const int hp = r.hp.value_or(settings.start_hp);
      town_.push_back({r.name, hp > 0, r.need, r.salary, r.balance, hp, r.no_drink});
      seats_.push_back({});
      seats_.back().earned = r.balance;
    }
    for (int seat = 0; seat < table.seats(); ++seat)
      if (at(seat).alive) alive_.push_back(seat);
    match_.residents = static_cast<int>(alive_.size());
  }
  Match(const Match&) = delete;
  Match& operator=(const Match&) = delete;

  agon::Outcome play() {
    open();
    for (day_ = settings_.first_day; day_ <= settings_.days && !alive_.empty(); ++day_) {
      pay_salaries();
      supply_ = draw_supply();
      const Answers answers = ask_for_bids();
      const Allocation allocation = hand_out(answers);
      settle(answers, allocation);
      bury_the_dead();
    }
    return outcome();
  }

 private:
  Neighbour& at(int seat) { return town_[static_cast<std::size_t>(seat)]; }
  SeatMetrics& tally(int seat) { return seats_[static_cast<std::size_t>(seat)]; }
  std::span<const Neighbour> town() const { return {town_.data(), town_.size()}; }
  std::span<const Claim> ranked() const { return {claims_.data(), claims_.size()}; }
  static bool is_critical(const Neighbour& n) { return !dry({n.hp, n.no_drink}).alive(); }

  void open() {
    table_.announce(kTown, [&] { return Town{settings_.first_day, settings_.days, town_}; });
    if (!settings_.persona) return;
    for (const int seat : alive_)
      table_.tell(seat, kYou, [&] { return You{at(seat).name, persona(seat)}; });
  }

  Persona persona(int seat) const {
    const Resident& r = settings_.residents[static_cast<std::size_t>(seat)];
    return {r.profession, r.personality, r.background};
  }

  void pay_salaries() {
    for (const int seat : alive_) {
      at(seat).balance += at(seat).salary;
      tally(seat).earned += at(seat).salary;
    }
  }

  int draw_supply() {
    if (!settings_.supply_list.empty())
      return settings_.supply_list[static_cast<std::size_t>(day_ - settings_.first_day)];
    return static_cast<int>(
        table_.chance("supply", day_).between(settings_.supply[0], settings_.supply[1]));
  }

  Answers ask_for_bids() {
    const bool any = settings_.over_balance == OverBalance::ignored;
    return table_.ask_all({alive_.data(), alive_.size()}, kBid, [&](int seat) {
      return agon::asking<Bid>(agon::view([this, seat] { return morning(seat); }),
                               agon::limit(&Bid::bid, {}, any ? kAnyAmount : at(seat).balance));
    });
  }

  Morning morning(int seat) {
    const Neighbour& me = at(seat);
    return Morning{.day = day_,
                   .days_left = settings_.days - day_,
                   .supply = supply_,
                   .supply_range = settings_.supply,
                   .name = me.name,
                   .need = me.need,
                   .salary = me.salary,
                   .balance = me.balance,
                   .hp = me.hp,
                   .no_drink = me.no_drink,
                   .max_hp = settings_.max_hp,
                   .drink_hp = settings_.drink_hp,
                   .persona = settings_.persona ? std::optional(persona(seat)) : std::nullopt,
                   .town = town(),
                   .history = past_.from(0)};
  }

  Allocation hand_out(const Answers& answers) {
    claims_.clear();
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      const int seat = alive_[i];
      SeatMetrics& mine = tally(seat);
      if (!answers[i].bid) {
        ++mine.no_bids;
        continue;
      }
      ++mine.bids;
      const agon::Money bid = *answers[i].bid;
      if (bid > at(seat).balance) {
        ++mine.ignored_bids;
        continue;
      }
      mine.bid_sum += bid;
      mine.highest_bid = std::max(mine.highest_bid, bid);
      claims_.push_back({bid, at(seat).need, seat});
    }
    rank({claims_.data(), claims_.size()});
    return allocate(ranked(), supply_);
  }

  void settle(const Answers& answers, const Allocation& allocation) {
    measure(allocation);
    const HealthRules rules{settings_.max_hp, settings_.drink_hp};
    const std::size_t first = lines_.size();
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      const int seat = alive_[i];
      Neighbour& n = at(seat);
      SeatMetrics& mine = tally(seat);
      const Health before{n.hp, n.no_drink};
      const bool critical = is_critical(n);
      const bool won = allocation.has(seat);
      const auto enough = lowest_winning_bid(ranked(), seat, n.need, supply_);
      mine.critical_days += critical;
      if (won) {
        const agon::Money bid = *answers[i].bid;
        ++mine.wins;
        mine.free_wins += bid.cents == 0;
        mine.critical_wins += critical;
        mine.spent += bid;
        mine.overpaid += bid - *enough;
        n.balance -= bid;
      } else {
        ++mine.dry_days;
        const bool missed = enough && *enough <= n.balance;
        mine.missed_wins += missed;
        mine.missed_critical_wins += missed && critical;
      }
      const Health after = won ? drunk(before, rules) : dry(before);
      n.hp = after.hp;
      n.no_drink = after.no_drink;
      lines_.add(n.name, answers[i].bid, won, n.balance, n.hp, n.no_drink);
    }
    const auto lines = lines_.from(first);
    past_.add(day_, supply_, lines);
    table_.announce(kDay, [&] {
      Day day{day_, supply_, allocation.used, allocation.price, {}};
      for (const ResidentDay& line : lines) day.residents.push_back(line);
      return day;
    });
  }

  void measure(const Allocation& allocation) {
    ++match_.days_played;
    match_.water_supplied += supply_;
    match_.water_used += allocation.used;
    match_.drinks += std::popcount(allocation.winners);
    match_.tied_days += has_tie(ranked());
    match_.skipped_days += allocation.skipped;
    if (allocation.price) prices_.add(*allocation.price);
    std::array<int, kMaxResidents> needs;
    for (std::size_t i = 0; i < alive_.size(); ++i) needs[i] = at(alive_[i]).need;
    const DayYardstick best = day_yardstick({needs.data(), alive_.size()}, supply_);
    match_.water_best += best.most_water;
    match_.drinks_best += best.most_served;
  }

  void bury_the_dead() {
    std::size_t living = 0;
    for (const int seat : alive_) {
      Neighbour& n = at(seat);
      SeatMetrics& mine = tally(seat);
      if (n.hp > 0) {
        ++mine.days_survived;
        alive_[living++] = seat;
        continue;
      }
      mine.died_on = day_;
      mine.forfeited = n.balance;
      n.alive = false;
      n.balance = {};
      table_.announce(kDeath, [&] { return Death{day_, n.name, mine.forfeited}; });
    }
    alive_.resize(living);
  }

  agon::Outcome outcome() {
    const int days = settings_.days - settings_.first_day + 1;
    agon::Outcome result(table_.seats());
    for (int seat = 0; seat < table_.seats(); ++seat) {
      const Neighbour& n = at(seat);
      SeatMetrics& mine = tally(seat);
      mine.survived = n.alive;
      mine.hp_end = n.hp;
      mine.balance_end = n.balance;
      mine.spent_share = ratio(cents(mine.spent), cents(mine.earned));
      mine.overpaid_share = ratio(cents(mine.overpaid), cents(mine.spent));
      match_.survivors += n.alive;
      match_.survival_days += mine.days_survived;
      match_.needs_end += n.alive ? n.need : 0;
      match_.spent += mine.spent;
      match_.overpaid += mine.overpaid;
      result.seat(seat, {.score = mine.days_survived, .disagreement = 0, .ideal = days})
          .seat_metrics(seat, mine);
    }
    summarise(days);
    result.match_metrics(match_);
    return result;
  }

  void summarise(int days) {
    MatchMetrics& m = match_;
    m.survival_rate = static_cast<double>(m.survivors) / m.residents;
    m.survival_share = static_cast<double>(m.survival_days) / (m.residents * days);
    m.needs_start = prepared_.needs_start;
    m.rsr_start = *satisfaction_rate(prepared_.expected_supply, m.needs_start);
    m.rsr_end = satisfaction_rate(prepared_.expected_supply, m.needs_end);
    m.water_used_share = ratio(m.water_used, m.water_supplied);
    m.packing_efficiency = ratio(m.water_used, m.water_best);
    m.serving_efficiency = ratio(m.drinks, m.drinks_best);
    summarise_prices(prices_.from(0), m);
    m.survivors_bound = bound();
    m.survivors_share = ratio(m.survivors, m.survivors_bound);
  }

  int bound() {
    // After the last death the days that were not played still had water for those who might live.
    int total = match_.water_supplied;
    for (; day_ <= settings_.days; ++day_) total += draw_supply();
    agon::InlineList<int, kMaxResidents> needs;
    agon::InlineList<int, kMaxResidents> drinks;
    for (std::size_t i = 0; i < town_.size(); ++i) {
      if (settings_.residents[i].hp.value_or(settings_.start_hp) <= 0) continue;
      needs.push_back(town_[i].need);
      drinks.push_back(prepared_.least_drinks[i]);
    }
    return survivors_bound({drinks.data(), drinks.size()}, {needs.data(), needs.size()}, total);
  }

  static double cents(agon::Money m) { return static_cast<double>(m.cents); }

  Table table_;
  const Settings& settings_;
  const Prepared& prepared_;
  int day_ = 0;
  int supply_ = 0;
  Seats alive_;
  agon::InlineList<Neighbour, kMaxResidents> town_;
  agon::InlineList<SeatMetrics, kMaxResidents> seats_;
  agon::InlineList<Claim, kMaxResidents> claims_;
  MatchMetrics match_;
  AppendList<agon::Money, kMaxDays> prices_;
  AppendList<PastDay, kMaxDays> past_;
  AppendList<ResidentDay, std::size_t{kMaxDays} * kMaxResidents> lines_;
};

}  // namespace

Prepared prepare(const Settings& s) {
  Prepared p;
  p.expected_supply = expected_supply(s);
  const int days = s.days - s.first_day + 1;
  const ThirstTable thirst(days, {s.max_hp, s.drink_hp});
  for (const Resident& r : s.residents) {
    const int hp = r.hp.value_or(s.start_hp);
    p.least_drinks.push_back(hp > 0 ? thirst.least_drinks(days, {hp, r.no_drink}) : 0);
    p.needs_start += hp > 0 ? r.need : 0;
  }
  return p;
}

agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared) {
  return Match(table, settings, prepared).play();
}

}  // namespace water_allocation
