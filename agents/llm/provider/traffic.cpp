#include "llm/provider/traffic.hpp"

#include <algorithm>
#include <map>
#include <tuple>

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
  Condition wake;
  std::unique_lock lock(mutex);
  for (Time t = now(); t < until && !stop.asked(); t = now()) wait(lock, wake, until, stop);
}

Clock::Time RealClock::now() const {
  return std::chrono::steady_clock::now();
}
std::int64_t RealClock::milliseconds_since_1970() const {
  return system_milliseconds();
}
void RealClock::wait(std::unique_lock<std::mutex>& lock, Condition& wake, Time until,
                     const StopFlag& stop) {
  wake.wait_until(lock, until, stop.flag());
}

std::int64_t CountedClock::milliseconds_since_1970() const {
  return system_milliseconds() +
         std::chrono::duration_cast<std::chrono::milliseconds>(now_ - begun_).count();
}
void CountedClock::wait(std::unique_lock<std::mutex>&, Condition&, Time until, const StopFlag&) {
  now_ = std::max(now_, until);
}

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
    clock.wait(lock, wake_, until, stop);
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

Outage::Rule Outage::rule_of(const ModelSpec& spec) {
  const auto duration = [](double seconds) {
    return std::chrono::duration_cast<Clock::Time::duration>(
        std::chrono::duration<double>(seconds));
  };
  return {spec.outage_share, spec.outage_calls, duration(spec.outage_s),
          duration(spec.outage_pause_s), duration(spec.outage_stop_s)};
}

Outage::Leave Outage::admit(Clock& clock, Clock::Time deadline, const StopFlag& stop,
                            const Rule& rule) {
  std::unique_lock lock(mutex_);
  while (is_on_) {
    const Clock::Time now = clock.now();
    if (stop.asked() || now >= deadline || now - since_ >= rule.stop) return Leave::no;
    if (now >= next_look_) {
      pause_ = std::min(2 * pause_, rule.pause);
      next_look_ = now + pause_;
      return Leave::look;
    }
    clock.wait(lock, over_, std::min({deadline, next_look_, since_ + rule.stop}), stop);
  }
  return Leave::send;
}

Outage::Second& Outage::second_of(Clock::Time now) {
  if (seconds_.empty() || now - seconds_.back().begin >= std::chrono::seconds(1))
    seconds_.push_back({now});
  return seconds_.back();
}

bool Outage::answered(Clock::Time now) {
  const std::lock_guard lock(mutex_);
  const bool was_on = is_on_;
  in_a_row_ = 0;
  if (was_on) {
    is_on_ = false;
    seconds_.clear();
    over_.notify_all();
  }
  ++second_of(now).answered;
  // What nobody asks about any more: no rule looks back further.
  while (now - seconds_.front().begin > std::chrono::hours(1)) seconds_.pop_front();
  return was_on;
}

bool Outage::failed(std::string problem, Clock::Time now, const Rule& rule) {
  const std::lock_guard lock(mutex_);
  problem_ = std::move(problem);
  if (is_on_) return false;
  ++second_of(now).failed;
  ++in_a_row_;
  while (now - seconds_.front().begin > rule.window) seconds_.pop_front();
  int all = 0;
  int failed = 0;
  for (const Second& s : seconds_) {
    all += s.answered + s.failed;
    failed += s.failed;
  }
  const bool is_often = all >= rule.calls && failed >= rule.share * all;
  if (!is_often && in_a_row_ < rule.calls) return false;
  is_on_ = true;
  since_ = now;
  pause_ = std::min<Clock::Time::duration>(kFirstPause, rule.pause);
  next_look_ = now + pause_;
  return true;
}

bool Outage::is_on() const {
  const std::lock_guard lock(mutex_);
  return is_on_;
}

bool Outage::has_lasted(Clock::Time now, Clock::Time::duration time) const {
  const std::lock_guard lock(mutex_);
  return is_on_ && now - since_ >= time;
}

std::string Outage::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

void Traffic::stop(CallOutcome outcome) {
  const std::lock_guard lock(mutex_);
  stopped_ = std::move(outcome);
}
std::optional<CallOutcome> Traffic::stopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

std::shared_ptr<Traffic> Traffic::shared(const std::string& base_url, std::uint64_t key_hash,
                                         const std::string& model, int most_in_flight) {
  using Place = std::tuple<std::string, std::uint64_t, std::string>;
  static std::mutex mutex;
  static std::map<Place, std::weak_ptr<Traffic>> all;
  const std::lock_guard lock(mutex);
  auto& place = all[Place{base_url, key_hash, model}];
  std::shared_ptr<Traffic> traffic = place.lock();
  if (traffic == nullptr)
    place = traffic = std::make_shared<Traffic>(most_in_flight);
  else
    traffic->limiter.bound(most_in_flight);
  return traffic;
}

}  // namespace agon::llm
