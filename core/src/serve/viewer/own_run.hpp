#pragma once

#include <agon/export.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "run/runner.hpp"

namespace agon::serve {

/// A suite that this process plays on a thread of its own while it is looked at. It can be stopped
/// and taken up again. Its functions may be called from any thread.
class AGON_API OwnRun {
 public:
  /// Plays what the archive lacks, until the flags say to stop: run_suite.
  using Play = std::function<RunSummary(const StopFlags& stop)>;

  enum class State : std::uint8_t {
    idle,      ///< nothing was begun
    playing,   ///< a thread plays
    stopping,  ///< it was asked to stop and is not done with that
    ended,     ///< all is played, or it stopped
  };
  /// How it stands.
  struct Now {
    State state = State::idle;
    std::optional<RunSummary> summary{};  ///< of the last time that ended well
    std::string failure{};                ///< why the last time did not; empty: it did
  };

  OwnRun() = default;
  ~OwnRun();
  OwnRun(const OwnRun&) = delete;
  OwnRun& operator=(const OwnRun&) = delete;

  /// What agents of the suite are told when somebody wants to stop, to read the suite with.
  [[nodiscard]] const StopFlags& flags() const { return flags_; }

  /// Begins to play. To be called once.
  void begin(Play play);
  /// Asks it to stop. What is in flight is finished where that takes no longer than a run's
  /// patience.
  void stop();
  /// Takes it up again; nothing happens while it is played. Throws Error while it is stopping, and
  /// before it was begun.
  void go_on();
  /// Asks it to stop, insists after two seconds, and waits: what is played is used no more.
  void end();
  [[nodiscard]] Now now() const;
  /// True once nothing is being played, within this time.
  [[nodiscard]] bool is_over_within(std::chrono::milliseconds time);

 private:
  void start();

  StopFlags flags_;
  Play play_;
  mutable std::mutex mutex_;
  std::condition_variable over_;
  Now now_;
  std::thread thread_;
};

}  // namespace agon::serve
