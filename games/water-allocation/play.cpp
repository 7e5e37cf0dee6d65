#include "water-allocation/play.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstdint>

#include "water-allocation/game.hpp"

namespace water_allocation {

ThirstTable::ThirstTable(int days, HealthRules rules) : rules_(rules), days_(days) {
  const int most = rules_.max_hp;
  least_.resize(index(days_, {most, most}) + 1);
  for (int d = 1; d <= days_; ++d)
    for (int hp = 1; hp <= most; ++hp)
      for (int cost = 1; cost <= most; ++cost) {
        const Health now{hp, cost};
        int best = 1 + least_drinks(d - 1, drunk(now, rules_));
        if (dry(now).alive()) best = std::min(best, least_drinks(d - 1, dry(now)));
        least_[index(d, now)] = static_cast<std::uint8_t>(best);
      }
}

int ThirstTable::least_drinks(int days, Health h) const {
  // A dry day that costs all the health there can be and one that costs more are alike.
  h.no_drink = std::min(h.no_drink, rules_.max_hp);
  return least_[index(days, h)];
}

std::size_t ThirstTable::index(int days, Health h) const {
  const auto most = static_cast<std::size_t>(rules_.max_hp);
  return (static_cast<std::size_t>(days) * most + static_cast<std::size_t>(h.hp - 1)) * most +
         static_cast<std::size_t>(h.no_drink - 1);
}

namespace {

bool goes_before(const Claim& a, const Claim& b) {
  if (a.bid != b.bid) return a.bid > b.bid;
  if (a.need != b.need) return a.need < b.need;
  return a.seat < b.seat;
}

}  // namespace

void rank(std::span<Claim> claims) {
  for (std::size_t i = 1; i < claims.size(); ++i) {
    const Claim claim = claims[i];
    std::size_t at = i;
    for (; at > 0 && goes_before(claim, claims[at - 1]); --at) claims[at] = claims[at - 1];
    claims[at] = claim;
  }
}

Allocation allocate(std::span<const Claim> ranked, int supply) {
  // What is left only shrinks, so a claim that does not fit in turn never will: one pass is enough.
  Allocation result;
  bool passed_over = false;
  for (const Claim& claim : ranked) {
    if (claim.need > supply - result.used) {
      passed_over = true;
      continue;
    }
    result.winners |= 1U << claim.seat;
    result.used += claim.need;
    result.price = claim.bid;
    result.skipped = passed_over;
  }
  return result;
}

std::optional<agon::Money> lowest_winning_bid(std::span<const Claim> ranked, int seat, int need,
                                              int supply) {
  if (need > supply) return std::nullopt;
  int left = supply;
  for (const Claim& rival : ranked) {
    if (rival.seat == seat || rival.need > left) continue;
    left -= rival.need;
    if (left >= need) continue;
    // Once this rival is served there is too little left: the seat must come before it.
    const Claim level{rival.bid, need, seat};
    return goes_before(level, rival) ? rival.bid : rival.bid + agon::Money{1};
  }
  return agon::Money{0};
}

bool has_tie(std::span<const Claim> ranked) {
  for (std::size_t i = 1; i < ranked.size(); ++i)
    if (ranked[i].bid == ranked[i - 1].bid) return true;
  return false;
}

namespace {

int largest_sum(std::span<const int> needs, int supply) {
  // Bit k: some of the residents need k units together.
  if (supply < 64) {
    std::uint64_t sums = 1;
    for (const int need : needs)
      if (need <= supply) sums |= sums << need;
    const std::uint64_t within = sums & (~std::uint64_t{0} >> (63 - supply));
    return 63 - std::countl_zero(within);
  }
  std::bitset<kMaxWater + 1> sums;
  sums[0] = true;
  for (const int need : needs) sums |= sums << static_cast<std::size_t>(need);
  int best = supply;
  while (!sums[static_cast<std::size_t>(best)]) --best;
  return best;
}

int most_that_fit(std::span<const int> costs, int total) {
  std::array<int, kMaxResidents> sorted;
  const auto end = std::copy(costs.begin(), costs.end(), sorted.begin());
  std::sort(sorted.begin(), end);
  int n = 0;
  for (auto cost = sorted.begin(); cost != end && *cost <= total; ++cost) total -= *cost, ++n;
  return n;
}

}  // namespace

DayYardstick day_yardstick(std::span<const int> needs, int supply) {
  return {largest_sum(needs, supply), most_that_fit(needs, supply)};
}

int survivors_bound(std::span<const int> drinks, std::span<const int> needs, int total_supply) {
  std::array<int, kMaxResidents> costs{};
  for (std::size_t i = 0; i < needs.size(); ++i) costs[i] = drinks[i] * needs[i];
  return most_that_fit({costs.data(), needs.size()}, total_supply);
}

double expected_supply(const Settings& settings) {
  return static_cast<double>(settings.supply[0] + settings.supply[1]) / 2;
}

std::optional<double> satisfaction_rate(double expected_supply, int needs) {
  return ratio(expected_supply, needs);
}

void summarise_prices(std::span<agon::Money> prices, MatchMetrics& metrics) {
  metrics.days_with_winner = static_cast<int>(prices.size());
  metrics.days_without_winner = metrics.days_played - metrics.days_with_winner;
  if (prices.empty()) return;
  std::sort(prices.begin(), prices.end());
  for (const agon::Money price : prices) metrics.price_sum += price;
  const auto dollars = [](agon::Money m) { return static_cast<double>(m.cents) / 100; };
  metrics.price_mean = dollars(metrics.price_sum) / static_cast<double>(prices.size());
  const std::size_t half = prices.size() / 2;
  metrics.price_median =
      prices.size() % 2 == 1 ? dollars(prices[half]) : dollars(prices[half - 1] + prices[half]) / 2;
  metrics.price_lowest = prices.front();
  metrics.price_highest = prices.back();
}

std::optional<double> ratio(double a, double b) {
  if (b == 0) return std::nullopt;
  return a / b;
}

namespace {

/// Where bids above the balance are ignored, any amount may be said.
constexpr agon::Money kAnyAmount = agon::major(1'000'000'000);

namespace drought = shared::drought;

using Needs = agon::InlineList<int, kMaxResidents>;
using Answers = agon::InlineList<agon::Answer<Bid>, agon::kMaxSeats>;

/// One match in the making.
class Match
    : drought::Residents<Neighbour, SeatMetrics, ResidentDay, PastDay, kMaxResidents, kMaxDays> {
 public:
  Match(Table table, const Settings& settings, const Prepared& prepared)
      : Residents({settings.max_hp, settings.drink_hp}),
        table_(table),
        settings_(settings),
        prepared_(prepared) {
    for (int seat = 0; seat < table.seats(); ++seat) {
      const Resident& r = settings.residents[static_cast<std::size_t>(seat)];
      const int hp = r.hp.value_or(settings.start_hp);
      add({r.name, hp > 0, r.need, r.salary, r.balance, hp, r.no_drink});
      tally(seat).earned = r.balance;
    }
    match_.residents = static_cast<int>(alive().size());
  }

  agon::Outcome play() {
    open();
    for (day_ = settings_.first_day; day_ <= settings_.days && !alive().empty(); ++day_) {
      pay_salaries();
      supply_ = draw_supply();
      const Answers answers = ask_for_bids();
      const Allocation allocation = hand_out(answers);
      settle(answers, allocation);
      bury_the_dead(table_, day_, [&](int seat, agon::Money lost) {
        tally(seat).died_on = day_;
        tally(seat).forfeited = lost;
      });
    }
    return outcome();
  }

 private:
  void open() {
    table_.announce(kTown, [&] {
      Town town{settings_.first_day, settings_.days, {}};
      for (const Neighbour& n : seats()) town.residents.push_back(n);
      return town;
    });
    if (!settings_.persona) return;
    for (const int seat : alive())
      table_.tell(seat, kYou, [&] { return You{at(seat).name, persona(seat)}; });
  }

  Persona persona(int seat) const {
    const Resident& r = settings_.residents[static_cast<std::size_t>(seat)];
    return {r.profession, r.personality, r.background};
  }

  void pay_salaries() {
    for (const int seat : alive()) {
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
    return table_.ask_all(alive(), kBid, [&](int seat) {
      return agon::asking<Bid>(agon::view([this, seat] { return morning(seat); }),
                               agon::limit(&Bid::bid, {}, any ? kAnyAmount : at(seat).balance),
                               agon::usual(&Bid::bid, agon::Money{}, at(seat).balance));
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
                   .town = seats(),
                   .history = past()};
  }

  Allocation hand_out(const Answers& answers) {
    claims_.clear();
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const int seat = alive()[i];
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
    rank(claims_);
    return allocate(claims_, supply_);
  }

  void settle(const Answers& answers, const Allocation& allocation) {
    measure(allocation);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const int seat = alive()[i];
      const Neighbour& n = at(seat);
      SeatMetrics& mine = tally(seat);
      const bool critical = drought::is_critical(n);
      const bool won = allocation.has(seat);
      const auto enough = lowest_winning_bid(claims_, seat, n.need, supply_);
      mine.critical_days += critical;
      if (won) {
        const agon::Money bid = *answers[i].bid;
        ++mine.wins;
        mine.free_wins += bid.cents == 0;
        mine.critical_wins += critical;
        mine.spent += bid;
        mine.overpaid += bid - *enough;
      } else {
        ++mine.dry_days;
        const bool missed = enough && *enough <= n.balance;
        mine.missed_wins += missed;
        mine.missed_critical_wins += missed && critical;
      }
      live(seat, answers[i].bid, won);
    }
    keep({day_, supply_, lines()});
    table_.announce(kDay, [&] {
      Day day{day_, supply_, allocation.used, allocation.price, {}};
      for (const ResidentDay& line : lines()) day.residents.push_back(line);
      return day;
    });
  }

  void measure(const Allocation& allocation) {
    ++match_.days_played;
    match_.water_supplied += supply_;
    match_.water_used += allocation.used;
    match_.drinks += std::popcount(allocation.winners);
    match_.tied_days += has_tie(claims_);
    match_.skipped_days += allocation.skipped;
    if (allocation.price) prices_.push_back(*allocation.price);
    Needs needs;
    for (const int seat : alive()) needs.push_back(at(seat).need);
    const DayYardstick best = day_yardstick(needs, supply_);
    match_.water_best += best.most_water;
    match_.drinks_best += best.most_served;
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
    summarise_prices(prices_, m);
    m.survivors_bound = bound();
    m.survivors_share = ratio(m.survivors, m.survivors_bound);
  }

  int bound() {
    // After the last death the days that were not played still had water for those who might live.
    int total = match_.water_supplied;
    for (; day_ <= settings_.days; ++day_) total += draw_supply();
    Needs needs, drinks;
    for (std::size_t i = 0; i < settings_.residents.size(); ++i) {
      const Resident& r = settings_.residents[i];
      if (r.hp.value_or(settings_.start_hp) <= 0) continue;
      needs.push_back(r.need);
      drinks.push_back(prepared_.least_drinks[i]);
    }
    return survivors_bound(drinks, needs, total);
  }

  static double cents(agon::Money m) { return static_cast<double>(m.cents); }

  Table table_;
  const Settings& settings_;
  const Prepared& prepared_;
  int day_ = 0;
  int supply_ = 0;
  agon::InlineList<Claim, kMaxResidents> claims_;
  agon::InlineList<agon::Money, kMaxDays> prices_;
  MatchMetrics match_;
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
