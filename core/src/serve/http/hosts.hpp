#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agon::serve {

/// By which names browsers may ask for a server. A page of somebody else can make its own name lead
/// to this machine; it cannot make the browser ask for one of these (DNS rebinding).
class AGON_API Hosts {
 public:
  /// `names`: "lab.example.org", "lab.example.org:8443" or "https://lab.example.org". Throws Error
  /// (usage) for what is none of these.
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
  struct Name {
    std::string scheme;  ///< empty: any
    std::string host;    ///< in lower case; of an IPv6 address with brackets
    std::string port;    ///< empty: none was given
  };
  [[nodiscard]] const Name* find(std::string_view authority, std::uint16_t port) const;
  std::vector<Name> names_;
};

}  // namespace agon::serve
