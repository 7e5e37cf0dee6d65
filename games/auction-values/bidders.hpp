#pragma once

#include <agon/describe.hpp>
#include <algorithm>
#include <cstdint>

namespace auction_values {

/// Parameters of strategies that have none.
struct NoParams {};
AGON_DESCRIBE(NoParams)

/// Parameters of `shade`, which plays by a share of its value.
struct ShadeParams {
  int share = 80;

  /// The share of a value, halves rounded up; of a value below 0 it is 0.
  [[nodiscard]] int of(int value) const {
    return static_cast<int>((std::int64_t{std::max(0, value)} * share + 50) / 100);
  }
};
AGON_DESCRIBE(ShadeParams, (share, "what it takes for its value", agon::range(0, 300),
                            agon::unit("percent of the value")))

}  // namespace auction_values
