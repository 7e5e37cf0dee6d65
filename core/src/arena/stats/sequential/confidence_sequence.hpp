#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stats/estimate.hpp"

namespace agon::stats {

/// Under this many independent units there is no interval, unless values are bounded: what is rare
/// is too likely not to have been seen yet.
inline constexpr std::size_t kFewestSequenceUnits = 24;

/// How an interval of a confidence sequence was made.
enum class Sequence : std::uint8_t {
  none,        ///< there is no interval
  asymptotic,  ///< from the mean, its error and its skewness; holds as units become many
  betting,     ///< from bounds on the values: exact
};
[[nodiscard]] std::string_view name(Sequence sequence);

/// A mean after so many units, as far as it matters for an interval.
struct RunningMean {
  double value = 0;
  double error = 0;  ///< standard error
  double skew = 0;   ///< sum of the units' cubed deviations over the cubed error
  std::size_t units = 0;
};

/// The interval of a running mean that belongs to a confidence sequence: with probability `level`
/// it holds the truth after every number of units at once, so that one may look after each and stop
/// whenever one likes. Absent under `kFewestSequenceUnits`, without an error, and where the
/// sequence still says nothing.
///
/// With t = (mean - truth) / error, the sequence is all truths for which the Bayes factor of t with
/// a normal prior of variance 1/25 on the standardised effect is below 1 / (1 - level): for normal
/// units exact after any number (Lai, Annals of Statistics 4, 1976; Wang and Ramdas, 2023), and
/// otherwise as units become many (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, Annals of
/// Statistics 52, 2024). Where the units are skewed, Hall's transformation of t (JRSS-B 54, 1992)
/// has to be outside too, which only ever widens the interval.
[[nodiscard]] AGON_API std::optional<Interval> asymptotic_sequence(const RunningMean& mean,
                                                                   double level);

/// How many errors an interval of that sequence reaches to each side where nothing is skewed;
/// infinite while it says nothing.
[[nodiscard]] AGON_API double sequence_multiplier(std::size_t units, double level);

/// The same for the mean of values that lie in [low, high], by betting: exact after any number of
/// values, whatever else they are, as long as each has this mean given those before. Values outside
/// count as the bound that they passed.
///
/// The hedged capital process with predictable plug-in bets (Waudby-Smith and Ramdas, JRSS-B 86,
/// 2024, sections 4.2 and 4.4), bets at most three quarters of what may be bet.
[[nodiscard]] AGON_API Interval betting_sequence(std::span<const double> values,
                                                 const Interval& bounds, double level);

/// On which side of 0 that interval lies; 0: it holds 0. Quicker than the interval.
[[nodiscard]] AGON_API int betting_sign(std::span<const double> values, const Interval& bounds,
                                        double level);

/// The fewest values after which the betting sequence can leave out the middle of its bounds.
[[nodiscard]] AGON_API std::size_t fewest_bets(double level);

/// What one agent got in one cell of one bin. A cell is what weighs the same within a game: a role
/// under a treatment of a scenario. A bin is a block of a scenario.
struct LookRow {
  std::size_t game = 0;
  std::size_t cell = 0;  ///< numbered over all games
  std::size_t bin = 0;   ///< numbered within the game
  std::size_t agent = 0;
  double gain = 0;
  double pie = 0;
};

/// The difference of two agents: mean over games, of ratios of sums, on the bins of both.
struct AnytimeDifference {
  std::optional<double> value;
  /// Of a confidence sequence, and never inside the interval for a fixed number of blocks: it
  /// reaches from the lower of their lower ends to the higher of their higher ends.
  std::optional<Interval> interval{};
  Sequence sequence = Sequence::none;
  /// Independent units, in the part with the fewest, such as a scenario.
  std::size_t units = 0;
  bool varies = true;  ///< false: every unit says the same
  /// What happens in a smaller share of the units may be missing from all of them, and the interval
  /// does not reckon with it; absent where there is no interval, or it reckons with everything.
  std::optional<double> unseen{};
  /// What units of such a kind would have to cost, on average, to move the nearer end of an
  /// interval that leaves out 0 back to 0.
  std::optional<double> overturned_by{};
};

/// The scores of a suite as they come in, look by look. A look is the same share of every
/// scenario's blocks.
class PairedLooks {
 public:
  /// `bounds`: by game, those of a normalised score, where the game has some.
  AGON_API PairedLooks(std::size_t agents, std::vector<std::optional<Interval>> bounds);

  /// Adds one look, all of it. A bin belongs to one look.
  AGON_API void add(const std::vector<LookRow>& rows);
  /// Says to which unit each bin of a game belongs, where some share one. The last call counts.
  AGON_API void share(std::size_t game, std::vector<std::size_t> unit_of_bin);

  [[nodiscard]] std::size_t looks() const { return looks_; }
  /// The difference of two agents after all looks so far, at a level.
  [[nodiscard]] AGON_API AnytimeDifference difference(std::size_t first, std::size_t second,
                                                      double level) const;
  /// On which side of 0 the interval of the difference lies; 0: it holds 0, or there is none.
  /// Quicker than the difference while it holds 0.
  [[nodiscard]] AGON_API int sign(std::size_t first, std::size_t second, double level) const;
  /// The difference alone.
  [[nodiscard]] AGON_API std::optional<double> value(std::size_t first, std::size_t second) const;
  /// The largest difference that two agents can have in a look; nothing if a game does not say.
  [[nodiscard]] AGON_API std::optional<double> farthest() const;

 private:
  /// One agent in one cell, by bin.
  struct AgentBins {
    std::vector<double> gain;
    std::vector<double> pie;
    std::vector<char> present;
  };
  struct CellBins {
    std::size_t game = 0;
    double pies = 0;  ///< of everybody
    std::vector<AgentBins> agents;
  };
  struct GameBins {
    std::optional<Interval> bounds;
    std::size_t bins = 0;
    std::vector<std::size_t> look_of;  ///< by bin
    std::vector<std::size_t> unit_of;  ///< by bin; empty: each by itself
  };
  /// A ratio of sums for each of two agents over the bins that both have in a cell.
  struct PairTerm {
    const AgentBins* of[2] = {nullptr, nullptr};
    std::size_t game = 0;
    std::size_t bins = 0;  ///< up to the last that both have
    double weight = 0;
    double ratio[2] = {0, 0};
    double pie[2] = {0, 0};  ///< sums

    [[nodiscard]] bool has(std::size_t bin) const {
      return bin < bins && of[0]->present[bin] != 0 && of[1]->present[bin] != 0;
    }
  };

  /// What two agents have in common in a cell, summed over the bins looked at so far.
  struct Common {
    std::size_t bins = 0;
    double gain[2] = {0, 0};
    double pie[2] = {0, 0};
  };

  struct Influences;
  struct Summary {
    RunningMean mean;
    std::size_t fewest = 0;  ///< units of any part
  };

  /// Whether anybody has a score in a game.
  [[nodiscard]] bool scaled(std::size_t game) const;
  [[nodiscard]] std::vector<PairTerm> parts(std::size_t first, std::size_t second) const;
  [[nodiscard]] static Influences influences(const PairTerm& part, const GameBins& game);
  /// The variance is a sum over parts of the same units, each with its own m / (m - 1); the units
  /// of the mean are its degrees of freedom (Satterthwaite's over these, from effective units) and
  /// one more, in the game with the fewest.
  [[nodiscard]] Summary summarise(const std::vector<PairTerm>& parts) const;
  /// What a report says of these blocks, as if their number had been fixed beforehand.
  [[nodiscard]] Estimate fixed(const std::vector<PairTerm>& parts, double level) const;
  /// One value a look, if all of them are bounded with one mean: declared bounds, pies that are the
  /// same in every block, and blocks that share nothing.
  [[nodiscard]] std::optional<std::vector<double>> bounded(
      const std::vector<PairTerm>& parts) const;
  [[nodiscard]] std::optional<Interval> bounds() const;

  std::size_t agents_;
  std::vector<GameBins> games_;
  std::vector<CellBins> cells_;
  /// By pair and cell: bins do not change, so that each is summed once.
  mutable std::vector<std::vector<Common>> common_;
  std::size_t looks_ = 0;
};

/// Which side of 0 an interval is on; 0 where it holds 0, or where there is none.
[[nodiscard]] int side_of_zero(const std::optional<Interval>& interval);

}  // namespace agon::stats
