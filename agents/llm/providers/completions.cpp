#include "llm/providers/providers.hpp"
#include "llm/wire/formats.hpp"

namespace agon::llm {

ProviderCard completions_card() {
  static constexpr std::string_view kUrlVariables[] = {"COMPLETIONS_BASE_URL"};
  return {.id = "completions",
          .doc =
              "Any endpoint that goes on with a plain text (/v1/completions), for models that "
              "were never trained to answer: vLLM, llama.cpp and others serve it.",
          .wire = &completions_wire(),
          .base_url = "http://localhost:8000/v1",
          .url_variables = kUrlVariables,
          .key_variable = "COMPLETIONS_API_KEY",
          .needs_key = KeyNeed::elsewhere,
          .takes = {.reasoning_effort = false, .schema = false, .object = false}};
}

}  // namespace agon::llm
