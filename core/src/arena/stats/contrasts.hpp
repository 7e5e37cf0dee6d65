#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/estimate.hpp"

namespace agon::stats {

/// The name of the method, for texts that quote an interval.
inline constexpr const char* interval_method = "Student's t, lengthened by Hall's transform";

/// A member of a family of contrasts: what holds for all of them at once.
struct Joint {
  std::optional<Interval> interval;  ///< all of the family's hold together at the asked level
  std::optional<double> p_value;     ///< below 1 - level exactly when `interval` leaves out 0
};

/// Contrasts with intervals and p-values, from one test that both invert: an interval holds exactly
/// the values that the test does not turn down (docs/statistics.md, "Confidence intervals and
/// p-values").
///
/// The ends are value - reach and value + reach. The reach is Student's t at (1 + level)/2 with
/// Satterthwaite's degrees of freedom, times the error; on the side of the longer tail t is
/// replaced by Hall's exponential transform of it, at most 2.5 t (Hall, Journal of the Royal
/// Statistical Society B 54, 1992; Zhou and Dinh, Biostatistics 6, 2005), with the estimate's
/// skewness times 1 + 16 / (degrees + 1), since few units show less of a tail than there is. No end
/// lies beyond the outermost unit's own value where m units make that certain enough, 2^(1 - m) < 1
/// - level. Units that take two values have the interval of Clopper and Pearson (Biometrika 26,
/// 1934). An end beyond the range is moved to its end.
class ContrastEstimates {
 public:
  /// Throws agon::Error for options out of range.
  AGON_API ContrastEstimates(const ContrastProblem& problem, const IntervalOptions& options);

  /// Every contrast by itself.
  [[nodiscard]] const std::vector<Estimate>& estimates() const { return estimates_; }

  /// All of `family` (contrast indices) at once. Each member's interval is its own one at a level
  /// that is the same for all of them (Beran, Journal of the American Statistical Association 83,
  /// 1988), and its p-value is the chance that the smallest one of the family is that small (single
  /// step min-p: Westfall and Young, "Resampling-Based Multiple Testing", 1993). How the members
  /// depend is drawn from the units' influences with random multipliers; the level is never below
  /// Bonferroni's. Members without an interval of their own have none here.
  [[nodiscard]] AGON_API std::vector<Joint> jointly(std::span<const std::size_t> family) const;

 private:
  /// What the reach of a contrast comes from.
  struct ContrastSpread {
    Contrast parts;
    double error = 0;
    double degrees = 1;
    double skewness = 0;  ///< of the estimate, corrected for few units
    Interval range;
    std::optional<Interval> hull;  ///< the outermost units' values
    double by_chance = 1;          ///< that all units lie on one side of the truth
    std::optional<TwoValues> two;  ///< of the only cell
  };
  struct ContrastSums;
  enum class Side { low, high };

  void add(const ContrastProblem& problem, const Contrast& contrast);
  void add_error(ContrastSpread& spread, double scale) const;
  void add_unseen(Estimate& estimate, const ContrastSpread& spread, std::size_t units) const;
  [[nodiscard]] static double reach(const ContrastSpread& spread, Side side, double alpha);
  [[nodiscard]] Interval interval(std::size_t contrast, double alpha) const;
  [[nodiscard]] double p_value(std::size_t contrast) const;
  [[nodiscard]] std::vector<double> largest(std::span<const std::size_t> members) const;

  std::vector<std::size_t> units_;   ///< of each stratum
  std::vector<std::size_t> strata_;  ///< by cell
  IntervalOptions options_;
  std::vector<CellSummary> cells_;
  std::vector<ContrastSpread> spreads_;
  std::vector<Estimate> estimates_;
};

/// One game of a pilot, and how much of it a study plays.
struct PilotGame {
  StratumCell cell;       ///< what the pilot has of the contrast
  double weight = 1;      ///< of the game in the contrast
  std::size_t units = 0;  ///< independent units of the study
  double noise = 1;  ///< variance of a study's unit over that of the pilot's: more repeats, less
};

/// The true values that a study finds: its interval leaves out 0 on the right side.
struct DetectableEffect {
  double gain = 0;      ///< the least gain that is found with the chance asked for
  double loss = 0;      ///< the least loss, as a positive number
  bool skewed = false;  ///< the pilot is more skewed than chance: what it tells is less sure
};

struct PowerOptions {
  double level = 0.95;  ///< of the study's intervals
  double chance = 0.8;  ///< of finding the effect
  std::size_t studies = 999;
  std::uint64_t seed = 20261120;
};

/// What a study would find, from the intervals of simulated studies. Each draws the pilot's units
/// with replacement, and times the pilot's deviation over that of two thirds as many drawn units,
/// as the pilot leaves open how far its population spreads. Absent under `kFewestUnits` units of
/// the pilot or of the study in any game, and where nothing varies.
[[nodiscard]] AGON_API std::optional<DetectableEffect> detectable_effect(
    const std::vector<PilotGame>& games, const PowerOptions& options);

}  // namespace agon::stats
