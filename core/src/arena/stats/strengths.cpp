#include "stats/strengths.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "stats/davidson_luce.hpp"
#include "stats/descriptive.hpp"
#include "stats/match_units.hpp"

namespace agon::stats {
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

/// What one unit of resampling contributes.
struct UnitData {
  DavidsonLuce::Counts counts;
  Arrows arrows;
};

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

void require_seats(const MatchResult& match, std::size_t fewest, std::size_t most,
                   const std::string& mend) {
  if (match.seats.size() >= fewest && match.seats.size() <= most) return;
  throw Error(ErrorKind::failure,
              "a match has " + std::to_string(match.seats.size()) +
                  " seats, which this model "
                  "cannot rank",
              "game " + match.game + ", block " + match.block, mend);
}

Strengths fit_strengths(std::span<const MatchResult> matches, const std::string& reference,
                        const StrengthOptions& options) {
  require_valid(options.bootstrap);
  if (!(options.ridge > 0)) {
    throw Error(ErrorKind::invalid, "the ridge must be positive", "ridge", "0.01 is the default");
  }
  Strengths result;
  std::vector<MatchResult> used;
  for (const auto& match : matches) {
    if (!one_agent_only(match)) used.push_back(match);
  }
  result.matches = used.size();
  result.left_out = matches.size() - used.size();

  const MatchUnits sorted(used);
  const std::size_t agents = sorted.agents().size();
  const std::size_t base = sorted.agent_index(reference);
  if (base == agents) {
    throw Error(ErrorKind::not_found, "the reference '" + reference + "' has no match", "",
                "name an agent that played against others");
  }

  DavidsonLuce model(agents, options.ridge);
  std::vector<Groups> groups;
  std::vector<std::vector<std::size_t>> choices;
  for (const auto& match : used) {
    groups.push_back(finishing_groups(match, sorted));
    choices.push_back(model.learn(groups.back()));
  }
  model.finish();
  std::vector<UnitData> units(sorted.units().size(), {model.no_counts(), Arrows(agents)});
  DavidsonLuce::Counts total = model.no_counts();
  Arrows arrows(agents);
  for (const auto& block : sorted.blocks()) {
    for (const std::size_t m : block.matches) {
      model.count(groups[m], choices[m], units[block.unit].counts);
      units[block.unit].arrows.add(groups[m]);
    }
  }
  for (const auto& unit : units) {
    total.add(unit.counts, 1);
    arrows.add(unit.arrows);
  }

  const auto full = model.fit(total, {});
  result.log_likelihood = full.log_likelihood;
  for (std::size_t k = 0; k < full.log_tie.size(); ++k) {
    result.tie.push_back(total.orders[k + 1] > 0 ? std::exp(full.log_tie[k]) : 0);
  }
  const auto& presence = sorted.presence();
  result.components = sorted.components();
  std::vector<bool> bounded;
  arrows.mutual(base, bounded);
  result.strongly_connected = all_true(bounded);
  std::vector<std::size_t> open;
  for (std::size_t a = 0; a < agents; ++a) {
    Strength strength;
    strength.agent = sorted.agents()[a];
    strength.log_strength = full.theta[a];
    strength.component = presence[a].component;
    strength.difference.blocks = presence[a].blocks;
    strength.difference.units = presence[a].units;
    if (a != base && presence[a].component != presence[base].component) {
      strength.difference.note = Note::not_connected;
    } else if (a != base) {
      const bool few = std::min(presence[a].fewest, presence[base].fewest) < kFewestUnits;
      strength.difference.value = full.theta[a] - full.theta[base];
      strength.difference.note = few ? Note::too_few : Note::none;
      if (!few) open.push_back(a);
    }
    result.agents.push_back(std::move(strength));
  }
  add_ranks(result);
  if (open.empty()) return result;

  const std::size_t resamples = options.bootstrap.resamples;
  std::vector<std::vector<double>> refits(agents);
  for (const std::size_t a : open) refits[a].reserve(resamples);
  std::vector<std::size_t> times;
  for (std::size_t b = 0; b < resamples; ++b) {
    ResamplingDice dice(options.bootstrap.seed, b);
    sorted.draw(dice, times);
    std::fill(total.shares.begin(), total.shares.end(), 0.0);
    std::fill(total.orders.begin(), total.orders.end(), 0.0);
    std::fill(total.choices.begin(), total.choices.end(), 0.0);
    arrows.clear();
    for (std::size_t u = 0; u < units.size(); ++u) {
      if (times[u] == 0) continue;
      total.add(units[u].counts, static_cast<double>(times[u]));
      arrows.add(units[u].arrows);
    }
    const auto refit = model.fit(total, full);
    arrows.mutual(base, bounded);
    if (!all_true(bounded)) ++result.degenerate;
    for (const std::size_t a : open) {
      refits[a].push_back(refit.theta[a] - refit.theta[base]);
      if (!bounded[a]) ++result.agents[a].difference.degenerate;
    }
  }
  for (const std::size_t a : open) {
    finish(result.agents[a].difference, refits[a], options.bootstrap.level);
  }
  return result;
}

}  // namespace

Strengths bradley_terry(std::span<const MatchResult> matches, const std::string& reference,
                        const StrengthOptions& options) {
  for (const auto& match : matches) {
    require_seats(match, 2, 2, "rank matches of more seats with Plackett-Luce");
  }
  return fit_strengths(matches, reference, options);
}

Strengths plackett_luce(std::span<const MatchResult> matches, const std::string& reference,
                        const StrengthOptions& options) {
  for (const auto& match : matches) {
    require_seats(match, 2, 12, "leave matches with one seat or more than 12 out");
  }
  return fit_strengths(matches, reference, options);
}

}  // namespace agon::stats
