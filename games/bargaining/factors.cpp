#include "bargaining/factors.hpp"

#include <agon/random.hpp>
#include <algorithm>

namespace bargaining {
namespace {

using Shares = agon::InlineList<double, kMaxTurnsLimit + 1>;

double exponential(const Ladder& ladder, int t) {
  double power = 1;
  for (int i = 0; i < t; ++i) power *= ladder.growth;
  return std::min(ladder.end, ladder.start * power);
}

double swish(const Ladder& ladder, int t, int turns) {
  const int falling = turns / 2;
  const int steps = turns - falling - 1;
  if (t < falling) return std::max(0.0, ladder.start - ladder.dip * t);
  if (steps == 0) return ladder.end;
  const double bottom = std::max(0.0, ladder.start - ladder.dip * falling);
  return bottom + (ladder.end - bottom) / steps * (t - falling);
}

Shares shuffled(const Ladder& ladder, int turns, std::uint64_t key) {
  agon::Dice dice(key);
  Shares shares;
  for (int i = 1; i < turns; ++i) {
    const double u = dice.unit();
    shares.push_back(ladder.start + (ladder.end - ladder.start) * u);
  }
  shares.push_back(ladder.start);
  shares.push_back(ladder.end);
  dice.shuffle(std::span<double>(shares.data(), shares.size()));
  shares.resize(static_cast<std::size_t>(turns));
  return shares;
}

}  // namespace

Shares factors(const Ladder& ladder, int turns, std::uint64_t key) {
  if (turns == 1) return Shares{ladder.start};
  if (ladder.shape == Shape::random) return shuffled(ladder, turns, key);
  Shares shares;
  for (int t = 0; t < turns; ++t) {
    switch (ladder.shape) {
      case Shape::exp:
        shares.push_back(exponential(ladder, t));
        break;
      case Shape::swish:
        shares.push_back(swish(ladder, t, turns));
        break;
      default:
        shares.push_back(ladder.start +
                         static_cast<double>(t) / (turns - 1) * (ladder.end - ladder.start));
    }
  }
  return shares;
}

}  // namespace bargaining
