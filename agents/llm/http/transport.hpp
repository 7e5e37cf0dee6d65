#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

/// How long and how much an exchange may take. All times are absolute or counted from the start;
/// chatter does not prolong them, except that idle time is counted from the last byte.
struct ExchangeLimits {
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double> connect{10};
  std::chrono::duration<double> idle{180};
  Clock::time_point deadline = Clock::time_point::max();
  std::size_t max_body = std::size_t{8} << 20U;  ///< bytes
  std::string ca_file{};  ///< PEM, beside the system's certificates; empty: SSL_CERT_FILE or none
  /// Once it is true, what is on its way has kLastSecond to come in. Null: nobody wants to stop.
  const std::atomic<bool>* stop = nullptr;
  static constexpr std::chrono::seconds kLastSecond{1};
};

/// All HTTP of the process: any number of exchanges at once, carried by one thread, over
/// connections that are kept. Certificates are verified; proxies are those of the environment
/// (HTTPS_PROXY, NO_PROXY); redirects are not followed.
class Transport {
 public:
  Transport();
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  /// Nobody may be inside perform().
  ~Transport();

  /// Sends the request and waits for the reply or a failure. Any number of threads at once.
  HttpReply perform(const HttpRequest& request, const ExchangeLimits& limits);

  /// The one of this process; it goes when nobody holds it any more.
  static std::shared_ptr<Transport> shared();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace agon::llm
