#include "llm/keyless.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/secrets.hpp>
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

namespace agon::llm {
namespace {

namespace bj = boost::json;

/// Letters and digits in lower case: "X-API-Key" and "api_key" have the same in them.
std::string normalised(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z')
      out += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      out += c;
  }
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
  for (const std::string& stop : spec.stop) search.look_at("stop", stop);
  for (const std::string& line : spec.mock.script) search.look_at("mock", line);
  search.look_at_url(endpoint.base_url);
  if (spec.extra.empty()) return;
  boost::system::error_code code;
  const bj::value extra = bj::parse(spec.extra, code);
  if (!code) search.look_at("extra", extra);
}

}  // namespace agon::llm
