#include "english-auction/rank_correlation.hpp"

#include <cmath>

namespace english_auction {

namespace {

/// Twice the average rank of element i less the mean: an exact integer.
int centred(std::span<const int> list, std::size_t i) {
  int below = 0;
  int above = 0;
  for (const int x : list) below += x<list[i], above += x> list[i];
  return below - above;
}

}  // namespace

std::optional<double> rank_correlation(std::span<const int> a, std::span<const int> b) {
  std::int64_t ab = 0;
  std::int64_t aa = 0;
  std::int64_t bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::int64_t x = centred(a, i);
    const std::int64_t y = centred(b, i);
    ab += x * y, aa += x * x, bb += y * y;
  }
  if (aa == 0 || bb == 0) return std::nullopt;
  return static_cast<double>(ab) / std::sqrt(static_cast<double>(aa) * static_cast<double>(bb));
}

}  // namespace english_auction
