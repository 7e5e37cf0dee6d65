#include "stats/krippendorff.hpp"

#include <cmath>
#include <map>

namespace agon::stats {
namespace {

using Counts = std::map<int, double>;

/// The squared distance of two ratings; `counts`: how often each rating was given.
double apart(int a, int b, const Counts& counts, RatingScale scale) {
  if (a == b) return 0;
  if (scale == RatingScale::nominal) return 1;
  if (scale == RatingScale::interval)
    return (static_cast<double>(a) - b) * (static_cast<double>(a) - b);
  if (a > b) std::swap(a, b);
  double between = 0;
  for (const auto& [rating, count] : counts)
    if (rating >= a && rating <= b) between += rating == a || rating == b ? count / 2 : count;
  return between * between;
}

}  // namespace

std::optional<double> krippendorff_alpha(std::span<const std::vector<int>> units,
                                         RatingScale scale) {
  Counts counts;
  double n = 0;
  for (const auto& ratings : units) {
    if (ratings.size() < 2) continue;
    for (const int rating : ratings) counts[rating] += 1;
    n += static_cast<double>(ratings.size());
  }
  if (counts.size() < 2) return std::nullopt;
  double observed = 0;
  for (const auto& ratings : units) {
    if (ratings.size() < 2) continue;
    double sum = 0;
    for (const int a : ratings)
      for (const int b : ratings) sum += apart(a, b, counts, scale);
    observed += sum / static_cast<double>(ratings.size() - 1);
  }
  double expected = 0;
  for (const auto& [a, of_a] : counts)
    for (const auto& [b, of_b] : counts) expected += of_a * of_b * apart(a, b, counts, scale);
  return 1 - (n - 1) * observed / expected;
}

}  // namespace agon::stats
