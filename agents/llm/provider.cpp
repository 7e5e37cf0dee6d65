#include "llm/provider.hpp"

#include <agon/error.hpp>

#include "llm/mock/mock_provider.hpp"
#include "llm/provider/http_provider.hpp"

namespace agon::llm {

namespace {

/// Hidden tokens before an answer, as providers' guides and published runs have them: an order of
/// magnitude, which a pilot makes better.
std::int64_t typical_thought(std::string_view effort) {
  if (effort.empty() || effort == "none") return 0;
  if (effort == "minimal") return 100;
  if (effort == "low") return 500;
  if (effort == "high") return 6000;
  return 2000;
}

}  // namespace

const ProviderCard& card_of(const ModelSpec& spec, const AgentServices& services) {
  if (services.parts == nullptr)
    throw Error(ErrorKind::failure, "a model agent needs providers, and there are none here");
  try {
    return services.parts->provider(spec.provider);
  } catch (const Error& error) {
    throw Error(error.kind(), error.problem(), "$.model.provider", error.mend());
  }
}

std::shared_ptr<Provider> make_provider(const ModelSpec& spec, const AgentServices& services) {
  const ProviderCard& card = card_of(spec, services);
  if (services.dry_run) {
    ModelSpec dry;
    dry.model = spec.model;
    dry.max_tokens = spec.max_tokens;
    dry.mock.seed = spec.mock.seed;
    // As long as models make their reasons where they are asked for some.
    dry.mock.words = 60;
    dry.mock.thought = typical_thought(spec.reasoning_effort);
    static_cast<void>(resolve(spec, card));  // a plan finds what is wrong with the settings
    return std::make_shared<mock::MockProvider>(dry);
  }
  if (card.wire == nullptr)
    return std::make_shared<mock::MockProvider>(spec, StopFlag(services.stop));
  return std::make_shared<HttpProvider>(spec, card, services, std::make_shared<RealClock>());
}

}  // namespace agon::llm
