#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "llm/answer/distribution.hpp"
#include "llm/mock/speech.hpp"
#include "llm/provider/provider.hpp"
#include "llm/provider/traffic.hpp"

namespace agon::llm::mock {
namespace {

int token_limit(const ModelSpec& spec, const ModelRequest& request) {
  return request.max_tokens > 0 ? request.max_tokens : spec.max_tokens.value_or(0);
}

/// The fates that never reach the model, as the HTTP layer would report them.
CallOutcome outcome_of_fate(Fate fate) {
  CallOutcome out;
  out.sort = Sort::transient;
  switch (fate) {
    case Fate::rate_limited:
      out.retry_after_ms = 1000;
      [[fallthrough]];
    case Fate::rate_limited_plain:
      out.sort = Sort::rate_limited;
      out.status = 429;
      out.problem = "status 429: too many requests";
      break;
    case Fate::server_error:
      out.status = 500;
      out.problem = "status 500: the mock failed as it was told to";
      break;
    case Fate::hang:
      out.problem = "no byte came for too long";
      break;
    default:
      out.problem = "the reply broke off";
  }
  return out;
}

/// Vectors of texts in which the same words point the same way.
std::string vectors_of(std::span<const ChatMessage> messages) {
  constexpr std::size_t kDimensions = 16;
  std::string all;
  for (const ChatMessage& message : messages) {
    std::array<int, kDimensions> vector{};
    std::string_view rest = message.text;
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find_first_of(" \n"));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      const std::uint64_t hash = hash_of(word);
      vector.at(hash % kDimensions) += (hash >> 32U) % 2 == 0 ? 1 : -1;
    }
    all += fmt::format("{}[{}]", all.empty() ? "" : ",", fmt::join(vector, ","));
  }
  return "[" + all + "]";
}

class MockProvider final : public Provider {
 public:
  MockProvider(const ModelSpec& spec, StopFlag stop)
      : spec_(spec), endpoint_(resolve(spec, mock_card())), stop_(stop) {
    if (spec_.mock.replies)
      for (const MockReply& reply : *spec_.mock.replies) (void)expression_of(reply);
  }
  ModelResult call(const ModelRequest& request, Time deadline, Dice dice) override;
  [[nodiscard]] CallEstimate estimate(const ModelRequest& request) const override;
  [[nodiscard]] std::vector<Finding> preflight(const Expected& expected) override;

 private:
  CallOutcome try_once(const ModelRequest& request, ModelCall& call, Clock& clock, Time deadline,
                       std::uint64_t key, std::uint64_t number) const;

  ModelSpec spec_;
  Endpoint endpoint_;
  StopFlag stop_;
  std::atomic<std::uint64_t> calls_{0};
};

CallEstimate MockProvider::estimate(const ModelRequest& request) const {
  CallEstimate e;
  e.provider = endpoint_.provider->id;
  e.model = endpoint_.model;
  e.is_free = true;
  e.input = estimate_tokens(request.messages) + llm::estimate_tokens(request.schema) +
            estimate_tokens(request.tools);
  e.output = token_limit(spec_, request);
  return e;
}

std::vector<Finding> MockProvider::preflight(const Expected&) {
  return {{.what = "the mock is at hand: no key, no network"}};
}

CallOutcome MockProvider::try_once(const ModelRequest& request, ModelCall& call, Clock& clock,
                                   Time deadline, std::uint64_t key, std::uint64_t number) const {
  Heard heard{request.messages,
              request.schema,
              token_limit(spec_, request),
              number,
              request.usual,
              request.must_answer ? std::span<const ModelTool>() : request.tools};
  if (asks_distribution(spec_))
    for (const AnswerOption& option : request.options) heard.labels.push_back(option.label);
  if (!heard.labels.empty()) heard.choices = spec_.samples.value_or(1);
  const Speech speech = speak(spec_.mock, heard, Dice(key, static_cast<std::uint32_t>(call.tries)));
  double seconds = speech.latency_ms / 1000;
  if (speech.fate == Fate::hang) seconds = spec_.idle_s;
  const Time until = clock.now() + Clock::seconds(std::min(seconds, 1e6));
  clock.sleep_until(std::min(until, deadline), stop_);
  if (clock.now() < until && stop_.asked()) return {.sort = Sort::transient, .problem = kStopped};
  call.latency_ms = speech.latency_ms;
  if (until > deadline) return {.sort = Sort::transient, .problem = "the time for the call is up"};
  if (speech.fate != Fate::answered && speech.fate < Fate::truncated)
    return outcome_of_fate(speech.fate);

  call.text = request.embedder.empty() ? speech.text : vectors_of(request.messages);
  call.usage = speech.usage;
  if (!request.embedder.empty()) call.usage.output = call.usage.thought = 0;
  call.served_model = endpoint_.model;
  call.finish = "stop";
  if (!speech.calls.empty()) {
    call.text = write_tool_calls(speech.calls);
    call.finish = kToolCalls;
    return {.status = 200};
  }
  if (!speech.likely.empty()) {
    const std::vector<WireChoice> choices = choices_of(speech);
    set_distribution(call, spec_.samples
                               ? distribution_by_count(choices, request.options)
                               : distribution_by_tokens(choices.front(), request.options));
  } else if (speech.fate == Fate::truncated) {
    call.fault = agon::Fault::truncated;
    call.finish = "length";
    call.problem = "the answer was cut off at the limit of tokens";
  } else if (speech.fate == Fate::refused) {
    call.fault = agon::Fault::refused;
    call.problem = "an answer was refused: " + speech.text;
  } else if (call.text.empty()) {
    call.fault = agon::Fault::empty;
    call.problem = "nothing was said";
  }
  return {.status = 200};
}

ModelResult MockProvider::call(const ModelRequest& request, Time deadline, Dice dice) {
  ModelCall call;
  call.provider = endpoint_.provider->id;
  call.model = request.embedder.empty() ? endpoint_.model : request.embedder;
  call.provider_cost = 0;
  call.purpose = request.purpose;
  call.messages = request.messages;
  const int limit = token_limit(spec_, request);
  if (limit > 0) call.parameters = fmt::format("{{\"max_tokens\":{}}}", limit);
  const std::uint64_t key = combine(static_cast<std::uint64_t>(spec_.mock.seed), dice.bits64());
  const std::uint64_t number = calls_.fetch_add(1, std::memory_order_relaxed);

  // Nobody shares a counted clock, so nobody shares the limits of an endpoint either.
  Traffic traffic(spec_.concurrency);
  CountedClock counted;
  RealClock real;
  Clock& clock = spec_.mock.in_real_time ? static_cast<Clock&>(real) : counted;
  const CallLoop loop{spec_, traffic, clock, stop_};
  return loop.run(std::move(call), deadline, dice, [&](ModelCall& c, Clock::Time until) {
    return try_once(request, c, clock, until, key, number);
  });
}

}  // namespace
}  // namespace agon::llm::mock

namespace agon::llm {

std::shared_ptr<Provider> make_mock_provider(const ModelSpec& spec, const std::atomic<bool>* stop) {
  return std::make_shared<mock::MockProvider>(spec, StopFlag(stop));
}

}  // namespace agon::llm
