#include "llm/providers/providers.hpp"

namespace agon::llm {

void add_providers(Registry& registry) {
  registry.add(anthropic_card());
  registry.add(completions_card());
  registry.add(llamacpp_card());
  registry.add(lmstudio_card());
  registry.add(mock_card());
  registry.add(ollama_card());
  registry.add(openai_card());
  registry.add(openrouter_card());
  registry.add(vllm_card());
}

}  // namespace agon::llm
