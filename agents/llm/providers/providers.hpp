#pragma once

#include <agon/model/provider.hpp>
#include <agon/plugin.hpp>

namespace agon::llm {

[[nodiscard]] ProviderCard anthropic_card();
[[nodiscard]] ProviderCard completions_card();
[[nodiscard]] ProviderCard llamacpp_card();
[[nodiscard]] ProviderCard lmstudio_card();
[[nodiscard]] const ProviderCard& mock_card();
[[nodiscard]] ProviderCard ollama_card();
[[nodiscard]] ProviderCard openai_card();
[[nodiscard]] ProviderCard openrouter_card();
[[nodiscard]] ProviderCard vllm_card();

/// Adds all providers of this library.
void add_providers(Registry& registry);

}  // namespace agon::llm
