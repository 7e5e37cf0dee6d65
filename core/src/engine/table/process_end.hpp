#pragma once

#include <cstdint>

namespace agon {

/// How the process of a game came to its end, as far as what is done next depends on it.
enum class ProcessEnd : std::uint8_t {
  other,   ///< in any other way, or not at all
  silent,  ///< ended by the arena, as it said nothing for too long
  busy,    ///< ended by the arena, as it used too much of the processor
  killed,  ///< by somebody, or for want of memory: the match is worth another try
};

}  // namespace agon
