#pragma once

#include <agon/table.hpp>
#include <algorithm>
#include <utility>

#include "shared/roster.hpp"

/// What the games of a town without water have in common: bodies, deaths and simple bidders.
namespace shared::drought {

/// How much of the rules of health is set.
struct HealthRules {
  int max_hp = 10;
  int drink_hp = 2;
  friend bool operator==(const HealthRules&, const HealthRules&) = default;
};

/// A resident's body. `no_drink` is what the next dry day costs: it starts at 1, so that the n-th
/// dry day in a row costs n.
struct Health {
  int hp = 8;
  int no_drink = 1;

  [[nodiscard]] constexpr bool alive() const { return hp > 0; }
  friend bool operator==(const Health&, const Health&) = default;
};

/// After a day with water.
constexpr Health drunk(Health h, const HealthRules& rules) {
  return {std::min(rules.max_hp, h.hp + rules.drink_hp), 1};
}
/// After a day without. Health is not clamped at 0.
constexpr Health dry(Health h) {
  return {h.hp - h.no_drink, h.no_drink + 1};
}

/// The health of what has `hp` and `no_drink`.
template <class Resident>
constexpr Health health_of(const Resident& r) {
  return {r.hp, r.no_drink};
}
/// No water today is death.
template <class Resident>
constexpr bool is_critical(const Resident& r) {
  return !dry(health_of(r)).alive();
}

/// Announced after the results of the day on which a resident died.
struct Death {
  int day = 0;
  std::string_view name;
  agon::Money forfeited{};
};
AGON_DESCRIBE(Death, (day, "number of the day"), (name, "who died"),
              (forfeited, "money that is lost with the dead", agon::unit("dollars")))

/// What death_text() says.
inline constexpr std::string_view kDeathSentences[] = {"{name} has died.",
                                                       "The money left, {money}, is lost."};
using DeathLine = agon::OneOf<kDeathSentences>;

/// "Alex has died. The money left, $30, is lost."
[[nodiscard]] inline std::string death_text(
    std::string_view name, agon::Money left,
    const agon::Language& language = agon::Language::english()) {
  std::string text = language.say(DeathLine("{name} has died."), {{"name", std::string(name)}});
  if (left.cents > 0)
    text = language.then(text, language.say(DeathLine("The money left, {money}, is lost."),
                                            {{"money", agon::money_text(left)}}));
  return text;
}
/// Nothing: it is told with the day, which ends with that event.
[[nodiscard]] inline std::string tell(const Death&, const agon::Scene&) {
  return {};
}
inline constexpr agon::Event<"death", Death> kDeath{"a resident has died", &tell};

/// Those who live in the town, through the days of one match: shared::Roster of residents with
/// `name`, `balance`, `hp` and `no_drink`, and of lines with what is seen of a resident's day.
template <class Resident, class Metrics, class Line, class Past, std::size_t kSeats,
          std::size_t kDays>
class Residents : protected Roster<Resident, Metrics, Line, Past, kSeats, kDays> {
 protected:
  explicit Residents(HealthRules rules) : rules_(rules) {}

  /// A resident's day: water for the own bid (Money, perhaps optional), or none. Writes its line.
  template <class Bid>
  void live(int seat, const Bid& bid, bool drinks) {
    Resident& r = this->at(seat);
    const Health after = drinks ? drunk(health_of(r), rules_) : dry(health_of(r));
    r.hp = after.hp;
    r.no_drink = after.no_drink;
    if (drinks) r.balance -= std::optional<agon::Money>(bid).value();
    this->write({r.name, bid, drinks, r.balance, r.hp, r.no_drink});
  }

  /// The evening: the dead are announced and lose their money, of which `loses(seat, money)` is
  /// told; the others have survived the day.
  template <class Table, class Loses>
  void bury_the_dead(Table& table, int day, Loses loses) {
    this->retire([&](int seat) {
      Resident& dead = this->at(seat);
      const agon::Money lost = std::exchange(dead.balance, {});
      loses(seat, lost);
      table.announce(kDeath, [&] { return Death{day, dead.name, lost}; });
    });
    for (const int seat : this->alive()) ++this->tally(seat).days_survived;
  }

 private:
  HealthRules rules_;
};

/// A share of an amount, rounded down to a cent.
constexpr agon::Money part(agon::Money whole, double share) {
  return {static_cast<std::int64_t>(static_cast<double>(whole.cents) * share)};
}

/// The share of its money that a resident bid on the last of these days; none if that was not seen.
template <class Days>
std::optional<double> last_share(const Days& history, std::string_view name) {
  if (history.empty()) return std::nullopt;
  for (const auto& line : history.back().residents) {
    if (line.name != name) continue;
    const agon::Money bid = std::optional<agon::Money>(line.bid).value_or(agon::Money{0});
    const agon::Money had = line.won ? line.balance + bid : line.balance;
    if (had.cents <= 0) return 0;
    return std::min(1.0, static_cast<double>(bid.cents) / static_cast<double>(had.cents));
  }
  return std::nullopt;
}

/// What a rival is expected to bid: all it has if its life hangs on it, otherwise the share of its
/// money that it bid the day before, or `first_guess` where that was not seen.
template <class Resident, class Days>
agon::Money likely_bid(const Resident& rival, const Days& history, double first_guess) {
  if (is_critical(rival)) return rival.balance;
  return part(rival.balance, last_share(history, rival.name).value_or(first_guess));
}

/// The most to pay for one of the `drinks` (above 0) still needed: a multiple, `thrift`, of an even
/// share of all money and coming salaries.
template <class Morning>
agon::Money even_share(const Morning& m, int drinks, double thrift) {
  const agon::Money wealth = m.balance + m.salary * m.days_left;
  return part({wealth.cents / drinks}, thrift);
}

/// Parameters of `fraction`.
struct FractionParams {
  double fraction = 0.5;
};
AGON_DESCRIBE(FractionParams,
              (fraction, "share of its balance, today's salary included", agon::range(0, 1)))

/// Bids a fixed share of its money every day, rounded down to a cent.
template <class Morning, class Bid>
void bid_fraction(const FractionParams& params, const Morning& morning, Bid& bid) {
  bid.bid = part(morning.balance, params.fraction);
}

}  // namespace shared::drought
