#include "deal-or-no-deal/instances.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <set>
#include <tuple>

namespace deal_or_no_deal {
namespace {

constexpr std::array<std::string_view, 2> kSideNames{"the first side", "the second side"};

}  // namespace

Amounts::Amounts(std::initializer_list<int> entries) {
  for (const int entry : entries) push_back(entry);
}

Amounts Amounts::filled(std::size_t size, int value) {
  Amounts amounts;
  while (amounts.size() < size) amounts.push_back(value);
  return amounts;
}

void Amounts::push_back(int entry) {
  if (size_ == kMaxTypes) {
    throw agon::Error(agon::ErrorKind::invalid,
                      fmt::format("there are more than {} item types", kMaxTypes), {},
                      "use fewer types");
  }
  entries_[size_++] = entry;
}

std::int64_t worth(const Amounts& amounts, const Amounts& values) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < amounts.size(); ++i) sum += std::int64_t{amounts[i]} * values[i];
  return sum;
}

std::int64_t total(const Amounts& amounts) {
  std::int64_t sum = 0;
  for (const int amount : amounts) sum += amount;
  return sum;
}

Amounts minus(const Amounts& a, const Amounts& b) {
  Amounts result = a;
  for (std::size_t i = 0; i < a.size(); ++i) result[i] -= b[i];
  return result;
}

std::string text(const Amounts& amounts) {
  return fmt::format("{}", fmt::join(amounts.begin(), amounts.end(), ","));
}

std::vector<std::string> problems(const Instance& instance) {
  std::vector<std::string> found;
  const std::size_t types = instance.counts.size();
  if (types == 0) found.emplace_back("there are no items");
  std::uint64_t splits = 1;
  for (std::size_t i = 0; i < types; ++i) {
    const int count = instance.counts[i];
    if (count < 1 || count > kMaxCount) {
      found.push_back(
          fmt::format("type {} has {} items instead of 1 to {}", i + 1, count, kMaxCount));
    } else if (splits <= kMaxSplits) {
      splits *= static_cast<std::uint64_t>(count) + 1;
    }
  }
  if (splits > kMaxSplits) {
    found.push_back(fmt::format("there are more than {} ways to split the items", kMaxSplits));
  }
  for (std::size_t side = 0; side < 2; ++side) {
    const Amounts& values = instance.values[side];
    if (values.size() != types) {
      found.push_back(fmt::format("{} has {} values for {} item types", kSideNames[side],
                                  values.size(), types));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] < 0 || values[i] > kMaxValue) {
        found.push_back(fmt::format("{} values type {} at {} instead of 0 to {}", kSideNames[side],
                                    i + 1, values[i], kMaxValue));
      }
    }
  }
  return found;
}

void require_valid(const Instance& instance, std::string_view where) {
  const auto found = problems(instance);
  if (found.empty()) return;
  throw agon::Error(agon::ErrorKind::invalid, fmt::format("{}", fmt::join(found, ", ")),
                    std::string(where), "correct the counts and values");
}

bool keeps(const Instance& instance, const Constraints& constraints) {
  for (const Amounts& values : instance.values) {
    if (worth(instance.counts, values) != constraints.total_value) return false;
  }
  const auto items = total(instance.counts);
  if (items < constraints.min_items || items > constraints.max_items) return false;
  bool all_wanted = true;
  bool shared = false;
  for (std::size_t i = 0; i < instance.counts.size(); ++i) {
    const bool first = instance.values[0][i] > 0;
    const bool second = instance.values[1][i] > 0;
    all_wanted = all_wanted && (first || second);
    shared = shared || (first && second);
  }
  return (all_wanted || !constraints.each_type_wanted) && (shared || !constraints.shared_type);
}

namespace {

using Game = std::tuple<Amounts, Amounts, Amounts>;

void require_usable(const GeneratorOptions& options) {
  const char* problem = nullptr;
  if (options.types < 1 || options.types > kMaxTypes) problem = "the number of types";
  if (options.largest_count < 1 || options.largest_count > kMaxCount) problem = "the largest count";
  if (options.largest_value < 0 || options.largest_value > kMaxValue) problem = "the largest value";
  if (problem == nullptr) return;
  throw agon::Error(agon::ErrorKind::invalid, fmt::format("{} is out of range", problem), {},
                    fmt::format("use 1 to {} types, counts up to {} and values up to {}", kMaxTypes,
                                kMaxCount, kMaxValue));
}

Amounts draw_amounts(const Draw& draw, std::size_t types, int lowest, int highest) {
  Amounts amounts;
  for (std::size_t i = 0; i < types; ++i) {
    amounts.push_back(lowest +
                      static_cast<int>(draw(static_cast<std::uint32_t>(highest - lowest) + 1)));
  }
  return amounts;
}

}  // namespace

std::vector<Instance> generate_instances(const Draw& draw, std::size_t how_many,
                                         std::string_view prefix, const GeneratorOptions& options) {
  require_usable(options);
  const auto& limits = options.constraints;
  const std::size_t digits = fmt::formatted_size("{}", how_many);
  std::vector<Instance> made;
  std::set<Game> seen;
  std::uint64_t spent = 0;
  while (made.size() < how_many) {
    if (++spent > options.redraws) {
      throw agon::Error(
          agon::ErrorKind::invalid,
          fmt::format("only {} of {} different instances were found", made.size(), how_many), {},
          "ask for fewer instances or loosen the constraints");
    }
    Instance instance;
    instance.counts = draw_amounts(draw, options.types, 1, options.largest_count);
    const auto items = total(instance.counts);
    if (items < limits.min_items || items > limits.max_items) continue;
    for (Amounts& values : instance.values) {
      values = draw_amounts(draw, options.types, 0, options.largest_value);
    }
    if (!keeps(instance, limits) || !problems(instance).empty()) continue;
    if (!seen.emplace(instance.counts, instance.values[0], instance.values[1]).second) continue;
    instance.id = fmt::format("{}-{:0{}}", prefix, made.size() + 1, digits);
    made.push_back(std::move(instance));
    spent = 0;
  }
  return made;
}

namespace {

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
