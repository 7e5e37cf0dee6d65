#include "llm/providers/providers.hpp"
#include "llm/wire/formats.hpp"

namespace agon::llm {

ProviderCard anthropic_card() {
  static constexpr std::string_view kUrlVariables[] = {"ANTHROPIC_BASE_URL"};
  static constexpr std::string_view kHeaders[] = {"anthropic-version: 2023-06-01"};
  return {.id = "anthropic",
          .doc = "Anthropic, by its messages.",
          .wire = &anthropic_wire(),
          .base_url = "https://api.anthropic.com",
          .url_variables = kUrlVariables,
          .key_variable = "ANTHROPIC_API_KEY",
          .key_header = "x-api-key: ",
          .headers = kHeaders,
          // There is no form between a forced tool and plain text here.
          .takes = {.seed = false, .reasoning_effort = false, .object = false},
          .shows_schema = true,
          .sends_lean = true};
}

}  // namespace agon::llm
