#pragma once

#include <agon/export.hpp>
#include <atomic>

namespace agon {

/// How a run is asked to stop.
struct StopFlags {
  std::atomic<bool> asked{false};     ///< no new matches
  std::atomic<bool> insisted{false};  ///< not even the present ones to the end
  std::atomic<bool> begun{false};     ///< matches are played: who plays them heeds the others
};

/// While it lives, Ctrl-C (SIGINT), SIGTERM and SIGHUP ask the run to stop instead of ending the
/// process: once, to finish what is in flight; twice, to leave it. A third one ends the process
/// there and then, whatever hangs. Before begin(), one is enough: what has not ended two seconds
/// after it, such as the reading of a suite, is ended with exit code 130. One at a time. The flags
/// outlive it.
class AGON_API Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// From now on matches are played, and a signal is left to who plays them.
  void begin() const;

  [[nodiscard]] const StopFlags& flags() const;
  /// One of the flags.
  [[nodiscard]] const std::atomic<bool>& asked() const { return flags().asked; }
};

}  // namespace agon
