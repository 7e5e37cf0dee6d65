#include "deal-or-no-deal/instances.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>

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

std::vector<std::string> breaches(const Instance& instance, const Constraints& constraints) {
  std::vector<std::string> found;
  for (std::size_t side = 0; side < 2; ++side) {
    const auto everything = worth(instance.counts, instance.values[side]);
    if (everything != constraints.total_value) {
      found.push_back(fmt::format("everything is worth {} to {} instead of {}", everything,
                                  kSideNames[side], constraints.total_value));
    }
  }
  const auto items = total(instance.counts);
  if (items < constraints.min_items || items > constraints.max_items) {
    found.push_back(fmt::format("there are {} items instead of {} to {}", items,
                                constraints.min_items, constraints.max_items));
  }
  bool shared = false;
  for (std::size_t i = 0; i < instance.counts.size(); ++i) {
    const bool first = instance.values[0][i] > 0;
    const bool second = instance.values[1][i] > 0;
    if (constraints.each_type_wanted && !first && !second) {
      found.push_back(fmt::format("type {} is worth nothing to both sides", i + 1));
    }
    shared = shared || (first && second);
  }
  if (constraints.shared_type && !shared) {
    found.emplace_back("no type is worth something to both sides");
  }
  return found;
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

}  // namespace deal_or_no_deal
