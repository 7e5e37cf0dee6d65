#include "llm/provider/outage.hpp"

#include <algorithm>

namespace agon::llm {

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
    clock.wait(lock, over_,
               stop.next_look(now, std::min({deadline, next_look_, since_ + rule.stop})));
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

}  // namespace agon::llm
