#include <agon/analysis/game_theory.hpp>
#include <agon/error.hpp>
#include <cmath>
#include <string>

#include "theory/rational.hpp"

namespace agon::theory {
namespace {

/// All rows have `width` numbers, none of them NaN.
void check_rows(std::span<const std::vector<double>> rows, std::size_t width) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string where = "[" + std::to_string(i) + "]";
    if (rows[i].size() != width) {
      throw Error(ErrorKind::invalid,
                  "a row has " + std::to_string(rows[i].size()) + " numbers where " +
                      std::to_string(width) + " are needed",
                  where);
    }
    for (std::size_t j = 0; j < width; ++j) {
      if (std::isnan(rows[i][j])) {
        throw Error(ErrorKind::invalid, "a value is not a number",
                    where + "[" + std::to_string(j) + "]");
      }
    }
  }
}

}  // namespace

bool pareto_dominates(std::span<const double> a, std::span<const double> b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] >= b[i])) return false;
    better = better || a[i] > b[i];
  }
  return better;
}

std::vector<std::size_t> pareto_frontier(std::span<const std::vector<double>> points) {
  if (!points.empty()) check_rows(points, points.front().size());
  std::vector<std::size_t> frontier;
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool dominated = false;
    for (std::size_t j = 0; j < points.size() && !dominated; ++j) {
      dominated = pareto_dominates(points[j], points[i]);
    }
    if (!dominated) frontier.push_back(i);
  }
  return frontier;
}

bool envy_free(std::span<const std::vector<double>> values) {
  check_rows(values, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const double other : values[i]) {
      if (other > values[i][i]) return false;
    }
  }
  return true;
}

std::vector<std::size_t> nash_bargains(std::span<const PayoffPair> points,
                                       PayoffPair disagreement) {
  const auto check = [](const PayoffPair& point, const std::string& where) {
    if (std::isfinite(point.first) && std::isfinite(point.second)) return;
    throw Error(ErrorKind::invalid, "a payoff is not a finite number", where);
  };
  check(disagreement, "disagreement");
  const Rational first = exactly(disagreement.first);
  const Rational second = exactly(disagreement.second);
  std::vector<std::size_t> best;
  Rational largest = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    check(points[i], "points[" + std::to_string(i) + "]");
    if (!(points[i].first > disagreement.first && points[i].second > disagreement.second)) continue;
    const Rational product =
        (exactly(points[i].first) - first) * (exactly(points[i].second) - second);
    if (product > largest) {
      largest = product;
      best.clear();
    }
    if (product == largest) best.push_back(i);
  }
  return best;
}

double equilibrium_bid(SealedBid format, double value, std::size_t bidders, double highest) {
  const std::size_t fewest = format == SealedBid::third_price ? 3 : 2;
  if (bidders < fewest) {
    throw Error(ErrorKind::invalid,
                "an equilibrium bid needs at least " + std::to_string(fewest) + " bidders",
                "bidders");
  }
  if (!(std::isfinite(highest) && highest > 0)) {
    throw Error(ErrorKind::invalid, "the highest possible value is not a positive number",
                "highest");
  }
  if (!(value >= 0 && value <= highest)) {
    throw Error(ErrorKind::invalid, "a value lies between 0 and the highest possible one", "value");
  }
  const auto n = static_cast<double>(bidders);
  switch (format) {
    case SealedBid::first_price:
      return value * (n - 1) / n;
    case SealedBid::second_price:
      return value;
    case SealedBid::third_price:
      return value * (n - 1) / (n - 2);
    case SealedBid::all_pay:
      break;
  }
  // Plain products: pow() need not give the same last bit everywhere.
  double share = 1;
  for (std::size_t i = 1; i < bidders; ++i) share *= value / highest;
  return value * (n - 1) / n * share;
}

}  // namespace agon::theory
