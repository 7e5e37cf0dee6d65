#include "llm/provider/provider.hpp"

#include <agon/error.hpp>
#include <agon/random.hpp>
#include <agon/secrets.hpp>
#include <string>

#include "llm/provider/http_provider.hpp"
#include "llm/wire/exchange.hpp"

namespace agon::llm {

namespace {

/// Hidden tokens before an answer, as providers' guides and published runs have them: an order of
/// magnitude, which a pilot makes better.
std::int64_t typical_thought(std::string_view effort) {
  if (effort.empty() || effort == "none") return 0;
  if (effort == "minimal") return 100;
  if (effort == "low") return 500;
  if (effort == "high") return 6000;
  return 2000;
}

}  // namespace

const ProviderCard& card_of(const ModelSpec& spec, const AgentServices& services) {
  if (services.parts == nullptr)
    throw Error(ErrorKind::failure, "a model agent needs providers, and there are none here");
  try {
    return services.parts->provider(spec.provider);
  } catch (const Error& error) {
    throw Error(error.kind(), error.problem(), "$.model.provider", error.hint());
  }
}

std::shared_ptr<Provider> make_provider(const ModelSpec& spec, const AgentServices& services) {
  const ProviderCard& card = card_of(spec, services);
  if (services.dry_run) {
    ModelSpec dry;
    dry.model = spec.model;
    dry.max_tokens = spec.max_tokens;
    dry.sample = spec.sample;  // one call may take several answers
    dry.samples = spec.samples;
    dry.mock.seed = spec.mock.seed;
    // As long as models make their reasons where they are asked for some.
    dry.mock.words = 60;
    dry.mock.thought = typical_thought(spec.reasoning_effort);
    static_cast<void>(resolve(spec, card));  // a plan finds what is wrong with the settings
    return make_mock_provider(dry);
  }
  if (card.wire == nullptr) return make_mock_provider(spec, services.stop);
  return std::make_shared<HttpProvider>(spec, card, services, std::make_shared<RealClock>());
}

Key::Key(const Endpoint& endpoint) : text_(read_key(endpoint)), before_(endpoint.key_header) {
  if (!is_set()) return;
  if (secrets::kind_of(text_) == secrets::KeyKind::too_short)
    throw Error(ErrorKind::preflight,
                "the key in " + endpoint.key_env +
                    " is too short: it could not be kept out of what is written without spoiling "
                    "answers",
                "$.key_env",
                "use a key of 4 characters or more (8 if it is a number); where the endpoint needs "
                "none, unset " +
                    endpoint.key_env);
  secrets::add(text_);
}

std::string Key::header() const {
  return is_set() ? before_ + text_ : std::string();
}

std::uint64_t Key::hash() const {
  return hash_of(text_);
}

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

/// Variables that base URLs may be in, and headers that some endpoints want.
constexpr std::string_view kOpenaiUrl[] = {"OPENAI_BASE_URL", "OPENAI_API_BASE"};
constexpr UserHeader kOpenaiUserHeaders[] = {{"OpenAI-Organization", "OPENAI_ORG_ID"}};
constexpr std::string_view kAnthropicUrl[] = {"ANTHROPIC_BASE_URL"};
constexpr std::string_view kAnthropicHeaders[] = {"anthropic-version: 2023-06-01"};
constexpr std::string_view kGeminiUrl[] = {"GEMINI_BASE_URL"};
constexpr std::string_view kCompletionsUrl[] = {"COMPLETIONS_BASE_URL"};
constexpr std::string_view kOpenrouterUrl[] = {"OPENROUTER_BASE_URL"};
constexpr std::string_view kOllamaUrl[] = {"OLLAMA_HOST"};
constexpr std::string_view kLlamacppUrl[] = {"LLAMACPP_BASE_URL"};
constexpr std::string_view kLmstudioUrl[] = {"LMSTUDIO_BASE_URL"};
constexpr std::string_view kVllmUrl[] = {"VLLM_BASE_URL"};

/// Endpoints of companies.
void add_hosted(Registry& registry) {
  ProviderCard openai{.id = "openai",
                      .doc = "OpenAI, or any endpoint that speaks its chat completions.",
                      .wire = &openai_wire(),
                      .base_url = "https://api.openai.com/v1",
                      .url_variables = kOpenaiUrl,
                      .key_variable = "OPENAI_API_KEY",
                      .needs_key = KeyNeed::elsewhere,
                      .user_headers = kOpenaiUserHeaders,
                      .shows_schema = true,
                      .caches_schema = true};
  registry.add(openai);
  openai.id = "openai-responses";
  openai.doc =
      "OpenAI by its responses, which some of its models need, or which keep their thoughts "
      "from one call of a tool to the next. Nothing is stored there.";
  openai.wire = &responses_wire();
  openai.takes = {.seed = false, .stop = false};
  registry.add(openai);
  registry.add(ProviderCard{.id = "anthropic",
                            .doc = "Anthropic, by its messages.",
                            .wire = &anthropic_wire(),
                            .base_url = "https://api.anthropic.com",
                            .url_variables = kAnthropicUrl,
                            .key_variable = "ANTHROPIC_API_KEY",
                            .key_header = "x-api-key: ",
                            .headers = kAnthropicHeaders,
                            // There is no form between a forced tool and plain text here.
                            .takes = {.seed = false, .reasoning_effort = false, .object = false},
                            .shows_schema = true,
                            .sends_lean = true});
  registry.add(ProviderCard{.id = "gemini",
                            .doc = "Google's Gemini API, by its generateContent.",
                            .wire = &gemini_wire(),
                            .base_url = "https://generativelanguage.googleapis.com/v1beta",
                            .url_variables = kGeminiUrl,
                            .key_variable = "GEMINI_API_KEY",
                            .other_key_variable = "GOOGLE_API_KEY",
                            .key_header = "x-goog-api-key: ",
                            .shows_schema = true});
  registry.add(ProviderCard{.id = "openrouter",
                            .doc = "OpenRouter, which passes calls on to many providers.",
                            .wire = &openai_wire(),
                            .base_url = "https://openrouter.ai/api/v1",
                            .url_variables = kOpenrouterUrl,
                            .key_variable = "OPENROUTER_API_KEY",
                            .shows_schema = true,
                            .caches_schema = true,
                            .pinned_by = "provider"});
}

/// Servers on machines of one's own.
void add_local(Registry& registry) {
  registry.add(ProviderCard{
      .id = "completions",
      .doc = "Any endpoint that goes on with a plain text (/v1/completions), for models that "
             "were never trained to answer: vLLM, llama.cpp and others serve it.",
      .wire = &completions_wire(),
      .base_url = "http://localhost:8000/v1",
      .url_variables = kCompletionsUrl,
      .key_variable = "COMPLETIONS_API_KEY",
      .needs_key = KeyNeed::elsewhere,
      .takes = {.reasoning_effort = false, .schema = false, .object = false}});
  registry.add(ProviderCard{.id = "ollama",
                            .doc = "Ollama.",
                            .wire = &openai_wire(),
                            .base_url = "http://localhost:11434/v1",
                            .url_variables = kOllamaUrl,
                            .url_of = &url_of_host,
                            .key_variable = "OLLAMA_API_KEY",
                            .needs_key = KeyNeed::never,
                            .cuts_prompts = true});
  registry.add(ProviderCard{.id = "llamacpp",
                            .doc = "llama.cpp's server.",
                            .wire = &openai_wire(),
                            .base_url = "http://localhost:8080/v1",
                            .url_variables = kLlamacppUrl,
                            .key_variable = "LLAMACPP_API_KEY",
                            .needs_key = KeyNeed::never,
                            .cuts_prompts = true});
  registry.add(ProviderCard{.id = "lmstudio",
                            .doc = "LM Studio.",
                            .wire = &openai_wire(),
                            .base_url = "http://localhost:1234/v1",
                            .url_variables = kLmstudioUrl,
                            .key_variable = "LMSTUDIO_API_KEY",
                            .needs_key = KeyNeed::never,
                            .cuts_prompts = true});
  registry.add(ProviderCard{.id = "vllm",
                            .doc = "vLLM.",
                            .wire = &openai_wire(),
                            .base_url = "http://localhost:8000/v1",
                            .url_variables = kVllmUrl,
                            .key_variable = "VLLM_API_KEY",
                            .needs_key = KeyNeed::never});
}

}  // namespace

void add_providers(Registry& registry) {
  add_hosted(registry);
  add_local(registry);
  registry.add(mock_card());
}

const ProviderCard& mock_card() {
  static constexpr ProviderCard card{
      .id = "mock",
      .doc = "Answers of the right form from a seed; no network, no key, no money.",
      .is_mock = true,
      .needs_key = KeyNeed::never};
  return card;
}

}  // namespace agon::llm
