#include "guess-average/target.hpp"

#include <cmath>

namespace guess_average {

Target target_of(std::span<const int> numbers, int percent) {
  const auto n = static_cast<std::int64_t>(numbers.size());
  std::int64_t sum = 0;
  for (const int x : numbers) sum += x;
  Target t;
  t.mean = static_cast<double>(sum) / static_cast<double>(n);
  // The target in hundredths is percent * sum / n: rounded in integers.
  t.hundredths = (2 * percent * sum + n) / (2 * n);
  t.exact = static_cast<double>(percent * sum) / static_cast<double>(100 * n);
  return t;
}

std::optional<int> winning_number(std::span<const int> numbers, const Target& target) {
  if (numbers.empty()) return std::nullopt;
  bool all_same = numbers.size() > 1;
  int best = numbers[0];
  const auto distance = [&](int x) { return std::abs(std::int64_t{100} * x - target.hundredths); };
  for (const int x : numbers) {
    all_same = all_same && x == numbers[0];
    const auto d = distance(x), least = distance(best);
    if (d < least || (d == least && x < best)) best = x;
  }
  if (all_same) return std::nullopt;
  return best;
}

std::optional<double> strategic_depth(double choice, int percent) {
  if (percent == 100 || choice <= 0) return std::nullopt;
  const double depth = std::log(choice / 50) / std::log(static_cast<double>(percent) / 100);
  return std::round(depth * 1e4) / 1e4 + 0.0;  // no negative zero
}

}  // namespace guess_average
