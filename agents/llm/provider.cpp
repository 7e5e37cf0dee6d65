#include "llm/provider.hpp"

#include "llm/mock/mock_provider.hpp"
#include "llm/provider/http_provider.hpp"

namespace agon::llm {

std::shared_ptr<Provider> make_provider(const ModelSpec& spec, const AgentServices& services) {
  if (services.dry_run) {
    ModelSpec dry;
    dry.model = spec.model;
    dry.max_tokens = spec.max_tokens;
    dry.mock.seed = spec.mock.seed;
    static_cast<void>(resolve(spec));  // a plan finds what is wrong with the settings
    return std::make_shared<mock::MockProvider>(dry);
  }
  const Endpoint endpoint = resolve(spec);
  if (endpoint.is_mock) return std::make_shared<mock::MockProvider>(spec, StopFlag(services.stop));
  return std::make_shared<HttpProvider>(spec, services, std::make_shared<RealClock>());
}

}  // namespace agon::llm
