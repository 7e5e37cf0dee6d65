#include "llm/providers/providers.hpp"
#include "llm/wire/formats.hpp"

namespace agon::llm {

ProviderCard openrouter_card() {
  static constexpr std::string_view kUrlVariables[] = {"OPENROUTER_BASE_URL"};
  return {.id = "openrouter",
          .doc = "OpenRouter, which passes calls on to many providers.",
          .wire = &openai_wire(),
          .base_url = "https://openrouter.ai/api/v1",
          .url_variables = kUrlVariables,
          .key_variable = "OPENROUTER_API_KEY",
          .shows_schema = true};
}

}  // namespace agon::llm
