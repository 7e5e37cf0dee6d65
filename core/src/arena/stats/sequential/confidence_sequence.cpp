#include "stats/sequential/confidence_sequence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "stats/contrasts.hpp"

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

int side_of_zero(const std::optional<Interval>& interval) {
  return !interval ? 0 : interval->low > 0 ? 1 : interval->high < 0 ? -1 : 0;
}

namespace {

double value_of(const auto& parts) {
  double value = 0;
  for (const auto& part : parts) value += part.weight * (part.ratio[0] - part.ratio[1]);
  return value;
}

/// What happens in one unit of twenty is missing from fewer units too often.
constexpr std::size_t kFewestAlike = 60;

/// Where all units say the same, one more is imagined that says the contrary: an error of nothing
/// would be certainty. `fewest`: units of any part.
RunningMean with_variation(const RunningMean& mean, std::size_t fewest) {
  if (mean.error != 0 || mean.value == 0 || fewest < kFewestAlike) return mean;
  const auto n = static_cast<double>(fewest);
  return {mean.value * (n - 1) / (n + 1), 2 * std::abs(mean.value) / (n + 1),
          (mean.value > 0 ? 1 - n : n - 1) / std::sqrt(n * (n + 1)), fewest};
}

/// Whether the error is not known well enough for any interval that rests on it.
bool is_refused(const Estimate& one_look) {
  return one_look.note == Note::too_few || one_look.note == Note::one_unit;
}

}  // namespace

/// What each unit of a game moves a difference by, and how much of its pies the unit holds.
struct PairedLooks::Influences {
  std::vector<double> influence;
  std::vector<double> share;
  std::vector<char> present;

  explicit Influences(std::size_t most) : influence(most), share(most), present(most) {}

  void add(const Influences& other, double factor) {
    for (std::size_t unit = 0; unit < present.size(); ++unit) {
      influence[unit] += factor * other.influence[unit];
      share[unit] += other.share[unit];
      present[unit] |= other.present[unit];
    }
  }
  [[nodiscard]] std::size_t units() const {
    return static_cast<std::size_t>(std::ranges::count(present, 1));
  }
  [[nodiscard]] double squares() const {
    double squares = 0;
    for (const double u : influence) squares += u * u;
    return squares;
  }
  /// How many units of equal pies would say as much.
  [[nodiscard]] double effective() const {
    double sum = 0;
    double squares = 0;
    for (const double s : share) {
      sum += s;
      squares += s * s;
    }
    return squares > 0 ? sum * sum / squares : 0;
  }
};

PairedLooks::Influences PairedLooks::influences(const PairTerm& part, const GameBins& game) {
  Influences out(game.look_of.size());
  for (std::size_t bin = 0; bin < part.bins; ++bin) {
    if (!part.has(bin)) continue;
    const std::size_t unit = game.unit_of.empty() ? bin : game.unit_of[bin];
    for (const std::size_t side : {0U, 1U}) {
      const double gain = part.of[side]->gain[bin];
      const double pie = part.of[side]->pie[bin];
      const double weight = part.weight / part.pie[side];
      // A unit without either says nothing of this ratio.
      if (gain != 0 || pie != 0) out.present[unit] = 1;
      out.influence[unit] += (side == 0 ? weight : -weight) * (gain - part.ratio[side] * pie);
      out.share[unit] += weight * pie;
    }
  }
  return out;
}

PairedLooks::PairedLooks(std::size_t agents, std::vector<std::optional<Interval>> bounds)
    : agents_(agents), common_(agents * agents) {
  for (const auto& of_game : bounds) games_.push_back({of_game, 0, {}, {}});
}

void PairedLooks::add(const std::vector<LookRow>& rows) {
  for (const LookRow& row : rows) {
    GameBins& game = games_[row.game];
    if (row.bin >= game.look_of.size()) game.look_of.resize(row.bin + 1, looks_);
    if (row.cell >= cells_.size()) cells_.resize(row.cell + 1);
    CellBins& cell = cells_[row.cell];
    cell.game = row.game;
    cell.pies += row.pie;
    cell.agents.resize(agents_);
    AgentBins& column = cell.agents[row.agent];
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

std::vector<PairedLooks::PairTerm> PairedLooks::parts(std::size_t first, std::size_t second) const {
  std::vector<PairTerm> parts;
  std::vector<double> cells(games_.size(), 0);
  std::vector<Common>& known = common_[first * agents_ + second];
  known.resize(cells_.size());
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    const CellBins& cell = cells_[c];
    if (!(cell.pies > 0)) continue;
    PairTerm part;
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
  for (PairTerm& part : parts) part.weight = 1 / (cells[part.game] * games);
  return parts;
}

bool PairedLooks::scaled(std::size_t game) const {
  return std::ranges::any_of(
      cells_, [&](const CellBins& cell) { return cell.game == game && cell.pies > 0; });
}

PairedLooks::Summary PairedLooks::summarise(const std::vector<PairTerm>& parts) const {
  Summary summary;
  RunningMean& mean = summary.mean;
  mean.value = value_of(parts);
  mean.units = summary.fewest = std::numeric_limits<std::size_t>::max();
  double variance = 0;
  double cubes = 0;
  double scale = 0;
  for (std::size_t g = 0; g < games_.size(); ++g) {
    if (!scaled(g)) continue;
    const GameBins& game = games_[g];
    std::vector<Influences> groups;
    for (const PairTerm& part : parts) {
      if (part.game != g) continue;
      scale = std::max(
          {scale, std::abs(part.weight * part.ratio[0]), std::abs(part.weight * part.ratio[1])});
      Influences own = influences(part, game);
      summary.fewest = std::min(summary.fewest, own.units());
      const auto alike = std::ranges::find_if(
          groups, [&](const Influences& group) { return group.present == own.present; });
      if (alike == groups.end())
        groups.push_back(std::move(own));
      else
        alike->add(own, 1);
    }
    // The same in sum, and with the divisor m - 1 in place of m.
    Influences all(game.look_of.size());
    Influences wider(game.look_of.size());
    double in_groups = 0;
    double sum = 0;
    double over_degrees = 0;
    for (const Influences& group : groups) {
      const auto m = static_cast<double>(group.units());
      const double factor = m > 1 ? m / (m - 1) : 1;
      const double squares = factor * group.squares();
      in_groups += m;
      sum += squares;
      over_degrees += squares * squares / std::max(1.0, group.effective() - 1);
      all.add(group, 1);
      wider.add(group, std::sqrt(factor));
    }
    variance += wider.squares();
    for (const double u : all.influence) cubes += u * u * u;
    // Groups that share units are not independent.
    const auto m = static_cast<double>(all.units());
    const double limit = in_groups > m ? std::max(1.0, all.effective() - 1) : m - 1;
    const double degrees = over_degrees > 0 ? std::min(sum * sum / over_degrees, limit) : limit;
    mean.units = std::min(mean.units, static_cast<std::size_t>(degrees + 1 + 1e-6));
  }
  // What is left of equal values by rounding is no variation.
  if (variance > 1e-24 * scale * scale) {
    mean.error = std::sqrt(variance);
    mean.skew = cubes / (variance * mean.error);
  }
  return summary;
}

std::optional<double> PairedLooks::farthest() const {
  double range = 0;
  double games = 0;
  for (std::size_t g = 0; g < games_.size(); ++g) {
    const GameBins& game = games_[g];
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

Estimate PairedLooks::fixed(const std::vector<PairTerm>& parts, double level) const {
  ContrastProblem problem;
  Contrast mean_over_games;
  for (std::size_t g = 0; g < games_.size(); ++g) {
    const GameBins& game = games_[g];
    if (!scaled(g)) continue;
    StratumCell cell;
    cell.difference = true;
    cell.stratum = problem.units.size();
    const auto unit = [&](std::size_t bin) {
      return game.unit_of.empty() ? bin : game.unit_of[bin];
    };
    double cells = 0;
    std::vector<char> any_bin(game.look_of.size(), 0);
    std::vector<char> any_unit(game.look_of.size(), 0);
    for (const PairTerm& part : parts) {
      if (part.game != g) continue;
      cells += 1;
      for (const std::size_t side : {0U, 1U}) {
        RatioTerm& term =
            cell.terms.emplace_back(ratio_over(game.look_of.size(), side == 0 ? 1 : -1));
        for (std::size_t bin = 0; bin < part.bins; ++bin) {
          if (!part.has(bin)) continue;
          term.numerator[unit(bin)] += part.of[side]->gain[bin];
          term.denominator[unit(bin)] += part.of[side]->pie[bin];
          any_bin[bin] = any_unit[unit(bin)] = 1;
        }
      }
    }
    for (RatioTerm& term : cell.terms) term.weight /= cells;
    cell.blocks = static_cast<std::size_t>(std::ranges::count(any_bin, 1));
    cell.units = static_cast<std::size_t>(std::ranges::count(any_unit, 1));
    mean_over_games.push_back({problem.cells.size(), 1});
    problem.units.push_back(game.look_of.size());
    problem.cells.push_back(std::move(cell));
  }
  for (CellWeight& part : mean_over_games)
    part.weight = 1 / static_cast<double>(mean_over_games.size());
  problem.contrasts = {std::move(mean_over_games)};
  return ContrastEstimates(problem, {.level = level}).estimates().front();
}

std::optional<std::vector<double>> PairedLooks::bounded(const std::vector<PairTerm>& parts) const {
  const auto whole = bounds();
  if (!whole) return std::nullopt;
  struct MeanSum {
    double total = 0;
    double count = 0;
  };
  std::vector<MeanSum> sums(looks_ * parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const PairTerm& part = parts[p];
    double pie = 0;
    for (std::size_t bin = 0; bin < part.bins; ++bin) {
      if (!part.has(bin)) continue;
      const double own[2] = {part.of[0]->pie[bin], part.of[1]->pie[bin]};
      if (pie == 0) pie = own[0];
      const double tolerance = 1e-9 * std::abs(pie);
      if (!(pie > 0) || std::abs(own[0] - pie) > tolerance || std::abs(own[1] - pie) > tolerance)
        return std::nullopt;
      MeanSum& sum = sums[games_[part.game].look_of[bin] * parts.size() + p];
      sum.total += (part.of[0]->gain[bin] - part.of[1]->gain[bin]) / pie;
      sum.count += 1;
    }
  }
  std::vector<double> values;
  for (std::size_t look = 0; look < looks_; ++look) {
    double value = 0;
    bool all = true;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const MeanSum& sum = sums[look * parts.size() + p];
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
  const Summary summary = summarise(pair);
  result.value = summary.mean.value;
  result.units = summary.fewest;
  result.varies = summary.mean.error > 0;
  const auto values = bounded(pair);
  result.interval = values
                        ? std::optional(betting_sequence(*values, *bounds(), level))
                        : asymptotic_sequence(with_variation(summary.mean, summary.fewest), level);
  if (!result.interval) return result;
  const Estimate one_look = fixed(pair, level);
  if (!values && is_refused(one_look)) {
    result.interval.reset();
    return result;
  }
  result.sequence = values ? Sequence::betting : Sequence::asymptotic;
  if (one_look.interval) {
    result.interval->low = std::min(result.interval->low, one_look.interval->low);
    result.interval->high = std::max(result.interval->high, one_look.interval->high);
  }
  if (values) return result;
  result.unseen = 1 - std::pow(1 - level, 1 / static_cast<double>(result.units));
  const double nearer = std::max(result.interval->low, -result.interval->high);
  if (nearer > 0) result.overturned_by = nearer * (1 - *result.unseen) / *result.unseen;
  return result;
}

int PairedLooks::sign(std::size_t first, std::size_t second, double level) const {
  const auto pair = parts(first, second);
  if (pair.empty()) return 0;
  const auto values = bounded(pair);
  int own = 0;
  if (values) {
    own = betting_sign(*values, *bounds(), level);
  } else {
    const Summary summary = summarise(pair);
    own = side_of_zero(asymptotic_sequence(with_variation(summary.mean, summary.fewest), level));
  }
  if (own == 0) return 0;
  const Estimate one_look = fixed(pair, level);
  if (!values && is_refused(one_look)) return 0;
  return !one_look.interval || side_of_zero(one_look.interval) == own ? own : 0;
}

}  // namespace agon::stats
