#pragma once

#include <agon/export.hpp>
#include <atomic>

namespace agon {

/// While it lives, Ctrl-C (SIGINT), SIGTERM and SIGHUP ask the run to stop instead of ending the
/// process: once, to finish what is in flight; twice, to leave it. A third one ends the process
/// there and then, whatever hangs. One at a time. The flags outlive it.
class AGON_API Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// No new matches.
  [[nodiscard]] const std::atomic<bool>& asked() const;
  /// Not even the present ones to the end.
  [[nodiscard]] const std::atomic<bool>& insisted() const;
};

}  // namespace agon
