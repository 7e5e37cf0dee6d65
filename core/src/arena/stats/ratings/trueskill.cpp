#include "stats/ratings/trueskill.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "stats/resampling.hpp"
#include "stats/statistics.hpp"

namespace agon::stats {
namespace {

/// A normal density by its precision and precision times mean, so that products are sums.
struct NormalMessage {
  double precision = 0;
  double weighted = 0;
};

NormalMessage operator*(NormalMessage a, NormalMessage b) {
  return {a.precision + b.precision, a.weighted + b.weighted};
}

NormalMessage operator/(NormalMessage a, NormalMessage b) {
  return {a.precision - b.precision, a.weighted - b.weighted};
}

double density(double x) {
  return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
}

double below(double x) {
  return std::erfc(-x / std::numbers::sqrt2) / 2;
}

/// Mills' ratio, the upper tail over the density. Far out by its continued fraction, where both
/// vanish (Abramowitz and Stegun, 26.2.14).
double mills(double x) {
  if (x < 10) return below(-x) / density(x);
  double tail = x;
  for (int k = 30; k > 0; --k) tail = x + k / tail;
  return 1 / tail;
}

/// First and second moment corrections of a truncated normal.
struct Correction {
  double v = 0;
  double w = 0;
};

/// For a difference known to exceed `margin`; `t` is its mean; both in standard deviations.
Correction win(double t, double margin) {
  const double x = t - margin;
  const double v = 1 / mills(-x);
  return {v, std::clamp(v * (v + x), 0.0, 1.0)};
}

/// For a difference known to lie within +-margin.
Correction tie(double t, double margin) {
  if (margin < 1e-6) return {-t, 1.0};  // the difference is known to be zero
  const double x = std::abs(t);
  const double near = x - margin;
  const double far = x + margin;
  double v = 0;
  double w = 0;
  if (near < 5) {
    const double inside = below(-near) - below(-far);
    v = (density(far) - density(near)) / inside;
    w = v * v + (far * density(far) - near * density(near)) / inside;
  } else {  // relative to the density at the near edge, as all of them vanish
    const double ratio = std::exp((near - far) * (near + far) / 2);
    const double inside = mills(near) - ratio * mills(far);
    v = (ratio - 1) / inside;
    w = v * v + (far * ratio - near) / inside;
  }
  return {t < 0 ? -v : v, std::clamp(w, 0.0, 1.0)};
}

/// One link of the chain: a player and the next one down.
struct Link {
  NormalMessage to_upper;    ///< from this link to the upper player's performance
  NormalMessage to_lower;    ///< from this link to the lower player's performance
  NormalMessage from_truth;  ///< from the known result to the difference
  bool tied = false;
};

void require_usable(std::size_t players, std::size_t scores, const TrueSkillOptions& options) {
  if (players < 2 || players != scores) {
    throw Error(ErrorKind::failure, "a rating update needs two or more players with a score each");
  }
  if (!(options.beta > 0) || !(options.tau >= 0) || !(options.draw_probability >= 0) ||
      !(options.draw_probability < 1) || !(options.start.sigma > 0)) {
    throw Error(ErrorKind::invalid, "a constant of TrueSkill is out of range", "",
                "beta and sigma are positive, tau is not negative, the draw probability is in "
                "[0, 1)");
  }
}

/// Half the width of a tie between two players, in score units of performance.
double tie_margin(const TrueSkillOptions& options) {
  if (options.draw_probability == 0) return 0;
  const boost::math::normal_distribution<double> standard;
  return boost::math::quantile(standard, (options.draw_probability + 1) / 2) * std::numbers::sqrt2 *
         options.beta;
}

/// Rates matches without an allocation for each.
class Rater {
 public:
  explicit Rater(const TrueSkillOptions& options)
      : options_(options), margin_(tie_margin(options)) {}

  /// Updates ratings[who[i]] for every seat i.
  void rate(std::span<const std::size_t> who, std::span<const double> scores,
            std::vector<Rating>& ratings) {
    const std::size_t n = who.size();
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    prior_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Rating& rating = ratings[who[order_[i]]];
      const double variance =
          rating.sigma * rating.sigma + options_.tau * options_.tau + options_.beta * options_.beta;
      prior_[i] = {1 / variance, rating.mu / variance};
    }
    links_.assign(n - 1, {});
    for (std::size_t i = 0; i + 1 < n; ++i) {
      links_[i].tied = scores[order_[i]] == scores[order_[i + 1]];
    }
    // Down and up the chain until the messages stand still. One link needs a single visit.
    for (int round = 0; round < 1000; ++round) {
      double change = 0;
      for (std::size_t i = 0; i < links_.size(); ++i) change = std::max(change, visit(i));
      for (std::size_t i = links_.size() - 1; i-- > 0;) change = std::max(change, visit(i));
      if (change < 1e-6 || links_.size() == 1) break;
    }
    for (std::size_t i = 0; i < n; ++i) {
      NormalMessage results;
      if (i > 0) results = results * links_[i - 1].to_lower;
      if (i < links_.size()) results = results * links_[i].to_upper;
      if (!(results.precision > 0)) continue;
      Rating& rating = ratings[who[order_[i]]];
      const double variance = rating.sigma * rating.sigma + options_.tau * options_.tau;
      const double noise = 1 / results.precision + options_.beta * options_.beta;
      const double precision = 1 / variance + 1 / noise;
      rating.mu = (rating.mu / variance + results.weighted / results.precision / noise) / precision;
      rating.sigma = std::sqrt(1 / precision);
    }
  }

 private:
  /// What a player's performance is believed to be without link i.
  NormalMessage upper_without(std::size_t i) const {
    return i == 0 ? prior_[i] : prior_[i] * links_[i - 1].to_lower;
  }
  NormalMessage lower_without(std::size_t i) const {
    return i + 1 == links_.size() ? prior_[i + 1] : prior_[i + 1] * links_[i + 1].to_upper;
  }

  /// Passes all messages through link i. Returns the largest change of mean or deviation of the
  /// belief about the difference.
  double visit(std::size_t i) {
    Link& link = links_[i];
    const NormalMessage upper = upper_without(i);
    const NormalMessage lower = lower_without(i);
    const double upper_mean = upper.weighted / upper.precision;
    const double lower_mean = lower.weighted / lower.precision;
    const double variance = 1 / upper.precision + 1 / lower.precision;
    const double spread = std::sqrt(variance);
    const double apart = upper_mean - lower_mean;
    const Correction c =
        link.tied ? tie(apart / spread, margin_ / spread) : win(apart / spread, margin_ / spread);
    const double mean = apart + spread * c.v;
    const double remaining = std::max(variance * (1 - c.w), variance * 1e-12);
    const NormalMessage before{1 / variance, apart / variance};
    const NormalMessage after{1 / remaining, mean / remaining};
    const NormalMessage old = before * link.from_truth;
    const double change = std::max(std::abs(mean - old.weighted / old.precision),
                                   std::abs(std::sqrt(remaining) - std::sqrt(1 / old.precision)));
    link.from_truth = after / before;
    if (!(link.from_truth.precision > 0)) {  // the result was no news
      link.to_upper = link.to_lower = {};
      return change;
    }
    const double told = link.from_truth.weighted / link.from_truth.precision;
    const double noise = 1 / link.from_truth.precision;
    const double up = 1 / (noise + 1 / lower.precision);
    const double down = 1 / (noise + 1 / upper.precision);
    link.to_upper = {up, up * (told + lower_mean)};
    link.to_lower = {down, down * (upper_mean - told)};
    return change;
  }

  TrueSkillOptions options_;
  double margin_;
  std::vector<std::size_t> order_;    ///< seats, best first
  std::vector<NormalMessage> prior_;  ///< performance before the match, best first
  std::vector<Link> links_;
};

}  // namespace

std::vector<Rating> trueskill_update(std::span<const Rating> ratings,
                                     std::span<const double> scores,
                                     const TrueSkillOptions& options) {
  require_usable(ratings.size(), scores.size(), options);
  std::vector<Rating> updated(ratings.begin(), ratings.end());
  std::vector<std::size_t> who(ratings.size());
  std::iota(who.begin(), who.end(), std::size_t{0});
  Rater(options).rate(who, scores, updated);
  return updated;
}

namespace {

/// The seats of a match by agent number.
struct SeatStandings {
  std::vector<std::size_t> who;
  std::vector<double> scores;
};

bool usable(const MatchRanking& match) {
  if (match.seats.size() < 2) return false;
  std::vector<std::string> names;
  for (const auto& seat : match.seats) names.push_back(seat.agent);
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

/// Plays the blocks in `orders` shuffled orders and calls visit(ratings) after each.
template <typename Visit>
void play_orders(const std::vector<SeatStandings>& tables, const MatchUnits& sorted,
                 std::vector<std::size_t>& blocks, std::size_t orders,
                 const TrueSkillOptions& constants, ResamplingDice& dice, Visit visit) {
  Rater rater(constants);
  std::vector<Rating> ratings;
  for (std::size_t o = 0; o < orders; ++o) {
    dice.shuffle(std::span<std::size_t>(blocks));
    ratings.assign(sorted.agents().size(), constants.start);
    for (const std::size_t block : blocks) {
      for (const std::size_t m : sorted.blocks()[block].matches) {
        rater.rate(tables[m].who, tables[m].scores, ratings);
      }
    }
    visit(ratings);
  }
}

void finish_difference(Estimate& difference, std::vector<double>& refits, double level) {
  difference.standard_error = standard_deviation(refits);
  std::sort(refits.begin(), refits.end());
  if (refits.front() == refits.back()) {
    difference.note = Note::no_variation;
    return;
  }
  const double tail = (1 - level) / 2;
  difference.note = Note::none;
  difference.interval = Interval{order_statistic(refits, tail), order_statistic(refits, 1 - tail)};
}

std::vector<SeatStandings> standings(const std::vector<MatchRanking>& matches,
                                     const MatchUnits& sorted) {
  std::vector<SeatStandings> tables;
  for (const auto& match : matches) {
    tables.emplace_back();
    for (const auto& seat : match.seats) {
      tables.back().who.push_back(sorted.agent_index(seat.agent));
      tables.back().scores.push_back(seat.score);
    }
  }
  return tables;
}

/// Adds the agents with their differences to `base`. Returns those that resampling gives an error.
std::vector<std::size_t> add_agents(const std::vector<SeatStandings>& tables,
                                    const MatchUnits& sorted, std::size_t base,
                                    const TrueSkillOverBlocksOptions& options,
                                    TrueSkillRatings& result) {
  const std::size_t agents = sorted.agents().size();
  std::vector<std::size_t> blocks(sorted.blocks().size());
  std::iota(blocks.begin(), blocks.end(), std::size_t{0});
  std::vector<std::vector<double>> mus(agents);
  std::vector<double> sigma(agents, 0.0);
  // Stream 0 shuffles the data themselves, stream b + 1 belongs to resample b.
  ResamplingDice shuffler(options.bootstrap.seed, 0);
  play_orders(tables, sorted, blocks, options.orders, options.constants, shuffler,
              [&](const std::vector<Rating>& ratings) {
                for (std::size_t a = 0; a < agents; ++a) {
                  mus[a].push_back(ratings[a].mu);
                  sigma[a] += ratings[a].sigma / static_cast<double>(options.orders);
                }
              });
  const auto& presence = sorted.presence();
  std::vector<std::size_t> open;
  for (std::size_t a = 0; a < agents; ++a) {
    AgentRating rating;
    rating.agent = sorted.agents()[a];
    rating.mu = *mean(mus[a]);
    rating.sigma = sigma[a];
    rating.mu_spread = standard_deviation(mus[a]).value_or(0);
    rating.difference.blocks = presence[a].blocks;
    rating.difference.units = presence[a].units;
    if (a != base && presence[a].component != presence[base].component) {
      rating.difference.note = Note::not_connected;
    } else if (a != base) {
      const bool few = std::min(presence[a].fewest, presence[base].fewest) < kFewestUnits;
      rating.difference.value = rating.mu - *mean(mus[base]);
      rating.difference.note = few ? Note::too_few : Note::none;
      if (!few) open.push_back(a);
    }
    result.agents.push_back(std::move(rating));
  }
  return open;
}

/// Errors and intervals of the `open` agents' differences to `base`, from ratings of drawn units.
void add_errors(const std::vector<SeatStandings>& tables, const MatchUnits& sorted,
                std::span<const std::size_t> open, std::size_t base,
                const TrueSkillOverBlocksOptions& options, TrueSkillRatings& result) {
  const std::size_t agents = sorted.agents().size();
  std::vector<std::size_t> blocks;
  std::vector<std::vector<double>> refits(agents);
  std::vector<std::size_t> times;
  std::vector<double> total(agents);
  for (std::size_t b = 0; b < options.bootstrap.resamples; ++b) {
    ResamplingDice dice(options.bootstrap.seed, b + 1);
    sorted.draw(dice, times);
    blocks.clear();
    for (std::size_t u = 0; u < times.size(); ++u) {
      for (std::size_t t = 0; t < times[u]; ++t) {
        blocks.insert(blocks.end(), sorted.units()[u].blocks.begin(),
                      sorted.units()[u].blocks.end());
      }
    }
    std::fill(total.begin(), total.end(), 0.0);
    play_orders(tables, sorted, blocks, options.orders_in_resample, options.constants, dice,
                [&](const std::vector<Rating>& ratings) {
                  for (std::size_t a = 0; a < agents; ++a) total[a] += ratings[a].mu;
                });
    for (const std::size_t a : open) {
      refits[a].push_back((total[a] - total[base]) /
                          static_cast<double>(options.orders_in_resample));
    }
  }
  for (const std::size_t a : open)
    finish_difference(result.agents[a].difference, refits[a], options.bootstrap.level);
}

}  // namespace

TrueSkillRatings trueskill_over_blocks(std::span<const MatchRanking> matches,
                                       const std::string& reference,
                                       const TrueSkillOverBlocksOptions& options) {
  require_valid(options.bootstrap);
  if (options.orders == 0 || options.orders_in_resample == 0) {
    throw Error(ErrorKind::invalid, "ratings need at least one order of the blocks", "orders",
                "100 is the default");
  }
  require_usable(2, 2, options.constants);
  TrueSkillRatings result;
  std::vector<MatchRanking> used;
  for (const auto& match : matches) {
    if (usable(match)) used.push_back(match);
  }
  result.matches = used.size();
  result.left_out = matches.size() - used.size();
  const MatchUnits sorted(used);
  const std::size_t base = sorted.agent_index(reference);
  const std::vector<SeatStandings> tables = standings(used, sorted);
  const std::vector<std::size_t> open = add_agents(tables, sorted, base, options, result);
  if (!open.empty()) add_errors(tables, sorted, open, base, options, result);
  return result;
}

}  // namespace agon::stats
