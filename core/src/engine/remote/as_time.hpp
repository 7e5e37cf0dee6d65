#pragma once

#include <agon/process.hpp>
#include <chrono>

namespace agon::remote {

/// Seconds as limits have them, for clocks.
inline Process::Clock::duration as_time(double seconds) {
  return std::chrono::duration_cast<Process::Clock::duration>(
      std::chrono::duration<double>(seconds));
}

}  // namespace agon::remote
