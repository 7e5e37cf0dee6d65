#include "stats/crossed_mean.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>

namespace agon::stats {

std::optional<Interval> crossed_interval(std::span<const CrossedValue> values, double level) {
  if (values.empty()) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  double mean = 0;
  for (const CrossedValue& v : values) mean += v.value / n;
  std::map<std::size_t, double> rows;
  std::map<std::size_t, double> columns;
  double each = 0;
  for (const CrossedValue& v : values) {
    const double apart = v.value - mean;
    rows[v.row] += apart;
    columns[v.column] += apart;
    each += apart * apart;
  }
  const std::size_t fewest = std::min(rows.size(), columns.size());
  const bool same = std::all_of(values.begin(), values.end(), [&](const CrossedValue& v) {
    return v.value == values.front().value;
  });
  if (fewest < kFewestCrossed || same) return std::nullopt;
  const auto corrected = [](double squares, std::size_t count) {
    return squares * static_cast<double>(count) / static_cast<double>(count - 1);
  };
  const auto spread = [&](const std::map<std::size_t, double>& sums) {
    double squares = 0;
    for (const auto& [at, sum] : sums) squares += sum * sum;
    return corrected(squares, sums.size());
  };
  const double by_row = spread(rows);
  const double by_column = spread(columns);
  const double square =
      std::max({by_row, by_column, by_row + by_column - corrected(each, values.size())});
  const boost::math::students_t_distribution<double> law(static_cast<double>(fewest - 1));
  const double half = boost::math::quantile(law, (1 + level) / 2) * std::sqrt(square) / n;
  return Interval{mean - half, mean + half};
}

}  // namespace agon::stats
