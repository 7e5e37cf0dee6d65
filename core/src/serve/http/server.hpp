#pragma once

#include <agon/export.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "http/exchange.hpp"

namespace agon::serve {

/// Where a server listens and what it bears.
struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: any that is free
  /// Names by which browsers may ask for it beside its address, as behind a reverse proxy:
  /// "lab.example.org", "lab.example.org:8443" or, where the proxy speaks TLS,
  /// "https://lab.example.org".
  std::vector<std::string> hosts{};
  std::size_t largest_body = std::size_t{1} << 20U;     ///< bytes
  std::size_t largest_bodies = std::size_t{64} << 20U;  ///< bytes of all that are being read
  /// Where there are as many, the one that waits longest for a request makes room for a new one; if
  /// none waits, the new one is refused. Fewer where the system does not let a process open so many
  /// files.
  std::size_t most_connections = 4096;
  /// Of one address: a proxy, or the way out of a whole university, is one peer for all behind it.
  std::size_t most_of_one_peer = 3072;
  std::chrono::seconds idle{75};       ///< how long a connection may stay silent
  std::chrono::seconds request{20};    ///< how long a request may take to come in whole
  std::chrono::seconds heartbeat{15};  ///< between comments in a stream without events
  std::size_t largest_backlog = std::size_t{4} << 20U;  ///< bytes that a stream may lag behind
  double posts_per_second = 20;  ///< of one browser; all of one peer may send 50 times as many
  double posts_at_once = 60;     ///< how many may come at once before that counts
  /// It serves programs: what they send need not say which page it is from, and their rate is not
  /// limited. What says that it is from another site is refused all the same.
  bool for_programs = false;
};

struct ServerLoop;

/// HTTP/1.1 on one thread: requests to a handler, streams of events to browsers. Refuses hosts that
/// are not its own and POSTs from other origins; sends with everything what keeps a browser from
/// running or loading what is not from here.
class AGON_API Server {
 public:
  /// Listens; throws Error for an address or a port that cannot be had. Lets the process open as
  /// many files as that many connections need, as far as the system allows it.
  Server(ServerOptions options, Handler handler);
  /// Ends all connections.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  /// "http://127.0.0.1:8080", without a slash at the end: where this machine finds it.
  [[nodiscard]] std::string url() const;
  /// Where others find it: the first of its names that says http or https; else, where it listens
  /// at all addresses of the machine, the first that other machines know; else its url.
  [[nodiscard]] std::string public_url() const;

 private:
  std::unique_ptr<ServerLoop> loop_;
};

}  // namespace agon::serve
