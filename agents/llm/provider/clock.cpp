#include "llm/provider/clock.hpp"

#include <algorithm>

namespace agon::llm {
namespace {

std::int64_t system_milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

void Clock::sleep_until(Time until, const StopFlag& stop) {
  std::mutex mutex;
  std::condition_variable wake;
  std::unique_lock lock(mutex);
  for (Time t = now(); t < until && !stop.asked(); t = now())
    wait(lock, wake, stop.next_look(t, until));
}

Clock::Time RealClock::now() const {
  return std::chrono::steady_clock::now();
}
std::int64_t RealClock::milliseconds_since_1970() const {
  return system_milliseconds();
}
void RealClock::wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wake,
                     Time until) {
  // The end of time overflows in the library's conversions.
  wake.wait_until(lock, std::min(until, now() + std::chrono::hours(1)));
}

std::int64_t CountedClock::milliseconds_since_1970() const {
  return system_milliseconds() +
         std::chrono::duration_cast<std::chrono::milliseconds>(now_ - begun_).count();
}
void CountedClock::wait(std::unique_lock<std::mutex>&, std::condition_variable&, Time until) {
  now_ = std::max(now_, until);
}

}  // namespace agon::llm
