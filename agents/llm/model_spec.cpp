#include "llm/model_spec.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cstdlib>

#include "llm/http/url.hpp"
#include "llm/keyless.hpp"

namespace agon::llm {
namespace {

/// What is known of a provider: base URL, and the variables it is configured by.
struct Known {
  std::string_view name;
  std::string_view base_url;
  std::string_view key_env;
  bool needs_key;
  std::array<std::string_view, 2> url_env;  ///< the first that is set counts
};

Known known(ProviderName name) {
  switch (name) {
    case ProviderName::openai:
      return {"openai",
              "https://api.openai.com/v1",
              "OPENAI_API_KEY",
              true,
              {"OPENAI_BASE_URL", "OPENAI_API_BASE"}};
    case ProviderName::anthropic:
      return {"anthropic",
              "https://api.anthropic.com",
              "ANTHROPIC_API_KEY",
              true,
              {"ANTHROPIC_BASE_URL", ""}};
    case ProviderName::mock:
      return {"mock", "", "", false, {"", ""}};
    case ProviderName::ollama:
      return {"ollama", "http://localhost:11434/v1", "OLLAMA_API_KEY", false, {"OLLAMA_HOST", ""}};
    case ProviderName::openrouter:
      return {"openrouter",
              "https://openrouter.ai/api/v1",
              "OPENROUTER_API_KEY",
              true,
              {"OPENROUTER_BASE_URL", ""}};
    case ProviderName::llamacpp:
      return {"llamacpp",
              "http://localhost:8080/v1",
              "LLAMACPP_API_KEY",
              false,
              {"LLAMACPP_BASE_URL", ""}};
    case ProviderName::vllm:
      return {"vllm", "http://localhost:8000/v1", "VLLM_API_KEY", false, {"VLLM_BASE_URL", ""}};
    case ProviderName::lmstudio:
      return {"lmstudio",
              "http://localhost:1234/v1",
              "LMSTUDIO_API_KEY",
              false,
              {"LMSTUDIO_BASE_URL", ""}};
  }
  return {};
}

std::string_view from_environment(std::string_view variable) {
  if (variable.empty()) return {};
  const char* value = std::getenv(std::string(variable).c_str());
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

/// Empty: the provider's own is meant.
bool is_name_of_variable(std::string_view name) {
  const auto is_letter = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); }) &&
         (name.empty() || is_letter(name.front()));
}

Error wrong(std::string problem, std::string_view member, std::string mend = {}) {
  return {ErrorKind::invalid, std::move(problem), fmt::format("$.{}", member), std::move(mend)};
}

/// OLLAMA_HOST is a host with or without scheme, port and path; the route is ours to add.
std::string url_of_ollama_host(std::string_view host) {
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

Endpoint resolve(const ModelSpec& spec) {
  const Known k = known(spec.provider);
  Endpoint e;
  e.provider = k.name;
  e.is_mock = spec.provider == ProviderName::mock;
  e.is_anthropic = spec.provider == ProviderName::anthropic;
  e.needs_key = k.needs_key;
  e.model = spec.model;
  const MockSpec& m = spec.mock;
  if (m.rate_limited + m.rate_limited_plain + m.server_error + m.hang + m.cut + m.truncated +
          m.refused + m.malformed + m.illegal + m.empty >
      1 + 1e-9)
    throw wrong("the mock's rates add up to more than 1", "mock");
  if (m.answers == MockAnswers::script && m.script.empty())
    throw wrong("the mock is to follow a script, and there is none", "mock.script");
  if (e.is_mock) {
    refuse_keys_in(spec, e);
    if (e.model.empty()) e.model = "mock";
    return e;
  }

  if (spec.model.empty())
    throw wrong("no model is named", "model", "give the name that the provider has for it");
  if (e.is_anthropic && spec.seed)
    throw wrong("this provider takes no seed", "seed", "leave it out: no seed would be used");
  if (e.is_anthropic && !spec.reasoning_effort.empty())
    throw wrong("this provider takes no reasoning_effort", "reasoning_effort",
                "set \"thinking\" through extra");
  if (!spec.extra.empty()) {
    boost::system::error_code code;
    const boost::json::value extra = boost::json::parse(spec.extra, code);
    if (code || !extra.is_object()) throw wrong("extra is not a JSON object", "extra");
    for (const std::string_view ours : {"model", "messages", "stream", "n"})
      if (extra.get_object().contains(ours))
        throw wrong(fmt::format("extra cannot set \"{}\"", ours), "extra");
  }

  if (!is_name_of_variable(spec.key_env))
    throw wrong("key_env is not the name of an environment variable", "key_env",
                "put the key into a variable, and here the name of the variable");
  e.key_env = spec.key_env.empty() ? std::string(k.key_env) : spec.key_env;
  // A key that somebody names is one that is needed.
  if (!spec.key_env.empty()) e.needs_key = true;
  if (!spec.base_url.empty()) {
    e.base_url = spec.base_url;
    e.base_url_from = "the model's base_url";
    e.is_named_by_spec = true;
  } else {
    e.base_url = k.base_url;
    e.base_url_from = "the provider's own";
    for (const std::string_view variable : k.url_env) {
      const std::string_view url = from_environment(variable);
      if (url.empty()) continue;
      e.base_url = spec.provider == ProviderName::ollama ? url_of_ollama_host(url) : url;
      e.base_url_from = variable;
      break;
    }
  }
  while (e.base_url.ends_with('/')) e.base_url.pop_back();
  refuse_keys_in(spec, e);
  // The key goes into a header; a URL ends up in records.
  if (const std::size_t scheme = e.base_url.find("://"); scheme != std::string::npos) {
    const std::size_t authority = scheme + 3;
    const std::size_t at = e.base_url.find('@', authority);
    if (at != std::string::npos && at < e.base_url.find('/', authority))
      throw wrong(fmt::format("the URL of {} holds a user or password", e.base_url_from),
                  "base_url",
                  "put the key into an environment variable, and its name into key_env");
  }
  const std::optional<Url> url = parse_url(e.base_url);
  if (!url)
    throw wrong(fmt::format("'{}' ({}) is not a URL", e.base_url, e.base_url_from), "base_url",
                "it begins with https:// or http://, and a host of plain letters and digits "
                "follows");
  // An endpoint of one's own, such as a server on this machine, may have no key.
  if (spec.provider == ProviderName::openai && spec.key_env.empty())
    e.needs_key = !url->is_loopback();
  return e;
}

std::vector<Access> accesses(const ModelSpec& spec) {
  const Endpoint e = resolve(spec);
  if (e.is_mock) return {};
  const Known k = known(spec.provider);
  const std::optional<Url> url = parse_url(e.base_url);
  const std::optional<Url> own = parse_url(k.base_url);
  const bool sends_key = e.needs_key || !read_key(e).empty();
  const bool is_own_key = e.key_env == k.key_env;
  const bool is_in_the_clear = sends_key && url->scheme == "http" && !url->is_loopback();
  // Where no base_url is written, the URL is the provider's own or one that the user has chosen.
  const bool is_own_host =
      spec.base_url.empty() || url->is_loopback() || url->origin() == own->origin();
  if (is_own_host && is_own_key && !is_in_the_clear) return {};
  Access access{.kind = AccessKind::host, .target = url->origin()};
  if (sends_key) access.variables.push_back(e.key_env);
  return {std::move(access)};
}

std::string read_key(const Endpoint& endpoint) {
  std::string key(from_environment(endpoint.key_env));
  // What a file with a final line break leaves behind would break the header.
  while (!key.empty() && static_cast<unsigned char>(key.back()) <= ' ') key.pop_back();
  while (!key.empty() && static_cast<unsigned char>(key.front()) <= ' ') key.erase(0, 1);
  return key;
}

std::int64_t estimate_tokens(std::string_view text) {
  return static_cast<std::int64_t>((text.size() + 3) / 4);
}

}  // namespace agon::llm
