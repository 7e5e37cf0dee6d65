#include "http/connection.hpp"

#include <fmt/format.h>
#include <netinet/tcp.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <functional>
#include <iterator>

#include "http/web_socket.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"

namespace agon::serve {
namespace {

constexpr std::uint32_t kLargestHeader = 16U << 10U;  // bytes
constexpr std::size_t kMostUnparsed = 64U << 10U;     // bytes of a line between chunks of a body
constexpr std::size_t kLargestLeftover = 4U << 20U;   // bytes of a refused request that are read
constexpr std::chrono::seconds kLeftover{2};          // and for how long

/// A request that waits for its answer. All ways to answer share it; when neither was taken, the
/// browser is told so.
class PendingRequest {
 public:
  PendingRequest(std::shared_ptr<Gate> gate, std::weak_ptr<BrowserConnection> from,
                 const ServerOptions& options)
      : gate_(std::move(gate)),
        from_(std::move(from)),
        most_streams_(options.most_connections * 3 / 4),
        largest_backlog_(options.largest_backlog) {}
  ~PendingRequest() { respond(text_response(500, "this request was not answered")); }
  PendingRequest(const PendingRequest&) = delete;
  PendingRequest& operator=(const PendingRequest&) = delete;

  void respond(Response response);
  std::shared_ptr<EventStream> open();
  std::shared_ptr<WebSocket> upgrade(WebSocketEvents events);

 private:
  const std::shared_ptr<Gate> gate_;
  const std::weak_ptr<BrowserConnection> from_;
  const std::size_t most_streams_;
  const std::size_t largest_backlog_;
  std::atomic<bool> answered_{false};
};

void PendingRequest::respond(Response response) {
  if (answered_.exchange(true)) return;
  gate_->post([from = from_, response = std::move(response)]() mutable {
    if (const auto connection = from.lock()) connection->respond(std::move(response));
  });
}

std::shared_ptr<EventStream> PendingRequest::open() {
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

std::shared_ptr<WebSocket> PendingRequest::upgrade(WebSocketEvents events) {
  if (answered_.exchange(true)) return nullptr;
  auto end = std::make_shared<SocketEnd>(gate_);
  const auto gone = events.gone;
  const bool is_there = gate_->post([from = from_, end, events = std::move(events)]() mutable {
    if (const auto connection = from.lock())
      connection->upgrade(*end, std::move(events));
    else
      events.gone();
  });
  if (!is_there) gone();
  return end;
}

}  // namespace

std::string address_text(const net::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return net::ip::make_address_v4(net::ip::v4_mapped, address.to_v6()).to_string();
  return address.to_string();
}

void BrowserConnection::begin() {
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
  local_ = address_text(local.address());
  port_ = local.port();
  next_request();
}

void BrowserConnection::next_request() {
  if (in_.empty()) std::string().swap(in_);
  parser_.emplace();
  parser_->header_limit(kLargestHeader);
  parser_->body_limit(server_.options.largest_body);
  checked_ = false;
  asked_ = {};
  activity_ = Activity::reading;
  const auto now = Clock::now();
  deadline_ = now + (in_.empty() ? server_.options.idle : server_.options.request);
  if (in_.empty())
    wait_to_read();
  else
    parse();
}

void BrowserConnection::free_body() {
  server_.bodies -= body_;
  body_ = 0;
}

void BrowserConnection::wait_to_read() {
  socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](const Failed& failed) {
    if (self->activity_ == Activity::closed) return;
    if (failed) return self->close();
    self->readable();
  });
}

void BrowserConnection::readable() {
  Failed failed;
  const std::size_t n = socket_.read_some(net::buffer(server_.scratch), failed);
  if (failed == net::error::would_block || failed == net::error::try_again) return wait_to_read();
  if (failed) return close();
  switch (activity_) {
    case Activity::reading:
      if (in_.empty() && !checked_) deadline_ = Clock::now() + server_.options.request;
      in_.append(server_.scratch.data(), n);
      return parse();
    case Activity::leaving:
      left_over_ += n;
      return left_over_ > kLargestLeftover ? close() : wait_to_read();
    default:
      // Nothing is to be said by a browser that gets a stream.
      return close();
  }
}

void BrowserConnection::parse() {
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
        activity_ = Activity::handling;
        return respond(std::move(*refused));
      }
      parser_->eager(true);
    }
    if (parser_->is_done()) return handle();
  }
}

void BrowserConnection::refuse_unread(const Failed& failed) {
  keep_ = false;
  head_ = false;
  activity_ = Activity::handling;
  if (failed == http::error::header_limit || failed == http::error::buffer_overflow)
    return respond(text_response(431, "the header is too long"));
  if (failed == http::error::body_limit)
    return respond(text_response(413, "this is too much at once"));
  respond(text_response(400, "this is no HTTP that is understood here"));
}

/// Looks at the header; what is wrong with it, if anything is.
std::optional<Response> BrowserConnection::check() {
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
  asked_.upgrades = !post && !head_ && boost::beast::websocket::is_upgrade(asked);
  if (asked_.upgrades) return check_origin();
  return post ? check_post() : std::nullopt;
}

/// A browser says where a page comes from that sends something, and pages cannot change that.
std::optional<Response> BrowserConnection::check_origin() const {
  const std::string_view origin = header(http::field::origin);
  const auto fetch_site = parser_->get()["Sec-Fetch-Site"];
  const std::string_view site(fetch_site.data(), fetch_site.size());
  const bool other_site = !site.empty() && site != "same-origin" && site != "none";
  const std::size_t scheme = origin.find("://");
  const bool named = scheme != std::string_view::npos;
  const bool is_told = !site.empty() || (server_.options.for_programs && origin.empty());
  const bool ours = named ? server_.hosts.has(origin.substr(scheme + 3), local_, port_)
                          : (origin.empty() || origin == "null") && is_told;
  if (other_site || !ours)
    return text_response(
        403, fmt::format("this comes from {}, which is not this server; if it is known by that "
                         "name, start it with --public-host and the name",
                         origin.empty() ? "a page without an Origin"
                                        : "'" + text::printable(origin) + "'"));
  return std::nullopt;
}

std::optional<Response> BrowserConnection::check_post() {
  if (std::optional<Response> refused = check_origin()) return refused;
  std::string_view type = header(http::field::content_type);
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  if (!boost::beast::iequals(type, "application/json"))
    return text_response(415, "what is sent here is application/json");
  const auto now = Clock::now();
  const std::size_t browser = std::hash<std::string_view>()(header(http::field::cookie));
  if (!server_.options.for_programs &&
      (!server_.posts_of_peer.take(peer_, now) ||
       !server_.posts.take(fmt::format("{} {}", peer_, browser), now))) {
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

void BrowserConnection::handle() {
  activity_ = Activity::handling;
  deadline_.reset();
  asked_.body = std::move(parser_->get().body());
  free_body();
  const auto pending =
      std::make_shared<PendingRequest>(server_.gate, weak_from_this(), server_.options);
  Response failure;
  try {
    server_.handler(Exchange(
        std::exchange(asked_, {}),
        [pending](Response response) { pending->respond(std::move(response)); },
        [pending] { return pending->open(); },
        [pending](WebSocketEvents events) { return pending->upgrade(std::move(events)); }));
    return;
  } catch (const Error& error) {
    failure = error_response(error);
  } catch (const std::exception& error) {
    text::say("agon: a request failed: {}\n", text::printable(error.what()));
    failure = text_response(500, "something broke that should not");
  }
  pending->respond(std::move(failure));
}

void BrowserConnection::respond(Response response) {
  if (activity_ != Activity::handling) return;
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
  activity_ = Activity::writing;
  write();
}

void BrowserConnection::start(std::shared_ptr<Stream> stream) {
  if (activity_ != Activity::handling) return stream->end();
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
  activity_ = Activity::streaming;
  wait_to_read();
  writing_ = true;
  write();
}

void BrowserConnection::upgrade(SocketEnd& end, WebSocketEvents events) {
  if (activity_ != Activity::handling) return events.gone();
  activity_ = Activity::upgraded;
  upgraded_ =
      std::make_shared<SocketConnection>(std::move(socket_), parser_->get().base(), server_.options,
                                         std::move(events), [from = weak_from_this()] {
                                           if (const auto self = from.lock()) self->close();
                                         });
  end.lead_to(upgraded_);
  parser_.reset();
  upgraded_->accept();
}

void BrowserConnection::stream_woke() {
  if (activity_ != Activity::streaming) return;
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

void BrowserConnection::write() {
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
                                  if (self->activity_ == Activity::closed) return;
                                  if (broken) return self->close();
                                  self->write();
                                });
    }
    if (failed) return close();
    sent_ += n;
  }
  written();
}

void BrowserConnection::written() {
  sent_ = 0;
  out_head_.clear();
  std::string().swap(out_body_);
  if (activity_ == Activity::writing && !keep_) return leave();
  // Not from here: what comes in faster than it is answered would be a call within a call without
  // end.
  net::post(server_.context, [self = shared_from_this()] {
    if (self->activity_ == Activity::writing) return self->next_request();
    if (self->activity_ != Activity::streaming) return;
    self->writing_ = false;
    self->last_sent_ = Clock::now();
    self->stream_woke();
  });
}

/// Says that nothing more comes, and reads for a while what is still sent: a connection that is
/// closed with something unread may lose the answer on its way.
void BrowserConnection::leave() {
  if (stream_) std::exchange(stream_, nullptr)->end();
  const bool waits = activity_ == Activity::streaming;
  activity_ = Activity::leaving;
  deadline_ = Clock::now() + kLeftover;
  Failed failed;
  socket_.shutdown(tcp::socket::shutdown_send, failed);
  if (failed) return close();
  if (!waits) wait_to_read();
}

std::optional<Clock::time_point> BrowserConnection::idle_since() const {
  if (activity_ != Activity::reading || !in_.empty() || checked_) return std::nullopt;
  return deadline_;  // as far ahead for all of them
}

void BrowserConnection::tick(Clock::time_point now) {
  if (deadline_ && now >= *deadline_) {
    if (activity_ != Activity::reading || idle_since()) return close();
    keep_ = false;
    head_ = false;
    activity_ = Activity::handling;
    respond(text_response(408, "this request did not come in whole in time"));
  } else if (activity_ == Activity::streaming && !writing_ &&
             now - last_sent_ >= server_.options.heartbeat) {
    out_head_ = ": \n\n";
    writing_ = true;
    write();
  }
}

void BrowserConnection::close() {
  if (activity_ == Activity::closed) return;
  const auto self = shared_from_this();
  activity_ = Activity::closed;
  Failed ignored;
  socket_.close(ignored);
  free_body();
  server_.forget(self, peer_);
  if (upgraded_) std::exchange(upgraded_, nullptr)->end();
  if (stream_) std::exchange(stream_, nullptr)->end();
}

}  // namespace agon::serve
