#pragma once

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "http/door.hpp"
#include "http/exchange.hpp"
#include "http/server.hpp"
#include "http/stream.hpp"
#include "http/target.hpp"

namespace agon::serve {

namespace net = boost::asio;
namespace http = boost::beast::http;
using net::ip::tcp;
using Clock = std::chrono::steady_clock;
using Failed = boost::system::error_code;

class BrowserConnection;
class SocketEnd;
class SocketConnection;

/// The way to the server's thread from all others, as long as there is a server.
class Gate {
 public:
  explicit Gate(net::io_context& context) : context_(&context) {}
  /// False if there is no server any more.
  template <typename Work>
  bool post(Work work) {
    const std::lock_guard lock(mutex_);
    if (context_ == nullptr) return false;
    net::post(*context_, std::move(work));
    return true;
  }
  void shut() {
    const std::lock_guard lock(mutex_);
    context_ = nullptr;
  }
  /// Streams that are open.
  std::atomic<std::size_t> streams{0};

 private:
  std::mutex mutex_;
  net::io_context* context_;
};

/// The server; all of it belongs to its thread once that runs.
struct ServerLoop {
  ServerLoop(ServerOptions said, Handler handles)
      : options(std::move(said)),
        handler(std::move(handles)),
        hosts(options.hosts),
        posts(options.posts_at_once, options.posts_per_second),
        posts_of_peer(options.posts_at_once * kPeerFactor, options.posts_per_second * kPeerFactor) {
  }

  /// Listens; throws Error for an address or a port that cannot be had.
  void listen();
  void accept();
  /// Makes room: of the connections that wait for a request, of this peer or of all, the one that
  /// waits longest ends.
  void close_idle(const std::string* peer);
  void tick();
  void run();
  void forget(const std::shared_ptr<BrowserConnection>& connection, const std::string& peer);

  static constexpr double kPeerFactor = 50;
  const ServerOptions options;
  const Handler handler;
  const Hosts hosts;
  Buckets posts;
  Buckets posts_of_peer;
  net::io_context context{1};
  tcp::acceptor acceptor{context};
  net::steady_timer ticks{context};
  std::shared_ptr<Gate> gate = std::make_shared<Gate>(context);
  tcp::endpoint at;
  std::unordered_set<std::shared_ptr<BrowserConnection>> connections;
  std::unordered_map<std::string, std::size_t> of_peer;
  std::size_t bodies = 0;  ///< bytes of bodies that may come in
  bool stopping = false;
  bool waits_to_accept = false;  ///< until the next tick
  std::array<char, std::size_t{64} << 10U> scratch{};
  std::thread thread;
};

/// An address in numbers. An IPv4 address that an IPv6 socket met is written as one.
[[nodiscard]] std::string address_text(const net::ip::address& address);

/// A browser at the server: reads its requests one after the other and writes what answers them.
class BrowserConnection : public std::enable_shared_from_this<BrowserConnection> {
 public:
  BrowserConnection(ServerLoop& server, tcp::socket socket, std::string peer)
      : server_(server), socket_(std::move(socket)), peer_(std::move(peer)) {}

  void begin();
  /// Answers the request at hand.
  void respond(Response response);
  /// Answers it with a stream.
  void start(std::shared_ptr<Stream> stream);
  /// Answers it with a WebSocket.
  void upgrade(SocketEnd& end, WebSocketEvents events);
  /// The stream has something to write.
  void stream_woke();
  void close();
  /// Called every second.
  void tick(Clock::time_point now);
  /// Since when it waits for a request; nothing if it does something.
  [[nodiscard]] std::optional<Clock::time_point> idle_since() const;
  [[nodiscard]] const std::string& peer() const { return peer_; }

 private:
  enum class Activity : std::uint8_t {
    reading,
    handling,
    writing,
    streaming,
    upgraded,
    leaving,
    closed
  };
  using Parser = http::request_parser<http::string_body>;

  void wait_to_read();
  void readable();
  void parse();
  void refuse_unread(const Failed& failed);
  [[nodiscard]] std::optional<Response> check();
  [[nodiscard]] std::optional<Response> check_origin() const;
  [[nodiscard]] std::optional<Response> check_post();
  void handle();
  void next_request();
  void free_body();
  void write();
  void written();
  void leave();
  [[nodiscard]] std::string_view header(http::field name) const {
    const auto value = parser_->get()[name];
    return {value.data(), value.size()};
  }

  ServerLoop& server_;
  tcp::socket socket_;
  const std::string peer_;
  std::string local_;
  std::uint16_t port_ = 0;
  Activity activity_ = Activity::reading;
  std::optional<Clock::time_point> deadline_;

  std::string in_;  ///< read and not parsed yet
  std::optional<Parser> parser_;
  bool checked_ = false;  ///< the header is read and found good
  std::size_t body_ = 0;  ///< its part of the server's bodies
  Request asked_;
  bool head_ = false;

  std::string out_head_;
  std::string out_body_;
  std::size_t sent_ = 0;
  bool keep_ = true;           ///< the connection, after this answer
  std::size_t left_over_ = 0;  ///< bytes that were read and thrown away

  std::shared_ptr<Stream> stream_;
  std::shared_ptr<SocketConnection> upgraded_;
  bool writing_ = false;  ///< of a stream
  Clock::time_point last_sent_;
};

}  // namespace agon::serve
