#include "llm/provider/limiter.hpp"

#include <algorithm>

namespace agon::llm {

Limiter::Limiter(int most) : most_(std::max(1, most)), limit_(std::min<double>(most_, kFirst)) {}

void Limiter::bound(int most) {
  const std::lock_guard lock(mutex_);
  most_ = std::min<double>(most_, std::max(1, most));
  limit_ = std::min(limit_, most_);
}

bool Limiter::acquire(Clock& clock, Clock::Time deadline, const StopFlag& stop) {
  std::unique_lock lock(mutex_);
  for (;;) {
    const Clock::Time now = clock.now();
    if (now >= deadline || stop.asked()) {
      wake_.notify_one();  // in case it was this thread that a release() woke
      return false;
    }
    const bool is_paused = now < paused_until_;
    if (paused_until_ >= deadline) return false;  // it cannot come to anything: not waited for
    if (!is_paused && in_flight_ < static_cast<int>(limit_)) {
      ++in_flight_;
      return true;
    }
    const Clock::Time until = is_paused ? std::min(paused_until_, deadline) : deadline;
    clock.wait(lock, wake_, stop.next_look(now, until));
  }
}

void Limiter::release() {
  {
    const std::lock_guard lock(mutex_);
    --in_flight_;
  }
  wake_.notify_one();
}

void Limiter::succeeded() {
  {
    const std::lock_guard lock(mutex_);
    // Only who uses what is allowed learns whether more would do; half, as places that are given
    // back are not taken in the same instant.
    if (in_flight_ + 1 < limit_ / 2) return;
    limit_ = std::min(most_, limit_ + (has_shrunk_ ? 1 / limit_ : 1));
  }
  wake_.notify_one();
}

void Limiter::rate_limited(Clock::Time now) {
  const std::lock_guard lock(mutex_);
  if (has_shrunk_ && now - last_shrink_ < kDebounce) return;
  has_shrunk_ = true;
  last_shrink_ = now;
  // From what was in flight: a limit that nobody reached says nothing.
  limit_ = std::max(1.0, std::min<double>(limit_, in_flight_ + 1) * kShrink);
}

void Limiter::pause_until(Clock::Time time) {
  const std::lock_guard lock(mutex_);
  paused_until_ = std::max(paused_until_, time);
}

double Limiter::pause_left_s(const Clock& clock) const {
  const std::lock_guard lock(mutex_);
  const Clock::Time now = clock.now();
  return paused_until_ <= now ? 0 : std::chrono::duration<double>(paused_until_ - now).count();
}

int Limiter::limit() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(limit_);
}
int Limiter::in_flight() const {
  const std::lock_guard lock(mutex_);
  return in_flight_;
}

}  // namespace agon::llm
