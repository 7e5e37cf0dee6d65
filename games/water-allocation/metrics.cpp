#include "water-allocation/metrics.hpp"

#include <algorithm>

namespace water_allocation {

double expected_supply(const Settings& settings) {
  return static_cast<double>(settings.supply[0] + settings.supply[1]) / 2;
}

std::optional<double> satisfaction_rate(double expected_supply, int needs) {
  return ratio(expected_supply, needs);
}

void summarise_prices(std::span<agon::Money> prices, MatchMetrics& metrics) {
  metrics.days_with_winner = static_cast<int>(prices.size());
  metrics.days_without_winner = metrics.days_played - metrics.days_with_winner;
  if (prices.empty()) return;
  std::sort(prices.begin(), prices.end());
  for (const agon::Money price : prices) metrics.price_sum += price;
  const auto dollars = [](agon::Money m) { return static_cast<double>(m.cents) / 100; };
  metrics.price_mean = dollars(metrics.price_sum) / static_cast<double>(prices.size());
  const std::size_t half = prices.size() / 2;
  metrics.price_median =
      prices.size() % 2 == 1 ? dollars(prices[half]) : dollars(prices[half - 1] + prices[half]) / 2;
  metrics.price_lowest = prices.front();
  metrics.price_highest = prices.back();
}

std::optional<double> ratio(double a, double b) {
  if (b == 0) return std::nullopt;
  return a / b;
}

}  // namespace water_allocation
