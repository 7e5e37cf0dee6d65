#pragma once

#include <algorithm>
#include <cstdint>

#include "shared/strategy.hpp"

namespace auction_values {

/// Parameters of `shade`, which plays by a share of its value.
struct ShadeParams {
  int share = 80;
};
AGON_DESCRIBE(ShadeParams, (share, "what it takes for its value", agon::range(0, 300),
                            agon::unit("percent of the value")))

/// The most that is paid by who goes by its value.
inline int limit(const shared::NoParams&, int value) {
  return value;
}
/// A share of a value, halves rounded up; of a value below 0 it is 0.
inline int limit(const ShadeParams& params, int value) {
  return static_cast<int>((std::int64_t{std::max(0, value)} * params.share + 50) / 100);
}

}  // namespace auction_values
