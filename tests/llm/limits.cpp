#include <atomic>
#include <thread>

#include "catch.hpp"
#include "llm/provider/traffic.hpp"
#include "rig.hpp"

namespace {

using namespace llm_tests;
using std::chrono::seconds;

/// As many successes as are in flight, all in flight at once.
void round_trip(Limiter& limiter, Clock& clock) {
  const int n = limiter.limit();
  for (int i = 0; i < n; ++i) REQUIRE(limiter.acquire(clock, Clock::Time::max()));
  for (int i = 0; i < n; ++i) {
    limiter.release();
    limiter.succeeded();
    // The next call takes the place at once.
    if (i + 1 < n) REQUIRE(limiter.acquire(clock, Clock::Time::max()));
  }
  while (limiter.in_flight() > 0) limiter.release();
}

TEST_CASE("the limit doubles a round trip until it is too much", "[llm][limiter]") {
  CountedClock clock;
  Limiter limiter(1000);
  CHECK(limiter.limit() == 64);
  round_trip(limiter, clock);
  CHECK(limiter.limit() >= 100);
  for (int i = 0; i < 6; ++i) round_trip(limiter, clock);
  CHECK(limiter.limit() == 1000);
  CHECK(Limiter(5).limit() == 5);
}

TEST_CASE("too much takes a fifth away, once in 15 seconds", "[llm][limiter]") {
  CountedClock clock;
  Limiter limiter(1000);
  for (int i = 0; i < 50; ++i) REQUIRE(limiter.acquire(clock, Clock::Time::max()));
  limiter.rate_limited(clock.now());
  CHECK(limiter.limit() == 40);  // four fifths of the 51 with this one, rounded down
  limiter.rate_limited(clock.now() + seconds(14));
  CHECK(limiter.limit() == 40);
  limiter.rate_limited(clock.now() + seconds(15));
  CHECK(limiter.limit() == 32);
  for (int i = 0; i < 100; ++i) limiter.rate_limited(clock.now() + seconds(30 + 15 * i));
  CHECK(limiter.limit() == 1);
}

TEST_CASE("after too much, the limit grows by one a round trip", "[llm][limiter]") {
  CountedClock clock;
  Limiter limiter(1000);
  for (int i = 0; i < 9; ++i) REQUIRE(limiter.acquire(clock, Clock::Time::max()));
  limiter.rate_limited(clock.now());
  for (int i = 0; i < 9; ++i) limiter.release();
  REQUIRE(limiter.limit() == 8);
  round_trip(limiter, clock);
  CHECK(limiter.limit() <= 9);
  round_trip(limiter, clock);
  CHECK(limiter.limit() >= 9);
  CHECK(limiter.limit() <= 10);
}

TEST_CASE("a limiter can be bound further, and never less", "[llm][limiter]") {
  Limiter limiter(1000);
  limiter.bound(20);
  CHECK(limiter.limit() == 20);
  limiter.bound(1000);
  CountedClock clock;
  for (int i = 0; i < 6; ++i) round_trip(limiter, clock);
  CHECK(limiter.limit() == 20);
}

TEST_CASE("an endpoint, key and model have one limit, however they are asked", "[llm][limiter]") {
  Rig rig;
  rig.spec.concurrency = 50;
  const auto provider = [&](auto change) {
    ModelSpec spec = rig.spec;
    change(spec);
    return HttpProvider(spec, provider_card(spec.provider), {}, rig.clock);
  };
  const HttpProvider one = provider([](ModelSpec&) {});
  const auto traffic = [](const HttpProvider& p) { return &p.state().traffic(); };
  CHECK(one.state().traffic().limiter.limit() == 50);

  const HttpProvider fewer = provider([](ModelSpec& s) { s.concurrency = 7; });
  const HttpProvider more = provider([](ModelSpec& s) { s.concurrency = 900; });
  const HttpProvider text = provider([](ModelSpec& s) { s.structured = Structured::text; });
  const HttpProvider plain = provider([](ModelSpec& s) { s.sampling = Sampling::no; });
  for (const HttpProvider* other : {&fewer, &more, &text, &plain})
    CHECK(traffic(*other) == traffic(one));
  CHECK(one.state().traffic().limiter.limit() == 7);  // the smallest of what was asked for
  // What was learned of one way to ask says nothing of another.
  CHECK(text.state().capabilities().level == Level::text);
  CHECK(one.state().capabilities().level == Level::schema);

  const HttpProvider model = provider([](ModelSpec& s) { s.model = "another"; });
  setenv("AGON_TEST_OTHER_KEY", "sk-another-0123456789", 1);
  const HttpProvider key = provider([](ModelSpec& s) { s.key_env = "AGON_TEST_OTHER_KEY"; });
  const HttpProvider place = provider([](ModelSpec& s) { s.base_url += "/there"; });
  for (const HttpProvider* other : {&model, &key, &place}) CHECK(traffic(*other) != traffic(one));
  CHECK(model.state().traffic().limiter.limit() == 50);
}

TEST_CASE("the money of a key is spent for every way to ask", "[llm][limiter]") {
  Rig rig;
  ModelSpec spec = rig.spec;
  spec.structured = Structured::text;
  HttpProvider other(spec, provider_card(spec.provider), {}, rig.clock);
  rig.then(402, R"({"error":{"message":"no credits"}})");
  CHECK(rig.call().halt == Halt::out_of_money);
  const ModelRequest request{.purpose = "answer", .messages = {{"user", "Your bid?"}}};
  CHECK(other.call(request, Provider::Time::max(), Dice(1, 0)).halt == Halt::out_of_money);
  CHECK(rig.calls_seen() == 1);
}

TEST_CASE("a pause holds all calls back, but nobody waits in vain", "[llm][limiter]") {
  CountedClock clock;
  Limiter limiter(10);
  const Clock::Time begun = clock.now();
  limiter.pause_until(begun + seconds(20));
  CHECK_FALSE(limiter.acquire(clock, begun + seconds(5)));
  CHECK(clock.now() == begun);
  CHECK(limiter.pause_left_s(clock) == 20);
  CHECK(limiter.acquire(clock, Clock::Time::max()));
  CHECK(limiter.pause_left_s(clock) == 0);
  CHECK(clock.now() == begun + seconds(20));
}

TEST_CASE("a pause is never made shorter by another", "[llm][limiter]") {
  CountedClock clock;
  Limiter limiter(10);
  const Clock::Time begun = clock.now();
  limiter.pause_until(begun + seconds(20));
  limiter.pause_until(begun + seconds(5));
  CHECK(limiter.pause_left_s(clock) == 20);
  limiter.pause_until(begun + seconds(30));
  CHECK(limiter.pause_left_s(clock) == 30);
  CHECK(limiter.acquire(clock, Clock::Time::max()));
  CHECK(clock.now() == begun + seconds(30));
}

TEST_CASE("a deadline holds at its very moment, in a pause and for room", "[llm][limiter]") {
  CountedClock clock;
  Limiter limiter(1);
  const Clock::Time begun = clock.now();
  CHECK_FALSE(limiter.acquire(clock, begun));
  limiter.pause_until(begun + seconds(5));
  CHECK_FALSE(limiter.acquire(clock, begun + seconds(5)));
  CHECK(clock.now() == begun);
  CHECK(limiter.acquire(clock, begun + seconds(6)));
  CHECK(clock.now() == begun + seconds(5));
  // No room: it waits until the deadline, and no longer.
  CHECK_FALSE(limiter.acquire(clock, begun + seconds(9)));
  CHECK(clock.now() == begun + seconds(9));
  CHECK(limiter.in_flight() == 1);
  limiter.release();
  CHECK(limiter.in_flight() == 0);
}

TEST_CASE("only who uses half of what is allowed learns that more would do", "[llm][limiter]") {
  CountedClock clock;
  Limiter limiter(1000);  // 64 at first
  for (int i = 0; i < 30; ++i) REQUIRE(limiter.acquire(clock, Clock::Time::max()));
  limiter.succeeded();
  CHECK(limiter.limit() == 64);
  REQUIRE(limiter.acquire(clock, Clock::Time::max()));
  limiter.succeeded();  // 31 and the one that was given back are half
  CHECK(limiter.limit() == 65);
}

TEST_CASE("too much counts from what was in flight, and from no more than was allowed",
          "[llm][limiter]") {
  CountedClock clock;
  Limiter few(1000);
  for (int i = 0; i < 9; ++i) REQUIRE(few.acquire(clock, Clock::Time::max()));
  few.rate_limited(clock.now());
  CHECK(few.limit() == 8);
  Limiter full(10);
  for (int i = 0; i < 10; ++i) REQUIRE(full.acquire(clock, Clock::Time::max()));
  full.rate_limited(clock.now());
  CHECK(full.limit() == 8);
  full.bound(0);
  CHECK(full.limit() == 1);
  CHECK(Limiter(0).limit() == 1);
}

TEST_CASE("whoever waits gets the place that is given back", "[llm][limiter]") {
  RealClock clock;
  Limiter limiter(1);
  REQUIRE(limiter.acquire(clock, Clock::Time::max()));
  std::vector<std::thread> waiting;
  std::atomic<int> got{0};
  for (int i = 0; i < 8; ++i)
    waiting.emplace_back([&] {
      if (limiter.acquire(clock, Clock::Time::max())) ++got;
      limiter.release();
    });
  limiter.release();
  for (std::thread& t : waiting) t.join();
  CHECK(got == 8);
  CHECK(limiter.in_flight() == 0);
}

TEST_CASE("an endpoint is out when enough of enough replies fail in time", "[llm][outage]") {
  const Outage::Rule rule{.share = 0.5, .calls = 20, .window = seconds(60)};
  CountedClock clock;
  const Clock::Time begun = clock.now();
  SECTION("19 failures are too few, the twentieth is enough") {
    Outage outage;
    for (int i = 0; i < 19; ++i) CHECK_FALSE(outage.failed("a", begun, rule));
    CHECK_FALSE(outage.is_on());
    CHECK(outage.failed("b", begun, rule));
    CHECK(outage.is_on());
    CHECK(outage.problem() == "b");
  }
  SECTION("half of them is enough, whatever the errors, and less is not") {
    Outage half;
    for (int i = 0; i < 12; ++i) half.answered(begun);
    for (int i = 0; i < 11; ++i) CHECK_FALSE(half.failed(std::to_string(i), begun, rule));
    CHECK(half.failed("c", begun, rule));
  }
  SECTION("what is longer ago than the window counts no more") {
    Outage outage;
    for (int i = 0; i < 19; ++i) outage.failed("a", begun, rule);
    outage.answered(begun + seconds(20));
    CHECK_FALSE(outage.failed("a", begun + seconds(61), rule));
    Outage answers;
    for (int i = 0; i < 1000; ++i) answers.answered(begun);
    for (int i = 0; i < 19; ++i) CHECK_FALSE(answers.failed("a", begun + seconds(61), rule));
    CHECK(answers.failed("a", begun + seconds(61), rule));
  }
  SECTION("twenty in a row are enough, whatever came in before and however long they take") {
    Outage outage;
    for (int i = 0; i < 1000; ++i) outage.answered(begun);
    for (int i = 0; i < 19; ++i) CHECK_FALSE(outage.failed("a", begun, rule));
    outage.answered(begun);
    for (int i = 0; i < 19; ++i) CHECK_FALSE(outage.failed("a", begun + seconds(i), rule));
    CHECK(outage.failed("a", begun + seconds(19), rule));
    Outage slow;
    for (int i = 0; i < 19; ++i) CHECK_FALSE(slow.failed("a", begun + seconds(70 * i), rule));
    CHECK(slow.failed("a", begun + seconds(70 * 19), rule));
  }
}

TEST_CASE("while an endpoint is out calls wait, and one looks", "[llm][outage]") {
  Outage::Rule rule{.calls = 1, .pause = seconds(4), .stop = seconds(100)};
  CountedClock clock;
  const Clock::Time begun = clock.now();
  const auto at = [&] { return std::chrono::duration<double>(clock.now() - begun).count(); };
  Outage outage;
  const auto admit = [&](Clock::Time deadline) { return outage.admit(clock, deadline, {}, rule); };
  CHECK(admit(Clock::Time::max()) == Outage::Leave::send);
  CHECK(outage.failed("a", begun, rule));
  // After 1 s, 2 s more, and 4 s more each time from then on.
  for (const double look : {1.0, 3.0, 7.0, 11.0, 15.0}) {
    CHECK(admit(Clock::Time::max()) == Outage::Leave::look);
    CHECK(at() == look);
    CHECK_FALSE(outage.failed("a", clock.now(), rule));  // it is out already
  }
  // Who has no time for the next look waits as long as it has.
  CHECK(admit(begun + seconds(17)) == Outage::Leave::no);
  CHECK(at() == 17);
  CHECK_FALSE(outage.has_lasted(clock.now(), rule.stop));
  CHECK(admit(Clock::Time::max()) == Outage::Leave::look);
  SECTION("one good reply ends it") {
    CHECK(outage.answered(clock.now()));
    CHECK_FALSE(outage.is_on());
    CHECK_FALSE(outage.answered(clock.now()));
    CHECK(admit(Clock::Time::max()) == Outage::Leave::send);
    // What was before it counts no more.
    rule.calls = 3;
    CHECK_FALSE(outage.failed("a", clock.now(), rule));
  }
  SECTION("after the rule's stop nobody waits") {
    while (admit(Clock::Time::max()) == Outage::Leave::look) {
    }
    CHECK(at() == 100);
    CHECK(outage.has_lasted(clock.now(), rule.stop));
  }
  SECTION("nor once somebody wants to stop") {
    const std::atomic<bool> stop{true};
    CHECK(outage.admit(clock, Clock::Time::max(), StopFlag(&stop), rule) == Outage::Leave::no);
    CHECK(at() == 19);
  }
}

TEST_CASE("all that wait go on when the look is answered", "[llm][outage]") {
  RealClock clock;
  const Outage::Rule rule{.calls = 1, .pause = seconds(3000), .stop = seconds(5000)};
  Outage outage;
  outage.failed("a", clock.now(), rule);
  REQUIRE(outage.admit(clock, Clock::Time::max(), {}, rule) == Outage::Leave::look);
  std::atomic<int> sent{0};
  std::vector<std::thread> waiting;
  for (int i = 0; i < 8; ++i)
    waiting.emplace_back([&] {
      if (outage.admit(clock, clock.now() + seconds(600), {}, rule) == Outage::Leave::send) ++sent;
    });
  outage.answered(clock.now());
  for (std::thread& t : waiting) t.join();
  CHECK(sent == 8);
}

}  // namespace
