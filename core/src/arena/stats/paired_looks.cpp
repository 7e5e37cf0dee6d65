#include "stats/paired_looks.hpp"

#include <algorithm>
#include <cmath>

#include "stats/contrast_estimates.hpp"

namespace agon::stats {
namespace {

int side_of_zero(const std::optional<Interval>& interval) {
  return !interval ? 0 : interval->low > 0 ? 1 : interval->high < 0 ? -1 : 0;
}

double value_of(const auto& parts) {
  double value = 0;
  for (const auto& part : parts) value += part.weight * (part.ratio[0] - part.ratio[1]);
  return value;
}

/// What happens in one unit of twenty is missing from fewer units too often.
constexpr std::size_t kFewestAlike = 60;

/// Where all units say the same, one more is imagined that says the contrary: an error of nothing
/// would be certainty.
RunningMean with_variation(const RunningMean& mean) {
  if (mean.error != 0 || mean.value == 0 || mean.units < kFewestAlike) return mean;
  const auto n = static_cast<double>(mean.units);
  return {mean.value * (n - 1) / (n + 1), 2 * std::abs(mean.value) / (n + 1),
          (mean.value > 0 ? 1 - n : n - 1) / std::sqrt(n * (n + 1)), mean.units};
}

}  // namespace

PairedLooks::PairedLooks(std::size_t agents, std::vector<std::optional<Interval>> bounds)
    : agents_(agents), common_(agents * agents) {
  for (const auto& of_game : bounds) games_.push_back({of_game, 0, {}, {}});
}

void PairedLooks::add(const std::vector<LookRow>& rows) {
  for (const LookRow& row : rows) {
    Game& game = games_[row.game];
    if (row.bin >= game.look_of.size()) game.look_of.resize(row.bin + 1, looks_);
    if (row.cell >= cells_.size()) cells_.resize(row.cell + 1);
    Cell& cell = cells_[row.cell];
    cell.game = row.game;
    cell.pies += row.pie;
    cell.agents.resize(agents_);
    Column& column = cell.agents[row.agent];
    if (row.bin >= column.gain.size()) {
      column.gain.resize(row.bin + 1, 0);
      column.pie.resize(row.bin + 1, 0);
      column.present.resize(row.bin + 1, 0);
    }
    column.gain[row.bin] = row.gain;
    column.pie[row.bin] = row.pie;
    column.present[row.bin] = 1;
  }
  ++looks_;
}

void PairedLooks::share(std::size_t game, std::vector<std::size_t> unit_of_bin) {
  games_[game].unit_of = std::move(unit_of_bin);
}

std::vector<PairedLooks::Part> PairedLooks::parts(std::size_t first, std::size_t second) const {
  std::vector<Part> parts;
  std::vector<double> cells(games_.size(), 0);
  std::vector<Common>& known = common_[first * agents_ + second];
  known.resize(cells_.size());
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    const Cell& cell = cells_[c];
    if (!(cell.pies > 0)) continue;
    Part part;
    part.game = cell.game;
    part.of[0] = &cell.agents[first];
    part.of[1] = &cell.agents[second];
    part.bins = std::min(part.of[0]->gain.size(), part.of[1]->gain.size());
    Common& sums = known[c];
    for (; sums.bins < part.bins; ++sums.bins) {
      if (!part.has(sums.bins)) continue;
      for (const std::size_t side : {0U, 1U}) {
        sums.gain[side] += part.of[side]->gain[sums.bins];
        sums.pie[side] += part.of[side]->pie[sums.bins];
      }
    }
    for (const std::size_t side : {0U, 1U}) {
      part.pie[side] = sums.pie[side];
      part.ratio[side] = sums.gain[side] / sums.pie[side];
    }
    if (!(part.pie[0] > 0 && part.pie[1] > 0)) continue;
    cells[cell.game] += 1;
    parts.push_back(part);
  }
  // A game in which the two have nothing in common leaves their difference undefined.
  double games = 0;
  for (std::size_t g = 0; g < games_.size(); ++g) {
    if (!scaled(g)) continue;
    if (cells[g] == 0) return {};
    games += 1;
  }
  for (Part& part : parts) part.weight = 1 / (cells[part.game] * games);
  return parts;
}

bool PairedLooks::scaled(std::size_t game) const {
  return std::any_of(cells_.begin(), cells_.end(),
                     [&](const Cell& cell) { return cell.game == game && cell.pies > 0; });
}

RunningMean PairedLooks::mean(const std::vector<Part>& parts) const {
  RunningMean mean;
  mean.value = value_of(parts);
  mean.units = static_cast<std::size_t>(-1);
  double variance = 0;
  double cubes = 0;
  double scale = 0;
  std::vector<double> influence;
  std::vector<char> any;
  for (std::size_t g = 0; g < games_.size(); ++g) {
    const Game& game = games_[g];
    influence.assign(game.look_of.size(), 0);
    any.assign(game.look_of.size(), 0);
    for (const Part& part : parts) {
      if (part.game != g) continue;
      const double share[2] = {part.weight / part.pie[0], part.weight / part.pie[1]};
      scale = std::max(
          {scale, std::abs(part.weight * part.ratio[0]), std::abs(part.weight * part.ratio[1])});
      for (std::size_t bin = 0; bin < part.bins; ++bin) {
        if (!part.has(bin)) continue;
        any[bin] = 1;
        influence[bin] +=
            share[0] * (part.of[0]->gain[bin] - part.ratio[0] * part.of[0]->pie[bin]) -
            share[1] * (part.of[1]->gain[bin] - part.ratio[1] * part.of[1]->pie[bin]);
      }
    }
    if (!game.unit_of.empty()) {
      std::vector<double> of_unit(influence.size(), 0);
      std::vector<char> met(influence.size(), 0);
      for (std::size_t bin = 0; bin < influence.size(); ++bin) {
        if (any[bin] == 0) continue;
        of_unit[game.unit_of[bin]] += influence[bin];
        met[game.unit_of[bin]] = 1;
      }
      influence.swap(of_unit);
      any.swap(met);
    }
    std::size_t units = 0;
    double squares = 0;
    for (std::size_t unit = 0; unit < influence.size(); ++unit) {
      if (any[unit] == 0) continue;
      ++units;
      squares += influence[unit] * influence[unit];
      cubes += influence[unit] * influence[unit] * influence[unit];
    }
    if (!scaled(g)) continue;
    const auto m = static_cast<double>(units);
    if (units > 1) variance += squares * m / (m - 1);
    mean.units = std::min(mean.units, units);
  }
  // What is left of equal values by rounding is no variation.
  if (variance > 1e-24 * scale * scale) {
    mean.error = std::sqrt(variance);
    mean.skew = cubes / (variance * mean.error);
  }
  return mean;
}

std::optional<double> PairedLooks::farthest() const {
  double range = 0;
  double games = 0;
  for (std::size_t g = 0; g < games_.size(); ++g) {
    const Game& game = games_[g];
    if (!scaled(g)) continue;
    if (!game.bounds) return std::nullopt;
    range += game.bounds->high - game.bounds->low;
    games += 1;
  }
  range /= games;
  if (!(range > 0) || !std::isfinite(range)) return std::nullopt;
  return range;
}

std::optional<Interval> PairedLooks::bounds() const {
  for (std::size_t g = 0; g < games_.size(); ++g)
    if (scaled(g) && !games_[g].unit_of.empty()) return std::nullopt;
  const auto range = farthest();
  return range ? std::optional(Interval{-*range, *range}) : std::nullopt;
}

std::optional<Interval> PairedLooks::fixed(const std::vector<Part>& parts, double level) const {
  ContrastProblem problem;
  Contrast mean_over_games;
  for (std::size_t g = 0; g < games_.size(); ++g) {
    const Game& game = games_[g];
    if (!scaled(g)) continue;
    stats::Cell cell;
    cell.stratum = problem.units.size();
    const auto unit = [&](std::size_t bin) {
      return game.unit_of.empty() ? bin : game.unit_of[bin];
    };
    double cells = 0;
    std::vector<char> any_bin(game.look_of.size(), 0);
    std::vector<char> any_unit(game.look_of.size(), 0);
    for (const Part& part : parts) {
      if (part.game != g) continue;
      cells += 1;
      for (const std::size_t side : {0U, 1U}) {
        RatioTerm& term = cell.terms.emplace_back();
        term.weight = side == 0 ? 1 : -1;
        term.numerator.assign(game.look_of.size(), 0);
        term.denominator.assign(game.look_of.size(), 0);
        for (std::size_t bin = 0; bin < part.bins; ++bin) {
          if (!part.has(bin)) continue;
          term.numerator[unit(bin)] += part.of[side]->gain[bin];
          term.denominator[unit(bin)] += part.of[side]->pie[bin];
          any_bin[bin] = any_unit[unit(bin)] = 1;
        }
      }
    }
    for (RatioTerm& term : cell.terms) term.weight /= cells;
    cell.blocks = static_cast<std::size_t>(std::count(any_bin.begin(), any_bin.end(), 1));
    cell.units = static_cast<std::size_t>(std::count(any_unit.begin(), any_unit.end(), 1));
    mean_over_games.push_back({problem.cells.size(), 1});
    problem.units.push_back(game.look_of.size());
    problem.cells.push_back(std::move(cell));
  }
  for (CellWeight& part : mean_over_games)
    part.weight = 1 / static_cast<double>(mean_over_games.size());
  problem.contrasts = {std::move(mean_over_games)};
  IntervalOptions options;
  options.level = level;
  return ContrastEstimates(problem, options).estimates().front().interval;
}

std::optional<std::vector<double>> PairedLooks::bounded(const std::vector<Part>& parts) const {
  const auto whole = bounds();
  if (!whole) return std::nullopt;
  struct Sum {
    double total = 0;
    double count = 0;
  };
  std::vector<Sum> sums(looks_ * parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Part& part = parts[p];
    double pie = 0;
    for (std::size_t bin = 0; bin < part.bins; ++bin) {
      if (!part.has(bin)) continue;
      const double own[2] = {part.of[0]->pie[bin], part.of[1]->pie[bin]};
      if (pie == 0) pie = own[0];
      const double tolerance = 1e-9 * std::abs(pie);
      if (!(pie > 0) || std::abs(own[0] - pie) > tolerance || std::abs(own[1] - pie) > tolerance)
        return std::nullopt;
      Sum& sum = sums[games_[part.game].look_of[bin] * parts.size() + p];
      sum.total += (part.of[0]->gain[bin] - part.of[1]->gain[bin]) / pie;
      sum.count += 1;
    }
  }
  std::vector<double> values;
  for (std::size_t look = 0; look < looks_; ++look) {
    double value = 0;
    bool all = true;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const Sum& sum = sums[look * parts.size() + p];
      all = all && sum.count > 0;
      if (all) value += parts[p].weight * sum.total / sum.count;
    }
    if (!all) continue;
    // Bounds that do not hold are none.
    if (std::abs(value) > whole->high * (1 + 1e-9)) return std::nullopt;
    values.push_back(value);
  }
  return values;
}

std::optional<double> PairedLooks::value(std::size_t first, std::size_t second) const {
  const auto pair = parts(first, second);
  if (pair.empty()) return std::nullopt;
  return value_of(pair);
}

AnytimeDifference PairedLooks::difference(std::size_t first, std::size_t second,
                                          double level) const {
  AnytimeDifference result;
  const auto pair = parts(first, second);
  if (pair.empty()) return result;
  const RunningMean estimate = mean(pair);
  result.value = estimate.value;
  result.units = estimate.units;
  if (const auto values = bounded(pair)) {
    result.interval = betting_sequence(*values, *bounds(), level);
    result.sequence = Sequence::betting;
  } else {
    result.interval = asymptotic_sequence(with_variation(estimate), level);
    if (result.interval) result.sequence = Sequence::asymptotic;
  }
  if (!result.interval) return result;
  if (const auto one_look = fixed(pair, level)) {
    result.interval->low = std::min(result.interval->low, one_look->low);
    result.interval->high = std::max(result.interval->high, one_look->high);
  }
  if (result.sequence == Sequence::betting) return result;
  result.unseen = 1 - std::pow(1 - level, 1 / static_cast<double>(result.units));
  const double nearer = std::max(result.interval->low, -result.interval->high);
  if (nearer > 0) result.overturned_by = nearer * (1 - *result.unseen) / *result.unseen;
  return result;
}

int PairedLooks::sign(std::size_t first, std::size_t second, double level) const {
  const auto pair = parts(first, second);
  if (pair.empty()) return 0;
  const auto values = bounded(pair);
  const int own = values ? betting_sign(*values, *bounds(), level)
                         : side_of_zero(asymptotic_sequence(with_variation(mean(pair)), level));
  if (own == 0) return 0;
  const auto one_look = fixed(pair, level);
  return !one_look || side_of_zero(one_look) == own ? own : 0;
}

}  // namespace agon::stats
