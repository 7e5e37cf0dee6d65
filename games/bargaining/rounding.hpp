#pragma once

#include <agon/money.hpp>
#include <optional>

namespace bargaining {

/// An amount in binary dollars, rounded to whole cents: to the nearest by the exact value of the
/// binary number, a true tie to the even cent. So 2.675, which is stored a little lower, gives 267
/// cents, and 0.125 gives 12. This is how scripting languages with correctly rounded decimal output
/// round to two places. Integer arithmetic only, so it is the same everywhere. Nothing for negative
/// numbers, numbers of 2^53 and above, and what is no number.
[[nodiscard]] std::optional<agon::Money> cents_of(double dollars);

}  // namespace bargaining
