#include <chrono>
#include <future>

#include "catch.hpp"
#include "costs/costs.hpp"

using agon::CallBudget;
using agon::CallEstimate;
using agon::Caps;
using agon::Halt;
using agon::PriceList;
using agon::archive::CallTotals;

namespace {

// One dollar a million tokens, in and out: a token is 1000 billionths.
const PriceList kPrices = PriceList::parse(
    R"({"format": "agon.prices", "models": {"p/*": {"input": 1, "output": 1}}})", "prices.json");

CallEstimate estimate(std::int64_t input, std::int64_t output) {
  return {.provider = "p", .model = "m", .input = input, .output = output};
}

/// A thread that asks for leave, and is refused at the latest when the test ends.
class Waits {
 public:
  Waits(CallBudget& budget, const CallEstimate& call)
      : budget_(budget),
        halt_(std::async(std::launch::async, [this, call] { return budget_.admit(call, held); })) {}
  ~Waits() {
    budget_.stop();
    if (halt_.valid()) halt_.wait();
  }
  Waits(const Waits&) = delete;
  Waits& operator=(const Waits&) = delete;
  /// Not while others in flight decide; the moment is so that who does not wait is found out.
  bool waits() {
    return halt_.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready;
  }
  Halt answer() { return halt_.get(); }

  CallBudget::Reservation held;

 private:
  CallBudget& budget_;
  std::future<Halt> halt_;
};

}  // namespace

TEST_CASE("budget: a call in flight holds what it may take, and gives it back") {
  CallBudget budget({.cost = 10'000'000, .tokens = 10'000}, kPrices, {});
  // Each may take all there is, and takes a tenth: so there is room for ten, one after another.
  for (int call = 0; call < 10; ++call) {
    INFO(call);
    CallBudget::Reservation held;
    REQUIRE(budget.admit(estimate(4000, 6000), held) == Halt::no);
    CHECK(held.tokens == 10'000);
    CHECK(held.cost == 10'000'000);
    CHECK(budget.in_flight() == 1);
    budget.settle(held, {.calls = 1, .tokens = 1000, .cost = 1'000'000});
    CHECK(budget.in_flight() == 0);
  }
  CallBudget::Reservation held;
  CHECK(budget.admit(estimate(1, 1), held) == Halt::budget);
  CHECK(budget.in_flight() == 0);
  CHECK(budget.spent().calls == 10);
  CHECK(budget.spent().tokens == 10'000);
  CHECK(budget.spent().cost == 10'000'000);
}

TEST_CASE("budget: what is held counts all that is read as put into a cache") {
  const PriceList prices = PriceList::parse(
      R"({"format": "agon.prices", "models": {"p/*": {"input": 1, "output": 1, "written": 1.25}}})",
      "prices.json");
  CallBudget budget({.cost = 10'000'000}, prices, {});
  CallBudget::Reservation held;
  REQUIRE(budget.admit(estimate(4000, 1000), held) == Halt::no);
  CHECK(held.cost == 6'000'000);
  // A cache that costs less than reading is no reason to hold less.
  const PriceList cheap = PriceList::parse(
      R"({"format": "agon.prices", "models": {"p/*": {"input": 1, "output": 1, "written": 0.5}}})",
      "prices.json");
  CallBudget other({.cost = 10'000'000}, cheap, {});
  REQUIRE(other.admit(estimate(4000, 1000), held) == Halt::no);
  CHECK(held.cost == 5'000'000);
}

TEST_CASE("budget: money alone and tokens alone are given back") {
  const Caps caps = GENERATE(Caps{.cost = 10'000'000}, Caps{.tokens = 10'000});
  CallBudget budget(caps, kPrices, {});
  for (int call = 0; call < 9; ++call) {
    CallBudget::Reservation held;
    REQUIRE(budget.admit(estimate(4000, 6000), held) == Halt::no);
    budget.settle(held, {.calls = 1, .tokens = 1000, .cost = 1'000'000});
  }
  CallBudget::Reservation first, second;
  // 1000 tokens are left: two calls of 400 find room side by side, as nothing else is held.
  CHECK(budget.admit(estimate(200, 200), first) == Halt::no);
  CHECK(budget.admit(estimate(200, 200), second) == Halt::no);
  CHECK(budget.in_flight() == 2);
}

TEST_CASE("budget: each cap is reached at its very number") {
  const CallTotals before{.calls = 3, .tokens = 500, .cost = 2'000'000'000, .unpriced = 1};
  const auto leave = [&](Caps caps, std::string* why = nullptr) {
    CallBudget budget(caps, kPrices, before);
    CallBudget::Reservation held;
    const Halt halt = budget.admit(estimate(1, 1), held);
    if (why != nullptr) *why = budget.refusal();
    return halt;
  };
  std::string why;
  CHECK(leave({}) == Halt::no);
  CHECK(leave({.calls = 4}) == Halt::no);
  CHECK(leave({.calls = 3}, &why) == Halt::budget);
  CHECK(why == "the cap of 3 model calls is reached: 3 are made");
  CHECK(leave({.tokens = 501}) == Halt::no);
  CHECK(leave({.tokens = 500}, &why) == Halt::budget);
  CHECK(why == "the cap of 500 tokens is reached: 500 are used");
  CHECK(leave({.cost = 2'000'000'001}) == Halt::no);
  CHECK(leave({.cost = 2'000'000'000}, &why) == Halt::budget);
  CHECK(why == "the cap of 2.00 USD is reached: 2.0000 USD are spent");
}

TEST_CASE("budget: what was spent before counts, and adds up") {
  CallBudget budget({.calls = 5}, kPrices, {.calls = 3, .tokens = 500, .cost = 70, .unpriced = 1});
  CallBudget::Reservation held;
  REQUIRE(budget.admit(estimate(1, 1), held) == Halt::no);
  budget.settle(held, {.calls = 1, .tokens = 20, .cost = 7, .unpriced = 1});
  CHECK(budget.spent().calls == 4);
  CHECK(budget.spent().tokens == 520);
  CHECK(budget.spent().cost == 77);
  CHECK(budget.spent().unpriced == 2);
  CHECK(budget.refusal().empty());
}

TEST_CASE("budget: a call without a limit is taken for the longest so far") {
  CallBudget budget({.tokens = 1'000'000}, kPrices, {});
  CallBudget::Reservation held;
  const auto reserved = [&](std::int64_t took) {
    REQUIRE(budget.admit(estimate(100, 0), held) == Halt::no);
    const std::int64_t tokens = held.tokens;
    CHECK(held.cost == tokens * 1000);
    budget.settle(held, {.calls = 1, .tokens = took});
    return tokens;
  };
  CHECK(reserved(50) == 100 + 4096);
  CHECK(reserved(9000) == 100 + 4096);
  CHECK(reserved(10) == 100 + 9000);
  CHECK(reserved(10) == 100 + 9000);
}

TEST_CASE("budget: who finds no room waits for those in flight, and takes what they leave") {
  CallBudget budget({.tokens = 1000}, kPrices, {});
  CallBudget::Reservation held;
  REQUIRE(budget.admit(estimate(500, 500), held) == Halt::no);
  Waits other(budget, estimate(500, 500));
  CHECK(other.waits());
  budget.settle(held, {.calls = 1, .tokens = 10});
  CHECK(other.answer() == Halt::no);
  CHECK(budget.in_flight() == 1);
  CHECK(budget.refusal().empty());
}

TEST_CASE("budget: money that may be spent is waited for as tokens are") {
  CallBudget budget({.cost = 1'000'000}, kPrices, {});
  CallBudget::Reservation held;
  REQUIRE(budget.admit(estimate(500, 500), held) == Halt::no);
  Waits other(budget, estimate(500, 500));
  CHECK(other.waits());
  budget.settle(held, {.calls = 1, .tokens = 10, .cost = 10'000});
  CHECK(other.answer() == Halt::no);
}

TEST_CASE("budget: who waits is refused once the cap itself is reached") {
  CallBudget budget({.calls = 2}, kPrices, {});
  CallBudget::Reservation first, second;
  REQUIRE(budget.admit(estimate(1, 1), first) == Halt::no);
  REQUIRE(budget.admit(estimate(1, 1), second) == Halt::no);
  Waits third(budget, estimate(1, 1));
  CHECK(third.waits());
  budget.settle(first, {.calls = 2});  // one call that took two
  CHECK(third.answer() == Halt::budget);
  CHECK(budget.in_flight() == 1);
}

TEST_CASE("budget: a call that came to nothing leaves its place to another") {
  CallBudget budget({.calls = 1}, kPrices, {});
  CallBudget::Reservation held;
  REQUIRE(budget.admit(estimate(1, 1), held) == Halt::no);
  budget.settle(held, {});
  CHECK(budget.admit(estimate(1, 1), held) == Halt::no);
}

TEST_CASE("budget: when it stops, who waits is refused, and who asks too") {
  CallBudget budget({.calls = 1}, kPrices, {});
  CallBudget::Reservation held;
  REQUIRE(budget.admit(estimate(1, 1), held) == Halt::no);
  Waits other(budget, estimate(1, 1));
  CHECK(other.waits());
  budget.stop();
  CHECK(other.answer() == Halt::budget);
  CHECK(budget.refusal().empty());  // no cap is the reason
  budget.settle(held, {});
  CHECK(budget.admit(estimate(1, 1), held) == Halt::budget);
  CallBudget open({}, kPrices, {});
  open.stop();
  CHECK(open.admit(estimate(1, 1), held) == Halt::budget);
}

TEST_CASE("budget: without a price there is no cap on the cost") {
  CallBudget::Reservation held;
  const CallEstimate unknown{.provider = "q", .model = "x", .input = 1, .output = 1};
  CallBudget capped({.cost = 1'000'000'000}, kPrices, {});
  CHECK(capped.admit(unknown, held) == Halt::configuration);
  CHECK(capped.refusal() ==
        "the cost of the run has a cap, and q/x has no price: add it to the file of prices");
  CHECK(capped.in_flight() == 0);
  CallBudget by_tokens({.tokens = 1000}, kPrices, {});
  CHECK(by_tokens.admit(unknown, held) == Halt::no);
  CHECK(held.cost == 0);
  CHECK(held.tokens == 2);
}

TEST_CASE("budget: a cap by model holds for its calls alone, beside that of the run") {
  const std::vector<agon::CappedPart> parts{
      {{.name = "small", .model = "p/s", .caps = {.cost = 10'000'000, .calls = 3}}, {.calls = 1}}};
  CallBudget budget({.calls = 100}, kPrices, {.calls = 1}, parts);
  const CallEstimate small{.provider = "p", .model = "s", .input = 4000, .output = 6000};
  CallBudget::Reservation first, second, other;
  REQUIRE(budget.admit(small, first) == Halt::no);
  CHECK(first.cost == 10'000'000);
  // The first holds all that its model may cost: the next of it waits, and others do not.
  Waits waiting(budget, small);
  CHECK(waiting.waits());
  CHECK(budget.admit(estimate(4000, 6000), other) == Halt::no);
  budget.settle(other, {.calls = 1, .tokens = 10'000, .cost = 10'000'000});
  CHECK(waiting.waits());
  budget.settle(first, {.calls = 1, .tokens = 1000, .cost = 1'000'000});
  CHECK(waiting.answer() == Halt::no);
  budget.settle(waiting.held, {.calls = 1, .tokens = 1000, .cost = 1'000'000});
  CHECK(budget.admit(small, second) == Halt::budget);
  CHECK(budget.refusal() ==
        "the cap of 3 model calls on the model 'small' (p/s) is reached: 3 are made; "
        "limits.models.small.calls of the suite raises it");
  CHECK(budget.admit(estimate(1, 1), second) == Halt::no);
  budget.settle(second, {.calls = 1});
  CHECK(budget.in_flight() == 0);
  CHECK(budget.spent().calls == 5);
}

TEST_CASE("budget: a cap by purpose is on the calls of all models for it") {
  const std::vector<agon::CappedPart> parts{
      {{.name = "extract", .purpose = "extract", .caps = {.tokens = 2000}}, {}}};
  CallBudget budget({}, kPrices, {}, parts);
  CallEstimate extract = estimate(400, 600);
  extract.purpose = "extract";
  CallEstimate answer = estimate(400, 600);
  answer.purpose = "answer";
  CallBudget::Reservation held;
  for (const char* model : {"m", "n"}) {
    extract.model = model;
    REQUIRE(budget.admit(extract, held) == Halt::no);
    budget.settle(held, {.calls = 1, .tokens = 1000});
    REQUIRE(budget.admit(answer, held) == Halt::no);
    budget.settle(held, {.calls = 1, .tokens = 1000});
  }
  CHECK(budget.admit(extract, held) == Halt::budget);
  CHECK(budget.refusal() ==
        "the cap of 2000 tokens on the purpose 'extract' is reached: 2000 are used; "
        "limits.purposes.extract.tokens of the suite raises it");
  CHECK(budget.admit(answer, held) == Halt::no);
}

TEST_CASE("budget: a model with a cap on its cost needs a price, others do not") {
  const std::vector<agon::CappedPart> parts{
      {{.name = "q/a", .model = "q/a", .caps = {.cost = 1'000'000}}, {}}};
  CallBudget budget({}, kPrices, {}, parts);
  CallBudget::Reservation held;
  CHECK(budget.admit({.provider = "q", .model = "b", .input = 1, .output = 1}, held) == Halt::no);
  CHECK(budget.admit({.provider = "q", .model = "a", .input = 1, .output = 1}, held) ==
        Halt::configuration);
  CHECK(budget.refusal() ==
        "the cost of the model 'q/a' has a cap, and q/a has no price: add it to the file of "
        "prices");
}

TEST_CASE("budget: a mock without a name has its cap under that of its provider") {
  const agon::PartCaps mock{.name = "m", .model = "mock"};
  CHECK(mock.are_on("mock", "answer"));
  CHECK(mock.are_on("mock/mock", "answer"));
  CHECK_FALSE(mock.are_on("mock/big", "answer"));
  const agon::PartCaps big{.name = "big", .model = "mock/big", .purpose = "extract"};
  CHECK(big.are_on("mock/big", "extract"));
  CHECK_FALSE(big.are_on("mock/big", "answer"));
  CHECK_FALSE(big.are_on("mock/mock", "extract"));
}
