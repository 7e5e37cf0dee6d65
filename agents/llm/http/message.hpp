#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agon::llm {

/// A request over HTTP.
struct HttpRequest {
  bool post = true;
  std::string url;
  std::vector<std::string> headers{};  ///< "Name: value"
  std::string secret_header{};         ///< the one with the key: never shown to anybody
  std::string body{};
};

/// How an exchange failed below HTTP.
enum class NetFailure : std::uint8_t {
  none,
  no_host,        ///< the name has no address
  no_connection,  ///< refused, unreachable, or not in time
  tls,            ///< the certificate is not to be trusted
  idle,           ///< no byte for too long
  deadline,       ///< the call's time is up
  cut,            ///< the connection broke
  too_large,      ///< the body passed the bound
  odd,            ///< what came is not HTTP
  bad_url,        ///< not a URL, or a scheme that is not allowed
  stopped,        ///< somebody wants the process to end
};

/// What came back. `status` is 0 without a reply.
struct HttpReply {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers{};  ///< names in lower case
  std::string body{};
  NetFailure failure = NetFailure::none;
  std::string problem{};  ///< of a failure
  double latency_ms = 0;

  /// The header's value; empty if it is not there.
  [[nodiscard]] std::string_view header(std::string_view name) const {
    const auto found = std::find_if(headers.begin(), headers.end(),
                                    [&](const auto& h) { return h.first == name; });
    return found == headers.end() ? std::string_view{} : std::string_view(found->second);
  }
};

}  // namespace agon::llm
