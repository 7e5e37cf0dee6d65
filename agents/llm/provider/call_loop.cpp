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
    const Clock::Time until = later(now, seconds);
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
  Run run{spec, traffic, clock, dice, std::min(deadline, later(clock.now(), spec.total_s)), stop};
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
    switch (outcome.sort) {
      case Sort::answered:
        traffic.limiter.succeeded();
        return run.result;
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
          traffic.limiter.pause_until(later(clock.now(), *wish));
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
      return run.failed(outcome.is_slow ? outcome.problem
                                        : "the time for the call is up: " + outcome.problem);
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
