#include <agon/error.hpp>

#include "catch.hpp"
#include "run/prices.hpp"

using agon::cost_of;
using agon::kMostCost;
using agon::Price;
using agon::Prices;

namespace {

agon::ModelCall call_of(std::string provider, std::string model, std::int64_t input,
                        std::int64_t output) {
  agon::ModelCall call;
  call.provider = std::move(provider);
  call.model = std::move(model);
  call.usage.input = input;
  call.usage.output = output;
  return call;
}

}  // namespace

TEST_CASE("tokens cost what their price says, in billionths of a dollar") {
  // 2 dollars a million for input, 8 for output, half a dollar for input from a cache
  const Price price{2'000'000, 8'000'000, 500'000};
  CHECK(cost_of(price, 1'000'000, 0, 0) == 2'000'000'000);
  CHECK(cost_of(price, 0, 1'000'000, 0) == 8'000'000'000);
  CHECK(cost_of(price, 1'000'000, 0, 1'000'000) == 500'000'000);
  CHECK(cost_of(price, 100, 0, 1'000'000) == cost_of(price, 100, 0, 100));
  CHECK(cost_of(price, 100, 0, -1) == cost_of(price, 100, 0, 0));
  // Rounded up.
  CHECK(cost_of({1, 0, 0}, 1, 0, 0) == 1);
  CHECK(cost_of({1, 0, 0}, 1000, 0, 0) == 1);
  CHECK(cost_of({1, 0, 0}, 1001, 0, 0) == 2);
}

TEST_CASE("no number of tokens makes a cost that cannot be summed") {
  const Price dearest{1'000'000'000'000, 1'000'000'000'000, 1'000'000'000'000};
  const std::int64_t tokens = std::numeric_limits<std::int64_t>::max();
  CHECK(cost_of(dearest, tokens, tokens, 0) == kMostCost);
  CHECK(cost_of(dearest, tokens, 0, tokens) == kMostCost);
  CHECK(cost_of({400'000, 1'600'000, 400'000}, tokens, 0, 0) == kMostCost);
  agon::ModelCall call = call_of("p", "m", 1, 1);
  call.provider_cost = tokens;
  CHECK(Prices().cost(call) == kMostCost);
}

TEST_CASE("the price of the longest name that fits counts") {
  const Prices prices = Prices::parse(R"({"format": "agon.prices", "models": {
      "p/*": {"input": 1, "output": 1}, "p/big-*": {"input": 2, "output": 2},
      "p/big-one": {"input": 3, "output": 3}}})",
                                      "prices.json");
  CHECK(prices.cost(call_of("p", "small", 1'000'000, 0)) == 1'000'000'000);
  CHECK(prices.cost(call_of("p", "big-two", 1'000'000, 0)) == 2'000'000'000);
  CHECK(prices.cost(call_of("p", "big-one", 1'000'000, 0)) == 3'000'000'000);
}

TEST_CASE("a cost is unknown, not zero, without a price or without counts") {
  const Prices prices = Prices::parse(
      R"({"format": "agon.prices", "models": {"p/m": {"input": 1, "output": 1}}})", "prices.json");
  CHECK_FALSE(prices.cost(call_of("other", "m", 1, 1)));
  CHECK_FALSE(prices.cost(call_of("p", "m", -1, 1)));
  CHECK_FALSE(prices.cost(call_of("p", "m", 1, -1)));
  // What is free says so itself, whatever it is called.
  CHECK_FALSE(Prices().cost(call_of("mock", "any", 1, 1)));
  agon::ModelCall free = call_of("other", "any", 1, 1);
  free.provider_cost = 0;
  CHECK(Prices().cost(free) == 0);
  CHECK_FALSE(Prices().of({"other", "any", false}));
  REQUIRE(Prices().of({"other", "any", true}));
  CHECK(Prices().of({"other", "any", true})->output == 0);
}

TEST_CASE("a file of prices that is none is refused with its place") {
  for (const char* text :
       {R"({"models": {}})", R"({"format": "agon.prices"})",
        R"({"format": "agon.prices", "models": {"m": {"input": 1}}})",
        R"({"format": "agon.prices", "models": {"m": {"input": -1, "output": 1}}})",
        R"({"format": "agon.prices", "currency": "EUR", "models": {}})",
        R"({"format": "agon.prices", "model": {}, "models": {}})"}) {
    INFO(text);
    try {
      (void)Prices::parse(text, "prices.json");
      FAIL_CHECK("it was read");
    } catch (const agon::Error& error) {
      CHECK(error.where().find("prices.json") == 0);
    }
  }
}
