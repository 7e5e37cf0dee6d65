#pragma once

#include <agon/describe.hpp>
#include <agon/inline_list.hpp>

#include "bargaining/settings.hpp"

namespace bargaining {

/// How a buyer's offers rise from turn to turn.
enum class Shape : std::uint8_t { linear, exp, swish, random };
AGON_DESCRIBE_ENUM(Shape, (linear, "by the same step each turn; the paper's"),
                   (exp, "by the same ratio each turn, up to the end"),
                   (swish, "falls a little for half of the turns, then rises evenly to the end"),
                   (random, "start, end and uniform draws between them, shuffled"))

/// A ladder of shares of the budget (Xia et al. 2024, section 5, and the published code).
struct Ladder {
  Shape shape = Shape::linear;
  double start = 0.5;   ///< share of the first turn
  double end = 1.0;     ///< share of the last turn
  double growth = 1.1;  ///< exp: ratio of one turn's share to the one before
  double dip = 0.02;    ///< swish: how much the share falls each turn at first
};

/// One share for each of `turns` turns, 1 to kMaxTurnsLimit. `key` is for the random shape.
///
/// linear: start + t / (turns - 1) * (end - start). exp: min(end, start * growth^t), the power by
/// repeated multiplication. swish: start - dip * t for the first half (rounded down), then evenly
/// from start - dip * half to end. random: turns - 1 uniform draws from start..end with start and
/// end themselves, shuffled, of which one is left over.
///
/// The published code divides by zero at 1 turn, and for swish at 2. Here one turn gives `start`,
/// and the last share of swish is always `end` if there are two turns or more.
[[nodiscard]] agon::InlineList<double, kMaxTurnsLimit + 1> factors(const Ladder& ladder, int turns,
                                                                   std::uint64_t key);

}  // namespace bargaining
