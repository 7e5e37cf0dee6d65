#include "stats/ratings/model_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/ratings/strengths.hpp"
#include "stats/resampling.hpp"

namespace agon::stats {
namespace {

constexpr std::size_t kMostBins = 256;
constexpr std::size_t nobody = static_cast<std::size_t>(-1);

/// What flipped and real statistics must differ by to count as different.
constexpr double kEqualShare = 1e-9;

/// Who of two members is placed, given that one of them is.
struct PairMoments {
  double mean = 0;
  double variance = 0;
  std::vector<double> slope;  ///< of the mean, by feature of the choice
};

/// One kind of choice under the fitted model. Its features are the shares of its members in the
/// placed group, and then the size of the group.
struct KindMoments {
  std::vector<std::size_t> places;  ///< of the features among the parameters
  std::vector<double> mean;
  std::vector<PairMoments> pairs;  ///< of members (a, b), a < b, row by row
};

double part_of(const DavidsonLuce::Placing& placing, std::size_t feature, std::size_t members) {
  if (feature < members) return placing.shares[feature];
  return placing.order == feature - members + 2 ? 1 : 0;
}

class FitTest {
 public:
  FitTest(std::span<const MatchRanking> matches, const ModelFitOptions& options)
      : options_(options),
        matches_(matches),
        sorted_(matches),
        agents_(sorted_.agents().size()),
        model_(agents_, options.ridge) {}

  ModelFit go() {
    learn();
    fit_ = model_.fit(total_, {});
    parameters_ = agents_ + model_.largest_tie() - 1;
    look_at_kinds();
    add_matches();
    ModelFit result;
    result.units = sorted_.units().size();
    result.flips = options_.flips;
    const std::size_t pairs = pair_of_.size();
    result.cycles = pairs + sorted_.components() - agents_;
    describe_pairs(result);
    find_triples();
    if (result.cycles == 0) return result;
    make_effective();
    measure(result);
    if (result.note == Note::none) flip(result);
    describe_triple(result);
    std::ranges::stable_sort(result.pairs, [](const auto& a, const auto& b) {
      return std::abs(a.residual) > std::abs(b.residual);
    });
    return result;
  }

 private:
  void learn() {
    for (const MatchRanking& match : matches_) {
      groups_.push_back(finishing_groups(match, sorted_));
      choices_.push_back(model_.learn(groups_.back()));
    }
    model_.finish();
    total_ = model_.no_counts();
    for (std::size_t m = 0; m < groups_.size(); ++m) model_.count(groups_[m], choices_[m], total_);
  }

  /// Means of every kind of choice, and the information of all that were made.
  void look_at_kinds() {
    information_.assign(parameters_ * parameters_, 0);
    for (std::size_t p = 0; p < parameters_; ++p)
      information_[p * parameters_ + p] = options_.ridge;
    kinds_.resize(model_.kinds());
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      KindMoments& kind = kinds_[k];
      const std::vector<std::size_t>& members = model_.members(k);
      const auto placings = model_.placings(k, fit_);
      kind.places = members;
      for (std::size_t t = agents_; t < parameters_; ++t) kind.places.push_back(t);
      const std::size_t features = kind.places.size();
      std::vector<std::vector<double>> parts;
      kind.mean.assign(features, 0);
      for (const auto& placing : placings) {
        auto& part = parts.emplace_back();
        for (std::size_t f = 0; f < features; ++f) {
          part.push_back(part_of(placing, f, members.size()));
          kind.mean[f] += placing.probability * part[f];
        }
      }
      const double times = total_.choices[k];
      for (std::size_t o = 0; o < placings.size(); ++o)
        for (std::size_t f = 0; f < features; ++f)
          for (std::size_t g = 0; g < features; ++g)
            information_[kind.places[f] * parameters_ + kind.places[g]] +=
                times * placings[o].probability * (parts[o][f] - kind.mean[f]) *
                (parts[o][g] - kind.mean[g]);
      for (std::size_t a = 0; a < members.size(); ++a)
        for (std::size_t b = a + 1; b < members.size(); ++b)
          kind.pairs.push_back(pair_moments(placings, parts, a, b));
    }
  }

  static PairMoments pair_moments(const std::vector<DavidsonLuce::Placing>& placings,
                                  const std::vector<std::vector<double>>& parts, std::size_t a,
                                  std::size_t b) {
    PairMoments pair;
    const std::size_t features = parts.front().size();
    std::vector<double> part(features, 0);
    std::vector<double> joint(features, 0);
    double probability = 0;
    double square = 0;
    for (std::size_t o = 0; o < placings.size(); ++o) {
      const double both = placings[o].shares[a] + placings[o].shares[b];
      if (both <= 0) continue;
      const double won = placings[o].shares[a] / both;
      const double weight = placings[o].probability;
      probability += weight;
      pair.mean += weight * won;
      square += weight * won * won;
      for (std::size_t f = 0; f < features; ++f) {
        part[f] += weight * parts[o][f];
        joint[f] += weight * won * parts[o][f];
      }
    }
    pair.mean /= probability;
    pair.variance = square / probability - pair.mean * pair.mean;
    for (std::size_t f = 0; f < features; ++f)
      pair.slope.push_back(joint[f] / probability - pair.mean * part[f] / probability);
    return pair;
  }

  struct Pair {
    std::size_t first = 0;
    std::size_t second = 0;
    double meetings = 0;
    double observed = 0;
    double expected = 0;
    double variance = 0;
    std::vector<double> slope;  ///< of `expected`, by parameter
    double residual = 0;        ///< the effective score
  };

  Pair& pair(std::size_t first, std::size_t second, std::size_t* at) {
    const auto [entry, added] = pair_of_.emplace(std::pair{first, second}, pairs_.size());
    *at = entry->second;
    if (added) {
      Pair& fresh = pairs_.emplace_back();
      fresh.first = first;
      fresh.second = second;
      fresh.slope.assign(parameters_, 0);
    }
    return pairs_[*at];
  }

  void add_matches() {
    const std::size_t units = sorted_.units().size();
    const std::size_t bins = std::min(units, kMostBins);
    scores_.assign(bins, std::vector<double>(parameters_, 0));
    std::vector<std::map<std::size_t, double>> residuals(bins);
    for (const auto& block : sorted_.blocks()) {
      const std::size_t bin = block.unit * bins / units;
      for (const std::size_t m : block.matches) add_match(m, scores_[bin], residuals[bin]);
    }
    residuals_.assign(bins, std::vector<double>(pairs_.size(), 0));
    for (std::size_t u = 0; u < bins; ++u)
      for (const auto& [at, residual] : residuals[u]) residuals_[u][at] = residual;
  }

  void add_match(std::size_t m, std::vector<double>& score,
                 std::map<std::size_t, double>& residuals) {
    for (std::size_t stage = 0; stage < choices_[m].size(); ++stage) {
      const KindMoments& kind = kinds_[choices_[m][stage]];
      const auto& members = model_.members(choices_[m][stage]);
      const auto& group = groups_[m][stage];
      std::vector<double> taken(members.size(), 0);
      for (const std::size_t agent : group)
        taken[static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), agent) -
                                       members.begin())] += 1;
      const auto size = static_cast<double>(group.size());
      for (std::size_t f = 0; f < kind.places.size(); ++f) {
        const double seen = f < members.size()                       ? taken[f] / size
                            : group.size() == f - members.size() + 2 ? 1.0
                                                                     : 0.0;
        score[kind.places[f]] += seen - kind.mean[f];
      }
      std::size_t next = 0;
      for (std::size_t a = 0; a < members.size(); ++a) {
        for (std::size_t b = a + 1; b < members.size(); ++b) {
          const PairMoments& moments = kind.pairs[next++];
          if (taken[a] + taken[b] == 0) continue;
          const double won = taken[a] / (taken[a] + taken[b]);
          std::size_t at = 0;
          Pair& met = pair(members[a], members[b], &at);
          met.meetings += 1;
          met.observed += won;
          met.expected += moments.mean;
          met.variance += moments.variance;
          for (std::size_t f = 0; f < kind.places.size(); ++f)
            met.slope[kind.places[f]] += moments.slope[f];
          residuals[at] += won - moments.mean;
        }
      }
    }
  }

  /// Takes out of every unit's residuals what estimating the strengths takes out of their sum.
  void make_effective() {
    const PositiveDefinite information(information_, parameters_);
    for (std::size_t u = 0; u < residuals_.size(); ++u) {
      information.solve(scores_[u]);
      for (std::size_t at = 0; at < pairs_.size(); ++at) {
        double fitted = 0;
        for (std::size_t p = 0; p < parameters_; ++p) fitted += pairs_[at].slope[p] * scores_[u][p];
        residuals_[u][at] -= fitted;
      }
    }
    for (std::size_t at = 0; at < pairs_.size(); ++at)
      for (const auto& unit : residuals_) pairs_[at].residual += unit[at];
  }

  [[nodiscard]] double standardised(double residual, const Pair& pair) const {
    return pair.variance > 0 ? residual / std::sqrt(pair.variance) : 0;
  }

  void describe_pairs(ModelFit& result) const {
    for (const Pair& pair : pairs_) {
      PairFit& out = result.pairs.emplace_back();
      out.agent = sorted_.agents()[pair.first];
      out.opponent = sorted_.agents()[pair.second];
      out.meetings = pair.meetings;
      out.observed = pair.observed / pair.meetings;
      out.expected = pair.expected / pair.meetings;
      out.residual = standardised(pair.observed - pair.expected, pair);
    }
  }

  /// Three agents that met each other, by their pairs: (i, j), (j, k), (i, k).
  struct Triple {
    std::size_t ij = 0;
    std::size_t jk = 0;
    std::size_t ik = 0;
    double error = 0;  ///< of the log odds around the circle
  };

  void find_triples() {
    for (const auto& [ij, first] : pair_of_) {
      for (std::size_t k = ij.second + 1; k < agents_; ++k) {
        const auto jk = pair_of_.find({ij.second, k});
        const auto ik = pair_of_.find({ij.first, k});
        if (jk == pair_of_.end() || ik == pair_of_.end()) continue;
        Triple triple{first, jk->second, ik->second};
        for (const std::size_t at : {triple.ij, triple.jk, triple.ik})
          triple.error += 1 / pairs_[at].variance;
        triple.error = std::sqrt(triple.error);
        if (std::isfinite(triple.error)) triples_.push_back(triple);
      }
    }
  }

  [[nodiscard]] double log_odds_around(const Triple& t, std::span<const double> residuals) const {
    return residuals[t.ij] / pairs_[t.ij].variance + residuals[t.jk] / pairs_[t.jk].variance -
           residuals[t.ik] / pairs_[t.ik].variance;
  }

  /// What a set of residuals says.
  struct Deviation {
    double squares = 0;
    double largest_pair = 0;
    double largest_triple = 0;
    std::size_t triple = nobody;
  };

  [[nodiscard]] Deviation deviation(std::span<const double> residuals) const {
    Deviation found;
    for (std::size_t at = 0; at < pairs_.size(); ++at) {
      const double z = std::abs(standardised(residuals[at], pairs_[at]));
      found.squares += z * z;
      found.largest_pair = std::max(found.largest_pair, z);
    }
    for (std::size_t t = 0; t < triples_.size(); ++t) {
      const double z = std::abs(log_odds_around(triples_[t], residuals)) / triples_[t].error;
      if (z <= found.largest_triple && found.triple != nobody) continue;
      found.largest_triple = z;
      found.triple = t;
    }
    return found;
  }

  [[nodiscard]] std::vector<double> all_residuals() const {
    std::vector<double> all;
    for (const Pair& pair : pairs_) all.push_back(pair.residual);
    return all;
  }

  void measure(ModelFit& result) {
    seen_ = deviation(all_residuals());
    result.statistic = seen_.squares;
    double spread = 0;
    for (const auto& unit : residuals_)
      for (std::size_t at = 0; at < pairs_.size(); ++at)
        spread = std::max(spread, std::abs(standardised(unit[at], pairs_[at])));
    result.note = result.units < kFewestUnits ? Note::too_few
                  : spread < kEqualShare      ? Note::no_variation
                                              : Note::none;
    for (const Pair& pair : pairs_) {
      const double apart = fit_.theta[pair.first] - fit_.theta[pair.second];
      strengths_ += pair.variance * apart * apart;
    }
    if (strengths_ + seen_.squares > kEqualShare)
      result.cyclic_share = seen_.squares / (seen_.squares + strengths_);
  }

  void flip(ModelFit& result) {
    std::size_t as_large = 0;
    double chance = 0;
    std::vector<double> pairs;
    std::vector<double> triples;
    std::vector<double> sum(pairs_.size());
    for (std::size_t b = 0; b < options_.flips; ++b) {
      ResamplingDice dice(options_.seed, b);
      std::ranges::fill(sum, 0.0);
      for (const auto& unit : residuals_) {
        const double sign = dice.below(2) == 0 ? 1 : -1;
        for (std::size_t at = 0; at < sum.size(); ++at) sum[at] += sign * unit[at];
      }
      const Deviation flipped = deviation(sum);
      if (flipped.squares >= seen_.squares * (1 - kEqualShare)) ++as_large;
      if (flipped.squares > 0) chance += flipped.squares / (flipped.squares + strengths_);
      pairs.push_back(flipped.largest_pair);
      triples.push_back(flipped.largest_triple);
    }
    const auto flips = static_cast<double>(options_.flips);
    result.p_value = static_cast<double>(1 + as_large) / (1 + flips);
    if (result.cyclic_share) result.cyclic_share_by_chance = chance / flips;
    for (std::size_t at = 0; at < pairs_.size(); ++at)
      result.pairs[at].p_value =
          p_of(std::abs(standardised(pairs_[at].residual, pairs_[at])), pairs);
    triple_p_ = p_of(seen_.largest_triple, triples);
  }

  static double p_of(double seen, const std::vector<double>& flipped) {
    const auto as_large = std::ranges::count_if(
        flipped, [&](double value) { return value >= seen * (1 - kEqualShare); });
    return static_cast<double>(1 + as_large) / static_cast<double>(1 + flipped.size());
  }

  void describe_triple(ModelFit& result) const {
    if (seen_.triple == nobody) return;
    const Triple& t = triples_[seen_.triple];
    TripleFit& out = result.triple.emplace();
    out.excess = log_odds_around(t, all_residuals());
    const PairFit& ij = result.pairs[t.ij];
    const PairFit& jk = result.pairs[t.jk];
    const PairFit& ik = result.pairs[t.ik];
    if (out.excess >= 0)
      out.steps = {ij, jk, turned(ik)};
    else
      out.steps = {ik, turned(jk), turned(ij)};
    out.excess = std::abs(out.excess);
    out.residual = seen_.largest_triple;
    out.cycle =
        std::ranges::all_of(out.steps, [](const PairFit& step) { return step.observed > 0.5; });
    out.p_value = triple_p_;
  }

  ModelFitOptions options_;
  std::span<const MatchRanking> matches_;
  MatchUnits sorted_;
  std::size_t agents_;
  DavidsonLuce model_;
  DavidsonLuce::Counts total_;
  DavidsonLuce::Fit fit_;
  std::size_t parameters_ = 0;
  std::vector<Groups> groups_;
  std::vector<std::vector<std::size_t>> choices_;
  std::vector<KindMoments> kinds_;
  std::vector<double> information_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> pair_of_;
  std::vector<Pair> pairs_;
  std::vector<Triple> triples_;
  std::vector<std::vector<double>> scores_;     ///< [bin][parameter]
  std::vector<std::vector<double>> residuals_;  ///< [bin][pair]
  double strengths_ = 0;                        ///< squared log odds that the strengths explain
  Deviation seen_;
  std::optional<double> triple_p_;
};

}  // namespace

PairFit turned(PairFit pair) {
  std::swap(pair.agent, pair.opponent);
  pair.observed = 1 - pair.observed;
  pair.expected = 1 - pair.expected;
  pair.residual = 0 - pair.residual;
  return pair;
}

ModelFit model_fit(std::span<const MatchRanking> matches, const ModelFitOptions& options) {
  std::vector<MatchRanking> used;
  for (const MatchRanking& match : matches)
    if (!one_agent_only(match)) used.push_back(match);
  if (used.empty()) return {};
  return FitTest(used, options).go();
}

}  // namespace agon::stats
