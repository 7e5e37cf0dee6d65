#pragma once

#include <agon/describe.hpp>
#include <agon/money.hpp>
#include <agon/outcome.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shared/drought.hpp"
#include "water-allocation/game.hpp"
#include "water-allocation/messages.hpp"

namespace water_allocation {

using shared::drought::drunk;
using shared::drought::dry;
using shared::drought::Health;
using shared::drought::HealthRules;

/// How often somebody must drink to stay alive, worked out once for all states of health.
class ThirstTable {
 public:
  /// For up to `days` days.
  ThirstTable(int days, HealthRules rules);

  /// The fewest of the coming `days` days with water that keep somebody in this state alive to the
  /// end of them; 0 <= days <= the table's.
  [[nodiscard]] int least_drinks(int days, Health h) const;
  [[nodiscard]] const HealthRules& rules() const { return rules_; }
  [[nodiscard]] int days() const { return days_; }

 private:
  [[nodiscard]] std::size_t index(int days, Health h) const;

  HealthRules rules_;
  int days_;
  std::vector<std::uint8_t> least_;
};

/// A bid that its bidder can pay.
struct Claim {
  agon::Money bid{};
  int need = 0;
  int seat = 0;
};

/// Puts claims in the order in which they are served: the highest bid first, equal bids by lower
/// need, equal needs by seat.
void rank(std::span<Claim> claims);

/// Who gets water: bit s of `winners` is seat s.
struct Allocation {
  std::uint32_t winners = 0;
  int used = 0;  ///< units of water handed out
  /// The lowest bid that won.
  std::optional<agon::Money> price{};
  /// Somebody was passed over, for needing more than was left, and a lower rank was served.
  bool skipped = false;

  [[nodiscard]] bool has(int seat) const { return (winners >> seat & 1U) != 0; }
};

/// Hands out water: again and again the highest-ranked claim whose need still fits is served, until
/// none fits. `ranked` is in the order of rank().
Allocation allocate(std::span<const Claim> ranked, int supply);

/// The lowest bid with which `seat` would be served, every other claim standing as it is; none if
/// no bid would do. `ranked` may hold a claim of the seat itself: it does not count.
std::optional<agon::Money> lowest_winning_bid(std::span<const Claim> ranked, int seat, int need,
                                              int supply);

/// True if two claims bid the same.
bool has_tie(std::span<const Claim> ranked);

/// What a planner who knew the needs could do with a day's water.
struct DayYardstick {
  int most_water = 0;   ///< largest sum of needs that the supply covers, exact
  int most_served = 0;  ///< most residents who could drink, exact
};

/// The yardstick for these needs (each 1..kMaxWater) and supply (0..kMaxWater).
DayYardstick day_yardstick(std::span<const int> needs, int supply);

/// The most residents who could be alive at the end if water could be carried from day to day: an
/// upper bound on what any allocation can reach. Resident i must drink `drinks[i]` times
/// `needs[i]`.
int survivors_bound(std::span<const int> drinks, std::span<const int> needs, int total_supply);

}  // namespace water_allocation

/// What the game asks and says.
namespace water_allocation {

inline constexpr agon::Stage<"bid", Bid, Morning> kBid{
    "Bid for today's water, sealed, or make no bid.", "every living resident, all at once", &tell};

inline constexpr agon::Event<"town", Town> kTown{"the town before the first salary", &tell};
inline constexpr agon::PrivateEvent<"private", You> kYou{"who the seat plays, with personas",
                                                         &tell};
inline constexpr agon::Event<"day", Day> kDay{"all that happened on a day", &tell};
using shared::drought::kDeath;

using Table = agon::Table<kBid, kTown, kYou, kDay, kDeath>;

/// What is measured of one seat. Counted up in place while the match runs.
struct SeatMetrics {
  bool survived = false;
  int days_survived = 0;
  std::optional<int> died_on;
  int hp_end = 0;
  agon::Money balance_end{};
  agon::Money earned{};
  agon::Money spent{};
  std::optional<double> spent_share;
  agon::Money forfeited{};
  int wins = 0;
  int free_wins = 0;
  int dry_days = 0;
  int bids = 0;
  int no_bids = 0;
  int ignored_bids = 0;
  agon::Money bid_sum{};
  agon::Money highest_bid{};
  int critical_days = 0;
  int critical_wins = 0;
  agon::Money overpaid{};
  std::optional<double> overpaid_share;
  int missed_wins = 0;
  int missed_critical_wins = 0;
};
AGON_DESCRIBE(
    SeatMetrics,
    (survived, "alive after the last day; its mean over matches is the paper's survival rate",
     agon::Better::higher, agon::source("Alympics, SR")),
    (days_survived, "days at whose end the resident was alive", agon::unit("days"),
     agon::range(0, kMaxDays), agon::Better::higher),
    (died_on, "number of the day of death; undefined for survivors", agon::unit("days"),
     agon::range(1, kMaxDays)),
    (hp_end, "health at the end, below 0 too", agon::unit("health points"), agon::range(-100, 50),
     agon::Better::higher),
    (balance_end, "money at the end; the dead have none", agon::unit("dollars"), agon::at_least(0)),
    (earned, "money at the start and all salaries", agon::unit("dollars"), agon::at_least(0)),
    (spent, "paid for water", agon::unit("dollars"), agon::at_least(0)),
    (spent_share, "spent / earned", agon::range(0, 1)),
    (forfeited, "money lost by dying", agon::unit("dollars"), agon::at_least(0),
     agon::Better::lower),
    (wins, "days with water", agon::unit("days"), agon::range(0, kMaxDays), agon::Better::higher),
    (free_wins, "days with water for a bid of 0", agon::unit("days"), agon::range(0, kMaxDays)),
    (dry_days, "days without water", agon::unit("days"), agon::range(0, kMaxDays),
     agon::Better::lower),
    (bids, "days with a bid", agon::unit("days"), agon::range(0, kMaxDays)),
    (no_bids, "days without a bid", agon::unit("days"), agon::range(0, kMaxDays)),
    (ignored_bids, "bids above the balance, where those are ignored", agon::unit("bids"),
     agon::range(0, kMaxDays), agon::Better::lower),
    (bid_sum, "sum of all bids that could be paid", agon::unit("dollars"), agon::at_least(0)),
    (highest_bid, "highest bid that could be paid; 0 without bids", agon::unit("dollars"),
     agon::at_least(0)),
    (critical_days, "days on which no water meant death", agon::unit("days"),
     agon::range(0, kMaxDays), agon::Better::lower),
    (critical_wins, "such days with water", agon::unit("days"), agon::range(0, kMaxDays)),
    (overpaid,
     "spent beyond what would have won on the same days: own bid less the lowest bid that would "
     "still have won, the others' bids as they were",
     agon::unit("dollars"), agon::at_least(0), agon::Better::lower),
    (overpaid_share, "overpaid / spent", agon::range(0, 1), agon::Better::lower),
    (missed_wins,
     "dry days on which a bid within the balance would have won, the others as they were",
     agon::unit("days"), agon::range(0, kMaxDays), agon::Better::lower),
    (missed_critical_wins, "of these, days on which no water meant death", agon::unit("days"),
     agon::range(0, 1), agon::Better::lower))

/// What is measured of the match as a whole.
struct MatchMetrics {
  int residents = 0;
  int survivors = 0;
  double survival_rate = 0;
  int survival_days = 0;
  double survival_share = 0;
  int survivors_bound = 0;
  std::optional<double> survivors_share;
  int days_played = 0;
  int needs_start = 0;
  int needs_end = 0;
  double rsr_start = 0;
  std::optional<double> rsr_end;
  int water_supplied = 0;
  int water_used = 0;
  std::optional<double> water_used_share;
  int water_best = 0;
  std::optional<double> packing_efficiency;
  int drinks = 0;
  int drinks_best = 0;
  std::optional<double> serving_efficiency;
  int days_with_winner = 0;
  int days_without_winner = 0;
  agon::Money price_sum{};
  std::optional<double> price_mean;
  std::optional<double> price_median;
  std::optional<agon::Money> price_lowest;
  std::optional<agon::Money> price_highest;
  agon::Money spent{};
  agon::Money overpaid{};
  int tied_days = 0;
  int skipped_days = 0;
};
AGON_DESCRIBE(
    MatchMetrics, (residents, "residents alive at the start", agon::range(1, kMaxResidents)),
    (survivors, "residents alive at the end", agon::range(0, kMaxResidents), agon::Better::higher,
     agon::source("Alympics, N_survivor")),
    (survival_rate, "survivors / residents", agon::range(0, 1), agon::Better::higher,
     agon::source("Alympics, SR")),
    (survival_days, "sum of the seats' days survived", agon::unit("days"), agon::at_least(0),
     agon::Better::higher),
    (survival_share, "survival days / (residents x days)", agon::range(0, 1), agon::Better::higher),
    (survivors_bound,
     "most survivors if the match's water could be stored: the fewest drinks that keep each "
     "resident alive, paid from the total supply; no allocation can do better",
     agon::range(0, kMaxResidents)),
    (survivors_share, "survivors / bound; undefined for a bound of 0", agon::range(0, 1),
     agon::Better::higher),
    (days_played, "days until the last day or the last death", agon::unit("days"),
     agon::range(0, kMaxDays)),
    (needs_start, "sum of the needs at the start", agon::unit("units of water"), agon::at_least(1)),
    (needs_end, "sum of the needs of the survivors", agon::unit("units of water"),
     agon::at_least(0)),
    (rsr_start, "resource satisfaction rate at the start: expected supply / needs",
     agon::at_least(0), agon::source("Alympics, RSR_S")),
    (rsr_end, "expected supply / needs of the survivors; undefined if none survive",
     agon::at_least(0), agon::source("Alympics, RSR_E")),
    (water_supplied, "water of the days played", agon::unit("units of water"), agon::at_least(0)),
    (water_used, "water handed out", agon::unit("units of water"), agon::at_least(0),
     agon::Better::higher),
    (water_used_share, "used / supplied", agon::range(0, 1), agon::Better::higher),
    (water_best,
     "sum over the days of the most water that could have been handed out to the living",
     agon::unit("units of water"), agon::at_least(0)),
    (packing_efficiency, "used / best", agon::range(0, 1), agon::Better::higher),
    (drinks, "residents served, summed over the days", agon::at_least(0), agon::Better::higher),
    (drinks_best, "sum over the days of the most living residents who could have been served",
     agon::at_least(0)),
    (serving_efficiency, "drinks / best", agon::range(0, 1), agon::Better::higher),
    (days_with_winner, "days on which somebody got water", agon::unit("days"),
     agon::range(0, kMaxDays)),
    (days_without_winner, "days played on which nobody did", agon::unit("days"),
     agon::range(0, kMaxDays)),
    (price_sum, "sum over the days of the lowest bid that won", agon::unit("dollars"),
     agon::at_least(0)),
    (price_mean, "mean of it over the days with a winner", agon::unit("dollars"),
     agon::at_least(0)),
    (price_median, "median of it over the days with a winner", agon::unit("dollars"),
     agon::at_least(0)),
    (price_lowest, "least of it", agon::unit("dollars"), agon::at_least(0)),
    (price_highest, "most of it", agon::unit("dollars"), agon::at_least(0)),
    (spent, "paid for water by all", agon::unit("dollars"), agon::at_least(0)),
    (overpaid, "of this, beyond the lowest bids that would still have won", agon::unit("dollars"),
     agon::at_least(0), agon::Better::lower),
    (tied_days, "days on which two bids that could be paid were equal", agon::unit("days"),
     agon::range(0, kMaxDays)),
    (skipped_days,
     "days on which a higher bid was passed over, its need being too large for what was left, and "
     "a "
     "lower one served",
     agon::unit("days"), agon::range(0, kMaxDays)))

/// Expected supply of a day: the middle of the range that residents are told.
double expected_supply(const Settings& settings);

/// Resource satisfaction rate: expected supply over the sum of needs; undefined without needs.
std::optional<double> satisfaction_rate(double expected_supply, int needs);

/// Fills in the price metrics from the lowest winning bid of each day that had a winner; sorts
/// `prices`.
void summarise_prices(std::span<agon::Money> prices, MatchMetrics& metrics);

/// a / b; undefined for b = 0.
std::optional<double> ratio(double a, double b);

/// What follows from the settings alone and is shared by all their matches.
struct Prepared {
  double expected_supply = 0;
  int needs_start = 0;
  /// How often each resident must drink to live to the end; seats in order.
  agon::InlineList<int, kMaxResidents> least_drinks;
};

Prepared prepare(const Settings& settings);

/// Plays one match.
agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared);

}  // namespace water_allocation
