#include "llm/providers/providers.hpp"
#include "llm/wire/formats.hpp"

namespace agon::llm {

ProviderCard vllm_card() {
  static constexpr std::string_view kUrlVariables[] = {"VLLM_BASE_URL"};
  return {.id = "vllm",
          .doc = "vLLM.",
          .wire = &openai_wire(),
          .base_url = "http://localhost:8000/v1",
          .url_variables = kUrlVariables,
          .key_variable = "VLLM_API_KEY",
          .needs_key = KeyNeed::never};
}

}  // namespace agon::llm
