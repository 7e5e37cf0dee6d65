#include "theory/evolution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace agon::theory {
namespace {

/// What every action earns against the shares of the others.
class Earnings {
 public:
  /// `scale` divides all payoffs.
  Earnings(const MatrixGame& game, bool symmetric, double scale)
      : game_(game), symmetric_(symmetric), scale_(scale) {
    for (std::size_t i = 0; i < game.profiles(); ++i)
      for (std::size_t p = 0; p < game.players(); ++p)
        actions_.push_back(i / game.stride(p) % game.actions(p));
  }

  [[nodiscard]] std::size_t populations() const { return symmetric_ ? 1 : game_.players(); }

  void operator()(const Shares& shares, Shares& out) const {
    const std::size_t players = game_.players();
    for (std::size_t p = 0; p < populations(); ++p) out[p].assign(game_.actions(p), 0);
    for (std::size_t i = 0; i < game_.profiles(); ++i) {
      const std::size_t* at = actions_.data() + i * players;
      for (std::size_t p = 0; p < populations(); ++p) {
        double weight = 1;
        for (std::size_t q = 0; q < players; ++q)
          if (q != p) weight *= shares[symmetric_ ? 0 : q][at[q]];
        out[p][at[p]] += weight * (game_.payoff(i, p) / scale_);
      }
    }
  }

 private:
  const MatrixGame& game_;
  bool symmetric_;
  double scale_;
  std::vector<std::size_t> actions_;  ///< [profile][player]
};

double payoff_range(const MatrixGame& game) {
  double widest = 0;
  for (std::size_t p = 0; p < game.players(); ++p) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (std::size_t i = 0; i < game.profiles(); ++i) {
      least = std::min(least, game.payoff(i, p));
      most = std::max(most, game.payoff(i, p));
    }
    widest = std::max(widest, most - least);
  }
  return widest > 0 ? widest : 1;
}

/// Shares from their logarithms, which are shifted so that the largest is 0.
void to_shares(Shares& logs, Shares& shares) {
  for (std::size_t p = 0; p < logs.size(); ++p) {
    const double top = *std::max_element(logs[p].begin(), logs[p].end());
    double sum = 0;
    shares[p].resize(logs[p].size());
    for (std::size_t a = 0; a < logs[p].size(); ++a) {
      logs[p][a] -= top;
      sum += shares[p][a] = std::exp(logs[p][a]);
    }
    for (double& share : shares[p]) share /= sum;
  }
}

double gap_of(const Shares& shares, const Shares& earned) {
  double gap = 0;
  for (std::size_t p = 0; p < shares.size(); ++p) {
    double mean = 0;
    for (std::size_t a = 0; a < shares[p].size(); ++a) mean += shares[p][a] * earned[p][a];
    for (const double payoff : earned[p]) gap = std::max(gap, payoff - mean);
  }
  return gap;
}

/// One run with steps of one length.
ReplicatorEnd run(const Earnings& earnings, const Shares& start, double step,
                  const ReplicatorOptions& options) {
  Shares logs = start;
  for (auto& population : logs)
    for (double& share : population) share = std::log(share);
  ReplicatorEnd end;
  Shares trial = logs;
  Shares earned = logs;
  Shares sum = logs;
  to_shares(logs, end.shares = logs);
  Shares mean = end.shares;
  for (auto& population : mean) std::fill(population.begin(), population.end(), 0.0);
  double counted = 0;
  const auto steps = static_cast<std::size_t>(options.horizon / step);
  for (std::size_t n = 0;; ++n) {
    earnings(end.shares, earned);
    end.gap = gap_of(end.shares, earned);
    end.time = static_cast<double>(n) * step;
    end.settled = end.gap <= options.tolerance;
    if (end.settled || n == steps) break;
    if (2 * n >= steps) {
      counted += 1;
      for (std::size_t p = 0; p < mean.size(); ++p)
        for (std::size_t a = 0; a < mean[p].size(); ++a) mean[p][a] += end.shares[p][a];
    }
    sum = earned;
    for (const double part : {0.5, 0.5, 1.0}) {
      for (std::size_t p = 0; p < logs.size(); ++p)
        for (std::size_t a = 0; a < logs[p].size(); ++a)
          trial[p][a] = logs[p][a] + part * step * earned[p][a];
      to_shares(trial, end.shares);
      earnings(end.shares, earned);
      for (std::size_t p = 0; p < logs.size(); ++p)
        for (std::size_t a = 0; a < logs[p].size(); ++a)
          sum[p][a] += (part == 1.0 ? 1 : 2) * earned[p][a];
    }
    for (std::size_t p = 0; p < logs.size(); ++p)
      for (std::size_t a = 0; a < logs[p].size(); ++a) logs[p][a] += step / 6 * sum[p][a];
    to_shares(logs, end.shares);
  }
  if (!end.settled && counted > 0) {
    for (auto& population : mean)
      for (double& share : population) share /= counted;
    end.shares = mean;
  }
  return end;
}

double apart(const Shares& a, const Shares& b) {
  double most = 0;
  for (std::size_t p = 0; p < a.size(); ++p)
    for (std::size_t k = 0; k < a[p].size(); ++k)
      most = std::max(most, std::abs(a[p][k] - b[p][k]));
  return most;
}

}  // namespace

ReplicatorEnd replicate(const MatrixGame& game, bool symmetric, const Shares& start,
                        const ReplicatorOptions& options) {
  const Earnings earnings(game, symmetric, payoff_range(game));
  double step = options.step;
  ReplicatorEnd end = run(earnings, start, step, options);
  for (std::size_t halving = 0; halving <= options.halvings; ++halving) {
    step /= 2;
    ReplicatorEnd finer = run(earnings, start, step, options);
    finer.error = apart(finer.shares, end.shares);
    end = std::move(finer);
    if (end.error <= options.error) break;
  }
  return end;
}

Shares uniform_shares(const MatrixGame& game, bool symmetric) {
  Shares shares;
  for (std::size_t p = 0; p < (symmetric ? 1 : game.players()); ++p)
    shares.emplace_back(game.actions(p), 1 / static_cast<double>(game.actions(p)));
  return shares;
}

namespace {

/// Chances below this are as good as none, and would be rounded to none further on.
constexpr double kLeastChance = 1e-100;
/// Payoffs closer than this share of the largest are the same but for rounding.
constexpr double kSamePayoff = 1e-12;

double largest_payoff(const MatrixGame& game) {
  double largest = 0;
  for (std::size_t i = 0; i < game.profiles(); ++i)
    for (const double payoff : game.payoffs(i)) largest = std::max(largest, std::abs(payoff));
  return largest;
}

/// The chance that a mutant which earns `gain` more than the others takes over.
double fixation(double gain, double largest, const AlphaRankOptions& options) {
  const auto m = static_cast<double>(options.population);
  if (std::abs(gain) <= kSamePayoff * largest) return 1 / m;
  if (!options.alpha) return gain > 0 ? 1 - options.perturbation : options.perturbation;
  const double pull = *options.alpha * std::abs(gain);
  if (pull == 0) return 1 / m;
  const double up = std::expm1(-pull) / std::expm1(-m * pull);
  return std::max(gain > 0 ? up : std::exp(-(m - 1) * pull) * up, kLeastChance);
}

}  // namespace

Stationary stationary(const std::vector<double>& chances, std::size_t states) {
  constexpr double large = 1e200;
  std::vector<double> left = chances;
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return left[i * states + j]; };
  for (std::size_t n = states; n-- > 1;) {
    double out = 0;
    for (std::size_t j = 0; j < n; ++j) out += at(n, j);
    for (std::size_t i = 0; i < n; ++i) {
      const double in = at(i, n) /= out;
      if (in == 0) continue;
      for (std::size_t j = 0; j < n; ++j) at(i, j) += in * at(n, j);
    }
  }
  Stationary found;
  found.mass.assign(states, 0);
  found.mass[0] = 1;
  for (std::size_t n = 1; n < states; ++n) {
    for (std::size_t i = 0; i < n; ++i) found.mass[n] += found.mass[i] * at(i, n);
    if (found.mass[n] < large) continue;
    for (std::size_t i = 0; i <= n; ++i) found.mass[i] /= large;
  }
  double sum = 0;
  for (const double mass : found.mass) sum += mass;
  for (double& mass : found.mass) mass /= sum;
  for (std::size_t j = 0; j < states; ++j) {
    double flow = 0;
    for (std::size_t i = 0; i < states; ++i) {
      if (i == j) continue;
      flow += found.mass[i] * chances[i * states + j] - found.mass[j] * chances[j * states + i];
    }
    found.residual = std::max(found.residual, std::abs(flow));
  }
  return found;
}

Stationary alpha_rank(const MatrixGame& game, const AlphaRankOptions& options) {
  const std::size_t states = game.profiles();
  const double largest = largest_payoff(game);
  std::size_t ways = 0;
  for (std::size_t p = 0; p < game.players(); ++p) ways += game.actions(p) - 1;
  std::vector<double> chances(states * states, 0);
  for (std::size_t from = 0; from < states; ++from) {
    for (std::size_t p = 0; p < game.players(); ++p) {
      const std::size_t own = from / game.stride(p) % game.actions(p);
      for (std::size_t a = 0; a < game.actions(p); ++a) {
        if (a == own) continue;
        const std::size_t to = from - own * game.stride(p) + a * game.stride(p);
        chances[from * states + to] =
            fixation(game.payoff(to, p) - game.payoff(from, p), largest, options) /
            static_cast<double>(ways);
      }
    }
  }
  return stationary(chances, states);
}

Stationary alpha_rank_symmetric(const MatrixGame& game, const AlphaRankOptions& options) {
  const std::size_t states = game.actions(0);
  const double largest = largest_payoff(game);
  std::vector<double> chances(states * states, 0);
  for (std::size_t resident = 0; resident < states; ++resident) {
    for (std::size_t mutant = 0; mutant < states; ++mutant) {
      if (mutant == resident) continue;
      std::vector<std::size_t> table(game.players(), resident);
      table[0] = mutant;
      const std::size_t profile = game.index(table);
      const double gain =
          game.payoff(profile, 0) - (game.players() > 1 ? game.payoff(profile, 1) : 0);
      chances[resident * states + mutant] =
          fixation(gain, largest, options) / static_cast<double>(states - 1);
    }
  }
  return stationary(chances, states);
}

}  // namespace agon::theory
