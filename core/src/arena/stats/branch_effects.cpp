#include "stats/branch_effects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "stats/contrasts.hpp"

namespace agon::stats {
namespace {

/// The estimate of one cell by itself.
Estimate estimate_of_cell(StratumCell cell, std::size_t units, const IntervalOptions& options) {
  ContrastProblem problem;
  problem.units = {units};
  problem.add(std::move(cell));
  return ContrastEstimates(problem, options).estimates().front();
}

/// The choice with the largest sum over every `step`th unit from `first` on; the base before all.
std::size_t best_on(const std::vector<std::vector<double>>& values, std::size_t base,
                    std::size_t first, std::size_t step) {
  std::size_t best = base;
  double most = 0;
  for (std::size_t c = 0; c < values.size(); ++c) {
    double sum = 0;
    for (std::size_t u = first; u < values[c].size(); u += step)
      sum += values[c][u] - values[base][u];
    if (sum > most) {
      most = sum;
      best = c;
    }
  }
  return best;
}

/// What the units of a term add up to, for slopes: gain and pie of the study, then of each control,
/// and their products.
class ControlMoments {
 public:
  explicit ControlMoments(std::size_t controls)
      : size_(2 + 2 * controls), sums_(size_), products_(size_ * size_) {}

  void add(const std::vector<double>& unit, double sign) {
    for (std::size_t a = 0; a < size_; ++a) {
      sums_[a] += sign * unit[a];
      for (std::size_t b = 0; b < size_; ++b) products_[a * size_ + b] += sign * unit[a] * unit[b];
    }
  }
  [[nodiscard]] std::vector<double> slopes() const;

 private:
  /// The sum over units of the products of two figures' influences; 0: the study's.
  [[nodiscard]] double product(std::size_t x, std::size_t y) const {
    const double rx = sums_[2 * x] / sums_[2 * x + 1], ry = sums_[2 * y] / sums_[2 * y + 1];
    const auto at = [&](std::size_t a, std::size_t b) { return products_[a * size_ + b]; };
    return (at(2 * x, 2 * y) - ry * at(2 * x, 2 * y + 1) - rx * at(2 * x + 1, 2 * y) +
            rx * ry * at(2 * x + 1, 2 * y + 1)) /
           (sums_[2 * x + 1] * sums_[2 * y + 1]);
  }

  std::size_t size_;
  std::vector<double> sums_;
  std::vector<double> products_;
};

/// Least squares by elimination; a control that says nothing beside those before it has slope 0.
std::vector<double> ControlMoments::slopes() const {
  const std::size_t n = size_ / 2 - 1;
  std::vector<double> slopes(n);
  std::vector<std::size_t> used;
  for (std::size_t k = 1; k <= n; ++k)
    if (std::abs(sums_[2 * k + 1]) > 0 && sums_[1] != 0) used.push_back(k);
  std::vector<std::vector<double>> rows;
  for (const std::size_t k : used) {
    std::vector<double>& row = rows.emplace_back();
    for (const std::size_t l : used) row.push_back(product(k, l));
    row.push_back(product(k, 0));
  }
  constexpr double kNothingLeft = 1e-9;
  std::vector<bool> said(rows.size());
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const double whole = product(used[c], used[c]);
    if (!(rows[c][c] > kNothingLeft * whole) || !(whole > 0)) continue;
    said[c] = true;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == c) continue;
      const double factor = rows[r][c] / rows[c][c];
      for (std::size_t i = 0; i < rows[r].size(); ++i) rows[r][i] -= factor * rows[c][i];
    }
  }
  for (std::size_t c = 0; c < rows.size(); ++c)
    if (said[c]) slopes[used[c] - 1] = rows[c].back() / rows[c][c];
  return slopes;
}

/// A unit of a term as ControlMoments adds it up; empty: it says nothing.
std::vector<double> moments_of(const ControlledTerm& term, std::size_t unit) {
  if (!(term.study[unit].pie > 0)) return {};
  std::vector<double> out{term.study[unit].gain, term.study[unit].pie};
  for (const auto& control : term.controls) {
    out.push_back(control[unit].gain);
    out.push_back(control[unit].pie);
  }
  return out;
}

/// Adds what the controls of a term take away: on the study's units with slopes fitted on the
/// others, and what they are expected to get.
void add_controls(const ControlledTerm& term, StratumCell& study, StratumCell& beyond) {
  const std::size_t units = term.study.size();
  ControlMoments all(term.controls.size());
  for (std::size_t u = 0; u < units; ++u)
    if (const auto unit = moments_of(term, u); !unit.empty()) all.add(unit, 1);
  std::vector<RatioTerm> taken(term.controls.size(), ratio_over(units, -term.weight));
  std::vector<double> slopes(term.controls.size()), pies(term.controls.size());
  for (std::size_t u = 0; u < units; ++u) {
    const auto unit = moments_of(term, u);
    if (unit.empty()) continue;
    ControlMoments others = all;
    others.add(unit, -1);
    const std::vector<double> fitted = others.slopes();
    for (std::size_t k = 0; k < fitted.size(); ++k) {
      const GainAndPie& got = term.controls[k][u];
      taken[k].numerator[u] = fitted[k] * got.gain;
      taken[k].denominator[u] = got.pie;
      slopes[k] += fitted[k] * got.pie;
      pies[k] += got.pie;
    }
  }
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    if (!(pies[k] > 0) || slopes[k] == 0) continue;
    RatioTerm expected = ratio_over(term.beyond[k].size(), term.weight * slopes[k] / pies[k]);
    double whole = 0;
    for (std::size_t u = 0; u < term.beyond[k].size(); ++u) {
      expected.numerator[u] = term.beyond[k][u].gain;
      expected.denominator[u] = term.beyond[k][u].pie;
      whole += term.beyond[k][u].pie;
    }
    if (!(whole > 0)) continue;
    study.terms.push_back(std::move(taken[k]));
    beyond.terms.push_back(std::move(expected));
  }
}

}  // namespace

Estimate clustered_mean(std::span<const ClusteredValue> values, const IntervalOptions& options) {
  std::map<std::size_t, std::size_t> places;
  for (const ClusteredValue& one : values) places.try_emplace(one.cluster, places.size());
  StratumCell cell;
  cell.terms = {ratio_over(places.size())};
  for (const ClusteredValue& one : values) {
    const std::size_t at = places.at(one.cluster);
    cell.terms.front().numerator[at] += one.value;
    cell.terms.front().denominator[at] += 1;
  }
  cell.blocks = values.size();
  cell.units = places.size();
  cell.difference = true;
  return estimate_of_cell(std::move(cell), places.size(), options);
}

BestOfHalves best_of_halves(const std::vector<std::vector<double>>& values, std::size_t base,
                            const IntervalOptions& options) {
  const std::array<std::size_t, 2> by{best_on(values, base, 0, 2), best_on(values, base, 1, 2)};
  BestOfHalves out{.best = best_on(values, base, 0, 1), .is_base = by[0] == base && by[1] == base};
  std::vector<ClusteredValue> gains;
  for (std::size_t u = 0; u < values[base].size(); ++u)
    gains.push_back({u, values[by[1 - u % 2]][u] - values[base][u]});
  out.gain = clustered_mean(gains, options);
  return out;
}

ControlledEstimate controlled(std::span<const ControlledTerm> terms,
                              const IntervalOptions& options) {
  ControlledEstimate out;
  if (terms.empty()) return out;
  const std::size_t units = terms.front().study.size();
  StratumCell plain, beyond;
  beyond.stratum = 1;
  std::size_t further = 0;
  std::vector<bool> says(units);
  for (const ControlledTerm& term : terms) {
    RatioTerm own = ratio_over(units, term.weight);
    for (std::size_t u = 0; u < units; ++u) {
      own.numerator[u] = term.study[u].gain;
      own.denominator[u] = term.study[u].pie;
      says[u] = says[u] || term.study[u].pie > 0;
    }
    plain.terms.push_back(std::move(own));
    for (const auto& control : term.beyond) further = std::max(further, control.size());
  }
  plain.blocks = plain.units = static_cast<std::size_t>(std::ranges::count(says, true));
  StratumCell study = plain;
  for (const ControlledTerm& term : terms) add_controls(term, study, beyond);
  beyond.units = further;
  for (RatioTerm& term : beyond.terms) {
    term.numerator.resize(further);
    term.denominator.resize(further);
  }
  out.plain = estimate_of_cell(plain, units, options);
  ContrastProblem problem;
  problem.units = {units, further};
  problem.cells = {std::move(study)};
  Contrast contrast{{0, 1.0}};
  if (!beyond.terms.empty()) {
    problem.cells.push_back(std::move(beyond));
    contrast.push_back({1, 1.0});
  }
  problem.add(std::move(contrast));
  out.controlled = ContrastEstimates(problem, options).estimates().front();
  if (out.controlled.units > units) out.controlled.units = out.plain.units;
  out.controlled.blocks = out.plain.blocks;
  const auto &before = out.plain.standard_error, &after = out.controlled.standard_error;
  if (before && after && *before > 0) out.saved = 1 - *after * *after / (*before * *before);
  return out;
}

}  // namespace agon::stats
