#include "stats/bootstrap.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/resampling_dice.hpp"

namespace agon::stats {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Differences below this share of the size of what is compared are rounding.
constexpr double rounding = 1e-12;

struct CellValue {
  double value = 0;
  double variance = 0;
};

/// The cells of one stratum, laid out unit by unit: the loop over terms has no carried dependence.
class Stratum {
 public:
  Stratum(const BootstrapProblem& problem, std::size_t index) : units_(problem.units[index]) {
    for (std::size_t c = 0; c < problem.cells.size(); ++c) {
      if (problem.cells[c].stratum != index) continue;
      cells_.push_back(c);
      first_.push_back(weight_.size());
      const auto m = static_cast<double>(problem.cells[c].units);
      correction_.push_back(m > 1 ? m / (m - 1) : 0);
      for (const auto& term : problem.cells[c].terms) weight_.push_back(term.weight);
    }
    first_.push_back(weight_.size());
    numerator_.resize(units_ * weight_.size());
    denominator_.resize(units_ * weight_.size());
    std::size_t column = 0;
    for (const std::size_t c : cells_) {
      for (const auto& term : problem.cells[c].terms) {
        for (std::size_t i = 0; i < units_; ++i) {
          numerator_[i * weight_.size() + column] = term.numerator[i];
          denominator_[i * weight_.size() + column] = term.denominator[i];
        }
        ++column;
      }
    }
    times_.resize(units_);
    sum_n_.resize(weight_.size());
    sum_d_.resize(weight_.size());
    slope_.resize(weight_.size());
  }

  /// Every unit once: the data themselves.
  void take_all() { std::fill(times_.begin(), times_.end(), 1.0); }

  /// As many units as there are, with replacement.
  void draw(ResamplingDice& dice) {
    std::fill(times_.begin(), times_.end(), 0.0);
    for (std::size_t i = 0; i < units_; ++i) times_[static_cast<std::size_t>(dice.below(units_))]++;
  }

  /// Value and variance of every cell on the units taken; a NaN value where a denominator is not
  /// positive. `out` is indexed by cell.
  void evaluate(std::vector<CellValue>& out) {
    const std::size_t width = weight_.size();
    std::fill(sum_n_.begin(), sum_n_.end(), 0.0);
    std::fill(sum_d_.begin(), sum_d_.end(), 0.0);
    for (std::size_t i = 0; i < units_; ++i) {
      const double times = times_[i];
      if (times == 0) continue;
      const double* n = numerator_.data() + i * width;
      const double* d = denominator_.data() + i * width;
      for (std::size_t j = 0; j < width; ++j) {
        sum_n_[j] += times * n[j];
        sum_d_[j] += times * d[j];
      }
    }
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      CellValue cell;
      if (first_[c] == first_[c + 1]) cell.value = not_a_number;
      for (std::size_t j = first_[c]; j < first_[c + 1]; ++j) {
        if (!(sum_d_[j] > 0)) cell.value = not_a_number;
        slope_[j] = weight_[j] / sum_d_[j];
        sum_n_[j] /= sum_d_[j];  // from here on the ratio
        cell.value += weight_[j] * sum_n_[j];
      }
      out[cells_[c]] = cell;
    }
    for (std::size_t i = 0; i < units_; ++i) {
      const double times = times_[i];
      if (times == 0) continue;
      const double* n = numerator_.data() + i * width;
      const double* d = denominator_.data() + i * width;
      for (std::size_t c = 0; c < cells_.size(); ++c) {
        double influence = 0;
        for (std::size_t j = first_[c]; j < first_[c + 1]; ++j) {
          influence += slope_[j] * (n[j] - sum_n_[j] * d[j]);
        }
        out[cells_[c]].variance += times * influence * influence;
      }
    }
    for (std::size_t c = 0; c < cells_.size(); ++c) out[cells_[c]].variance *= correction_[c];
  }

 private:
  std::size_t units_;
  std::vector<std::size_t> cells_;  ///< indices into the problem's cells
  std::vector<std::size_t> first_;  ///< first column of each cell, and the number of columns
  std::vector<double> correction_;
  std::vector<double> weight_;
  std::vector<double> numerator_;    ///< [unit][column]
  std::vector<double> denominator_;  ///< [unit][column]
  std::vector<double> times_;        ///< how often each unit was taken
  std::vector<double> sum_n_;
  std::vector<double> sum_d_;
  std::vector<double> slope_;
};

CellValue combine(const Contrast& contrast, const std::vector<CellValue>& cells) {
  CellValue total;
  for (const auto& part : contrast) {
    total.value += part.weight * cells[part.cell].value;
    total.variance += part.weight * part.weight * cells[part.cell].variance;
  }
  return total;
}

double studentised(const CellValue& resample, double value, double error) {
  if (std::isnan(resample.value)) return not_a_number;
  const double apart = resample.value - value;
  if (std::abs(apart) <= rounding * (std::abs(value) + error)) return 0;
  return apart / std::sqrt(resample.variance);  // infinite if the resample has no variation
}

/// What can be said before any resample.
Estimate first_look(const BootstrapProblem& problem, const Contrast& contrast,
                    const std::vector<CellValue>& cells) {
  Estimate estimate;
  bool few = false;
  double size = 0;
  for (const auto& part : contrast) {
    estimate.blocks += problem.cells[part.cell].blocks;
    estimate.units += problem.cells[part.cell].units;
    few = few || problem.cells[part.cell].units < fewest_units;
    size += std::abs(part.weight * cells[part.cell].value);
  }
  const CellValue all = combine(contrast, cells);
  if (contrast.empty() || std::isnan(all.value)) return estimate;
  estimate.value = all.value;
  estimate.note = few ? Note::too_few : Note::none;
  if (few) return estimate;
  estimate.standard_error = std::sqrt(all.variance);
  if (*estimate.standard_error <= rounding * size) estimate.note = Note::no_variation;
  return estimate;
}

/// Adds interval and p-value from the studentised values.
void finish(Estimate& estimate, std::span<const double> t, double level) {
  std::vector<double> sorted;
  sorted.reserve(t.size());
  for (const double value : t) {
    if (!std::isnan(value)) sorted.push_back(value);
  }
  estimate.degenerate = t.size() - sorted.size();
  const double tail = (1 - level) / 2;
  if (static_cast<double>(estimate.degenerate) > tail * static_cast<double>(t.size())) {
    estimate.note = Note::degenerate;
    return;
  }
  std::sort(sorted.begin(), sorted.end());
  const double low = order_statistic(sorted, tail);
  const double high = order_statistic(sorted, 1 - tail);
  if (!std::isfinite(low) || !std::isfinite(high)) {
    estimate.note = Note::degenerate;
    return;
  }
  const double value = *estimate.value;
  const double error = *estimate.standard_error;
  estimate.interval = Interval{value - high * error, value - low * error};
  const double seen = std::abs(value / error);
  std::size_t extreme = 0;
  for (const double other : sorted) extreme += std::abs(other) >= seen ? 1 : 0;
  estimate.p_value = static_cast<double>(1 + extreme) / static_cast<double>(1 + sorted.size());
}

}  // namespace

double order_statistic(std::span<const double> sorted, double p) {
  const auto n = static_cast<double>(sorted.size());
  // The product of a decimal level and a whole number must not miss a rank by a rounding error.
  double rank = p * (n + 1);
  if (std::abs(rank - std::round(rank)) < 1e-9 * n) rank = std::round(rank);
  rank = std::clamp(rank, 1.0, n);
  const auto below = static_cast<std::size_t>(rank);
  const double part = rank - static_cast<double>(below);
  if (part == 0 || sorted[below - 1] == sorted[below]) return sorted[below - 1];
  return sorted[below - 1] + part * (sorted[below] - sorted[below - 1]);
}

void require_valid(const BootstrapOptions& options) {
  if (!(options.level > 0 && options.level < 1)) {
    throw Error(ErrorKind::invalid, "the level of an interval lies between 0 and 1", "level",
                "write 0.95 for 95 per cent");
  }
  if (options.resamples == 0) {
    throw Error(ErrorKind::invalid, "a bootstrap needs at least one resample", "resamples",
                "9999 is the default");
  }
}

StudentisedBootstrap::StudentisedBootstrap(const BootstrapProblem& problem,
                                           const BootstrapOptions& options)
    : options_(options) {
  require_valid(options);
  std::vector<Stratum> strata;
  for (std::size_t s = 0; s < problem.units.size(); ++s) strata.emplace_back(problem, s);
  std::vector<CellValue> cells(problem.cells.size());
  for (auto& stratum : strata) {
    stratum.take_all();
    stratum.evaluate(cells);
  }
  std::vector<std::size_t> open;  // the contrasts that can have an interval
  for (std::size_t k = 0; k < problem.contrasts.size(); ++k) {
    estimates_.push_back(first_look(problem, problem.contrasts[k], cells));
    if (estimates_.back().note == Note::none) open.push_back(k);
  }
  t_.resize(problem.contrasts.size());
  if (open.empty()) return;
  for (const std::size_t k : open) t_[k].resize(options.resamples);
  for (std::size_t b = 0; b < options.resamples; ++b) {
    ResamplingDice dice(options.seed, b);
    for (auto& stratum : strata) {
      stratum.draw(dice);
      stratum.evaluate(cells);
    }
    for (const std::size_t k : open) {
      t_[k][b] = studentised(combine(problem.contrasts[k], cells), *estimates_[k].value,
                             *estimates_[k].standard_error);
    }
  }
  for (const std::size_t k : open) finish(estimates_[k], t_[k], options.level);
}

std::vector<std::optional<Interval>> StudentisedBootstrap::simultaneous(
    std::span<const std::size_t> family) const {
  std::vector<std::size_t> members;
  for (const std::size_t k : family) {
    if (estimates_[k].note == Note::none) members.push_back(k);
  }
  std::vector<std::optional<Interval>> intervals(family.size());
  if (members.empty()) return intervals;
  std::vector<double> largest(options_.resamples, 0.0);
  for (const std::size_t k : members) {
    for (std::size_t b = 0; b < largest.size(); ++b) {
      if (!std::isnan(t_[k][b])) largest[b] = std::max(largest[b], std::abs(t_[k][b]));
    }
  }
  std::sort(largest.begin(), largest.end());
  const double reach = order_statistic(largest, options_.level);
  if (!std::isfinite(reach)) return intervals;
  for (std::size_t i = 0; i < family.size(); ++i) {
    const Estimate& estimate = estimates_[family[i]];
    if (estimate.note != Note::none) continue;
    const double half = reach * *estimate.standard_error;
    intervals[i] = Interval{*estimate.value - half, *estimate.value + half};
  }
  return intervals;
}

}  // namespace agon::stats
