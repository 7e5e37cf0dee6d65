#pragma once

#include <agon/luck.hpp>

#include "guess-average/answers.hpp"

namespace guess_average {

/// A draw around `mean` with this standard deviation: the sum of twelve uniform draws, which is
/// close to normal and, being plain sums, the same on every machine.
[[nodiscard]] double draw_around(double mean, double deviation, agon::Dice dice);

/// The number as the published programs say it: fractions cut off, kept within what can be chosen.
[[nodiscard]] int say(double number, const Turn& turn);

}  // namespace guess_average
