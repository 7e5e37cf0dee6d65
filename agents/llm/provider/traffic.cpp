#include "llm/provider/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

Limiter::Limiter(int most, int first)
    : most_(std::max(1, most)), limit_(std::min<double>(most_, first)) {}

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
  return {spec.outage_share, spec.outage_calls, Clock::seconds(spec.outage_s),
          Clock::seconds(spec.outage_pause_s), Clock::seconds(spec.outage_stop_s)};
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

namespace {

using std::chrono::duration;

constexpr double kLongestBackoffS = 60;
constexpr double kFirstLookAtLoadingS = 0.5;
constexpr double kLongestLookAtLoadingS = 10;

struct Run {
  const ModelSpec& spec;
  Traffic& traffic;
  Clock& clock;
  Dice dice;
  Clock::Time end;
  StopFlag stop;
  ModelResult result{};
  double loading_wait_s = kFirstLookAtLoadingS;
  int failures = 0;  ///< of the tries
  int unclear = 0;   ///< replies that look like a wrong configuration, and may be something else

  ModelResult& failed(std::string problem, Halt halt = Halt::no) {
    result.call.fault = Fault::provider_failed;
    result.call.problem = std::move(problem);
    result.call.text.clear();
    result.halt = halt;
    return result;
  }
  ModelResult& stopped(const CallOutcome& outcome) {
    result.status = outcome.status;
    return failed(outcome.problem,
                  outcome.sort == Sort::out_of_money ? Halt::out_of_money : Halt::configuration);
  }

  /// Waits; false if the deadline would come first.
  bool wait(double seconds) {
    const Clock::Time now = clock.now();
    const Clock::Time until = now + Clock::seconds(seconds);
    if (until >= end) return false;
    clock.sleep_until(until, stop);
    result.call.waited_ms += seconds * 1000;
    return true;
  }

  /// What no try will change. Once the endpoint has answered, the configuration is right.
  bool is_final(const CallOutcome& outcome) {
    constexpr int kUnclear = 3;
    if (outcome.sort == Sort::out_of_money) return true;
    if (outcome.sort != Sort::configuration || traffic.has_answered) return false;
    return outcome.is_plain || ++unclear >= std::min(kUnclear, spec.tries);
  }

  /// What the endpoint wishes; nothing if no call may wait for so long. One such reply may be an
  /// odd one: calls try again as after any failure, and many of them are an outage.
  [[nodiscard]] std::optional<double> wish_s(const CallOutcome& outcome) const {
    if (!outcome.retry_after_ms || *outcome.retry_after_ms / 1000 > spec.total_s) return {};
    return *outcome.retry_after_ms / 1000;
  }

  /// How long to wait before the next try: what the endpoint wishes and a little more, else the
  /// doubling wait, a quarter more or less.
  double pause_s(const CallOutcome& outcome) {
    const double unit = dice.unit();
    const double first = spec.backoff_s * std::pow(2.0, failures - 1);
    const double backoff = std::min(kLongestBackoffS, first);
    const std::optional<double> wish = wish_s(outcome);
    if (!wish) return backoff * (0.75 + 0.5 * unit);
    return *wish + std::min(5.0, 0.25 * std::max(*wish, spec.backoff_s)) * unit;
  }
};

}  // namespace

ModelResult CallLoop::run(ModelCall call, Clock::Time deadline, Dice dice,
                          const Try& try_once) const {
  Run run{
      spec, traffic, clock, dice, std::min(deadline, clock.now() + Clock::seconds(spec.total_s)),
      stop};
  run.result.call = std::move(call);
  ModelCall& now = run.result.call;
  now.started = clock.milliseconds_since_1970();
  now.tries = 0;
  const ModelCall blank = now;
  const Outage::Rule rule = Outage::rule_of(spec);
  for (;;) {
    if (const auto stopped = traffic.stopped()) return run.stopped(*stopped);
    if (stop.asked()) return run.failed(kStopped);
    const Clock::Time asked = clock.now();
    const Outage::Leave leave = traffic.outage.admit(clock, run.end, stop, rule);
    if (leave == Outage::Leave::no) {
      now.waited_ms += duration<double, std::milli>(clock.now() - asked).count();
      if (stop.asked()) continue;
      if (!traffic.outage.has_lasted(clock.now(), rule.stop))
        return run.failed("the time for the call was up while the endpoint was out: " +
                          traffic.outage.problem());
      traffic.stop({.sort = Sort::configuration,
                    .problem = fmt::format("the endpoint has been out for {} s: {}",
                                           spec.outage_stop_s, traffic.outage.problem())});
      continue;
    }
    if (!traffic.limiter.acquire(clock, run.end, stop)) {
      if (stop.asked()) continue;
      const double left = traffic.limiter.pause_left_s(clock);
      run.result.is_limited = true;
      if (left <= 0)
        return run.failed("the time for the call was up before the endpoint had room for it");
      return run.failed(fmt::format(
          "the endpoint wants to be left alone for {:.0f} s more, longer than a call may take: "
          "wait, or raise total_s ({:.0f} s)",
          std::ceil(left), spec.total_s));
    }
    now.waited_ms += duration<double, std::milli>(clock.now() - asked).count();
    if (leave == Outage::Leave::send && traffic.outage.is_on()) {  // since it got its place
      traffic.limiter.release();
      continue;
    }

    const double waited = now.waited_ms;
    const int tries = now.tries + 1;
    const std::int64_t started = now.started;
    now = blank;  // nothing of an earlier try stays
    now.waited_ms = waited;
    now.tries = tries;
    now.started = started;
    const CallOutcome outcome = try_once(now, run.end);
    traffic.limiter.release();
    run.result.is_slow = outcome.is_slow;
    run.result.is_limited = outcome.sort == Sort::rate_limited;
    run.result.status = outcome.status;
    // What was given up says nothing of the endpoint.
    if (stop.asked() && outcome.sort != Sort::answered) return run.failed(kStopped);

    if (outcome.is_setting) {
      run.result.is_setting = true;
      return run.stopped(outcome);
    }
    if (run.is_final(outcome)) {
      traffic.stop(outcome);
      return run.stopped(outcome);
    }
    const bool is_closed = outcome.sort == Sort::rate_limited && outcome.retry_after_ms &&
                           !run.wish_s(outcome);  // for longer than any call may take
    const bool has_failed =
        outcome.sort == Sort::transient || outcome.sort == Sort::configuration || is_closed;
    if (!has_failed && outcome.sort != Sort::loading) {
      if (outcome.status >= 200 && outcome.status < 300) traffic.has_answered = true;
      if (traffic.outage.answered(clock.now()) && tell) tell("it answers again");
    } else if (has_failed && traffic.outage.failed(outcome.problem, clock.now(), rule) && tell) {
      tell(fmt::format(
          "too many of its replies fail (outage_share, outage_calls): calls wait, one looks after "
          "1 s and "
          "at last every {} s; the run stops after {} s of this. The last: {}",
          spec.outage_pause_s, spec.outage_stop_s, outcome.problem));
    }
    // The endpoint may have worked all the time, and have it paid: it is not asked again unseen.
    if (outcome.is_slow) return run.failed(outcome.problem);
    switch (outcome.sort) {
      case Sort::answered:
        traffic.limiter.succeeded();
        return std::move(run.result);
      case Sort::rejected:
      case Sort::unsupported:  // what can be learned from it has been learned before
        run.result.is_rejected = true;
        return run.failed(outcome.problem);
      case Sort::loading:
        // Not a failed try: large models take minutes.
        if (!run.wait(run.loading_wait_s))
          return run.failed("the model was still loading when the time was up");
        run.loading_wait_s = std::min(kLongestLookAtLoadingS, run.loading_wait_s * 2);
        continue;
      case Sort::rate_limited:
        traffic.limiter.rate_limited(clock.now());
        if (const auto wish = run.wish_s(outcome))
          traffic.limiter.pause_until(clock.now() + Clock::seconds(*wish));
        break;
      case Sort::out_of_money:
      case Sort::configuration:
      case Sort::transient:
        break;
    }
    // Who only looks whether an outage is over uses up none of its tries.
    if (leave == Outage::Leave::look && has_failed) continue;
    ++run.failures;
    if (clock.now() >= run.end)
      return run.failed("the time for the call is up: " + outcome.problem);
    if (run.failures >= spec.tries)
      return run.failed(
          fmt::format("{} tries failed, the last: {}", run.failures, outcome.problem));
    if (spec.retry_budget > 0 &&
        traffic.retries.fetch_add(1, std::memory_order_relaxed) >= spec.retry_budget)
      return run.failed("the run's budget of retries is used up: " + outcome.problem);
    const double pause = run.pause_s(outcome);
    if (!run.wait(pause))
      return run.failed(fmt::format(
          "the time for the call ({:.0f} s) would be up before the next try, in {:.0f} s: {}",
          spec.total_s, std::ceil(pause), outcome.problem));
  }
}

}  // namespace agon::llm
