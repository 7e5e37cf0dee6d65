#pragma once

#include <agon/describe.hpp>
#include <agon/money.hpp>
#include <agon/outcome.hpp>
#include <agon/telling.hpp>
#include <optional>
#include <span>

#include "shared/drought.hpp"
#include "survival-auction/game.hpp"

namespace survival_auction {

/// The one answer of the game.
struct Bid {
  agon::Money bid{};
};
AGON_DESCRIBE(Bid, (bid, "what you pay if you get the water today; 0 if you do not want it",
                    agon::at_least(0), agon::unit("dollars")))

/// A resident as everybody sees it this morning.
struct Neighbour {
  std::string_view name;
  bool alive = true;
  agon::Money balance{};
  int hp = 0;
  int no_drink = 1;
};
AGON_DESCRIBE(Neighbour, (name, "who"), (alive, "false: dead, bids no more"),
              (balance, "money, with today's salary", agon::unit("dollars")),
              (hp, "health", agon::unit("health points")),
              (no_drink, "health lost today without water", agon::unit("health points")))

/// How one resident came through one day.
struct ResidentDay {
  std::string_view name;
  agon::Money bid{};
  bool won = false;
  agon::Money balance{};
  int hp = 0;
  int no_drink = 1;
};
AGON_DESCRIBE(ResidentDay, (name, "who"), (bid, "the bid", agon::unit("dollars")),
              (won, "got the water, and paid the bid for it"),
              (balance, "money in the evening", agon::unit("dollars")),
              (hp, "health in the evening; 0 or less: dead", agon::unit("health points")),
              (no_drink, "health that the next dry day costs", agon::unit("health points")))

/// A day that is over, in views.
struct PastDay {
  int day = 0;
  std::span<const ResidentDay> residents;
};
AGON_DESCRIBE(PastDay, (day, "number of the day"),
              (residents, "all who lived that morning, in order of the seats"))

/// What a resident knows when it bids.
struct Morning {
  int day = 0;
  int days_left = 0;
  std::string_view name;
  agon::Money salary{};
  agon::Money balance{};
  int hp = 0;
  int no_drink = 1;
  int max_hp = 0;
  int drink_hp = 0;
  std::span<const Neighbour> town;
  std::span<const PastDay> history;
};
AGON_DESCRIBE(
    Morning, (day, "today"), (days_left, "days still to come after today", agon::unit("days")),
    (name, "you are"), (salary, "what everybody is paid every morning", agon::unit("dollars")),
    (balance, "your money, with today's salary; a higher bid wins nothing", agon::unit("dollars")),
    (hp, "your health; at 0 or less you are dead", agon::unit("health points")),
    (no_drink, "health you lose if you get no water today; then one more the next dry day",
     agon::unit("health points")),
    (max_hp, "your health never rises above this", agon::unit("health points")),
    (drink_hp, "health you gain if you get the water", agon::unit("health points")),
    (town, "everybody, you as well, as things stand this morning, in order of the seats"),
    (history, "the days before, first to last"))

/// Announced every evening: all that happened.
struct Day {
  int day = 0;
  std::optional<std::string_view> winner;
  agon::InlineList<ResidentDay, kMaxResidents> residents;
};
AGON_DESCRIBE(Day, (day, "number of the day"),
              (winner,
               "who got the water; null: nobody, because the highest bid was made by "
               "several or could not be paid"),
              (residents, "all who lived this morning, in order of the seats"))

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const Day& day, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Morning& morning, const agon::Scene& scene);
///@}

/// What one of the living says, and what it owns.
struct Offer {
  agon::Money bid{};
  agon::Money balance{};
};

/// Whose the day's water is, as a place in the list: of those with the highest bid the one who can
/// pay it, if there is just one. None otherwise, and the next lower bid is not looked at.
[[nodiscard]] std::optional<std::size_t> winner_of(std::span<const Offer> offers);

inline constexpr agon::Stage<"bid", Bid, Morning> kBid{"Bid for today's water, sealed.",
                                                       "every living resident, all at once", &tell};

inline constexpr agon::Event<"day", Day> kDay{"a day is over", &tell};
using shared::drought::kDeath;

using Table = agon::Table<kBid, kDay, kDeath>;

/// What is measured of one resident. Counted up while the match runs.
struct SeatMetrics {
  bool survived = false;
  int days_survived = 0;
  int survival_round = 0;
  int hp_end = 0;
  agon::Money balance_end{};
  agon::Money spent{};
  int wins = 0;
  int tied_days = 0;
  int wasted_bids = 0;
  agon::Money bid_sum{};
  int critical_days = 0;
  int critical_wins = 0;
  agon::Money overpaid{};
  std::optional<double> distance_first;
  std::optional<double> distance_second;
  std::optional<double> adaption_index;
};
AGON_DESCRIBE(
    SeatMetrics, (survived, "alive after the last day", agon::Better::higher),
    (days_survived, "days at whose end the resident was alive", agon::unit("days"),
     agon::range(0, kMaxDays), agon::Better::higher),
    (survival_round, "the last day on which it bid: that of its death, or the last of all",
     agon::unit("days"), agon::range(1, kMaxDays), agon::Better::higher,
     agon::source("K-Level Reasoning, appendix C: average survival round")),
    (hp_end, "health at the end, below 0 too", agon::unit("health points"), agon::range(-100, 50),
     agon::Better::higher),
    (balance_end, "money at the end; the dead have none", agon::unit("dollars"), agon::at_least(0)),
    (spent, "paid for water", agon::unit("dollars"), agon::at_least(0)),
    (wins, "days with water", agon::unit("days"), agon::range(0, kMaxDays), agon::Better::higher),
    (tied_days, "days on which it had the highest bid together with others and nobody drank",
     agon::unit("days"), agon::range(0, kMaxDays), agon::Better::lower),
    (wasted_bids, "bids above the balance, where those are not refused", agon::unit("bids"),
     agon::range(0, kMaxDays), agon::Better::lower),
    (bid_sum, "sum of all bids", agon::unit("dollars"), agon::at_least(0)),
    (critical_days, "days on which no water meant death", agon::unit("days"),
     agon::range(0, kMaxDays), agon::Better::lower),
    (critical_wins, "such days with water", agon::unit("days"), agon::range(0, kMaxDays)),
    (overpaid, "spent beyond a cent more than the highest bid of the others on the same days",
     agon::unit("dollars"), agon::at_least(0), agon::Better::lower),
    (distance_first,
     "over the first half of the days, mean distance of the bid from the highest bid of the "
     "others, or from 0 if nobody else was left",
     agon::in_cents, agon::unit("dollars"), agon::at_least(0)),
    (distance_second, "the same over the second half", agon::in_cents, agon::unit("dollars"),
     agon::at_least(0)),
    (adaption_index, "second / first; undefined if it lived through one half only",
     agon::at_least(0), agon::Better::lower,
     agon::source("K-Level Reasoning, published code: adaption index")))

/// What is measured of the match as a whole.
struct MatchMetrics {
  int survivors = 0;
  double survival_rate = 0;
  double mean_survival_round = 0;
  int days_played = 0;
  int days_with_winner = 0;
  int tied_days = 0;
  int wasted_days = 0;
  std::optional<agon::Money> price_lowest;
  std::optional<agon::Money> price_highest;
  std::optional<double> price_mean;
  agon::Money spent{};
  agon::Money overpaid{};
};
AGON_DESCRIBE(MatchMetrics,
              (survivors, "residents alive at the end", agon::range(0, kMaxResidents),
               agon::Better::higher),
              (survival_rate, "survivors / residents", agon::range(0, 1), agon::Better::higher),
              (mean_survival_round, "mean of the seats' survival rounds", agon::unit("days"),
               agon::range(1, kMaxDays), agon::Better::higher),
              (days_played, "days until the last day or the last death", agon::unit("days"),
               agon::range(1, kMaxDays)),
              (days_with_winner, "days on which somebody drank", agon::unit("days"),
               agon::range(0, kMaxDays), agon::Better::higher),
              (tied_days, "days on which nobody did, several having the highest bid",
               agon::unit("days"), agon::range(0, kMaxDays), agon::Better::lower),
              (wasted_days, "days on which nobody did, the highest bid being above the balance",
               agon::unit("days"), agon::range(0, kMaxDays), agon::Better::lower),
              (price_lowest, "lowest bid that won", agon::unit("dollars"), agon::at_least(0)),
              (price_highest, "highest bid that won", agon::unit("dollars"), agon::at_least(0)),
              (price_mean, "mean of the bids that won", agon::in_cents, agon::unit("dollars"),
               agon::at_least(0)),
              (spent, "paid for water by all", agon::unit("dollars"), agon::at_least(0)),
              (overpaid, "of this, beyond a cent more than the next bid", agon::unit("dollars"),
               agon::at_least(0), agon::Better::lower))

/// Plays one match.
agon::Outcome play(Table table, const Settings& settings);

}  // namespace survival_auction
