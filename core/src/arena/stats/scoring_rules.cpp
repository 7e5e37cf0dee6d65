#include "stats/scoring_rules.hpp"

#include <algorithm>
#include <cmath>

namespace agon::stats {

double brier_score(double probability, bool came_true) {
  const double miss = probability - (came_true ? 1 : 0);
  return miss * miss;
}

double brier_score(std::span<const double> probabilities, std::size_t truth) {
  double sum = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i)
    sum += brier_score(probabilities[i], i == truth);
  return sum;
}

double log_score(double probability_of_truth) {
  return 0 - std::log(std::max(probability_of_truth, kLeastForecast));
}

double interval_score(double low, double high, double level, double truth) {
  const double outside = std::max({low - truth, truth - high, 0.0});
  return high - low + 2 / (1 - level) * outside;
}

}  // namespace agon::stats
