#include "llm/http/url.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

namespace agon::llm {
namespace {

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace

std::string Url::origin() const {
  return scheme + "://" + (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

bool Url::is_loopback() const {
  if (is_ipv6) {
    in6_addr address{};
    return inet_pton(AF_INET6, host.c_str(), &address) == 1 && IN6_IS_ADDR_LOOPBACK(&address);
  }
  in_addr address{};
  return host == "localhost" ||
         (inet_pton(AF_INET, host.c_str(), &address) == 1 && ntohl(address.s_addr) >> 24U == 127);
}

std::optional<Url> parse_url(std::string_view text) {
  // A line break or a blank anywhere ends a URL for some readers; letters beyond ASCII look alike.
  if (std::any_of(text.begin(), text.end(), [](char c) { return c < '!' || c > '~'; }))
    return std::nullopt;
  Url url;
  for (const std::string_view scheme : {"http", "https"})
    if (text.starts_with(std::string(scheme) + "://")) url.scheme = scheme;
  if (url.scheme.empty()) return std::nullopt;
  text.remove_prefix(url.scheme.size() + 3);
  std::string_view authority = text.substr(0, text.find_first_of("/?#"));
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    url.is_ipv6 = true;
    url.host = lower(authority.substr(1, end - 1));
    in6_addr address{};
    if (inet_pton(AF_INET6, url.host.c_str(), &address) != 1) return std::nullopt;
    authority.remove_prefix(end + 1);
    if (!authority.empty() && authority.front() != ':') return std::nullopt;
    port = authority;
  } else {
    const std::size_t colon = std::min(authority.find(':'), authority.size());
    url.host = lower(authority.substr(0, colon));
    port = authority.substr(colon);
    if (url.host.empty() || !std::all_of(url.host.begin(), url.host.end(), [](char c) {
          return is_alphanumeric(c) || c == '-' || c == '.' || c == '_';
        }))
      return std::nullopt;
  }
  url.port = url.scheme == "https" ? 443 : 80;
  if (port.empty()) return url;
  port.remove_prefix(1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
  if (error != std::errc{} || end != port.data() + port.size() || url.port < 1 || url.port > 65535)
    return std::nullopt;
  return url;
}

}  // namespace agon::llm
