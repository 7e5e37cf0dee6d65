#include "deal-or-no-deal/splits.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <tuple>

namespace deal_or_no_deal {
namespace {

using Scores = std::array<std::int64_t, 2>;

bool dominates(const Scores& a, const Scores& b) {
  return a[0] >= b[0] && a[1] >= b[1] && (a[0] > b[0] || a[1] > b[1]);
}

void raise(std::optional<std::int64_t>& best, std::int64_t score) {
  if (!best || score > *best) best = score;
}

/// Marks the splits that nothing dominates: walking from the highest first score down, a split
/// stays only if its second score beats all that have more for the first side, and equals the best
/// among those that have as much.
void mark_pareto_optimal(std::vector<Outcome>& list) {
  std::vector<Outcome*> order;
  order.reserve(list.size());
  for (auto& split : list) order.push_back(&split);
  std::stable_sort(order.begin(), order.end(),
                   [](const Outcome* a, const Outcome* b) { return a->scores > b->scores; });
  std::int64_t best_second = -1;
  const Scores* last = nullptr;
  for (Outcome* split : order) {
    split->pareto_optimal =
        split->scores[1] > best_second || (last != nullptr && *last == split->scores);
    if (split->pareto_optimal) {
      best_second = split->scores[1];
      last = &split->scores;
    }
  }
}

}  // namespace

Split full_split(const Amounts& counts, const Amounts& first) {
  return Split{{first, minus(counts, first)}};
}

bool fits(const Amounts& counts, const Split& split) {
  const auto& [first, second] = split.parts;
  if (first.size() != counts.size() || second.size() != counts.size()) return false;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    // Compared by subtraction: a wild claim of a person or a model must not overflow.
    if (first[i] < 0 || second[i] < 0 || first[i] > counts[i] || second[i] > counts[i] - first[i]) {
      return false;
    }
  }
  return true;
}

bool is_full(const Amounts& counts, const Split& split) {
  return fits(counts, split) && split.parts[1] == minus(counts, split.parts[0]);
}

std::vector<Split> all_splits(const Amounts& counts) {
  std::size_t size = 1;
  for (const int count : counts) {
    if (count >= 0 && size <= kMaxSplits) size *= static_cast<std::size_t>(count) + 1;
    if (count < 0 || size > kMaxSplits) {
      throw agon::Error(agon::ErrorKind::invalid,
                        fmt::format("the items {} have no list of splits", text(counts)), {},
                        fmt::format("use counts from 0 with at most {} splits", kMaxSplits));
    }
  }
  std::vector<Split> list;
  list.reserve(size);
  Amounts part = Amounts::filled(counts.size(), 0);
  while (true) {
    list.push_back(full_split(counts, part));
    std::size_t type = counts.size();
    while (type > 0 && part[type - 1] == counts[type - 1]) part[--type] = 0;
    if (type == 0) return list;
    ++part[type - 1];
  }
}

Scores scores(const Instance& instance, const Split& split) {
  return {worth(split.parts[0], instance.values[0]), worth(split.parts[1], instance.values[1])};
}

bool envies(const Amounts& values, const Amounts& mine, const Amounts& theirs) {
  return worth(mine, values) < worth(theirs, values);
}

bool envy_free(const Instance& instance, const Split& split) {
  const auto& [first, second] = split.parts;
  return is_full(instance.counts, split) && !envies(instance.values[0], first, second) &&
         !envies(instance.values[1], second, first);
}

bool pareto_optimal(const Instance& instance, const Split& split) {
  const Scores own = scores(instance, split);
  const auto list = all_splits(instance.counts);
  return std::none_of(list.begin(), list.end(),
                      [&](const Split& other) { return dominates(scores(instance, other), own); });
}

std::vector<Outcome> outcomes(const Instance& instance) {
  std::vector<Outcome> list;
  for (const Split& split : all_splits(instance.counts)) {
    list.push_back({split, scores(instance, split), envy_free(instance, split), false});
  }
  mark_pareto_optimal(list);
  return list;
}

const Outcome* best_split(std::span<const Outcome> list) {
  const Outcome* best = nullptr;
  for (const Outcome& split : list) {
    if (!split.envy_free || !split.pareto_optimal) continue;
    if (best == nullptr || split.joint() > best->joint()) best = &split;
  }
  return best;
}

const Outcome& nash_split(std::span<const Outcome> list) {
  const auto rank = [](const Outcome& split) {
    return std::tuple(split.scores[0] * split.scores[1], split.joint());
  };
  const Outcome* best = &list.front();
  for (const Outcome& split : list) {
    if (rank(split) > rank(*best)) best = &split;
  }
  return *best;
}

std::optional<std::int64_t> best_score(std::span<const Outcome> list, std::size_t side,
                                       std::int64_t floor) {
  std::optional<std::int64_t> best;
  for (const Outcome& split : list) {
    if (split.scores[1 - side] >= floor) raise(best, split.scores[side]);
  }
  return best;
}

Yardsticks yardsticks(const Instance& instance) {
  const auto list = outcomes(instance);
  Yardsticks result;
  result.splits = list.size();
  for (const Outcome& split : list) {
    result.best_joint = std::max(result.best_joint, split.joint());
    if (split.pareto_optimal) ++result.pareto_optimal;
    if (!split.envy_free) continue;
    ++result.envy_free;
    if (split.pareto_optimal) ++result.fair;
    raise(result.best_envy_free_joint, split.joint());
    for (std::size_t side = 0; side < 2; ++side) {
      raise(result.own_best_envy_free[side], split.scores[side]);
    }
  }
  if (const Outcome* best = best_split(list)) {
    result.best = *best;
    result.best_ties = static_cast<std::size_t>(
        std::count_if(list.begin(), list.end(), [best](const Outcome& split) {
          return split.envy_free && split.pareto_optimal && split.joint() == best->joint();
        }));
  }
  result.nash = nash_split(list);
  for (std::size_t side = 0; side < 2; ++side) {
    result.own_best[side] = best_score(list, side, 0).value_or(0);
    result.own_best_with_gain[side] = best_score(list, side, 1).value_or(0);
  }
  return result;
}

}  // namespace deal_or_no_deal
