#include "run/budget.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace agon {

Budget::Budget(Caps caps, const Prices& prices, const archive::CallTotals& before)
    : caps_(caps), prices_(prices), spent_(before) {}

std::string Budget::reached(bool with_reserved) const {
  const auto past = [&](const std::optional<std::int64_t>& cap, std::int64_t spent,
                        std::int64_t reserved) {
    return cap && spent + (with_reserved ? reserved : 0) >= *cap;
  };
  if (past(caps_.cost, spent_.cost, reserved_.cost))
    return fmt::format("the cap of {:.2f} USD is reached: {:.4f} USD are spent",
                       static_cast<double>(*caps_.cost) / 1e9,
                       static_cast<double>(spent_.cost) / 1e9);
  if (past(caps_.tokens, spent_.tokens, reserved_.tokens))
    return fmt::format("the cap of {} tokens is reached: {} are used", *caps_.tokens,
                       spent_.tokens);
  if (past(caps_.calls, spent_.calls, in_flight_))
    return fmt::format("the cap of {} model calls is reached: {} are made", *caps_.calls,
                       spent_.calls);
  return {};
}

Halt Budget::admit(const CallEstimate& estimate, Reservation& held) {
  std::unique_lock lock(mutex_);
  std::optional<Price> price = prices_.of(estimate.provider, estimate.model);
  if (!price && estimate.is_free) price = Price{};
  if (caps_.cost && !price) {
    refusal_ = fmt::format(
        "the cost of the run has a cap, and {}/{} has no price: add it to the file of prices",
        estimate.provider, estimate.model);
    return Halt::configuration;
  }
  settled_.wait(lock, [&] {
    return stopped_ || in_flight_ == 0 || reached(true).empty() || !reached(false).empty();
  });
  if (stopped_) return Halt::budget;
  // With nothing in flight, what is reserved is nothing: both say the same.
  if (std::string why = reached(true); !why.empty()) {
    refusal_ = std::move(why);
    return Halt::budget;
  }
  const std::int64_t output = estimate.output > 0 ? estimate.output : longest_;
  held.tokens = estimate.input + output;
  // At worst all of it is put into a cache.
  if (price) price->input = std::max(price->input, price->written);
  held.cost = price ? cost_of(*price, {.input = estimate.input, .output = output}) : 0;
  reserved_.tokens += held.tokens;
  reserved_.cost += held.cost;
  ++in_flight_;
  return Halt::no;
}

void Budget::settle(const Reservation& held, const archive::CallTotals& took) {
  {
    const std::lock_guard lock(mutex_);
    reserved_.tokens -= held.tokens;
    reserved_.cost -= held.cost;
    --in_flight_;
    spent_.calls += took.calls;
    spent_.tokens += took.tokens;
    spent_.cost += took.cost;
    spent_.unpriced += took.unpriced;
    longest_ = std::max(longest_, took.tokens);
  }
  if (caps_.any()) settled_.notify_all();
}

void Budget::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  settled_.notify_all();
}

archive::CallTotals Budget::spent() const {
  const std::lock_guard lock(mutex_);
  return spent_;
}

std::int64_t Budget::in_flight() const {
  const std::lock_guard lock(mutex_);
  return in_flight_;
}

std::string Budget::refusal() const {
  const std::lock_guard lock(mutex_);
  return refusal_;
}

}  // namespace agon
