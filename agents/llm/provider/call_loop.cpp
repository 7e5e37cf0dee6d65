#include "llm/provider/call_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace agon::llm {
namespace {

using std::chrono::duration;
using std::chrono::duration_cast;

constexpr double kLongestBackoffS = 60;
constexpr double kFirstLookAtLoadingS = 0.5;
constexpr double kLongestLookAtLoadingS = 10;

Clock::Time later(Clock::Time time, double seconds) {
  return time + duration_cast<Clock::Time::duration>(duration<double>(seconds));
}

struct Run {
  const ModelSpec& spec;
  Traffic& traffic;
  Clock& clock;
  Dice dice;
  Clock::Time end;
  ModelResult result{};
  double loading_wait_s = kFirstLookAtLoadingS;
  int failures = 0;  ///< of the tries

  ModelResult& failed(std::string problem, Halt halt = Halt::no) {
    result.call.fault = Fault::provider_failed;
    result.call.problem = std::move(problem);
    result.call.text.clear();
    result.halt = halt;
    return result;
  }
  ModelResult& stopped(const Outcome& outcome) {
    return failed(outcome.problem,
                  outcome.sort == Sort::out_of_money ? Halt::out_of_money : Halt::configuration);
  }

  /// Waits; false if the deadline would come first.
  bool wait(double seconds) {
    const Clock::Time now = clock.now();
    const Clock::Time until = later(now, seconds);
    if (until >= end) return false;
    clock.sleep_until(until);
    result.call.waited_ms += seconds * 1000;
    return true;
  }

  /// How long to wait before the next try: what the endpoint wishes and a little more, else the
  /// doubling wait, a quarter more or less.
  double pause_s(const Outcome& outcome) {
    const double unit = dice.unit();
    const double first = spec.backoff_s * std::pow(2.0, failures - 1);
    const double backoff = std::min(kLongestBackoffS, first);
    if (!outcome.retry_after_ms) return backoff * (0.75 + 0.5 * unit);
    const double wish = *outcome.retry_after_ms / 1000;
    return wish + std::min(5.0, 0.25 * std::max(wish, spec.backoff_s)) * unit;
  }
};

}  // namespace

ModelResult CallLoop::run(ModelCall call, Clock::Time deadline, Dice dice,
                          const Try& try_once) const {
  Run run{spec, traffic, clock, dice, std::min(deadline, later(clock.now(), spec.total_s))};
  run.result.call = std::move(call);
  ModelCall& now = run.result.call;
  now.started = clock.milliseconds_since_1970();
  now.tries = 0;
  const ModelCall blank = now;
  for (;;) {
    if (const auto stopped = traffic.stopped()) return run.stopped(*stopped);
    const Clock::Time asked = clock.now();
    if (!traffic.limiter.acquire(clock, run.end)) {
      const double left = traffic.limiter.pause_left_s(clock);
      if (left <= 0)
        return run.failed("the time for the call was up before the endpoint had room for it");
      return run.failed(fmt::format(
          "the endpoint wants to be left alone for {:.0f} s more, longer than a call may take: "
          "wait, or raise total_s ({:.0f} s)",
          std::ceil(left), spec.total_s));
    }
    now.waited_ms += duration<double, std::milli>(clock.now() - asked).count();
    if (!traffic.breaker.admits(clock.now())) {
      traffic.limiter.release();
      return run.failed("the endpoint gives the same error to every call: " +
                        traffic.breaker.signature());
    }

    const double waited = now.waited_ms;
    const int tries = now.tries + 1;
    const std::int64_t started = now.started;
    now = blank;  // nothing of an earlier try stays
    now.waited_ms = waited;
    now.tries = tries;
    now.started = started;
    const Outcome outcome = try_once(now, run.end);
    traffic.limiter.release();

    if (outcome.status < 500 && outcome.sort != Sort::transient) traffic.breaker.recovered();
    switch (outcome.sort) {
      case Sort::answered:
        traffic.limiter.succeeded();
        return run.result;
      case Sort::out_of_money:
      case Sort::configuration:
        traffic.stop(outcome);
        return run.stopped(outcome);
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
        if (outcome.retry_after_ms)
          traffic.limiter.pause_until(later(clock.now(), *outcome.retry_after_ms / 1000));
        break;
      case Sort::transient:
        if (outcome.status >= 500) traffic.breaker.failed(outcome.problem, clock.now());
        break;
    }
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
