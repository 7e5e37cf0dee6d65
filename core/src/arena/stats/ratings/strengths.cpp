#include "stats/ratings/strengths.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "stats/resampling.hpp"
#include "stats/statistics.hpp"

namespace agon::stats {

PositiveDefinite::PositiveDefinite(std::vector<double> a, std::size_t size)
    : size_(size), factor_(std::move(a)) {
  const std::size_t n = size_;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) {
      const double factor = factor_[j * n + k];
      for (std::size_t i = j; i < n; ++i) factor_[i * n + j] -= factor * factor_[i * n + k];
    }
    const double root = std::sqrt(factor_[j * n + j]);
    for (std::size_t i = j; i < n; ++i) factor_[i * n + j] /= root;
  }
}

void PositiveDefinite::solve(std::span<double> b) const {
  const std::size_t n = size_;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= factor_[i * n + k] * b[k];
    b[i] /= factor_[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= factor_[k * n + i] * b[k];
    b[i] /= factor_[i * n + i];
  }
}

namespace {

constexpr std::size_t kMostFeatures = 24;  // 12 agents and 11 tie parameters in one choice

double log_choose(std::size_t n, std::size_t k) {
  double ways = 1;
  for (std::size_t i = 0; i < k; ++i) {
    ways *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  return std::log(ways);
}

}  // namespace

/// Gradient of the penalised log likelihood and its negative second derivatives.
struct DavidsonLuce::Slope {
  explicit Slope(std::size_t n) : gradient(n), curvature(n * n) {}
  std::vector<double> gradient;
  std::vector<double> curvature;
};

void DavidsonLuce::Counts::add(const Counts& other, double times) {
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i] += times * other.shares[i];
  for (std::size_t i = 0; i < orders.size(); ++i) orders[i] += times * other.orders[i];
  for (std::size_t i = 0; i < choices.size(); ++i) choices[i] += times * other.choices[i];
}

std::vector<std::size_t> DavidsonLuce::learn(const std::vector<std::vector<std::size_t>>& groups) {
  std::vector<std::size_t> left;
  for (const auto& group : groups) left.insert(left.end(), group.begin(), group.end());
  std::sort(left.begin(), left.end());
  std::vector<std::size_t> made;
  for (const auto& group : groups) {
    if (left.size() < 2) break;
    const auto [entry, added] = known_.emplace(left, known_.size());
    made.push_back(entry->second);
    if (group.size() > seen_order_.size()) seen_order_.resize(group.size(), false);
    seen_order_[group.size() - 1] = true;
    for (const std::size_t agent : group) left.erase(std::find(left.begin(), left.end(), agent));
  }
  return made;
}

void DavidsonLuce::finish() {
  choices_.assign(known_.size(), {});
  for (const auto& [left, index] : known_) {
    ChoiceSet& choice = choices_[index];
    for (const std::size_t agent : left) {
      if (choice.agents.empty() || choice.agents.back() != agent) {
        choice.agents.push_back(agent);
        choice.copies.push_back(0);
      }
      ++choice.copies.back();
    }
    // Every way to take so many copies of each agent, counted like an odometer.
    std::vector<std::size_t> taken(choice.agents.size(), 0);
    for (;;) {
      std::size_t wheel = 0;
      while (wheel < taken.size() && taken[wheel] == choice.copies[wheel]) taken[wheel++] = 0;
      if (wheel == taken.size()) break;
      ++taken[wheel];
      Alternative outcome;
      outcome.order = 0;
      for (const std::size_t copies : taken) outcome.order += copies;
      if (outcome.order > seen_order_.size() || !seen_order_[outcome.order - 1]) continue;
      for (std::size_t i = 0; i < taken.size(); ++i) {
        outcome.log_ways += log_choose(choice.copies[i], taken[i]);
        outcome.shares.push_back(static_cast<double>(taken[i]) /
                                 static_cast<double>(outcome.order));
      }
      choice.outcomes.push_back(std::move(outcome));
    }
  }
}

DavidsonLuce::Counts DavidsonLuce::no_counts() const {
  Counts counts;
  counts.shares.assign(agents_, 0.0);
  counts.orders.assign(seen_order_.size(), 0.0);
  counts.choices.assign(choices_.size(), 0.0);
  return counts;
}

void DavidsonLuce::count(const std::vector<std::vector<std::size_t>>& groups,
                         std::span<const std::size_t> choices, Counts& counts) const {
  for (std::size_t stage = 0; stage < choices.size(); ++stage) {
    const auto& group = groups[stage];
    for (const std::size_t agent : group) {
      counts.shares[agent] += 1.0 / static_cast<double>(group.size());
    }
    counts.orders[group.size() - 1] += 1;
    counts.choices[choices[stage]] += 1;
  }
}

std::vector<DavidsonLuce::Placing> DavidsonLuce::placings(std::size_t kind, const Fit& fit) const {
  const ChoiceSet& choice = choices_[kind];
  double top = fit.theta[choice.agents[0]];
  for (const std::size_t agent : choice.agents) top = std::max(top, fit.theta[agent]);
  std::vector<Placing> list;
  double total = 0;
  for (const Alternative& outcome : choice.outcomes) {
    double exponent = outcome.log_ways - top;
    if (outcome.order > 1) exponent += fit.log_tie[outcome.order - 2];
    Placing placing;
    for (std::size_t i = 0; i < choice.agents.size(); ++i) {
      exponent += outcome.shares[i] * fit.theta[choice.agents[i]];
      placing.shares.push_back(outcome.shares[i]);
    }
    placing.order = outcome.order;
    placing.probability = std::exp(exponent);
    total += placing.probability;
    list.push_back(std::move(placing));
  }
  for (Placing& placing : list) placing.probability /= total;
  return list;
}

/// Sums over the outcomes of one choice, by feature: the agents to choose from, then the ties.
struct DavidsonLuce::ChoiceMoments {
  double top = 0;  ///< the strongest's log strength, which scales: no overflow
  double total = 0;
  std::array<double, kMostFeatures> expected{};
  std::array<std::array<double, kMostFeatures>, kMostFeatures> squares{};
};

void DavidsonLuce::weigh(const ChoiceSet& choice, const Counts& counts,
                         const std::vector<double>& at, ChoiceMoments& sums) const {
  const std::size_t members = choice.agents.size();
  const std::size_t features = members + seen_order_.size() - 1;
  sums.top = at[choice.agents[0]];
  for (const std::size_t agent : choice.agents) sums.top = std::max(sums.top, at[agent]);
  sums.total = 0;
  for (std::size_t i = 0; i < features; ++i) {
    sums.expected[i] = 0;
    for (std::size_t j = 0; j <= i; ++j) sums.squares[i][j] = 0;
  }
  for (const Alternative& outcome : choice.outcomes) {
    double exponent = outcome.log_ways - sums.top;
    if (outcome.order > 1) {
      if (counts.orders[outcome.order - 1] == 0) continue;
      exponent += at[agents_ + outcome.order - 2];
    }
    for (std::size_t i = 0; i < members; ++i) {
      exponent += outcome.shares[i] * at[choice.agents[i]];
    }
    const double weight = std::exp(exponent);
    sums.total += weight;
    for (std::size_t i = 0; i < members; ++i) {
      const double part = weight * outcome.shares[i];
      if (part == 0) continue;
      sums.expected[i] += part;
      for (std::size_t j = 0; j <= i; ++j) sums.squares[i][j] += part * outcome.shares[j];
    }
    if (outcome.order > 1) {
      const std::size_t tie = members + outcome.order - 2;
      sums.expected[tie] += weight;
      sums.squares[tie][tie] += weight;
      for (std::size_t j = 0; j < members; ++j) sums.squares[tie][j] += weight * outcome.shares[j];
    }
  }
}

/// The penalised log likelihood at `at` (log strengths, then log tie parameters). A tie parameter
/// without any such tie in `counts` is zero: its outcomes are left out, its place in `at` is idle.
double DavidsonLuce::evaluate(const Counts& counts, const std::vector<double>& at,
                              Slope* slope) const {
  const std::size_t n = at.size();
  double value = 0;
  std::fill(slope->gradient.begin(), slope->gradient.end(), 0.0);
  std::fill(slope->curvature.begin(), slope->curvature.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double seen = i < agents_ ? counts.shares[i] : counts.orders[i - agents_ + 1];
    value += seen * at[i] - ridge_ / 2 * at[i] * at[i];
    slope->gradient[i] = seen - ridge_ * at[i];
    slope->curvature[i * n + i] = ridge_;
  }
  ChoiceMoments sums;
  for (std::size_t c = 0; c < choices_.size(); ++c) {
    const double times = counts.choices[c];
    if (times == 0) continue;
    const ChoiceSet& choice = choices_[c];
    weigh(choice, counts, at, sums);
    value -= times * (std::log(sums.total) + sums.top);
    const std::size_t members = choice.agents.size();
    const std::size_t features = members + seen_order_.size() - 1;
    const auto place = [&](std::size_t feature) {
      return feature < members ? choice.agents[feature] : agents_ + feature - members;
    };
    for (std::size_t i = 0; i < features; ++i) {
      const std::size_t row = place(i);
      slope->gradient[row] -= times * sums.expected[i] / sums.total;
      for (std::size_t j = 0; j <= i; ++j) {
        const double joint =
            times * (sums.squares[i][j] / sums.total -
                     sums.expected[i] / sums.total * (sums.expected[j] / sums.total));
        slope->curvature[row * n + place(j)] += joint;
        if (i != j) slope->curvature[place(j) * n + row] += joint;
      }
    }
  }
  return value;
}

DavidsonLuce::Fit DavidsonLuce::fit(const Counts& counts, const Fit& start) const {
  const std::size_t n = agents_ + seen_order_.size() - 1;
  std::vector<double> at(n, 0.0);
  std::copy(start.theta.begin(), start.theta.end(), at.begin());
  for (std::size_t k = 0; k + 1 < seen_order_.size(); ++k) {
    const bool idle = counts.orders[k + 1] == 0;
    at[agents_ + k] = idle || start.log_tie.empty() ? 0 : start.log_tie[k];
  }
  Slope slope(n);
  Slope trial_slope(n);
  std::vector<double> trial(n);
  double value = evaluate(counts, at, &slope);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> step = slope.gradient;
    PositiveDefinite(slope.curvature, n).solve(step);
    double longest = 0;
    for (const double part : step) longest = std::max(longest, std::abs(part));
    double share = 1;
    double found = value;
    for (int halving = 0; halving < 60; ++halving) {
      for (std::size_t i = 0; i < n; ++i) trial[i] = at[i] + share * step[i];
      found = evaluate(counts, trial, &trial_slope);
      if (found >= value - 1e-12 * std::abs(value)) break;
      share /= 2;
    }
    std::swap(at, trial);
    std::swap(slope, trial_slope);
    value = found;
    if (longest < 1e-9) break;
  }
  Fit fit;
  fit.theta.assign(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(agents_));
  fit.log_tie.assign(at.begin() + static_cast<std::ptrdiff_t>(agents_), at.end());
  fit.log_likelihood = value;
  for (const double part : at) fit.log_likelihood += ridge_ / 2 * part * part;
  return fit;
}

namespace {

/// Refits that lie closer together say the same: the ridge alone moves them about as much.
constexpr double kSameStrength = 1e-3;

/// Who finished at or above whom: an arrow from the better to the worse, both ways for a tie.
class Arrows {
 public:
  explicit Arrows(std::size_t agents) : agents_(agents), to_(agents * agents, 0) {}

  void add(const Groups& groups) {
    for (std::size_t above = 0; above < groups.size(); ++above) {
      for (std::size_t below = above; below < groups.size(); ++below) {
        for (const std::size_t i : groups[above]) {
          for (const std::size_t j : groups[below]) to_[i * agents_ + j] = 1;
        }
      }
    }
  }

  void add(const Arrows& other) {
    for (std::size_t i = 0; i < to_.size(); ++i) to_[i] |= other.to_[i];
  }

  void clear() { std::fill(to_.begin(), to_.end(), std::uint8_t{0}); }

  /// Marks in `seen` who is reached from `from` along arrows, against them, or both ways at will.
  void reach(std::size_t from, bool along, bool against, std::vector<bool>& seen) const {
    seen.assign(agents_, false);
    seen[from] = true;
    std::vector<std::size_t> open = {from};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (std::size_t next = 0; next < agents_; ++next) {
        const bool linked =
            (along && to_[at * agents_ + next] != 0) || (against && to_[next * agents_ + at] != 0);
        if (seen[next] || !linked) continue;
        seen[next] = true;
        open.push_back(next);
      }
    }
  }

  /// Marks who is both reached from and reaches `base`: whose difference to it the data bound.
  void mutual(std::size_t base, std::vector<bool>& both) const {
    std::vector<bool> above;
    reach(base, true, false, both);
    reach(base, false, true, above);
    for (std::size_t i = 0; i < agents_; ++i) both[i] = both[i] && above[i];
  }

 private:
  std::size_t agents_;
  std::vector<std::uint8_t> to_;
};

/// The matches of each unit as the model counts them, and the sum over those that are drawn.
class UnitSample {
 public:
  UnitSample(const std::vector<MatchRanking>& matches, const MatchUnits& sorted, double ridge);

  [[nodiscard]] const DavidsonLuce& model() const { return model_; }
  [[nodiscard]] const DavidsonLuce::Counts& counts() const { return sum_.counts; }
  [[nodiscard]] const Arrows& arrows() const { return sum_.arrows; }

  /// Sums up every unit so many times.
  void draw(const std::vector<std::size_t>& times);

 private:
  struct UnitCounts {
    DavidsonLuce::Counts counts;
    Arrows arrows;
  };

  DavidsonLuce model_;
  UnitCounts sum_;
  std::vector<UnitCounts> units_;
};

UnitSample::UnitSample(const std::vector<MatchRanking>& matches, const MatchUnits& sorted,
                       double ridge)
    : model_(sorted.agents().size(), ridge), sum_{{}, Arrows(sorted.agents().size())} {
  std::vector<Groups> groups;
  std::vector<std::vector<std::size_t>> choices;
  for (const auto& match : matches) {
    groups.push_back(finishing_groups(match, sorted));
    choices.push_back(model_.learn(groups.back()));
  }
  model_.finish();
  sum_.counts = model_.no_counts();
  units_.resize(sorted.units().size(), sum_);
  for (const auto& block : sorted.blocks()) {
    for (const std::size_t m : block.matches) {
      model_.count(groups[m], choices[m], units_[block.unit].counts);
      units_[block.unit].arrows.add(groups[m]);
    }
  }
  draw(std::vector<std::size_t>(units_.size(), 1));
}

void UnitSample::draw(const std::vector<std::size_t>& times) {
  sum_.counts = model_.no_counts();
  sum_.arrows.clear();
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (times[u] == 0) continue;
    sum_.counts.add(units_[u].counts, static_cast<double>(times[u]));
    sum_.arrows.add(units_[u].arrows);
  }
}

bool all_true(const std::vector<bool>& flags) {
  return std::find(flags.begin(), flags.end(), false) == flags.end();
}

/// Fills in error and interval of a difference from its refits.
void finish(Estimate& estimate, std::vector<double>& refits, double level) {
  const double tail = (1 - level) / 2;
  estimate.standard_error = standard_deviation(refits);
  if (static_cast<double>(estimate.degenerate) > tail * static_cast<double>(refits.size())) {
    estimate.note = Note::degenerate;  // an end of the interval would be the ridge's doing
    return;
  }
  std::sort(refits.begin(), refits.end());
  if (refits.back() - refits.front() < kSameStrength) {
    estimate.note = Note::no_variation;
    return;
  }
  estimate.note = Note::none;
  estimate.interval = Interval{order_statistic(refits, tail), order_statistic(refits, 1 - tail)};
}

void add_ranks(Strengths& result) {
  if (result.components != 1) return;
  std::vector<double> values;
  for (const auto& agent : result.agents) values.push_back(agent.log_strength);
  const auto ranks = average_ranks(values, RankOrder::highest_first);
  for (std::size_t i = 0; i < ranks.size(); ++i) result.agents[i].rank = ranks[i];
}

void require_seats(const MatchRanking& match, std::size_t fewest, std::size_t most,
                   const std::string& hint) {
  if (match.seats.size() >= fewest && match.seats.size() <= most) return;
  throw Error(ErrorKind::failure,
              "a match has " + std::to_string(match.seats.size()) +
                  " seats, which this model "
                  "cannot rank",
              "game " + match.game + ", block " + match.block, hint);
}

/// Adds the agents with their differences to `base`. Returns those that resampling gives an error.
std::vector<std::size_t> add_agents(const MatchUnits& sorted, const std::vector<double>& theta,
                                    std::size_t base, Strengths& result) {
  const auto& presence = sorted.presence();
  std::vector<std::size_t> open;
  for (std::size_t a = 0; a < theta.size(); ++a) {
    Strength strength;
    strength.agent = sorted.agents()[a];
    strength.log_strength = theta[a];
    strength.component = presence[a].component;
    strength.difference.blocks = presence[a].blocks;
    strength.difference.units = presence[a].units;
    if (a != base && presence[a].component != presence[base].component) {
      strength.difference.note = Note::not_connected;
    } else if (a != base) {
      const bool few = std::min(presence[a].fewest, presence[base].fewest) < kFewestUnits;
      strength.difference.value = theta[a] - theta[base];
      strength.difference.note = few ? Note::too_few : Note::none;
      if (!few) open.push_back(a);
    }
    result.agents.push_back(std::move(strength));
  }
  return open;
}

/// Errors and intervals of the `open` agents' differences to `base`, from refits to drawn units.
void add_errors(const MatchUnits& sorted, UnitSample& sample, const DavidsonLuce::Fit& full,
                std::span<const std::size_t> open, std::size_t base, const IntervalOptions& options,
                Strengths& result) {
  std::vector<std::vector<double>> refits(full.theta.size());
  for (const std::size_t a : open) refits[a].reserve(options.resamples);
  std::vector<std::size_t> times;
  std::vector<bool> bounded;
  for (std::size_t b = 0; b < options.resamples; ++b) {
    ResamplingDice dice(options.seed, b);
    sorted.draw(dice, times);
    sample.draw(times);
    const auto refit = sample.model().fit(sample.counts(), full);
    sample.arrows().mutual(base, bounded);
    if (!all_true(bounded)) ++result.degenerate;
    for (const std::size_t a : open) {
      refits[a].push_back(refit.theta[a] - refit.theta[base]);
      if (!bounded[a]) ++result.agents[a].difference.degenerate;
    }
  }
  for (const std::size_t a : open) finish(result.agents[a].difference, refits[a], options.level);
}

Strengths fit_strengths(std::span<const MatchRanking> matches, const std::string& reference,
                        const StrengthOptions& options) {
  require_valid(options.bootstrap);
  if (!(options.ridge > 0)) {
    throw Error(ErrorKind::invalid, "the ridge must be positive", "ridge", "0.01 is the default");
  }
  Strengths result;
  std::vector<MatchRanking> used;
  for (const auto& match : matches) {
    if (!one_agent_only(match)) used.push_back(match);
  }
  result.matches = used.size();
  result.left_out = matches.size() - used.size();

  const MatchUnits sorted(used);
  const std::size_t base = sorted.agent_index(reference);

  UnitSample sample(used, sorted, options.ridge);
  const auto full = sample.model().fit(sample.counts(), {});
  result.log_likelihood = full.log_likelihood;
  for (std::size_t k = 0; k < full.log_tie.size(); ++k) {
    result.tie.push_back(sample.counts().orders[k + 1] > 0 ? std::exp(full.log_tie[k]) : 0);
  }
  result.components = sorted.components();
  std::vector<bool> bounded;
  sample.arrows().mutual(base, bounded);
  result.strongly_connected = all_true(bounded);
  const std::vector<std::size_t> open = add_agents(sorted, full.theta, base, result);
  add_ranks(result);
  if (!open.empty()) add_errors(sorted, sample, full, open, base, options.bootstrap, result);
  return result;
}

}  // namespace

Strengths bradley_terry(std::span<const MatchRanking> matches, const std::string& reference,
                        const StrengthOptions& options) {
  for (const auto& match : matches) {
    require_seats(match, 2, 2, "rank matches of more seats with Plackett-Luce");
  }
  return fit_strengths(matches, reference, options);
}

Strengths plackett_luce(std::span<const MatchRanking> matches, const std::string& reference,
                        const StrengthOptions& options) {
  for (const auto& match : matches) {
    require_seats(match, 2, 12, "leave matches with one seat or more than 12 out");
  }
  return fit_strengths(matches, reference, options);
}

}  // namespace agon::stats
