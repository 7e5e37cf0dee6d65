#include "english-auction/knapsack.hpp"

#include <algorithm>
#include <vector>

namespace english_auction {

namespace {

/// At least what the purchases from `from` on can gain with `money`: the last one bought in part.
/// `sorted` is in order of falling gain per cost.
std::int64_t bound(std::span<const Purchase> sorted, std::size_t from, std::int64_t money) {
  std::int64_t gain = 0;
  for (std::size_t i = from; i < sorted.size(); ++i) {
    if (sorted[i].cost > money) return gain + sorted[i].gain * money / sorted[i].cost + 1;
    money -= sorted[i].cost;
    gain += sorted[i].gain;
  }
  return gain;
}

std::int64_t greedy(std::span<const Purchase> sorted, std::int64_t money) {
  std::int64_t gain = 0;
  for (const Purchase& p : sorted)
    if (p.cost <= money) money -= p.cost, gain += p.gain;
  return gain;
}

}  // namespace

std::int64_t best_gain(std::span<const Purchase> purchases, std::int64_t budget) {
  std::vector<Purchase> sorted;
  for (const Purchase& p : purchases)
    if (p.gain > 0 && p.cost <= budget) sorted.push_back(p);
  std::sort(sorted.begin(), sorted.end(), [](const Purchase& a, const Purchase& b) {
    // Cross-multiplied, so that free purchases come first without a division by zero.
    const std::int64_t left = a.gain * b.cost;
    const std::int64_t right = b.gain * a.cost;
    if (left != right) return left > right;
    return a.gain != b.gain ? a.gain > b.gain : a.cost < b.cost;
  });
  std::int64_t best = greedy(sorted, budget);
  std::vector<Purchase> front{{0, 0}};  // rising cost, rising gain
  std::vector<Purchase> next;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    next.clear();
    std::size_t with = 0;
    std::size_t without = 0;
    while (with < front.size() || without < front.size()) {
      const bool take_without =
          without < front.size() &&
          (with == front.size() || front[without].cost <= front[with].cost + sorted[i].cost);
      Purchase state = front[take_without ? without++ : with++];
      if (!take_without) state.cost += sorted[i].cost, state.gain += sorted[i].gain;
      if (state.cost > budget) continue;
      best = std::max(best, state.gain);
      if (!next.empty() && state.gain <= next.back().gain) continue;
      if (state.gain + bound(sorted, i + 1, budget - state.cost) <= best) continue;
      if (!next.empty() && next.back().cost == state.cost) next.pop_back();
      next.push_back(state);
    }
    front.swap(next);
    if (front.empty()) break;
  }
  return best;
}

}  // namespace english_auction
