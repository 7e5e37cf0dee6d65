#include "guess-average/strategies/number.hpp"

#include <algorithm>

namespace guess_average {

double draw_around(double mean, double deviation, agon::Dice dice) {
  // Each draw has variance 1/12, so that twelve of them have variance 1 and mean 6.
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += dice.unit();
  return mean + deviation * sum;
}

int say(double number, const Turn& turn) {
  const double kept =
      std::clamp(number, static_cast<double>(turn.lowest), static_cast<double>(turn.highest));
  return static_cast<int>(kept);
}

}  // namespace guess_average
