#include "http/target.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <utility>

#include "text/utf8.hpp"

namespace agon::serve {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Nothing for an escape that is none, a control character, or what is no UTF-8.
std::optional<std::string> decode(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = digit(text[i + 1]), low = digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_space) {
      c = ' ';
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return std::nullopt;
    out += c;
  }
  if (!text::is_utf8(out)) return std::nullopt;
  return out;
}

/// What comes before `end`, which is taken off `text` with it.
std::string_view take(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return part;
}

bool climbs(std::string_view path) {
  while (!path.empty()) {
    const std::string_view segment = take(path, '/');
    if (segment == "." || segment == "..") return true;
  }
  return false;
}

}  // namespace

std::optional<Target> read_target(std::string_view text) {
  if (!text.starts_with('/')) return std::nullopt;
  std::string_view rest = text.substr(0, text.find('#'));
  const std::string_view path = take(rest, '?');
  std::optional<std::string> decoded = decode(path, false);
  if (!decoded || climbs(*decoded)) return std::nullopt;
  Target target{.path = std::move(*decoded)};
  while (!rest.empty()) {
    std::string_view pair = take(rest, '&');
    if (pair.empty()) continue;
    const std::optional<std::string> name = decode(take(pair, '='), true);
    const std::optional<std::string> value = decode(pair, true);
    if (!name || !value) return std::nullopt;
    target.query.insert_or_assign(*name, *value);
  }
  return target;
}

void read_cookies(std::string_view header, std::map<std::string, std::string>& cookies) {
  while (!header.empty()) {
    std::string_view pair = take(header, ';');
    pair.remove_prefix(std::min(pair.find_first_not_of(" \t"), pair.size()));
    const std::string_view name = take(pair, '=');
    if (!name.empty()) cookies.emplace(name, pair);
  }
}

namespace {

struct Authority {
  std::string host;
  std::string port;
};

/// In lower case, the port apart; an empty host for what is none.
Authority split(std::string_view text) {
  Authority authority;
  std::size_t end = text.find(':');
  if (text.starts_with('[')) {
    end = text.find(']');
    if (end == std::string_view::npos) return {};
    ++end;
  }
  authority.host = text.substr(0, end);
  for (char& c : authority.host)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (end >= text.size()) return authority;
  const std::string_view port = text.substr(end);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (port.size() < 2 || port.size() > 6 || port.front() != ':' ||
      !std::all_of(port.begin() + 1, port.end(), is_digit))
    return {};
  authority.port = port.substr(1);
  return authority;
}

bool is_loopback(std::string_view host) {
  // A name of somebody else may begin with the same digits.
  return host == "::1" || (host.starts_with("127.") &&
                           host.find_first_not_of("0123456789.") == std::string_view::npos);
}

}  // namespace

Hosts::Hosts(const std::vector<std::string>& names) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789-._[]:";
  for (const std::string& given : names) {
    std::string_view rest = given;
    HostName name;
    for (const std::string_view scheme : {"https", "http"})
      if (rest.starts_with(std::string(scheme) + "://")) {
        name.scheme = scheme;
        rest.remove_prefix(scheme.size() + 3);
      }
    if (!name.scheme.empty() && rest.ends_with('/')) rest.remove_suffix(1);
    Authority authority = split(rest);
    if (authority.host.empty() || authority.host.find_first_not_of(kAllowed) != std::string::npos)
      throw Error(ErrorKind::usage, "'" + text::printable(given) + "' is no name of a host",
                  "--public-host",
                  "write it as lab.example.org, lab.example.org:8443 or "
                  "https://lab.example.org");
    name.host = std::move(authority.host);
    name.port = std::move(authority.port);
    names_.push_back(std::move(name));
  }
}

const Hosts::HostName* Hosts::find(std::string_view authority, std::uint16_t port) const {
  const Authority asked = split(authority);
  if (asked.host.empty()) return nullptr;
  const std::string own = std::to_string(port);
  for (const HostName& name : names_) {
    if (name.host != asked.host) continue;
    if (name.port == asked.port) return &name;
    // A scheme's own port is left out by browsers, and a name without a port stands for it too.
    const bool usual = asked.port.empty() || (asked.port == "443" && name.scheme != "http") ||
                       (asked.port == "80" && name.scheme != "https");
    if (name.port.empty() && (usual || asked.port == own)) return &name;
    if (asked.port.empty() && (name.port == "443" || name.port == "80")) return &name;
  }
  return nullptr;
}

bool Hosts::has(std::string_view authority, std::string_view local, std::uint16_t port) const {
  if (find(authority, port) != nullptr) return true;
  Authority asked = split(authority);
  if (asked.host.empty()) return false;
  if (asked.port != std::to_string(port) && !(asked.port.empty() && port == 80)) return false;
  std::string_view host = asked.host;
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return host == local || (is_loopback(local) && (host == "localhost" || is_loopback(host)));
}

bool Hosts::is_https(std::string_view authority) const {
  const HostName* name = find(authority, 0);
  return name != nullptr && name->scheme == "https";
}

std::string Hosts::url() const {
  for (const HostName& name : names_)
    if (!name.scheme.empty())
      return name.scheme + "://" + name.host + (name.port.empty() ? "" : ":" + name.port);
  return {};
}

}  // namespace agon::serve
