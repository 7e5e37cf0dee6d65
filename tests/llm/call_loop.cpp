// One call with its tries, against replies made by hand: what is waited between them, what stays of
// them, and when it is enough.

#include <atomic>
#include <chrono>

#include "catch.hpp"
#include "llm/provider/traffic.hpp"
#include "model_table.hpp"

namespace {

using namespace agon;
using namespace agon::llm;
using agon::test::has;
using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::seconds;

CallOutcome transient(int status = 0) {
  return {.sort = Sort::transient, .status = status, .problem = "it broke"};
}
CallOutcome rate_limited(std::optional<double> retry_after_ms = {}) {
  return {.sort = Sort::rate_limited,
          .status = 429,
          .retry_after_ms = retry_after_ms,
          .problem = "slow down"};
}
const CallOutcome kAnswered{.sort = Sort::answered, .status = 200};
const CallOutcome kLoading{.sort = Sort::loading, .status = 503, .problem = "loading"};

/// A call that comes to these, one after another; then it is answered.
struct Calls {
  using Fill = std::function<void(ModelCall&)>;
  /// Seconds between the beginnings of the tries.
  [[nodiscard]] std::vector<double> waits() const {
    std::vector<double> all;
    for (std::size_t i = 1; i < tried.size(); ++i)
      all.push_back(duration<double>(tried[i] - tried[i - 1]).count());
    return all;
  }
  ModelResult run(const std::vector<CallOutcome>& outcomes, std::uint32_t dice = 0,
                  Clock::Time deadline = Clock::Time::max()) {
    tried.clear();
    ModelCall call;
    call.model = "m";
    return CallLoop{spec, traffic, clock, stop}.run(
        std::move(call), deadline, Dice(1, dice), [&](ModelCall& made, Clock::Time until) {
          const std::size_t n = tried.size();
          tried.push_back(clock.now());
          ends.push_back(until);
          if (fill) fill(made);
          return n < outcomes.size() ? outcomes[n] : kAnswered;
        });
  }

  ModelSpec spec;
  Traffic traffic{10};
  CountedClock clock;
  StopFlag stop;
  std::vector<Clock::Time> tried;
  std::vector<Clock::Time> ends;
  Fill fill;
};

TEST_CASE("call loop: waits double from the first to a minute, a quarter more or less",
          "[llm][retry]") {
  Calls calls;
  calls.spec.tries = 12;
  calls.spec.total_s = 86'400;
  double least = 10, most = 0;
  for (std::uint32_t dice = 0; dice < 40; ++dice) {
    const ModelResult r = calls.run(std::vector<CallOutcome>(11, transient()), dice);
    REQUIRE(r.call.fault == Fault::ok);
    CHECK(r.call.tries == 12);
    const std::vector<double> waits = calls.waits();
    REQUIRE(waits.size() == 11);
    double all = 0;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      const double middle = i < 6 ? std::pow(2.0, i) : 60;
      CHECK(waits[i] >= middle * 0.75);
      CHECK(waits[i] <= middle * 1.25);
      least = std::min(least, waits[i] / middle);
      most = std::max(most, waits[i] / middle);
      all += waits[i];
    }
    CHECK(r.call.waited_ms == Approx(all * 1000));
  }
  // They differ: calls that failed together do not come back together.
  CHECK(least < 0.77);
  CHECK(most > 1.23);
}

TEST_CASE("call loop: what the endpoint wishes is waited for, and a little more", "[llm][retry]") {
  struct Row {
    double wish_s, backoff_s, most_more;
  };
  for (const Row& row : {Row{8, 1, 2}, Row{100, 1, 5}, Row{0, 1, 0.25}, Row{1, 60, 5}}) {
    Calls calls;
    calls.spec.backoff_s = row.backoff_s;
    double least = 1000, most = 0;
    for (std::uint32_t dice = 0; dice < 40; ++dice) {
      REQUIRE(calls.run({rate_limited(row.wish_s * 1000)}, dice).call.fault == Fault::ok);
      const double wait = calls.waits().at(0);
      CHECK(wait >= row.wish_s);
      CHECK(wait <= row.wish_s + row.most_more + 1e-6);
      least = std::min(least, wait);
      most = std::max(most, wait);
    }
    INFO(row.wish_s);
    CHECK(least < row.wish_s + 0.1 * row.most_more);
    CHECK(most > row.wish_s + 0.9 * row.most_more);
  }
}

TEST_CASE("call loop: a wish holds back all calls to the endpoint, a 429 without one none",
          "[llm][retry]") {
  Calls calls;
  calls.spec.tries = 1;
  CHECK(calls.run({rate_limited()}).call.fault == Fault::provider_failed);
  CHECK(calls.traffic.limiter.pause_left_s(calls.clock) == 0);
  CHECK(calls.run({rate_limited(7000)}).call.fault == Fault::provider_failed);
  CHECK(calls.traffic.limiter.pause_left_s(calls.clock) == Approx(7));
  const Clock::Time begun = calls.clock.now();
  const ModelResult next = calls.run({});
  CHECK(calls.tried.at(0) == begun + seconds(7));
  CHECK(next.call.waited_ms == Approx(7000));
  CHECK(calls.traffic.limiter.in_flight() == 0);
}

TEST_CASE("call loop: a wish beyond any call's time ends no other call", "[llm][retry]") {
  Calls calls;
  calls.spec.total_s = 60;
  // As after any failure; what it may wish for is not waited for.
  CHECK(calls.run({rate_limited(99'999'999'000.0)}).call.fault == Fault::ok);
  CHECK(calls.waits().at(0) <= 1.25);
  CHECK(calls.traffic.limiter.pause_left_s(calls.clock) == 0);
  calls.spec.tries = 1;
  CHECK(calls.run({rate_limited(61'000)}).call.fault == Fault::provider_failed);
  CHECK(calls.run({}).call.waited_ms == 0);
  // Many of them are an outage, which stops a run in the end.
  for (int i = 0; i < 20 && !calls.traffic.outage.is_on(); ++i)
    (void)calls.run({rate_limited(61'000)});
  CHECK(calls.traffic.outage.is_on());
}

TEST_CASE("call loop: nothing of an earlier try stays but what it took", "[llm][retry]") {
  Calls calls;
  const auto started = calls.clock.milliseconds_since_1970();
  calls.fill = [&](ModelCall& call) {
    CHECK(call.model == "m");
    CHECK(call.text.empty());
    CHECK(call.reasoning.empty());
    CHECK(call.finish.empty());
    CHECK(call.request_id.empty());
    CHECK(call.served_model.empty());
    CHECK(call.usage.input == -1);
    CHECK(call.fault == Fault::ok);
    CHECK(call.problem.empty());
    CHECK(call.tries == static_cast<int>(calls.tried.size()));
    if (calls.tried.size() > 2) return;
    call.text = "half a";
    call.reasoning = "hm";
    call.finish = "length";
    call.request_id = "r1";
    call.served_model = "s";
    call.usage.input = 4;
    call.fault = Fault::truncated;
    call.problem = "cut";
  };
  const ModelResult r = calls.run({transient(), transient()});
  CHECK(r.call.tries == 3);
  CHECK(r.call.text.empty());
  CHECK(r.call.usage.input == -1);
  CHECK(r.call.request_id.empty());
  // When the call began, not its last try.
  CHECK(r.call.started >= started);
  CHECK(r.call.started - started < 1000);
  CHECK(r.call.waited_ms > 2000);
}

TEST_CASE("call loop: a model that loads is looked at ever less often, each ten seconds at last",
          "[llm][retry]") {
  Calls calls;
  calls.spec.tries = 1;  // a look is no failed try
  const ModelResult r = calls.run(std::vector<CallOutcome>(8, kLoading));
  CHECK(r.call.fault == Fault::ok);
  CHECK(r.call.tries == 9);
  const std::vector<double> waits = calls.waits();
  const std::vector<double> wanted{0.5, 1, 2, 4, 8, 10, 10, 10};
  REQUIRE(waits.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(waits[i] == Approx(wanted[i]));
  CHECK(r.call.waited_ms == Approx(45'500));
}

TEST_CASE("call loop: nothing is tried at its deadline or after it", "[llm][retry]") {
  Calls calls;
  calls.spec.total_s = 1.5;  // looks after 0.5 s and, if there were time, after 1.5 s
  ModelResult r = calls.run(std::vector<CallOutcome>(9, kLoading));
  CHECK(r.call.fault == Fault::provider_failed);
  CHECK(r.call.problem == "the model was still loading when the time was up");
  CHECK(calls.tried.size() == 2);
  CHECK(calls.ends.back() - calls.tried.front() == milliseconds(1500));
  CHECK(r.halt == Halt::no);

  // The caller's deadline holds where it comes first.
  Calls other;
  const Clock::Time end = other.clock.now() + milliseconds(600);
  r = other.run(std::vector<CallOutcome>(9, kLoading), 0, end);
  CHECK(other.tried.size() == 2);
  CHECK(other.ends.back() == end);

  Calls wish;
  wish.spec.total_s = 30;
  r = wish.run({rate_limited(29'900)});
  CHECK(wish.tried.size() == 1);
  CHECK(has(r.call.problem, "the time for the call (30 s) would be up before the next try, in 3"));

  // Others were told to leave it alone: that is known before anything is sent.
  wish.spec.total_s = 20;
  r = wish.run({});
  CHECK(wish.tried.empty());
  CHECK(r.call.tries == 0);
  CHECK(has(r.call.problem, "the endpoint wants to be left alone for 30 s more"));

  Calls late;
  late.spec.total_s = 5;
  late.fill = [&](ModelCall&) { late.clock.sleep_until(late.clock.now() + seconds(5)); };
  r = late.run({transient()});
  CHECK(r.call.problem == "the time for the call is up: it broke");
  CHECK(late.tried.size() == 1);
}

TEST_CASE("call loop: where there is no room in time, nothing is sent", "[llm][retry]") {
  Calls calls;
  for (int i = 0; i < 10; ++i)
    REQUIRE(calls.traffic.limiter.acquire(calls.clock, Clock::Time::max()));
  const ModelResult r = calls.run({});
  CHECK(r.call.tries == 0);
  CHECK(r.call.problem == "the time for the call was up before the endpoint had room for it");
  CHECK(calls.traffic.limiter.in_flight() == 10);
}

TEST_CASE("call loop: as many tries as are allowed, and retries of all calls together",
          "[llm][retry]") {
  Calls calls;
  calls.spec.tries = 3;
  calls.fill = [](ModelCall& call) { call.text = "half"; };
  ModelResult r = calls.run(std::vector<CallOutcome>(9, transient()));
  CHECK(calls.tried.size() == 3);
  CHECK(r.call.problem == "3 tries failed, the last: it broke");
  CHECK(r.call.text.empty());
  CHECK(r.call.fault == Fault::provider_failed);
  CHECK(calls.run(std::vector<CallOutcome>(2, transient())).call.fault == Fault::ok);

  Calls bounded;
  bounded.spec.retry_budget = 2;
  r = bounded.run(std::vector<CallOutcome>(9, transient()));
  CHECK(bounded.tried.size() == 3);
  CHECK(r.call.problem == "the run's budget of retries is used up: it broke");
  CHECK(bounded.run({transient()}).call.tries == 1);
  CHECK(bounded.run({}).call.fault == Fault::ok);
}

TEST_CASE("call loop: each way to end gives the place back and says how it went", "[llm][retry]") {
  struct Row {
    Sort sort;
    Halt halt;
    bool rejected;
    bool stops_others;
  };
  for (const Row& row : {Row{Sort::out_of_money, Halt::out_of_money, false, true},
                         Row{Sort::configuration, Halt::configuration, false, true},
                         Row{Sort::rejected, Halt::no, true, false},
                         Row{Sort::unsupported, Halt::no, true, false}}) {
    Calls calls;
    const ModelResult r =
        calls.run({CallOutcome{.sort = row.sort, .status = 400, .problem = "no"}});
    INFO(static_cast<int>(row.sort));
    CHECK(r.call.fault == Fault::provider_failed);
    CHECK(r.call.problem == "no");
    CHECK(r.halt == row.halt);
    CHECK(r.is_rejected == row.rejected);
    CHECK(calls.tried.size() == 1);
    CHECK(calls.traffic.limiter.in_flight() == 0);
    const ModelResult next = calls.run({});
    CHECK(next.halt == row.halt);
    CHECK(calls.tried.size() == (row.stops_others ? 0 : 1));
  }
}

TEST_CASE("call loop: the limit falls with a 429 and with nothing else", "[llm][retry]") {
  Calls calls;
  calls.spec.tries = 1;
  for (const CallOutcome& outcome : {transient(), transient(500), kAnswered})
    (void)calls.run({outcome});
  CHECK(calls.traffic.limiter.limit() == 10);
  (void)calls.run({rate_limited()});
  CHECK(calls.traffic.limiter.limit() == 1);  // one was in flight
}

TEST_CASE("call loop: an answer lets the limit grow", "[llm][retry]") {
  Calls calls;
  Traffic wide(1000);
  for (int i = 0; i < 40; ++i) REQUIRE(wide.limiter.acquire(calls.clock, Clock::Time::max()));
  const auto run = [&](const CallOutcome& outcome) {
    (void)CallLoop{calls.spec, wide, calls.clock}.run(
        {}, Clock::Time::max(), Dice(1, 0), [&](ModelCall&, Clock::Time) { return outcome; });
    return wide.limiter.limit();
  };
  CHECK(run(CallOutcome{.sort = Sort::rejected, .status = 400}) == 64);
  CHECK(run(kAnswered) == 65);
}

TEST_CASE("call loop: any failure counts towards an outage, anything else ends one",
          "[llm][outage]") {
  const auto fail = [](Calls& calls, const CallOutcome& outcome, int times) {
    calls.spec.tries = 1;
    for (int i = 0; i < times; ++i) (void)calls.run({outcome});
    return calls.traffic.outage.is_on();
  };
  const CallOutcome moved{.sort = Sort::configuration, .status = 302, .problem = "moved"};
  for (const CallOutcome& outcome : {transient(500), transient(0), transient(499), moved}) {
    Calls calls;
    calls.traffic.has_answered = true;
    CHECK_FALSE(fail(calls, outcome, 19));
    CHECK(fail(calls, outcome, 1));
    CHECK(calls.traffic.limiter.in_flight() == 0);
  }
  const CallOutcome rejected{.sort = Sort::rejected, .status = 400};
  for (const CallOutcome& outcome : {rate_limited(), rejected, kLoading, kAnswered}) {
    Calls calls;
    calls.spec.total_s = 1;
    CHECK_FALSE(fail(calls, outcome, 40));
  }
  for (const CallOutcome& outcome : {rate_limited(), rejected, kAnswered}) {
    Calls calls;
    REQUIRE(fail(calls, transient(500), 20));
    (void)calls.run({outcome});
    CHECK_FALSE(calls.traffic.outage.is_on());
  }
  Calls loads;
  REQUIRE(fail(loads, transient(500), 20));
  loads.spec.total_s = 1.5;
  (void)loads.run({kLoading});
  CHECK(loads.traffic.outage.is_on());
}

TEST_CASE("call loop: a failing look is no try and no retry, and nothing is waited for after it",
          "[llm][outage]") {
  Calls calls;
  calls.spec.tries = 1;
  for (int i = 0; i < 20; ++i) (void)calls.run({transient(500)});
  calls.spec.tries = 2;
  calls.spec.retry_budget = 1;
  // Three looks fail, and the fourth ends it.
  const ModelResult r = calls.run({transient(500), transient(0), transient(500)});
  CHECK(r.call.fault == Fault::ok);
  CHECK(calls.waits() == std::vector<double>{2, 4, 8});
  CHECK(calls.traffic.retries == 0);
}

/// Somebody wants to stop three seconds after it was made.
class StoppingClock final : public Clock {
 public:
  explicit StoppingClock(std::atomic<bool>& stop) : stop_(stop) {}
  [[nodiscard]] Time now() const override { return now_; }
  [[nodiscard]] std::int64_t milliseconds_since_1970() const override { return 0; }
  void wait(std::unique_lock<std::mutex>&, agon::Condition&, Time until,
            const StopFlag& stop) override {
    // A wait that is told of the flag looks at it so often.
    if (stop.flag() != nullptr) until = std::min(until, now_ + agon::Condition::kLook);
    now_ = std::max(now_, until);
    if (now_ - begun_ >= seconds(3)) stop_ = true;
  }
  [[nodiscard]] double seconds_since() const { return duration<double>(now_ - begun_).count(); }

 private:
  std::atomic<bool>& stop_;
  const Time begun_ = std::chrono::steady_clock::now();
  Time now_ = begun_;
};

TEST_CASE("call loop: every wait ends when somebody wants to stop", "[llm][stop]") {
  enum class Wait { next_try, pause, loading, place, outage };
  for (const Wait wait : {Wait::next_try, Wait::pause, Wait::loading, Wait::place, Wait::outage}) {
    CAPTURE(static_cast<int>(wait));
    std::atomic<bool> stop{false};
    StoppingClock clock(stop);
    ModelSpec spec;
    spec.backoff_s = 60;
    Traffic traffic(1);
    if (wait == Wait::place) REQUIRE(traffic.limiter.acquire(clock, Clock::Time::max()));
    if (wait == Wait::outage)
      (void)traffic.outage.failed("a", clock.now(),
                                  {.calls = 1, .pause = seconds(900), .stop = seconds(900)});
    int tries = 0;
    const ModelResult r = CallLoop{spec, traffic, clock, StopFlag(&stop)}.run(
        {}, Clock::Time::max(), Dice(1), [&](ModelCall&, Clock::Time) {
          ++tries;
          return wait == Wait::loading ? kLoading
                 : wait == Wait::pause ? rate_limited(600'000)
                                       : transient(500);
        });
    CHECK(r.call.problem == kStopped);
    CHECK(r.halt == Halt::no);
    CHECK(clock.seconds_since() >= 3);
    CHECK(clock.seconds_since() < 3.2);
    CHECK(tries <= (wait == Wait::loading || wait == Wait::outage ? 3 : 1));
    CHECK(traffic.limiter.in_flight() == (wait == Wait::place ? 1 : 0));
  }
}

TEST_CASE("call loop: nothing is begun or waited for once somebody wants to stop", "[llm][stop]") {
  std::atomic<bool> stop{true};
  Calls calls;
  calls.stop = StopFlag(&stop);
  const Clock::Time begun = calls.clock.now();
  CHECK(calls.run({}).call.problem == kStopped);
  CHECK(calls.tried.empty());
  // While it is tried.
  Calls tried;
  tried.stop = StopFlag(&stop);
  stop = false;
  tried.fill = [&](ModelCall&) { stop = true; };
  const ModelResult r = tried.run({transient(500)});
  CHECK(r.call.fault == Fault::provider_failed);
  CHECK(r.call.problem == kStopped);
  CHECK(r.halt == Halt::no);
  CHECK(tried.tried.size() == 1);
  CHECK(tried.traffic.limiter.in_flight() == 0);
  // An answer that came in is an answer.
  Calls paid;
  paid.stop = StopFlag(&stop);
  stop = false;
  paid.fill = [&](ModelCall& made) {
    made.text = "paid";
    stop = true;
  };
  CHECK(paid.run({}).call.text == "paid");
  CHECK(calls.clock.now() == begun);
}

}  // namespace
