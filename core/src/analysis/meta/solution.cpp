#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <set>

#include "meta/payoffs.hpp"
#include "stats/contrasts.hpp"
#include "stats/resampling.hpp"
#include "stats/statistics.hpp"
#include "theory/equilibria.hpp"
#include "theory/evolution.hpp"

namespace agon::report {
namespace {

constexpr std::uint64_t seed = 20261121;

/// Squares of larger payoffs pass what a number can hold.
constexpr double kLargestPayoff = 1e150;
/// More gains than this take too long to estimate.
constexpr std::size_t kMostGains = 3000;
/// More states of alpha-rank than these take too long, once and for every resample.
constexpr std::size_t kMostStates = 512;
constexpr std::size_t kMostResampledStates = 216;
/// A smaller part of a payoff is no difference.
constexpr double rounding = 1e-12;
/// A smaller share of an action counts as none where replicator dynamics end.
constexpr double kSmallestShare = 0.01;
constexpr std::size_t kDynamicsStarts = 100;

/// The payoffs of all profiles, from those of line-ups and seats.
class Tensor {
 public:
  explicit Tensor(const MetaGame& game) {
    const std::size_t players = game.players();
    for (const auto& choices : game.choices) actions_.push_back(choices.size());
    std::vector<std::size_t> profile(players, 0);
    for (;;) {
      const std::size_t line_up = game.line_up(profile);
      for (std::size_t p = 0; p < players; ++p) {
        const auto& seats = game.line_ups[line_up].choices;
        std::size_t seat = p;
        if (game.symmetric)
          seat = static_cast<std::size_t>(std::ranges::find(seats, profile[p]) - seats.begin());
        from_.push_back(line_up * players + seat);
      }
      line_up_.push_back(line_up);
      std::size_t at = players;
      while (at > 0 && ++profile[at - 1] == actions_[at - 1]) profile[--at] = 0;
      if (at == 0) break;
    }
  }

  [[nodiscard]] theory::MatrixGame game(const std::vector<double>& payoffs) const {
    std::vector<double> all;
    all.reserve(from_.size());
    for (const std::size_t at : from_) all.push_back(payoffs[at]);
    return {actions_, std::move(all)};
  }
  /// The line-up of a profile.
  [[nodiscard]] std::size_t line_up(std::size_t profile) const { return line_up_[profile]; }

 private:
  std::vector<std::size_t> actions_;
  std::vector<std::size_t> from_;
  std::vector<std::size_t> line_up_;
};

std::uint32_t mask_of(const theory::MixedStrategy& strategy) {
  std::uint32_t mask = 0;
  for (std::size_t a = 0; a < strategy.size(); ++a)
    if (strategy[a].value > 0) mask |= 1U << a;
  return mask;
}

std::vector<std::size_t> members(std::uint32_t mask) {
  std::vector<std::size_t> list;
  for (std::size_t a = 0; mask >> a != 0; ++a)
    if ((mask >> a & 1) != 0) list.push_back(a);
  return list;
}

class Solver {
 public:
  Solver(const MetaGame& game, const std::vector<MetaBlock>& blocks, std::size_t units,
         const MetaReport& report, MetaScale scale)
      : game_(game), report_(report), payoffs_(game, blocks, units, scale) {
    out_.scale = scale;
  }

  MetaSolution go() {
    if (payoffs_.largest() > kLargestPayoff) {
      out_.note = std::isfinite(payoffs_.largest())
                      ? fmt::format("payoffs of up to {:g} are too large to be reckoned with",
                                    payoffs_.largest())
                      : "they are too large to be reckoned with";
      return std::move(out_);
    }
    estimate();
    if (!game_.missing.empty()) return std::move(out_);
    if (!payoffs_.complete()) {
      out_.note = "a line-up has no payoff on this scale: its pies add up to nothing";
      return std::move(out_);
    }
    const Tensor tensor(game_);
    solve_means(tensor);
    if (payoffs_.units() > 1) resample(tensor);
    return std::move(out_);
  }

 private:
  /// A change of one choice in a line-up: which gain tells it, and whether the other way round.
  struct ChoiceDeviation {
    std::size_t gain;
    double sign;
    std::size_t seat;
    std::size_t to;
  };

  /// Payoffs, gains and regrets, all from the same units.
  void estimate() {
    stats::ContrastProblem problem;
    problem.units = {payoffs_.units()};
    const std::size_t players = game_.players();
    for (std::size_t l = 0; l < game_.line_ups.size(); ++l)
      for (std::size_t s = 0; s < players; ++s) problem.add(payoffs_.payoff(l, s));
    const std::size_t first_gain = problem.cells.size();
    std::vector<std::vector<ChoiceDeviation>> changes(game_.line_ups.size());
    for (std::size_t l = 0; l < game_.line_ups.size(); ++l) {
      const auto& choices = game_.line_ups[l].choices;
      for (std::size_t s = 0; s < players; ++s) {
        if (game_.symmetric && s > 0 && choices[s] == choices[s - 1]) continue;
        for (std::size_t to = choices[s] + 1; to < game_.choices[s].size(); ++to) {
          const auto [other, seat] = changed(choices, s, to);
          changes[l].push_back({out_.gains.size(), 1, s, to});
          changes[other].push_back({out_.gains.size(), -1, seat, choices[s]});
          out_.gains.push_back({s, choices, to, {}});
          if (out_.gains.size() <= kMostGains) problem.add(payoffs_.difference(l, s, other, seat));
        }
      }
    }
    if (out_.gains.size() > kMostGains) {
      out_.gains.clear();
      problem.cells.resize(first_gain);
      problem.contrasts.resize(first_gain);
    }
    const stats::ContrastEstimates contrasts(problem, {report_.level, report_.resamples, seed});
    const auto& estimates = contrasts.estimates();
    for (std::size_t l = 0; l < game_.line_ups.size(); ++l)
      out_.payoffs.emplace_back(estimates.begin() + static_cast<std::ptrdiff_t>(l * players),
                                estimates.begin() + static_cast<std::ptrdiff_t>((l + 1) * players));
    for (std::size_t g = 0; g < out_.gains.size(); ++g)
      out_.gains[g].gain = estimates[first_gain + g];
    if (out_.gains.empty()) return;
    for (std::size_t l = 0; l < changes.size(); ++l)
      out_.regrets.push_back(regret(l, changes[l], first_gain, contrasts));
  }

  /// The line-up in which `seat` chooses `to`, and its seat there.
  [[nodiscard]] std::pair<std::size_t, std::size_t> changed(std::vector<std::size_t> choices,
                                                            std::size_t seat,
                                                            std::size_t to) const {
    choices[seat] = to;
    const std::size_t line_up = game_.line_up(choices);
    if (!game_.symmetric) return {line_up, seat};
    const auto& sorted = game_.line_ups[line_up].choices;
    return {line_up, static_cast<std::size_t>(std::ranges::find(sorted, to) - sorted.begin())};
  }

  [[nodiscard]] MetaRegret regret(std::size_t line_up, const std::vector<ChoiceDeviation>& changes,
                                  std::size_t first_gain,
                                  const stats::ContrastEstimates& contrasts) const {
    MetaRegret out;
    out.line_up = line_up;
    out.regret = 0;
    std::vector<std::size_t> family;
    for (const ChoiceDeviation& change : changes) {
      family.push_back(first_gain + change.gain);
      const auto& value = out_.gains[change.gain].gain.value;
      if (!value) {
        out.regret.reset();
        return out;
      }
      if (change.sign * *value <= *out.regret) continue;
      out.regret = change.sign * *value;
      out.seat = change.seat;
      out.to = change.to;
    }
    const auto joint = contrasts.jointly(family);
    stats::Interval all{0, 0};
    bool known = !changes.empty();
    bool varies = false;
    for (std::size_t c = 0; c < changes.size(); ++c) {
      const stats::Estimate& gain = out_.gains[changes[c].gain].gain;
      stats::Interval one{*gain.value, *gain.value};
      varies = varies || joint[c].interval;
      if (joint[c].interval)
        one = *joint[c].interval;
      else
        known = known && gain.note == stats::Note::no_variation;
      if (changes[c].sign < 0) one = {-one.high, -one.low};
      all.low = std::max(all.low, one.low);
      all.high = std::max(all.high, one.high);
    }
    if (known && varies) out.interval = all;
    out.always = known && !varies;
    return out;
  }

  [[nodiscard]] std::vector<double> weigh(const std::vector<double>& times) const {
    std::vector<double> payoffs;
    payoffs_.evaluate(times, payoffs);
    return payoffs;
  }

  void solve_means(const Tensor& tensor) {
    const auto game = tensor.game(weigh(std::vector<double>(payoffs_.units(), 1)));
    for (const std::size_t line_up : pure_of(tensor, game)) out_.pure.push_back({line_up});
    solve_mixed(game);
    rank(game);
    follow(game);
  }

  [[nodiscard]] static std::set<std::size_t> pure_of(const Tensor& tensor,
                                                     const theory::MatrixGame& game) {
    std::set<std::size_t> line_ups;
    for (const std::size_t profile : theory::pure_equilibria(game))
      line_ups.insert(tensor.line_up(profile));
    return line_ups;
  }

  void solve_mixed(const theory::MatrixGame& game) {
    try {
      for (auto& found : theory::extreme_equilibria(game)) {
        if (found.pure()) continue;
        const bool mirrored =
            game_.symmetric && std::ranges::any_of(out_.mixed, [&](const MetaMixed& other) {
              return other.exact.first == found.second && other.exact.second == found.first;
            });
        if (mirrored) continue;
        MetaMixed& mixed = out_.mixed.emplace_back();
        mixed.symmetric = game_.symmetric && found.first == found.second;
        mixed.exact = std::move(found);
        for (std::size_t p = 0; p < 2; ++p) mixed.weights[p].resize(game_.choices[p].size());
      }
    } catch (const Error& error) {
      out_.mixed.clear();
      out_.mixed_note = error.problem();
    }
  }

  [[nodiscard]] theory::Stationary ranked(const theory::MatrixGame& game,
                                          const std::optional<double>& alpha) const {
    const theory::AlphaRankOptions options{.alpha = alpha};
    return game_.symmetric ? theory::alpha_rank_symmetric(game, options)
                           : theory::alpha_rank(game, options);
  }

  [[nodiscard]] std::size_t states() const {
    return game_.symmetric ? game_.choices[0].size() : game_.line_ups.size();
  }

  void rank(const theory::MatrixGame& game) {
    if (states() < 2) return;
    if (states() > kMostStates) {
      out_.ranking_note = fmt::format("alpha-rank is told up to {} line-ups", kMostStates);
      return;
    }
    std::vector<std::optional<double>> alphas = {std::nullopt};
    if (report_.question.alpha) alphas.push_back(report_.question.alpha);
    for (const auto& alpha : alphas) {
      const auto found = ranked(game, alpha);
      MetaRanking& ranking = out_.rankings.emplace_back();
      ranking.alpha = alpha;
      ranking.mass = found.mass;
      ranking.residual = found.residual;
      ranking.intervals.resize(found.mass.size());
    }
  }

  /// Starts drawn evenly from all mixtures: the spacings of exponential times.
  [[nodiscard]] theory::Shares drawn_start(const theory::MatrixGame& game, std::size_t n) const {
    stats::ResamplingDice dice(seed + 1, n);
    theory::Shares shares = theory::uniform_shares(game, game_.symmetric);
    for (auto& population : shares) {
      double sum = 0;
      for (double& share : population) sum += share = -std::log(dice.unit());
      for (double& share : population) share /= sum;
    }
    return shares;
  }

  void follow(const theory::MatrixGame& game) {
    if (states() < 2 || game.profiles() > kMostStates) return;
    MetaDynamics& dynamics = out_.dynamics.emplace();
    dynamics.from_uniform =
        theory::replicate(game, game_.symmetric, theory::uniform_shares(game, game_.symmetric));
    dynamics.error = dynamics.from_uniform.error;
    dynamics.starts = kDynamicsStarts;
    std::map<std::pair<bool, std::vector<std::vector<bool>>>, std::vector<theory::Shares>> kinds;
    for (std::size_t n = 0; n < kDynamicsStarts; ++n) {
      auto end = theory::replicate(game, game_.symmetric, drawn_start(game, n));
      dynamics.error = std::max(dynamics.error, end.error);
      std::vector<std::vector<bool>> used;
      for (const auto& population : end.shares) {
        auto& list = used.emplace_back();
        for (const double share : population) list.push_back(share > kSmallestShare);
      }
      kinds[{end.settled, std::move(used)}].push_back(std::move(end.shares));
    }
    for (const auto& [kind, ends] : kinds) dynamics.basins.push_back(basin(ends, kind.first));
    std::ranges::stable_sort(dynamics.basins,
                             [](const auto& a, const auto& b) { return a.starts > b.starts; });
  }

  [[nodiscard]] static MetaBasin basin(const std::vector<theory::Shares>& ends, bool settled) {
    MetaBasin out;
    out.settled = settled;
    out.starts = static_cast<double>(ends.size()) / static_cast<double>(kDynamicsStarts);
    out.shares = ends.front();
    for (std::size_t p = 0; p < out.shares.size(); ++p) {
      for (std::size_t a = 0; a < out.shares[p].size(); ++a) {
        double sum = 0;
        for (const auto& end : ends) sum += end[p][a];
        const double mean = sum / static_cast<double>(ends.size());
        out.shares[p][a] = mean;
        for (const auto& end : ends) out.spread = std::max(out.spread, std::abs(end[p][a] - mean));
      }
    }
    return out;
  }

  /// What resamples of the units say.
  struct ResampleCounts {
    std::map<std::size_t, std::size_t> pure;
    std::map<theory::Support, std::size_t> supports;
    std::vector<std::size_t> held;                                         ///< by mixed equilibrium
    std::vector<std::array<std::vector<std::vector<double>>, 2>> weights;  ///< by it and player
    std::vector<std::vector<std::vector<double>>> masses;                  ///< by ranking and state
  };

  [[nodiscard]] ResampleCounts no_counts() const {
    ResampleCounts counts;
    counts.held.assign(out_.mixed.size(), 0);
    counts.weights.resize(out_.mixed.size());
    for (auto& players : counts.weights)
      for (std::size_t p = 0; p < 2; ++p) players[p].resize(game_.choices[p].size());
    for (const MetaRanking& ranking : out_.rankings)
      counts.masses.emplace_back(ranking.mass.size());
    return counts;
  }

  /// Solves the game again with the units drawn again, for all payoffs at once.
  void resample(const Tensor& tensor) {
    ResampleCounts counts = no_counts();
    std::vector<double> times(payoffs_.units());
    const std::vector<double> means = weigh(std::vector<double>(payoffs_.units(), 1));
    bool varies = false;
    for (std::size_t b = 0; b < report_.resamples; ++b) {
      stats::ResamplingDice dice(seed, b);
      std::ranges::fill(times, 0.0);
      for (std::size_t i = 0; i < times.size(); ++i)
        times[static_cast<std::size_t>(dice.below(times.size()))] += 1;
      const std::vector<double> payoffs = weigh(times);
      if (std::ranges::any_of(payoffs, [](double x) { return !std::isfinite(x); })) continue;
      ++out_.resamples;
      for (std::size_t i = 0; i < means.size(); ++i)
        varies = varies || std::abs(payoffs[i] - means[i]) > rounding * std::abs(means[i]);
      count(tensor, tensor.game(payoffs), counts);
    }
    // Blocks that all say the same are no evidence of what others would say.
    if (!varies) out_.resamples = 0;
    if (out_.resamples > 0) tell(counts);
  }

  void count(const Tensor& tensor, const theory::MatrixGame& game, ResampleCounts& counts) {
    for (const std::size_t line_up : pure_of(tensor, game)) ++counts.pure[line_up];
    if (game_.players() == 2 && std::max(game_.choices[0].size(), game_.choices[1].size()) <=
                                    theory::kMostEnumeratedActions)
      for (const theory::Support& support : theory::equilibrium_supports(game))
        ++counts.supports[one_of_two(support)];
    for (std::size_t e = 0; e < out_.mixed.size(); ++e) {
      const auto found = theory::equilibrium_on(game, support_of(out_.mixed[e]));
      if (!found) continue;
      ++counts.held[e];
      for (std::size_t p = 0; p < 2; ++p)
        for (std::size_t a = 0; a < (*found)[p].size(); ++a)
          counts.weights[e][p][a].push_back((*found)[p][a]);
    }
    if (states() > kMostResampledStates) return;
    for (std::size_t r = 0; r < out_.rankings.size(); ++r) {
      const auto found = ranked(game, out_.rankings[r].alpha);
      out_.rankings[r].residual = std::max(out_.rankings[r].residual, found.residual);
      for (std::size_t s = 0; s < found.mass.size(); ++s)
        counts.masses[r][s].push_back(found.mass[s]);
    }
  }

  void tell(const ResampleCounts& counts) {
    const auto all = static_cast<double>(out_.resamples);
    for (MetaPure& found : out_.pure) {
      const auto at = counts.pure.find(found.line_up);
      found.held_in = at == counts.pure.end() ? 0 : static_cast<double>(at->second) / all;
    }
    for (std::size_t e = 0; e < out_.mixed.size(); ++e) {
      const theory::Support support = support_of(out_.mixed[e]);
      if (members(support.first).size() != members(support.second).size()) continue;
      out_.mixed[e].held_in = static_cast<double>(counts.held[e]) / all;
      for (std::size_t p = 0; p < 2; ++p)
        for (const std::size_t a : members(p == 0 ? support.first : support.second))
          out_.mixed[e].weights[p][a] = percentiles(counts.weights[e][p][a]);
    }
    for (std::size_t r = 0; r < out_.rankings.size(); ++r)
      for (std::size_t s = 0; s < counts.masses[r].size(); ++s)
        out_.rankings[r].intervals[s] = percentiles(counts.masses[r][s]);
    tell_supports(counts.supports);
  }

  /// Of two supports that are each other's mirror image, where seats are alike, one.
  [[nodiscard]] theory::Support one_of_two(theory::Support support) const {
    if (game_.symmetric && support.second < support.first) std::swap(support.first, support.second);
    return support;
  }

  [[nodiscard]] static theory::Support support_of(const MetaMixed& mixed) {
    return {mask_of(mixed.exact.first), mask_of(mixed.exact.second)};
  }

  void tell_supports(const std::map<theory::Support, std::size_t>& counts) {
    std::set<theory::Support> found;
    for (const MetaMixed& mixed : out_.mixed) found.insert(one_of_two(support_of(mixed)));
    for (const MetaPure& pure : out_.pure) {
      const auto& choices = game_.line_ups[pure.line_up].choices;
      if (choices.size() == 2) found.insert(one_of_two({1U << choices[0], 1U << choices[1]}));
    }
    for (const auto& [support, count] : counts) {
      MetaSupport& out = out_.supports.emplace_back();
      out.choices = {members(support.first), members(support.second)};
      // Mirror images are equilibria of the same resamples.
      const bool twice = game_.symmetric && support.first != support.second;
      out.share =
          static_cast<double>(twice ? count / 2 : count) / static_cast<double>(out_.resamples);
      out.found = found.contains(support);
    }
    std::ranges::stable_sort(out_.supports,
                             [](const auto& a, const auto& b) { return a.share > b.share; });
  }

  /// The middle part of the values; nothing where the tails hold no value, or under ten units.
  [[nodiscard]] std::optional<stats::Interval> percentiles(std::vector<double> values) const {
    const double tail = (1 - report_.level) / 2;
    if (payoffs_.units() < stats::kFewestUnits || static_cast<double>(values.size() + 1) * tail < 1)
      return std::nullopt;
    std::ranges::sort(values);
    return stats::Interval{stats::order_statistic(values, tail),
                           stats::order_statistic(values, 1 - tail)};
  }

  const MetaGame& game_;
  const MetaReport& report_;
  MetaPayoffs payoffs_;
  MetaSolution out_;
};

void count_line_ups(MetaGame& game, const std::vector<MetaBlock>& blocks) {
  std::vector<std::set<std::size_t>> units(game.line_ups.size());
  for (const MetaBlock& block : blocks)
    for (const auto& [choices, sums] : block.sums) {
      const std::size_t line_up = game.line_up(choices);
      game.line_ups[line_up].matches += static_cast<std::size_t>(sums.front().matches);
      units[line_up].insert(block.unit);
    }
  for (std::size_t l = 0; l < units.size(); ++l) {
    game.line_ups[l].blocks = units[l].size();
    if (units[l].empty()) game.missing.push_back(l);
  }
}

}  // namespace

const char* name(MetaScale scale) {
  return scale == MetaScale::normalised ? "normalised" : "raw";
}

std::size_t MetaGame::line_up(std::vector<std::size_t> choices_of_seats) const {
  if (symmetric) std::ranges::sort(choices_of_seats);
  const auto at =
      std::lower_bound(line_ups.begin(), line_ups.end(), choices_of_seats,
                       [](const MetaLineUp& line_up, const std::vector<std::size_t>& wanted) {
                         return line_up.choices < wanted;
                       });
  return static_cast<std::size_t>(at - line_ups.begin());
}

std::vector<MetaLineUp> line_ups_of(const MetaGame& game) {
  std::vector<MetaLineUp> all;
  std::vector<std::size_t> choices(game.players(), 0);
  for (;;) {
    if (!game.symmetric || std::is_sorted(choices.begin(), choices.end())) all.push_back({choices});
    std::size_t at = choices.size();
    while (at > 0 && ++choices[at - 1] == game.choices[at - 1].size()) choices[--at] = 0;
    if (at == 0) return all;
  }
}

void solve(MetaGame& game, const std::vector<MetaBlock>& blocks, std::size_t units,
           const MetaReport& report) {
  game.line_ups = line_ups_of(game);
  count_line_ups(game, blocks);
  bool scaled = false;
  for (const MetaBlock& block : blocks)
    for (const auto& [choices, sums] : block.sums)
      for (const MetaSum& sum : sums) scaled = scaled || sum.scaled > 0;
  if (scaled)
    game.solutions.push_back(Solver(game, blocks, units, report, MetaScale::normalised).go());
  game.solutions.push_back(Solver(game, blocks, units, report, MetaScale::raw).go());
}

}  // namespace agon::report
