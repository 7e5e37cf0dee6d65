#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace agon::serve {

/// Milliseconds that a session has gone on: it stands still in a pause. No clock of a browser has a
/// say in it.
class SessionClock {
 public:
  [[nodiscard]] std::int64_t now() const { return stopped_ ? *stopped_ : since(start_); }
  [[nodiscard]] bool is_paused() const { return stopped_.has_value(); }
  void pause() {
    if (!stopped_) stopped_ = now();
  }
  void go_on() {
    if (!stopped_) return;
    start_ = Steady::now() - std::chrono::milliseconds(*stopped_);
    stopped_.reset();
  }

 private:
  using Steady = std::chrono::steady_clock;
  static std::int64_t since(Steady::time_point start) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - start).count();
  }
  Steady::time_point start_ = Steady::now();
  std::optional<std::int64_t> stopped_;
};

}  // namespace agon::serve
