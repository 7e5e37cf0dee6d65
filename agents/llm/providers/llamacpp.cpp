#include "llm/providers/providers.hpp"
#include "llm/wire/formats.hpp"

namespace agon::llm {

ProviderCard llamacpp_card() {
  static constexpr std::string_view kUrlVariables[] = {"LLAMACPP_BASE_URL"};
  return {.id = "llamacpp",
          .doc = "llama.cpp's server.",
          .wire = &openai_wire(),
          .base_url = "http://localhost:8080/v1",
          .url_variables = kUrlVariables,
          .key_variable = "LLAMACPP_API_KEY",
          .needs_key = KeyNeed::never,
          .cuts_prompts = true};
}

}  // namespace agon::llm
