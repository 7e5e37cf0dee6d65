#include "stats/davidson_luce.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "stats/positive_definite.hpp"

namespace agon::stats {
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
    Choice& choice = choices_[index];
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
      Outcome outcome;
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
  const Choice& choice = choices_[kind];
  double top = fit.theta[choice.agents[0]];
  for (const std::size_t agent : choice.agents) top = std::max(top, fit.theta[agent]);
  std::vector<Placing> list;
  double total = 0;
  for (const Outcome& outcome : choice.outcomes) {
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
  std::array<double, kMostFeatures> expected{};
  std::array<std::array<double, kMostFeatures>, kMostFeatures> squares{};
  for (std::size_t c = 0; c < choices_.size(); ++c) {
    const double times = counts.choices[c];
    if (times == 0) continue;
    const Choice& choice = choices_[c];
    const std::size_t members = choice.agents.size();
    const std::size_t features = members + seen_order_.size() - 1;
    double top = at[choice.agents[0]];  // scale by the strongest: no overflow
    for (const std::size_t agent : choice.agents) top = std::max(top, at[agent]);
    double total = 0;
    for (std::size_t i = 0; i < features; ++i) {
      expected[i] = 0;
      for (std::size_t j = 0; j <= i; ++j) squares[i][j] = 0;
    }
    for (const Outcome& outcome : choice.outcomes) {
      double exponent = outcome.log_ways - top;
      if (outcome.order > 1) {
        if (counts.orders[outcome.order - 1] == 0) continue;
        exponent += at[agents_ + outcome.order - 2];
      }
      for (std::size_t i = 0; i < members; ++i) {
        exponent += outcome.shares[i] * at[choice.agents[i]];
      }
      const double weight = std::exp(exponent);
      total += weight;
      for (std::size_t i = 0; i < members; ++i) {
        const double part = weight * outcome.shares[i];
        if (part == 0) continue;
        expected[i] += part;
        for (std::size_t j = 0; j <= i; ++j) squares[i][j] += part * outcome.shares[j];
      }
      if (outcome.order > 1) {
        const std::size_t tie = members + outcome.order - 2;
        expected[tie] += weight;
        squares[tie][tie] += weight;
        for (std::size_t j = 0; j < members; ++j) squares[tie][j] += weight * outcome.shares[j];
      }
    }
    value -= times * (std::log(total) + top);
    const auto place = [&](std::size_t feature) {
      return feature < members ? choice.agents[feature] : agents_ + feature - members;
    };
    for (std::size_t i = 0; i < features; ++i) {
      const std::size_t row = place(i);
      slope->gradient[row] -= times * expected[i] / total;
      for (std::size_t j = 0; j <= i; ++j) {
        const double joint =
            times * (squares[i][j] / total - expected[i] / total * (expected[j] / total));
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

}  // namespace agon::stats
