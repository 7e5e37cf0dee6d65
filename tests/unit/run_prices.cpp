#include <agon/error.hpp>

#include "catch.hpp"
#include "costs/costs.hpp"

using agon::cost_of;
using agon::kMostCost;
using agon::Price;
using agon::PriceList;

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
  // and two and a half for input that is put into one
  const Price price{2'000'000, 8'000'000, 500'000, 2'500'000};
  CHECK(cost_of(price, {.input = 1'000'000}) == 2'000'000'000);
  CHECK(cost_of(price, {.output = 1'000'000}) == 8'000'000'000);
  CHECK(cost_of(price, {.input = 1'000'000, .cached = 1'000'000}) == 500'000'000);
  CHECK(cost_of(price, {.input = 1'000'000, .written = 1'000'000}) == 2'500'000'000);
  CHECK(cost_of(price, {.input = 1'000'000, .cached = 600'000, .written = 300'000}) ==
        300'000'000 + 750'000'000 + 200'000'000);
  CHECK(cost_of(price, {.input = 100, .cached = 1'000'000, .written = 1'000'000}) ==
        cost_of(price, {.input = 100, .cached = 100}));
  CHECK(cost_of(price, {.input = 100, .cached = -1}) == cost_of(price, {.input = 100}));
  // Rounded up.
  CHECK(cost_of({1, 0, 0, 0}, {.input = 1}) == 1);
  CHECK(cost_of({1, 0, 0, 0}, {.input = 1000}) == 1);
  CHECK(cost_of({1, 0, 0, 0}, {.input = 1001}) == 2);
}

TEST_CASE("no number of tokens makes a cost that cannot be summed") {
  const std::int64_t most = 1'000'000'000'000;
  const Price dearest{most, most, most, most};
  const std::int64_t tokens = std::numeric_limits<std::int64_t>::max();
  CHECK(cost_of(dearest, {.input = tokens, .output = tokens}) == kMostCost);
  CHECK(cost_of(dearest, {.input = tokens, .cached = tokens}) == kMostCost);
  CHECK(cost_of({400'000, 1'600'000, 400'000, 400'000}, {.input = tokens}) == kMostCost);
  agon::ModelCall call = call_of("p", "m", 1, 1);
  call.provider_cost = tokens;
  CHECK(PriceList().cost(call) == kMostCost);
}

TEST_CASE("the price of the longest name that fits counts") {
  const PriceList prices = PriceList::parse(R"({"format": "agon.prices", "models": {
      "p/*": {"input": 1, "output": 1}, "p/big-*": {"input": 2, "output": 2},
      "p/big-one": {"input": 3, "output": 3}}})",
                                            "prices.json");
  CHECK(prices.cost(call_of("p", "small", 1'000'000, 0)) == 1'000'000'000);
  CHECK(prices.cost(call_of("p", "big-two", 1'000'000, 0)) == 2'000'000'000);
  CHECK(prices.cost(call_of("p", "big-one", 1'000'000, 0)) == 3'000'000'000);
}

TEST_CASE("what is put into a cache has a price of its own, and that of input without one") {
  const PriceList prices = PriceList::parse(R"({"format": "agon.prices", "models": {
      "a/m": {"input": 3, "output": 15, "cached": 0.3, "written": 3.75},
      "b/m": {"input": 3, "output": 15, "cached": 0.3}}})",
                                            "prices.json");
  agon::ModelCall call = call_of("a", "m", 1'000'000, 0);
  call.usage.cached = 500'000;
  call.usage.written = 400'000;
  CHECK(prices.cost(call) == 150'000'000 + 1'500'000'000 + 300'000'000);
  call.provider = "b";
  CHECK(prices.cost(call) == 150'000'000 + 1'500'000'000);
}

TEST_CASE("a cost is unknown, not zero, without a price or without counts") {
  const PriceList prices = PriceList::parse(
      R"({"format": "agon.prices", "models": {"p/m": {"input": 1, "output": 1}}})", "prices.json");
  CHECK_FALSE(prices.cost(call_of("other", "m", 1, 1)));
  CHECK_FALSE(prices.cost(call_of("p", "m", -1, 1)));
  CHECK_FALSE(prices.cost(call_of("p", "m", 1, -1)));
  // What is free says so itself, whatever it is called.
  CHECK_FALSE(PriceList().cost(call_of("mock", "any", 1, 1)));
  agon::ModelCall free = call_of("other", "any", 1, 1);
  free.provider_cost = 0;
  CHECK(PriceList().cost(free) == 0);
  CHECK_FALSE(PriceList().of({"other", "any", false}));
  REQUIRE(PriceList().of({"other", "any", true}));
  CHECK(PriceList().of({"other", "any", true})->output == 0);
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
      (void)PriceList::parse(text, "prices.json");
      FAIL_CHECK("it was read");
    } catch (const agon::Error& error) {
      CHECK(error.where().find("prices.json") == 0);
    }
  }
}
