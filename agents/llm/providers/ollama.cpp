#include <string>

#include "llm/providers/providers.hpp"
#include "llm/wire/formats.hpp"

namespace agon::llm {
namespace {

/// OLLAMA_HOST is a host with or without scheme, port and path; the route is ours to add.
std::string url_of_host(std::string_view host) {
  std::string url(host);
  if (url.find("://") == std::string::npos) url = "http://" + url;
  const std::size_t authority = url.find("://") + 3;
  const bool has_path = url.find('/', authority) != std::string::npos;
  if (!has_path && url.find(':', authority) == std::string::npos) url += ":11434";
  // The address that a server listens on everywhere is not one to connect to.
  if (const std::size_t any = url.find("//0.0.0.0"); any != std::string::npos)
    url.replace(any, 9, "//127.0.0.1");
  while (url.ends_with('/')) url.pop_back();
  return url.ends_with("/v1") ? url : url + "/v1";
}

}  // namespace

ProviderCard ollama_card() {
  static constexpr std::string_view kUrlVariables[] = {"OLLAMA_HOST"};
  return {.id = "ollama",
          .doc = "Ollama.",
          .wire = &openai_wire(),
          .base_url = "http://localhost:11434/v1",
          .url_variables = kUrlVariables,
          .url_of = &url_of_host,
          .key_variable = "OLLAMA_API_KEY",
          .needs_key = KeyNeed::never,
          .cuts_prompts = true};
}

}  // namespace agon::llm
