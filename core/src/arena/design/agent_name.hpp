#pragma once

#include <cstddef>

namespace agon {

/// Most bytes of an agent's name. Reports repeat it in every row; a typed agent is its own name, so
/// that it may be a whole spec.
inline constexpr std::size_t kLongestAgentName = 10'000;

}  // namespace agon
