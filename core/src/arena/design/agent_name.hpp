#pragma once

#include <cstddef>

namespace agon {

/// Most bytes of an agent's name. Reports repeat it in every row; a typed agent is its own name, so
/// that it may be a whole spec.
inline constexpr std::size_t kLongestAgentName = 10'000;

/// Most bytes of a scenario's name, and of one treatment as JSON: exports repeat them in every row.
inline constexpr std::size_t kLongestScenarioName = 10'000;
inline constexpr std::size_t kLongestTreatment = 100'000;

}  // namespace agon
