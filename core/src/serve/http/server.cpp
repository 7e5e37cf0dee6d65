#include "http/server.hpp"

#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <sys/resource.h>

#include <agon/error.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "http/door.hpp"
#include "http/exchange.hpp"
#include "http/stream.hpp"
#include "http/target.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"

namespace agon::serve {
namespace {

namespace net = boost::asio;
namespace http = boost::beast::http;
using net::ip::tcp;
using Clock = std::chrono::steady_clock;
using Failed = boost::system::error_code;

constexpr std::uint32_t kLargestHeader = 16U << 10U;  // bytes
constexpr std::size_t kMostUnparsed = 64U << 10U;     // bytes of a line between chunks of a body
constexpr std::size_t kLargestLeftover = 4U << 20U;   // bytes of a refused request that are read
constexpr std::chrono::seconds kLeftover{2};          // and for how long
constexpr double kPeerFactor = 50;

/// An IPv4 address that an IPv6 socket met is written as one.
std::string in_words(const net::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return net::ip::make_address_v4(net::ip::v4_mapped, address.to_v6()).to_string();
  return address.to_string();
}

class Connection;

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

/// A request that waits for its answer. Both ways to answer share it; when neither was taken, the
/// browser is told so.
class Pending {
 public:
  Pending(std::shared_ptr<Gate> gate, std::weak_ptr<Connection> from, const ServerOptions& options)
      : gate_(std::move(gate)),
        from_(std::move(from)),
        most_streams_(options.most_connections * 3 / 4),
        largest_backlog_(options.largest_backlog) {}
  ~Pending() { respond(text_response(500, "this request was not answered")); }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

  void respond(Response response);
  std::shared_ptr<EventStream> open();

 private:
  const std::shared_ptr<Gate> gate_;
  const std::weak_ptr<Connection> from_;
  const std::size_t most_streams_;
  const std::size_t largest_backlog_;
  std::atomic<bool> answered_{false};
};

/// The server; all of it belongs to its thread once that runs.
struct Loop {
  Loop(ServerOptions said, Handler handles)
      : options(std::move(said)),
        handler(std::move(handles)),
        hosts(options.hosts),
        posts(options.posts_at_once, options.posts_per_second),
        posts_of_peer(options.posts_at_once * kPeerFactor, options.posts_per_second * kPeerFactor) {
  }

  void listen();
  void accept();
  /// Makes room: of the connections that wait for a request, of this peer or of all, the one that
  /// waits longest ends.
  void close_idle(const std::string* peer);
  void tick();
  void run();
  void forget(const std::shared_ptr<Connection>& connection, const std::string& peer);

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
  std::unordered_set<std::shared_ptr<Connection>> connections;
  std::unordered_map<std::string, std::size_t> of_peer;
  std::size_t bodies = 0;  ///< bytes of bodies that may come in
  bool stopping = false;
  bool waits_to_accept = false;  ///< until the next tick
  std::array<char, std::size_t{64} << 10U> scratch{};
  std::thread thread;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Loop& server, tcp::socket socket, std::string peer)
      : server_(server), socket_(std::move(socket)), peer_(std::move(peer)) {}

  void begin();
  /// Answers the request at hand.
  void respond(Response response);
  /// Answers it with a stream.
  void start(std::shared_ptr<Stream> stream);
  /// The stream has something to write.
  void stream_woke();
  void close();
  /// Called every second.
  void tick(Clock::time_point now);
  /// Since when it waits for a request; nothing if it does something.
  [[nodiscard]] std::optional<Clock::time_point> idle_since() const;
  [[nodiscard]] const std::string& peer() const { return peer_; }

 private:
  enum class State : std::uint8_t { reading, handling, writing, streaming, leaving, closed };
  using Parser = http::request_parser<http::string_body>;

  void wait_to_read();
  void readable();
  void parse();
  void refuse_unread(const Failed& failed);
  [[nodiscard]] std::optional<Response> check();
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

  Loop& server_;
  tcp::socket socket_;
  const std::string peer_;
  std::string local_;
  std::uint16_t port_ = 0;
  State state_ = State::reading;
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
  bool writing_ = false;  ///< of a stream
  Clock::time_point last_sent_;
};

void Connection::begin() {
  Failed ignored;
  socket_.non_blocking(true, ignored);
  socket_.set_option(tcp::no_delay(true), ignored);
  // A browser that is gone without a word, as a phone that sleeps, is noticed by what it does not
  // acknowledge.
  const auto most = static_cast<unsigned>(
      std::chrono::duration_cast<std::chrono::milliseconds>(server_.options.idle).count());
  (void)setsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_USER_TIMEOUT, &most, sizeof most);
  const tcp::endpoint local = socket_.local_endpoint(ignored);
  if (ignored) return close();
  local_ = in_words(local.address());
  port_ = local.port();
  next_request();
}

void Connection::next_request() {
  if (in_.empty()) std::string().swap(in_);
  parser_.emplace();
  parser_->header_limit(kLargestHeader);
  parser_->body_limit(server_.options.largest_body);
  checked_ = false;
  asked_ = {};
  state_ = State::reading;
  const auto now = Clock::now();
  deadline_ = now + (in_.empty() ? server_.options.idle : server_.options.request);
  if (in_.empty())
    wait_to_read();
  else
    parse();
}

void Connection::free_body() {
  server_.bodies -= body_;
  body_ = 0;
}

void Connection::wait_to_read() {
  socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](const Failed& failed) {
    if (self->state_ == State::closed) return;
    if (failed) return self->close();
    self->readable();
  });
}

void Connection::readable() {
  Failed failed;
  const std::size_t n = socket_.read_some(net::buffer(server_.scratch), failed);
  if (failed == net::error::would_block || failed == net::error::try_again) return wait_to_read();
  if (failed) return close();
  switch (state_) {
    case State::reading:
      if (in_.empty() && !checked_) deadline_ = Clock::now() + server_.options.request;
      in_.append(server_.scratch.data(), n);
      return parse();
    case State::leaving:
      left_over_ += n;
      return left_over_ > kLargestLeftover ? close() : wait_to_read();
    default:
      // Nothing is to be said by a browser that gets a stream.
      return close();
  }
}

void Connection::parse() {
  while (true) {
    if (in_.empty()) return wait_to_read();
    Failed failed;
    const std::size_t used = parser_->put(net::buffer(in_), failed);
    in_.erase(0, used);
    if (failed == http::error::need_more && in_.size() <= kMostUnparsed) return wait_to_read();
    if (failed) return refuse_unread(failed);
    if (!checked_ && parser_->is_header_done()) {
      checked_ = true;
      keep_ = parser_->keep_alive();
      std::optional<Response> refused = check();
      if (refused) {
        keep_ = keep_ && parser_->is_done();
        state_ = State::handling;
        return respond(std::move(*refused));
      }
      parser_->eager(true);
    }
    if (parser_->is_done()) return handle();
  }
}

void Connection::refuse_unread(const Failed& failed) {
  keep_ = false;
  head_ = false;
  state_ = State::handling;
  if (failed == http::error::header_limit || failed == http::error::buffer_overflow)
    return respond(text_response(431, "the header is too long"));
  if (failed == http::error::body_limit)
    return respond(text_response(413, "this is too much at once"));
  respond(text_response(400, "this is no HTTP that is understood here"));
}

/// Looks at the header; what is wrong with it, if anything is.
std::optional<Response> Connection::check() {
  const auto& asked = parser_->get();
  head_ = asked.method() == http::verb::head;
  const bool post = asked.method() == http::verb::post;
  if (!head_ && !post && asked.method() != http::verb::get) {
    Response refused = text_response(405, "only GET, HEAD and POST are understood here");
    refused.headers.emplace_back("Allow", "GET, HEAD, POST");
    return refused;
  }
  const auto [first, last] = asked.equal_range(http::field::host);
  if (std::distance(first, last) != 1) return text_response(400, "a request has one header Host");
  const std::string_view host = header(http::field::host);
  if (!server_.hosts.has(host, local_, port_))
    return text_response(421, fmt::format("this server is not known as '{}'; if it should be, "
                                          "start it with --public-host and that name",
                                          text::printable(host)));
  const std::string_view line(asked.target().data(), asked.target().size());
  std::optional<Target> target = read_target(line);
  if (!target) return text_response(400, "this is no address of a page");
  if (!post && !parser_->is_done()) return text_response(400, "only a POST has a body");
  asked_.method = post ? "POST" : "GET";
  asked_.path = std::move(target->path);
  asked_.query = std::move(target->query);
  const auto cookies = asked.equal_range(http::field::cookie);
  for (auto at = cookies.first; at != cookies.second; ++at)
    read_cookies({at->value().data(), at->value().size()}, asked_.cookies);
  const auto last_event_id = asked["Last-Event-ID"];
  asked_.last_event_id.assign(last_event_id.data(), last_event_id.size());
  asked_.if_none_match = header(http::field::if_none_match);
  asked_.peer = peer_;
  asked_.port = port_;
  asked_.secure = server_.hosts.is_https(host);
  return post ? check_post() : std::nullopt;
}

std::optional<Response> Connection::check_post() {
  // A browser says where a page comes from that sends something, and pages cannot change that.
  const std::string_view origin = header(http::field::origin);
  const auto fetch_site = parser_->get()["Sec-Fetch-Site"];
  const std::string_view site(fetch_site.data(), fetch_site.size());
  const bool other_site = !site.empty() && site != "same-origin" && site != "none";
  const std::size_t scheme = origin.find("://");
  const bool named = scheme != std::string_view::npos;
  const bool ours = named ? server_.hosts.has(origin.substr(scheme + 3), local_, port_)
                          : (origin.empty() || origin == "null") && !site.empty();
  if (other_site || !ours)
    return text_response(
        403, fmt::format("this comes from {}, which is not this server; if it is known by that "
                         "name, start it with --public-host and the name",
                         origin.empty() ? "a page without an Origin"
                                        : "'" + text::printable(origin) + "'"));
  std::string_view type = header(http::field::content_type);
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  if (!boost::beast::iequals(type, "application/json"))
    return text_response(415, "what is sent here is application/json");
  const auto now = Clock::now();
  const std::size_t browser = std::hash<std::string_view>()(header(http::field::cookie));
  if (!server_.posts_of_peer.take(peer_, now) ||
      !server_.posts.take(fmt::format("{} {}", peer_, browser), now)) {
    Response refused = text_response(429, "this is too much in a short time; wait a moment");
    refused.headers.emplace_back("Retry-After", "1");
    return refused;
  }
  if (parser_->is_done()) return std::nullopt;
  const auto length = parser_->content_length();
  body_ = length ? static_cast<std::size_t>(*length) : server_.options.largest_body;
  server_.bodies += body_;
  if (server_.bodies > server_.options.largest_bodies)
    return text_response(503, "too much is being sent at once; try again in a moment");
  if (header(http::field::expect) == "100-continue") {
    // So small that it is written at once or not at all; who gets none sends after a while.
    constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";
    Failed ignored;
    socket_.write_some(net::buffer(kGoOn), ignored);
  }
  return std::nullopt;
}

void Connection::handle() {
  state_ = State::handling;
  deadline_.reset();
  asked_.body = std::move(parser_->get().body());
  free_body();
  const auto pending = std::make_shared<Pending>(server_.gate, weak_from_this(), server_.options);
  Response failure;
  try {
    server_.handler(Exchange(
        std::exchange(asked_, {}),
        [pending](Response response) { pending->respond(std::move(response)); },
        [pending] { return pending->open(); }));
    return;
  } catch (const Error& error) {
    failure = error_response(error);
  } catch (const std::exception& error) {
    text::say("agon: a request failed: {}\n", text::printable(error.what()));
    failure = text_response(500, "something broke that should not");
  }
  pending->respond(std::move(failure));
}

void Connection::respond(Response response) {
  if (state_ != State::handling) return;
  free_body();
  std::optional<std::string> head = head_of(response);
  if (!head) {
    text::say("agon: an answer has a status or a header that none may have\n");
    response = text_response(500, "something broke that should not");
    head = head_of(response);
  }
  const bool bare = response.status == 204 || response.status == 304;
  out_head_ = std::move(*head);
  if (!bare) out_head_ += fmt::format("Content-Length: {}\r\n", response.body.size());
  out_head_ += keep_ ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  out_body_ = bare || head_ ? std::string() : std::move(response.body);
  state_ = State::writing;
  write();
}

void Connection::start(std::shared_ptr<Stream> stream) {
  if (state_ != State::handling) return stream->end();
  const Response begins{.content_type = "text/event-stream",
                        .headers = {{"X-Accel-Buffering", "no"}}};
  if (head_) {
    respond(begins);
    return stream->end();
  }
  // Browsers come back after a second, and find out by the end of the connection when to.
  out_head_ = head_of(begins).value() + "Connection: close\r\n\r\nretry: 1000\n\n";
  parser_.reset();
  std::string().swap(in_);
  stream_ = std::move(stream);
  state_ = State::streaming;
  wait_to_read();
  writing_ = true;
  write();
}

void Connection::stream_woke() {
  if (state_ != State::streaming) return;
  if (stream_->is_cut()) return close();
  if (writing_) return;
  out_head_ = stream_->take();
  if (!out_head_.empty()) {
    writing_ = true;
    return write();
  }
  deadline_.reset();
  std::string().swap(out_head_);
  if (stream_->is_over()) leave();
}

void Connection::write() {
  const std::size_t all = out_head_.size() + out_body_.size();
  while (sent_ < all) {
    const std::size_t head = std::min(sent_, out_head_.size());
    const std::array<net::const_buffer, 2> rest{net::buffer(out_head_) + head,
                                                net::buffer(out_body_) + (sent_ - head)};
    Failed failed;
    const std::size_t n = socket_.write_some(rest, failed);
    if (failed == net::error::would_block || failed == net::error::try_again) {
      deadline_ = Clock::now() + server_.options.idle;
      return socket_.async_wait(tcp::socket::wait_write,
                                [self = shared_from_this()](const Failed& broken) {
                                  if (self->state_ == State::closed) return;
                                  if (broken) return self->close();
                                  self->write();
                                });
    }
    if (failed) return close();
    sent_ += n;
  }
  written();
}

void Connection::written() {
  sent_ = 0;
  out_head_.clear();
  std::string().swap(out_body_);
  if (state_ == State::writing && !keep_) return leave();
  // Not from here: what comes in faster than it is answered would be a call within a call without
  // end.
  net::post(server_.context, [self = shared_from_this()] {
    if (self->state_ == State::writing) return self->next_request();
    if (self->state_ != State::streaming) return;
    self->writing_ = false;
    self->last_sent_ = Clock::now();
    self->stream_woke();
  });
}

/// Says that nothing more comes, and reads for a while what is still sent: a connection that is
/// closed with something unread may lose the answer on its way.
void Connection::leave() {
  if (stream_) std::exchange(stream_, nullptr)->end();
  const bool waits = state_ == State::streaming;
  state_ = State::leaving;
  deadline_ = Clock::now() + kLeftover;
  Failed failed;
  socket_.shutdown(tcp::socket::shutdown_send, failed);
  if (failed) return close();
  if (!waits) wait_to_read();
}

std::optional<Clock::time_point> Connection::idle_since() const {
  if (state_ != State::reading || !in_.empty() || checked_) return std::nullopt;
  return deadline_;  // as far ahead for all of them
}

void Connection::tick(Clock::time_point now) {
  if (deadline_ && now >= *deadline_) {
    if (state_ != State::reading || idle_since()) return close();
    keep_ = false;
    head_ = false;
    state_ = State::handling;
    respond(text_response(408, "this request did not come in whole in time"));
  } else if (state_ == State::streaming && !writing_ &&
             now - last_sent_ >= server_.options.heartbeat) {
    out_head_ = ": \n\n";
    writing_ = true;
    write();
  }
}

void Connection::close() {
  if (state_ == State::closed) return;
  const auto self = shared_from_this();
  state_ = State::closed;
  Failed ignored;
  socket_.close(ignored);
  free_body();
  server_.forget(self, peer_);
  if (stream_) std::exchange(stream_, nullptr)->end();
}

void Pending::respond(Response response) {
  if (answered_.exchange(true)) return;
  gate_->post([from = from_, response = std::move(response)]() mutable {
    if (const auto connection = from.lock()) connection->respond(std::move(response));
  });
}

std::shared_ptr<EventStream> Pending::open() {
  if (gate_->streams >= most_streams_) {
    Response refused = text_response(503, "too many watch at once; try again in a moment");
    refused.headers.emplace_back("Retry-After", "5");
    respond(std::move(refused));
    return nullptr;
  }
  if (answered_.exchange(true)) return nullptr;
  const auto wake = [gate = gate_, from = from_] {
    return gate->post([from] {
      if (const auto connection = from.lock()) connection->stream_woke();
    });
  };
  auto stream = std::make_shared<Stream>(wake, largest_backlog_);
  ++gate_->streams;
  stream->on_gone([gate = gate_] { --gate->streams; });
  if (!gate_->post([from = from_, stream] {
        if (const auto connection = from.lock())
          connection->start(stream);
        else
          stream->end();
      }))
    stream->end();
  return stream;
}

/// An address by which other machines may find this one: its first that is not for itself alone;
/// its own where it has none.
net::ip::address address_for_others() {
  net::ip::address found = net::ip::address_v4::loopback();
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return found;
  for (const ifaddrs* at = all; at != nullptr; at = at->ifa_next) {
    if (at->ifa_addr == nullptr || at->ifa_addr->sa_family != AF_INET ||
        (at->ifa_flags & IFF_LOOPBACK) != 0 || (at->ifa_flags & IFF_UP) == 0)
      continue;
    sockaddr_in in{};
    std::memcpy(&in, at->ifa_addr, sizeof in);
    found = net::ip::address_v4(ntohl(in.sin_addr.s_addr));
    break;
  }
  freeifaddrs(all);
  return found;
}

std::string url_of(const net::ip::address& address, std::uint16_t port) {
  const std::string host = address.to_string();
  return fmt::format("http://{}:{}", address.is_v6() ? "[" + host + "]" : host, port);
}

/// With as many connections as the system has files for, a part of them left for all else.
ServerOptions allowed(ServerOptions options) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return options;
  const rlim_t wanted = options.most_connections * 4 / 3 + 64;
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    (void)setrlimit(RLIMIT_NOFILE, &limit);
  }
  options.most_connections =
      std::min(options.most_connections, static_cast<std::size_t>(limit.rlim_cur / 4 * 3));
  return options;
}

void Loop::listen() {
  Failed failed;
  const net::ip::address address = net::ip::make_address(options.address, failed);
  if (failed)
    throw Error(ErrorKind::usage,
                "'" + text::printable(options.address) + "' is no address of a machine",
                "--address",
                "write it in numbers: 127.0.0.1 for this machine alone, 0.0.0.0 for "
                "all its networks");
  const tcp::endpoint wanted(address, options.port);
  acceptor.open(wanted.protocol(), failed);
  if (!failed) acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) acceptor.bind(wanted, failed);
  if (!failed) acceptor.listen(net::socket_base::max_listen_connections, failed);
  if (!failed) at = acceptor.local_endpoint(failed);
  if (!failed) return;
  const std::string port = std::to_string(options.port);
  if (failed == net::error::address_in_use)
    throw Error(ErrorKind::failure, "port " + port + " of " + options.address + " is taken",
                "--port", "name another one, or 0 for any that is free");
  if (failed == net::error::access_denied)
    throw Error(ErrorKind::failure, "port " + port + " is not allowed to you", "--port",
                "name one above 1023, and put a reverse proxy before it");
  if (failed == boost::system::errc::address_not_available)
    throw Error(ErrorKind::failure, "this machine has no address " + options.address, "--address",
                "'ip address' lists those that it has");
  throw Error(ErrorKind::failure,
              "cannot listen at " + options.address + ", port " + port + ": " + failed.message(),
              "--address");
}

void Loop::accept() {
  acceptor.async_accept([this](const Failed& failed, tcp::socket socket) {
    if (stopping) return;
    if (failed) {
      // No more files, say: others go on, and it is tried again with the next tick.
      waits_to_accept = true;
      return;
    }
    Failed gone;
    const tcp::endpoint from = socket.remote_endpoint(gone);
    if (!gone) {
      const std::string peer = in_words(from.address());
      if (const auto found = of_peer.find(peer);
          found != of_peer.end() && found->second >= options.most_of_one_peer)
        close_idle(&peer);
      else if (connections.size() >= options.most_connections)
        close_idle(nullptr);
      std::size_t& of_this = of_peer[peer];
      if (connections.size() < options.most_connections && of_this < options.most_of_one_peer) {
        ++of_this;
        const auto connection = std::make_shared<Connection>(*this, std::move(socket), peer);
        connections.insert(connection);
        connection->begin();
      } else {
        if (of_this == 0) of_peer.erase(peer);
        constexpr std::string_view kFull =
            "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 5\r\n"
            "Content-Length: 0\r\n\r\n";
        socket.non_blocking(true, gone);
        socket.write_some(net::buffer(kFull), gone);
      }
    }
    accept();
  });
}

void Loop::close_idle(const std::string* peer) {
  std::shared_ptr<Connection> longest;
  for (const auto& connection : connections)
    if (const auto since = connection->idle_since();
        since && (peer == nullptr || connection->peer() == *peer) &&
        (!longest || *since < *longest->idle_since()))
      longest = connection;
  if (longest) longest->close();
}

void Loop::tick() {
  ticks.expires_after(std::chrono::seconds(1));
  ticks.async_wait([this](const Failed& failed) {
    if (failed || stopping) return;
    const auto now = Clock::now();
    const std::vector<std::shared_ptr<Connection>> all(connections.begin(), connections.end());
    for (const auto& connection : all) connection->tick(now);
    if (std::exchange(waits_to_accept, false)) accept();
    tick();
  });
}

void Loop::forget(const std::shared_ptr<Connection>& connection, const std::string& peer) {
  connections.erase(connection);
  if (const auto found = of_peer.find(peer); found != of_peer.end() && --found->second == 0)
    of_peer.erase(found);
}

void Loop::run() {
  while (true) try {
      context.run();
      return;
    } catch (const std::exception& error) {
      text::say("agon: something broke that should not: {}\n", text::printable(error.what()));
    }
}

}  // namespace

struct Server::Inside : Loop {
  using Loop::Loop;
};

Server::Server(ServerOptions options, Handler handler)
    : inside_(std::make_unique<Inside>(allowed(std::move(options)), std::move(handler))) {
  inside_->listen();
  inside_->accept();
  inside_->tick();
  inside_->thread = std::thread([inside = inside_.get()] { inside->run(); });
}

Server::~Server() {
  Inside& inside = *inside_;
  inside.gate->post([&inside] {
    inside.stopping = true;
    Failed ignored;
    inside.acceptor.close(ignored);
    inside.ticks.cancel();
    const std::vector<std::shared_ptr<Connection>> all(inside.connections.begin(),
                                                       inside.connections.end());
    for (const auto& connection : all) connection->close();
  });
  inside.thread.join();
  inside.gate->shut();
  // What was asked of the thread in its last moments: streams that did not begin end here.
  inside.context.restart();
  inside.context.poll();
}

std::uint16_t Server::port() const {
  return inside_->at.port();
}

std::string Server::url() const {
  net::ip::address address = inside_->at.address();
  if (address.is_unspecified())
    address = address.is_v6() ? net::ip::address(net::ip::address_v6::loopback())
                              : net::ip::address(net::ip::address_v4::loopback());
  return url_of(address, port());
}

std::string Server::public_url() const {
  if (std::string named = inside_->hosts.url(); !named.empty()) return named;
  return inside_->at.address().is_unspecified() ? url_of(address_for_others(), port()) : url();
}

}  // namespace agon::serve
