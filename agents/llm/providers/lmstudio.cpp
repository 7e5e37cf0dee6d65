#include "llm/providers/providers.hpp"
#include "llm/wire/formats.hpp"

namespace agon::llm {

ProviderCard lmstudio_card() {
  static constexpr std::string_view kUrlVariables[] = {"LMSTUDIO_BASE_URL"};
  return {.id = "lmstudio",
          .doc = "LM Studio.",
          .wire = &openai_wire(),
          .base_url = "http://localhost:1234/v1",
          .url_variables = kUrlVariables,
          .key_variable = "LMSTUDIO_API_KEY",
          .needs_key = KeyNeed::never,
          .cuts_prompts = true};
}

}  // namespace agon::llm
