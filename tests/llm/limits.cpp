#include <thread>

#include "catch.hpp"
#include "llm/provider/breaker.hpp"
#include "llm/provider/limiter.hpp"
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
    return HttpProvider(spec, {}, rig.clock);
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
  HttpProvider other(spec, {}, rig.clock);
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

TEST_CASE("the breaker opens on the same error over a minute, and looks again", "[llm][breaker]") {
  const Clock::Time begun{};
  Breaker breaker;
  // A hiccup that fails a thousand calls at once opens nothing.
  for (int i = 0; i < 1000; ++i) breaker.failed("status 500: a", begun);
  CHECK(breaker.admits(begun));
  breaker.failed("status 500: a", begun + seconds(60));
  CHECK_FALSE(breaker.admits(begun + seconds(61)));
  CHECK(breaker.admits(begun + seconds(91)));
  CHECK_FALSE(breaker.admits(begun + seconds(92)));
  breaker.recovered();
  CHECK(breaker.admits(begun + seconds(93)));
}

TEST_CASE("the breaker needs ten failures and a minute", "[llm][breaker]") {
  const Clock::Time begun{};
  const auto opens = [&](int failures, seconds over) {
    Breaker breaker;
    for (int i = 0; i + 1 < failures; ++i) breaker.failed("status 500: a", begun);
    breaker.failed("status 500: a", begun + over);
    CHECK(breaker.signature() == "status 500: a");
    return !breaker.admits(begun + over);
  };
  CHECK(opens(10, seconds(60)));
  CHECK_FALSE(opens(9, seconds(60)));
  CHECK_FALSE(opens(10, seconds(59)));

  Breaker breaker;
  for (int i = 0; i < 10; ++i) breaker.failed("status 500: a", begun + seconds(7 * i));
  const Clock::Time open = begun + seconds(63);
  CHECK_FALSE(breaker.admits(open + seconds(29)));
  CHECK(breaker.admits(open + seconds(30)));
  CHECK_FALSE(breaker.admits(open + seconds(59)));
  CHECK(breaker.admits(open + seconds(60)));
  // Another error is another story.
  breaker.failed("status 502: b", open + seconds(60));
  CHECK(breaker.admits(open + seconds(61)));
}

TEST_CASE("each error counts its own failures and its own minute", "[llm][breaker]") {
  const Clock::Time begun{};
  Breaker few;
  for (int i = 0; i < 9; ++i) few.failed("status 500: a", begun);
  few.failed("status 502: b", begun);
  few.failed("status 502: b", begun + seconds(60));
  CHECK(few.admits(begun + seconds(60)));
  Breaker sudden;
  for (int i = 0; i < 5; ++i) sudden.failed("status 500: a", begun);
  for (int i = 0; i < 10; ++i) sudden.failed("status 502: b", begun + seconds(90));
  CHECK(sudden.admits(begun + seconds(90)));
  Breaker recovered;
  for (int i = 0; i < 9; ++i) recovered.failed("status 500: a", begun);
  recovered.recovered();
  CHECK(recovered.signature().empty());
  recovered.failed("status 500: a", begun + seconds(60));
  CHECK(recovered.admits(begun + seconds(60)));
}

TEST_CASE("errors that differ do not open the breaker", "[llm][breaker]") {
  const Clock::Time begun{};
  Breaker breaker;
  for (int i = 0; i < 100; ++i) {
    breaker.failed(i % 2 == 0 ? "status 500: a" : "status 502: b", begun + seconds(i));
    CHECK(breaker.admits(begun + seconds(i)));
  }
}

}  // namespace
