#include "llm/providers/providers.hpp"
#include "llm/wire/formats.hpp"

namespace agon::llm {

ProviderCard openai_card() {
  static constexpr std::string_view kUrlVariables[] = {"OPENAI_BASE_URL", "OPENAI_API_BASE"};
  static constexpr UserHeader kUserHeaders[] = {{"OpenAI-Organization", "OPENAI_ORG_ID"}};
  return {.id = "openai",
          .doc = "OpenAI, or any endpoint that speaks its chat completions.",
          .wire = &openai_wire(),
          .base_url = "https://api.openai.com/v1",
          .url_variables = kUrlVariables,
          .key_variable = "OPENAI_API_KEY",
          .needs_key = KeyNeed::elsewhere,
          .user_headers = kUserHeaders,
          .shows_schema = true};
}

}  // namespace agon::llm
