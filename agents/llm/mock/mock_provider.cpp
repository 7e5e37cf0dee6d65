#include "llm/mock/mock_provider.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>

namespace agon::llm::mock {
namespace {

std::int64_t milliseconds_since_1970() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

int token_limit(const ModelSpec& spec, const ModelRequest& request) {
  return request.max_tokens > 0 ? request.max_tokens : spec.max_tokens.value_or(0);
}

}  // namespace

MockProvider::MockProvider(const ModelSpec& spec) : spec_(spec), endpoint_(resolve(spec)) {}

CallEstimate MockProvider::estimate(const ModelRequest& request) const {
  CallEstimate e;
  e.provider = endpoint_.provider;
  e.model = endpoint_.model;
  e.input = estimate_tokens(request.messages) + llm::estimate_tokens(request.schema);
  e.output = token_limit(spec_, request);
  return e;
}

std::vector<Finding> MockProvider::preflight(const Expected&) {
  return {{.what = "the mock is at hand: no key, no network"}};
}

ModelResult MockProvider::call(const ModelRequest& request, Time deadline, Dice dice) {
  ModelResult result;
  ModelCall& call = result.call;
  call.provider = endpoint_.provider;
  call.model = call.served_model = endpoint_.model;
  call.purpose = request.purpose;
  call.messages = request.messages;
  call.started = milliseconds_since_1970();
  const int limit = token_limit(spec_, request);
  if (limit > 0) call.parameters = fmt::format("{{\"max_tokens\":{}}}", limit);
  const std::uint64_t key = combine(static_cast<std::uint64_t>(spec_.mock.seed), dice.bits64());
  const std::uint64_t number = calls_.fetch_add(1, std::memory_order_relaxed);

  for (call.tries = 1;; ++call.tries) {
    const Speech speech = speak(spec_.mock, {request.messages, request.schema, limit, number},
                                Dice(key, static_cast<std::uint32_t>(call.tries)));
    if (spec_.mock.in_real_time) {
      const auto until = std::chrono::steady_clock::now() +
                         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                             std::chrono::duration<double, std::milli>(speech.latency_ms));
      std::this_thread::sleep_until(std::min(until, deadline));
    }
    call.latency_ms = speech.latency_ms;
    const bool answered = speech.fate == Fate::answered || speech.fate >= Fate::truncated;
    if (!answered) {
      call.waited_ms += 1000;
      if (call.tries < spec_.tries) continue;
      call.fault = agon::Fault::provider_failed;
      call.problem = "the mock failed as it was told to";
      return result;
    }
    call.text = speech.text;
    call.usage = speech.usage;
    call.finish = "stop";
    if (speech.fate == Fate::truncated) {
      call.fault = agon::Fault::truncated;
      call.finish = "length";
    } else if (speech.fate == Fate::refused) {
      call.fault = agon::Fault::refused;
      call.problem = "the model refused";
    } else if (call.text.empty()) {
      call.fault = agon::Fault::empty;
    }
    return result;
  }
}

}  // namespace agon::llm::mock
