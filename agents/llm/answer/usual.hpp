#pragma once

#include <agon/limits.hpp>
#include <span>
#include <vector>

namespace agon::llm {

/// The limits of an answer narrowed to where sensible answers lie (agon::usual); empty where
/// nothing is said of that. An optional with a usual range is given. A usual range with nothing in
/// it says that the optional which holds it is sensibly left out, and the alternative not taken;
/// that of a variant is one of the numbers of its alternatives.
[[nodiscard]] std::vector<LimitData> usual_limits(const Type& answer,
                                                  std::span<const LimitData> limits);

}  // namespace agon::llm
