#include "stats/confidence_sequence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace agon::stats {
namespace {

/// Variance of the prior on the standardised effect: the sequence is narrowest, for its number of
/// units, around some fifty of them.
constexpr double kPrior = 0.04;

/// The part of what may be bet that is bet at most.
constexpr double kBoldest = 0.75;

/// Where Hall's transformation of t is y. Third cumulant of t: `skew`.
double back(double y, double skew) {
  return 3 / skew * (std::cbrt(1 + skew * (y - skew / 6)) - 1);
}

/// Values in [0, 1] and the bet before each, as a share of the whole of the range.
struct Bets {
  std::vector<double> values;
  std::vector<double> shares;

  Bets(std::span<const double> given, const Interval& bounds, double level) {
    const double range = bounds.high - bounds.low;
    const double stake = 2 * std::log(2 / (1 - level));
    double sum = 0.5;
    double squares = 0.25;
    for (const double raw : given) {
      const auto n = static_cast<double>(values.size() + 1);
      // Mean and variance of what came before, with one value of a half and variance 1/4 in front.
      shares.push_back(std::sqrt(stake / (squares * std::log(n + 1))));
      const double value = std::clamp((raw - bounds.low) / range, 0.0, 1.0);
      values.push_back(value);
      sum += value;
      const double off = value - sum / (n + 1);
      squares += off * off;
    }
  }

  /// The capital of who bets that the mean is above m (or, mirrored, below), of 1 to begin with.
  [[nodiscard]] double above(double m) const {
    const double most = kBoldest / m;
    double capital = 1;
    for (std::size_t i = 0; i < values.size(); ++i)
      capital *= 1 + std::min(shares[i], most) * (values[i] - m);
    return capital;
  }
  [[nodiscard]] double below(double m) const {
    const double most = kBoldest / (1 - m);
    double capital = 1;
    for (std::size_t i = 0; i < values.size(); ++i)
      capital *= 1 + std::min(shares[i], most) * (m - values[i]);
    return capital;
  }
};

}  // namespace

std::string_view name(Sequence sequence) {
  switch (sequence) {
    case Sequence::asymptotic:
      return "asymptotic";
    case Sequence::betting:
      return "betting";
    case Sequence::none:
      break;
  }
  return "none";
}

double sequence_multiplier(std::size_t units, double level) {
  const auto n = static_cast<double>(units);
  const double spread = 1 + n * kPrior;
  const double factor = std::exp(2 / n * (0.5 * std::log(spread) - std::log(1 - level)));
  if (units < 2 || factor >= spread) return std::numeric_limits<double>::infinity();
  return std::sqrt((n - 1) * (factor - 1) / (1 - factor / spread));
}

std::optional<Interval> asymptotic_sequence(const RunningMean& mean, double level) {
  if (mean.units < kFewestSequenceUnits || !(mean.error > 0)) return std::nullopt;
  const double c = sequence_multiplier(mean.units, level);
  if (!std::isfinite(c)) return std::nullopt;
  double low = -c;
  double high = c;
  if (std::abs(mean.skew) > 1e-9) {
    low = std::min(low, back(-c, mean.skew));
    high = std::max(high, back(c, mean.skew));
  }
  return Interval{mean.value - high * mean.error, mean.value - low * mean.error};
}

Interval betting_sequence(std::span<const double> values, const Interval& bounds, double level) {
  const Bets bets(values, bounds, level);
  const double enough = 2 / (1 - level);
  // Both capitals are monotone in the mean that is bet against.
  const auto edge = [&](auto is_out) {
    double out = 0;
    double in = 1;
    for (int step = 0; step < 50; ++step) {
      const double middle = (out + in) / 2;
      (is_out(middle) ? out : in) = middle;
    }
    return out;
  };
  const double low = edge([&](double m) { return bets.above(m) >= enough; });
  const double high = 1 - edge([&](double m) { return bets.below(1 - m) >= enough; });
  const double range = bounds.high - bounds.low;
  return {bounds.low + range * low, bounds.low + range * high};
}

int betting_sign(std::span<const double> values, const Interval& bounds, double level) {
  if (!(bounds.low < 0 && bounds.high > 0)) return bounds.low >= 0 ? 1 : -1;
  const Bets bets(values, bounds, level);
  const double enough = 2 / (1 - level);
  const double zero = -bounds.low / (bounds.high - bounds.low);
  return bets.above(zero) >= enough ? 1 : bets.below(zero) >= enough ? -1 : 0;
}

std::size_t fewest_bets(double level) {
  // From the middle m = 1/2, a bet of three quarters of 1/m gains at most that share.
  const std::vector<double> best(1'000, 1.0);
  const Bets bets(best, {0, 1}, level);
  double capital = 1;
  for (std::size_t i = 0; i < best.size(); ++i) {
    capital *= 1 + std::min(bets.shares[i], kBoldest / 0.5) * 0.5;
    if (capital >= 2 / (1 - level)) return i + 1;
  }
  return best.size();
}

}  // namespace agon::stats
