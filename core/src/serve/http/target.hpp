#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agon::serve {

/// What stands behind the method in a request's first line.
struct Target {
  std::string path;  ///< decoded
  std::map<std::string, std::string> query{};
};

/// Reads "/path?name=value" (RFC 3986, section 3). Nothing if it has no path, an escape that is
/// none, a control character, bytes that are no UTF-8, or a segment "." or "..". Of a name that
/// comes twice in the query the last counts.
AGON_API std::optional<Target> read_target(std::string_view text);

/// Adds the cookies of a header (RFC 6265, section 4.2.1). Of a name that comes twice the first
/// counts, which is that of the longest path.
AGON_API void read_cookies(std::string_view header, std::map<std::string, std::string>& cookies);

/// By which names browsers may ask for a server. A page of somebody else can make its own name lead
/// to this machine; it cannot make the browser ask for one of these (DNS rebinding).
class AGON_API Hosts {
 public:
  /// `names`: "lab.example.org", "lab.example.org:8443" or "https://lab.example.org". Throws Error
  /// (usage) for anything else.
  explicit Hosts(const std::vector<std::string>& names);

  /// True if `authority`, the host and the port of a Host or an Origin header, is a name of ours:
  /// one that was given (without a port: at that of its scheme or at `port`), or localhost, a
  /// loopback address where `local` is one, or `local` itself, each at `port`. `local` and `port`
  /// are where the connection came in.
  [[nodiscard]] bool has(std::string_view authority, std::string_view local,
                         std::uint16_t port) const;
  /// True if it is a name that was given with https.
  [[nodiscard]] bool is_https(std::string_view authority) const;
  /// The first name that was given with a scheme, "https://lab.example.org"; empty: there is none.
  [[nodiscard]] std::string url() const;

 private:
  struct HostName {
    std::string scheme;  ///< empty: any
    std::string host;    ///< in lower case; of an IPv6 address with brackets
    std::string port;    ///< empty: none was given
  };
  [[nodiscard]] const HostName* find(std::string_view authority, std::uint16_t port) const;
  std::vector<HostName> names_;
};

}  // namespace agon::serve
