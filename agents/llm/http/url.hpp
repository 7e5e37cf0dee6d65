#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace agon::llm {

/// The parts of a URL that say who is talked to.
struct Url {
  std::string scheme;  ///< "http" or "https"
  std::string host;    ///< in lower case; of IPv6 without brackets
  int port = 0;
  bool is_ipv6 = false;

  /// "https://api.openai.com:443"
  [[nodiscard]] std::string origin() const;
  /// True for this machine and no other: `localhost`, 127.0.0.0/8 in four decimal numbers, `::1`.
  /// Other ways to write these (127.1, 2130706433, `localhost.`) are not looked through.
  [[nodiscard]] bool is_loopback() const;
};

/// Reads an absolute URL, strictly: what one reader takes for the host and another for a user or a
/// path (`@`, backslashes, escapes, characters beyond ASCII) is no URL here. Path and query are
/// passed over.
[[nodiscard]] std::optional<Url> parse_url(std::string_view text);

}  // namespace agon::llm
