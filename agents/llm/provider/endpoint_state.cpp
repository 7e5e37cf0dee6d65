#include "llm/provider/endpoint_state.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstdio>
#include <map>
#include <tuple>

#include "llm/tell.hpp"

namespace agon::llm {
namespace {

/// By the name alone: gpt-5 and its kin, and o1, o3, o4-mini, ... also behind a router's
/// "openai/". Chat variants sample like any other model.
bool is_reasoning_model(std::string_view model) {
  if (const std::size_t slash = model.rfind('/'); slash != std::string_view::npos)
    model.remove_prefix(slash + 1);
  if (model.find("gpt-5") != std::string_view::npos)
    return model.find("chat") == std::string_view::npos;
  return model.size() >= 2 && model[0] == 'o' &&
         std::isdigit(static_cast<unsigned char>(model[1])) != 0;
}

}  // namespace

Capabilities capabilities_of(const ModelSpec& spec, const Endpoint& endpoint) {
  Capabilities can;
  const WireFormat* wire = endpoint.provider->wire;
  const bool reasons =
      wire != nullptr && wire->has_reasoning_models && is_reasoning_model(spec.model);
  can.completion_tokens = spec.token_limit == TokenLimit::automatic
                              ? reasons
                              : spec.token_limit == TokenLimit::max_completion_tokens;
  if (spec.sampling == Sampling::no || (spec.sampling == Sampling::automatic && reasons)) {
    can.without.insert("temperature");
    can.without.insert("top_p");
  }
  const ProviderTakes& takes = endpoint.provider->takes;
  switch (spec.structured) {
    case Structured::automatic:
    case Structured::schema:
      can.level = takes.schema ? Level::schema : takes.object ? Level::object : Level::text;
      break;
    case Structured::object:
      can.level = Level::object;
      break;
    case Structured::text:
      can.level = Level::text;
      break;
  }
  return can;
}

EndpointState::EndpointState(const ModelSpec& spec, const Endpoint& endpoint,
                             std::shared_ptr<Traffic> traffic)
    : name_(fmt::format("{} at {}", endpoint.model, endpoint.base_url)),
      traffic_(std::move(traffic)),
      capabilities_(capabilities_of(spec, endpoint)) {
  if (spec.sampling == Sampling::automatic && capabilities_.without.contains("temperature") &&
      (spec.temperature || spec.top_p))
    notice(
        "a reasoning model: temperature and top_p are not sent; \"sampling\": \"yes\" sends them");
}

Capabilities EndpointState::capabilities() const {
  const std::lock_guard lock(mutex_);
  return capabilities_;
}

bool EndpointState::learn(const std::string& parameter, const Capabilities& sent,
                          const ModelSpec& spec) {
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    const bool is_form =
        parameter == "response_format" || parameter == "tools" || parameter == "tool_choice";
    if (is_form) {
      if (capabilities_.level != sent.level) return true;  // another call has learned it
      if (sent.level == Level::text || spec.structured != Structured::automatic) return false;
      capabilities_.level = static_cast<Level>(static_cast<int>(sent.level) + 1);
      static constexpr std::string_view kNames[] = {"a strict schema", "a schema without bounds",
                                                    "a JSON object", "plain text"};
      text = fmt::format("structured output is turned down; from now on {} is asked for",
                         kNames[static_cast<int>(capabilities_.level)]);
    } else if (parameter == "max_tokens" || parameter == "max_completion_tokens") {
      const bool is_completion = parameter == "max_completion_tokens";
      if (capabilities_.completion_tokens != sent.completion_tokens) return true;
      // Renamed once; an endpoint that knows neither cannot be held to the limit.
      if (is_completion != sent.completion_tokens || spec.token_limit != TokenLimit::automatic ||
          sent.without.contains(parameter))
        return false;
      capabilities_.without.insert(parameter);
      capabilities_.completion_tokens = !is_completion;
      text = fmt::format("{} is turned down; {} is sent instead", parameter,
                         is_completion ? "max_tokens" : "max_completion_tokens");
    } else {
      if (capabilities_.without.contains(parameter) && !sent.without.contains(parameter))
        return true;
      if (sent.without.contains(parameter)) return false;
      const bool is_sampling = parameter == "temperature" || parameter == "top_p";
      if (is_sampling && spec.sampling == Sampling::yes) return false;
      capabilities_.without.insert(parameter);
      // Else the run stops, and says so.
      if (spec.drop_unsupported.value_or(false))
        text = fmt::format("{} is turned down and not sent any more", parameter);
    }
  }
  if (!text.empty()) notice(text);
  return true;
}

void EndpointState::level_worked(Level level) {
  const std::lock_guard lock(mutex_);
  worked_.insert(level);
}
bool EndpointState::has_worked(Level level) const {
  const std::lock_guard lock(mutex_);
  return worked_.contains(level);
}

std::vector<Finding> EndpointState::once(const std::string& name,
                                         const std::function<std::vector<Finding>()>& look) {
  // Held while looking: others wait for what comes of it.
  const std::lock_guard lock(looking_);
  const auto known = found_.find(name);
  if (known != found_.end()) return known->second;
  return found_.emplace(name, look()).first->second;
}

void EndpointState::notice(const std::string& text) {
  {
    const std::lock_guard lock(mutex_);
    if (!told_.insert(text).second) return;
  }
  say(text);
}

void EndpointState::say(const std::string& text) const {
  tell(stderr, fmt::format("agon: {}: {}\n", name_, text));
}

std::shared_ptr<EndpointState> EndpointState::shared(const ModelSpec& spec,
                                                     const Endpoint& endpoint,
                                                     std::uint64_t key_hash) {
  // What is learned depends on the settings that change how things are sent; the traffic does not.
  using Place = std::tuple<std::string, std::string, std::uint64_t, int, int, int>;
  static std::mutex mutex;
  static std::map<Place, std::weak_ptr<EndpointState>> states;
  const Place place{endpoint.base_url,
                    endpoint.model,
                    key_hash,
                    static_cast<int>(spec.structured),
                    static_cast<int>(spec.sampling),
                    static_cast<int>(spec.token_limit)};
  auto traffic = Traffic::shared(endpoint.base_url, key_hash, endpoint.model, spec.concurrency);
  const std::lock_guard lock(mutex);
  std::shared_ptr<EndpointState> state = states[place].lock();
  if (state == nullptr)
    states[place] = state = std::make_shared<EndpointState>(spec, endpoint, std::move(traffic));
  return state;
}

}  // namespace agon::llm
