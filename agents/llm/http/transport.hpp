#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "llm/http/message.hpp"

namespace agon::llm {

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
