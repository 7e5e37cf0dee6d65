#include "llm/model_spec.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/secrets.hpp>
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cctype>
#include <cstdlib>

#include "llm/answer/words.hpp"
#include "llm/http/transport.hpp"
#include "llm/wire/batch.hpp"

namespace agon::llm {

/// Throws Error (invalid) if a member of the spec carries a key, by its name or by what is in it:
/// specs are written into archives. The message does not quote it.
void refuse_keys_in(const ModelSpec& spec, const Endpoint& endpoint);

namespace {

std::string_view from_environment(std::string_view variable) {
  if (variable.empty()) return {};
  const char* value = std::getenv(std::string(variable).c_str());
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

/// Empty: the provider's own is meant.
bool is_name_of_variable(std::string_view name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return c == '_' || is_alphanumeric(c); }) &&
         (name.empty() || name.front() < '0' || name.front() > '9');
}

Error wrong(std::string problem, std::string_view member, std::string hint = {}) {
  return {ErrorKind::invalid, std::move(problem), fmt::format("$.{}", member), std::move(hint)};
}

/// Refuses a name that is no header's, or that of one that HTTP itself needs.
void check_key_header(const std::string& name) {
  const auto is_letter = [](char c) { return c == '-' || is_alphanumeric(c); };
  static constexpr std::array<std::string_view, 9> kOfHttp{
      "accept", "connection",       "content-encoding",  "content-length", "content-type",
      "host",   "proxy-connection", "transfer-encoding", "user-agent"};
  if (name.empty() || name.size() > 100 || !std::all_of(name.begin(), name.end(), is_letter) ||
      std::find(kOfHttp.begin(), kOfHttp.end(), lower_case(name)) != kOfHttp.end())
    throw wrong("key_header is not the name of a header that can hold a key", "key_header",
                "give the name alone, such as \"api-key\" or \"x-api-key\"");
}

/// Refuses what is set and would not be sent.
void check_taken(const ModelSpec& spec, const ProviderCard& provider) {
  const auto check = [&](bool is_set, bool is_taken, std::string_view member) {
    if (is_set && !is_taken)
      throw wrong(fmt::format("the provider '{}' takes no {}", provider.id, member), member,
                  "leave it out; what the provider has in its place can be set through \"extra\"");
  };
  const ProviderTakes& takes = provider.takes;
  check(spec.temperature.has_value(), takes.temperature, "temperature");
  check(spec.top_p.has_value(), takes.top_p, "top_p");
  check(spec.seed.has_value(), takes.seed, "seed");
  check(!spec.stop.empty(), takes.stop, "stop");
  check(!spec.reasoning_effort.empty(), takes.reasoning_effort, "reasoning_effort");
  check(asks_distribution(spec), provider.wire->read_choices != nullptr, "sample");
  if (spec.structured == Structured::schema && !takes.schema)
    throw wrong(fmt::format("the provider '{}' takes no schema of an answer", provider.id),
                "structured", "leave it out: the schema stands in the prompt then");
}

}  // namespace

void check_mock(const MockSpec& m) {
  if (m.rate_limited + m.rate_limited_plain + m.server_error + m.hang + m.cut + m.truncated +
          m.refused + m.malformed + m.illegal + m.empty >
      1 + 1e-9)
    throw wrong("the mock's rates add up to more than 1", "mock");
  if (m.answers == MockAnswers::script && m.script.empty())
    throw wrong("the mock is to follow a script, and there is none", "mock.script");
}

boost::json::object extra_of(const ModelSpec& spec) {
  if (spec.extra.empty()) return {};
  boost::system::error_code code;
  boost::json::value extra = boost::json::parse(spec.extra, code);
  return code || !extra.is_object() ? boost::json::object() : std::move(extra.get_object());
}

bool thinks(const boost::json::object& extra) {
  const boost::json::value* thinking = extra.if_contains("thinking");
  if (thinking == nullptr || !thinking->is_object()) return false;
  const boost::json::value* type = thinking->get_object().if_contains("type");
  return type == nullptr || *type != "disabled";
}

Endpoint resolve(const ModelSpec& spec, const ProviderCard& provider) {
  Endpoint e;
  e.provider = &provider;
  e.model = spec.model;
  check_mock(spec.mock);
  if (spec.samples && !asks_distribution(spec))
    throw wrong("samples requires \"sample\": \"distribution\"", "samples",
                "add \"sample\": \"distribution\", or leave samples out");
  if (goes_in_batches(spec) && batch_format_of(provider) == nullptr)
    throw wrong(fmt::format("the provider '{}' takes no batches", provider.id), "batch",
                "leave it out, or take openai, openai-responses or anthropic; 'agon mock-server' "
                "stands in for these");
  if (!goes_in_batches(spec) && (spec.batch_calls || spec.batch_poll_s))
    throw wrong("batch_calls and batch_poll_s require \"batch\": true",
                spec.batch_calls ? "batch_calls" : "batch_poll_s", "add it, or leave them out");
  if (provider.wire == nullptr) {
    e.needs_key = false;
    refuse_keys_in(spec, e);
    if (e.model.empty()) e.model = provider.id;
    return e;
  }

  if (spec.model.empty())
    throw wrong("no model is named", "model", "give the name that the provider has for it");
  check_taken(spec, provider);
  if (!spec.extra.empty()) {
    boost::system::error_code code;
    const boost::json::value extra = boost::json::parse(spec.extra, code);
    if (code || !extra.is_object()) throw wrong("extra is not a JSON object", "extra");
    for (const std::string_view ours :
         {"model", "messages", "prompt", "input", "contents", "systemInstruction", "stream", "n"})
      if (extra.get_object().contains(ours))
        throw wrong(fmt::format("extra cannot set \"{}\"", ours), "extra");
  }

  if (spec.system_role == SystemRole::developer && !provider.wire->has_reasoning_models)
    throw wrong(fmt::format("the provider '{}' knows no developer", provider.id), "system_role",
                "leave it out");
  if (spec.key_header) check_key_header(*spec.key_header);
  e.key_header = spec.key_header ? *spec.key_header + ": " : std::string(provider.key_header);
  if (!is_name_of_variable(spec.key_env))
    throw wrong("key_env is not the name of an environment variable", "key_env",
                "put the key into a variable, and here the name of the variable");
  const bool is_other_set = from_environment(provider.key_variable).empty() &&
                            !from_environment(provider.other_key_variable).empty();
  e.key_env = !spec.key_env.empty() ? spec.key_env
              : is_other_set        ? std::string(provider.other_key_variable)
                                    : std::string(provider.key_variable);
  if (!spec.base_url.empty()) {
    e.base_url = spec.base_url;
    e.base_url_from = "the model's base_url";
    e.is_named_by_spec = true;
  } else {
    e.base_url = provider.base_url;
    e.base_url_from = "the provider's own";
    for (const std::string_view variable : provider.url_variables) {
      const std::string_view url = from_environment(variable);
      if (url.empty()) continue;
      e.base_url = provider.url_of == nullptr ? std::string(url) : provider.url_of(url);
      e.base_url_from = variable;
      break;
    }
  }
  refuse_keys_in(spec, e);
  if (const std::size_t mark = e.base_url.find('?'); mark != std::string::npos) {
    e.query = e.base_url.substr(mark);
    e.base_url.resize(mark);
  }
  while (e.base_url.ends_with('/')) e.base_url.pop_back();
  // The key goes into a header; a URL ends up in records.
  if (const std::size_t scheme = e.base_url.find("://"); scheme != std::string::npos) {
    const std::size_t authority = scheme + 3;
    const std::size_t at = e.base_url.find('@', authority);
    if (at != std::string::npos && at < e.base_url.find('/', authority))
      throw wrong(fmt::format("the URL of {} holds a user or password", e.base_url_from),
                  "base_url",
                  "put the key into an environment variable, and its name into key_env");
  }
  for (const UserHeader& header : provider.user_headers) {
    const std::string_view value = from_environment(header.variable);
    const auto controls = [](unsigned char c) { return c < ' ' || c == 0x7F; };
    if (!e.is_named_by_spec && std::any_of(value.begin(), value.end(), controls))
      throw Error(ErrorKind::preflight,
                  fmt::format("the value of {} holds a control character, which would break the "
                              "header {}",
                              header.variable, header.name),
                  "", "set it again, without line breaks");
  }
  const std::optional<Url> url = parse_url(e.base_url);
  if (!url)
    throw wrong(fmt::format("'{}' ({}) is not a URL", e.base_url, e.base_url_from), "base_url",
                "it begins with https:// or http://, and a host of plain letters and digits "
                "follows");
  // A key that somebody names is one that is needed.
  e.needs_key = !spec.key_env.empty() || provider.needs_key == KeyNeed::always ||
                (provider.needs_key == KeyNeed::elsewhere && !url->is_loopback());
  return e;
}

std::string Endpoint::url(std::string_view path) const {
  constexpr std::string_view kModel = "{model}", kFolder = "models/";
  std::string url = base_url;
  if (const std::size_t at = path.find(kModel); at != std::string_view::npos) {
    url += path.substr(0, at);
    path.remove_prefix(at + kModel.size());
    // Google's list of models has the folder in each name.
    std::string_view name = model;
    if (name.starts_with(kFolder)) name.remove_prefix(kFolder.size());
    // A name stays one name: it leads to no other path.
    for (const char c : name)
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_')
        url += c;
      else
        url += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  url += path;
  if (query.empty()) return url;
  return path.find('?') == std::string_view::npos ? url + query : url + "&" + query.substr(1);
}

std::vector<Access> accesses(const ModelSpec& spec, const ProviderCard& provider) {
  const Endpoint e = resolve(spec, provider);
  if (provider.wire == nullptr) return {};
  const std::optional<Url> url = parse_url(e.base_url);
  const std::optional<Url> own = parse_url(provider.base_url);
  const std::string key = read_key(e);
  const bool sends_key = e.needs_key || !key.empty();
  const bool is_own_key =
      e.key_env == provider.key_variable || e.key_env == provider.other_key_variable;
  const bool is_in_the_clear = sends_key && url->scheme == "http" && !url->is_loopback();
  // Where no base_url is written, the URL is the provider's own or one that the user has chosen.
  // Any user of this machine can open a port: the key of a provider elsewhere is not for it.
  const bool is_secret = !key.empty() && secrets::kind_of(key) != secrets::KeyKind::placeholder;
  const bool is_local = url->is_loopback() && (!is_secret || (own && own->is_loopback()));
  const bool is_own_host =
      spec.base_url.empty() || is_local || (own && url->origin() == own->origin());
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

namespace {

namespace bj = boost::json;

/// Letters and digits in lower case: "X-API-Key" and "api_key" have the same in them.
std::string normalised(std::string_view name) {
  std::string out = lower_case(name);
  std::erase_if(out, [](char c) { return !is_alphanumeric(c); });
  return out;
}

/// max_tokens, prompt_cache_key and their like are none.
bool names_key(std::string_view name) {
  static constexpr std::array<std::string_view, 18> kParts{
      "apikey",       "apitoken",      "accesskey",      "accesstoken",  "authtoken",
      "authkey",      "authorization", "bearer",         "clientsecret", "credential",
      "passwd",       "password",      "privatekey",     "refreshtoken", "secretkey",
      "sessiontoken", "securitytoken", "subscriptionkey"};
  static constexpr std::array<std::string_view, 5> kWhole{"auth", "pwd", "secret", "secrets",
                                                          "token"};
  const std::string own = normalised(name);
  return std::find(kWhole.begin(), kWhole.end(), own) != kWhole.end() ||
         std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return own.find(part) != std::string::npos; });
}

class Search {
 public:
  Search(const Endpoint& endpoint, std::string key) : endpoint_(endpoint), key_(std::move(key)) {
    // What is public may stand anywhere, and what is too short is refused where it is used.
    if (secrets::kind_of(key_) != secrets::KeyKind::secret) key_.clear();
    // So that it is known however it is written.
    secrets::add(key_);
  }

  void look_at(std::string_view member, std::string_view text) const {
    if (!key_.empty() && text.find(key_) != std::string_view::npos)
      refuse(member, fmt::format("{} holds the key of {}", member, endpoint_.key_env));
    if (!key_.empty() && secrets::cut(std::string(text)) != text)
      refuse(member, fmt::format("{} holds a key in another form", member));
    if (normalised(text.substr(0, 7)) == "bearer" && text.size() > 7)
      refuse(member, fmt::format("{} holds a header with a key", member));
  }

  void look_at(const std::string& member, const bj::value& value) const {
    if (value.is_string()) look_at(member, std::string_view(value.get_string()));
    if (value.is_array())
      for (const bj::value& element : value.get_array()) look_at(member, element);
    if (!value.is_object()) return;
    for (const auto& entry : value.get_object()) {
      look_at(member, std::string_view(entry.key()));
      const bool says_nothing = entry.value().is_null() || entry.value().is_bool();
      if (!says_nothing && names_key(entry.key()))
        refuse(member, fmt::format("{} cannot carry a key (\"{}\")", member,
                                   std::string_view(entry.key())));
      look_at(member, entry.value());
    }
  }

  void look_at_url(std::string_view url) const {
    look_at("base_url", url);
    const std::size_t query = url.find_first_of("?#");
    if (query == std::string_view::npos) return;
    url.remove_prefix(query + 1);
    while (!url.empty()) {
      const std::string_view part = url.substr(0, url.find_first_of("&;#"));
      url.remove_prefix(std::min(url.size(), part.size() + 1));
      const std::string name = normalised(part.substr(0, part.find('=')));
      if (names_key(name) || name == "key" || name == "code" || name == "sig")
        refuse("base_url", fmt::format("the URL of {} carries a key", endpoint_.base_url_from));
    }
  }

 private:
  [[noreturn]] void refuse(std::string_view member, std::string problem) const {
    throw Error(ErrorKind::invalid, std::move(problem), fmt::format("$.{}", member),
                "put the key into an environment variable, and its name into key_env");
  }

  const Endpoint& endpoint_;
  std::string key_;
};

}  // namespace

void refuse_keys_in(const ModelSpec& spec, const Endpoint& endpoint) {
  const Search search(endpoint, read_key(endpoint));
  search.look_at("model", spec.model);
  search.look_at("reasoning_effort", spec.reasoning_effort);
  search.look_at("key_header", spec.key_header.value_or(""));
  for (const std::string& stop : spec.stop) search.look_at("stop", stop);
  for (const std::string& line : spec.mock.script) search.look_at("mock", line);
  search.look_at_url(endpoint.base_url);
  if (spec.extra.empty()) return;
  boost::system::error_code code;
  const bj::value extra = bj::parse(spec.extra, code);
  if (!code) search.look_at("extra", extra);
}

}  // namespace agon::llm
