#include "stats/bounded_mean.hpp"

#include <algorithm>
#include <cmath>

#include "stats/descriptive.hpp"
#include "stats/resampling_dice.hpp"

namespace agon::stats {

std::size_t SortedUniforms::count(std::size_t size) {
  // Large samples need the rows less, and pay more for them.
  return size <= 256 ? 1999 : 999;
}

std::span<const double> SortedUniforms::rows(std::size_t size) {
  auto& rows = rows_[size];
  if (!rows.empty() || size == 0) return rows;
  const std::size_t count = SortedUniforms::count(size);
  rows.resize(count * size);
  for (std::size_t b = 0; b < count; ++b) {
    ResamplingDice dice(seed_, b);
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(b * size);
    const auto last = first + static_cast<std::ptrdiff_t>(size);
    std::generate(first, last, [&] { return dice.unit(); });
    std::sort(first, last);
  }
  return rows;
}

BoundedMean::BoundedMean(std::span<const double> values, double low, double high,
                         SortedUniforms& uniforms)
    : low_(low), high_(high) {
  std::vector<double> x(values.begin(), values.end());
  std::sort(x.begin(), x.end());
  const std::size_t n = x.size();
  const std::span<const double> rows = uniforms.rows(n);
  const std::size_t count = SortedUniforms::count(n);
  // A row says how much of the mass may lie below each value. What it leaves above a value is put
  // as high as possible for the upper bound: at the next value, and at last at the range's end.
  if (std::isfinite(high)) {
    for (std::size_t b = 0; b < count; ++b) {
      double mean = high;
      for (std::size_t i = 0; i < n; ++i)
        mean -= rows[b * n + i] * ((i + 1 < n ? x[i + 1] : high) - x[i]);
      upper_.push_back(mean);
    }
    std::sort(upper_.begin(), upper_.end());
  }
  if (std::isfinite(low)) {
    for (std::size_t b = 0; b < count; ++b) {
      double mean = low;
      for (std::size_t i = 0; i < n; ++i)
        mean += (1 - rows[b * n + i]) * (x[i] - (i > 0 ? x[i - 1] : low));
      lower_.push_back(mean);
    }
    std::sort(lower_.begin(), lower_.end());
  }
}

double BoundedMean::lower(double tail) const {
  if (lower_.empty() || tail * static_cast<double>(lower_.size() + 1) < 1) return low_;
  return std::max(low_, order_statistic(lower_, tail));
}

double BoundedMean::upper(double tail) const {
  if (upper_.empty() || tail * static_cast<double>(upper_.size() + 1) < 1) return high_;
  return std::min(high_, order_statistic(upper_, 1 - tail));
}

}  // namespace agon::stats
