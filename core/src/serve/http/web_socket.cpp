#include "http/web_socket.hpp"

#include <boost/beast/core/buffers_to_string.hpp>
#include <utility>

#include "text/say.hpp"
#include "text/utf8.hpp"

namespace agon::serve {

namespace websocket = boost::beast::websocket;

SocketConnection::SocketConnection(tcp::socket socket, http::request_header<> asked,
                                   const ServerOptions& options, WebSocketEvents events,
                                   std::function<void()> over)
    : stream_(std::move(socket)),
      asked_(std::move(asked)),
      largest_backlog_(options.largest_backlog),
      events_(std::move(events)),
      over_(std::move(over)) {
  // A client that is there answers pings by itself, however long it says nothing.
  stream_.set_option(websocket::stream_base::timeout{options.request, options.idle, true});
  stream_.read_message_max(options.largest_body);
  stream_.auto_fragment(false);  // a message is a frame, for clients that know no better
}

void SocketConnection::accept() {
  stream_.async_accept(asked_, [self = shared_from_this()](const Failed& failed) {
    if (failed) return self->end();
    self->is_open_ = true;
    self->read();
    self->write();
  });
}

void SocketConnection::read() {
  stream_.async_read(in_, [self = shared_from_this()](const Failed& failed, std::size_t) {
    if (failed || self->has_ended_) return self->end();
    std::string text = boost::beast::buffers_to_string(self->in_.data());
    self->in_.clear();
    try {
      self->events_.message(std::move(text));
    } catch (const std::exception& error) {
      text::say("agon: a message failed: {}\n", text::printable(error.what()));
      return self->end();
    }
    self->read();
  });
}

void SocketConnection::send(std::string text) {
  if (has_ended_ || closes_) return;
  backlog_ += text.size();
  out_.push_back(std::move(text));
  if (out_.size() > 1 && backlog_ > largest_backlog_) return end();
  write();
}

void SocketConnection::close() {
  if (has_ended_ || std::exchange(closes_, true)) return;
  write();
}

void SocketConnection::write() {
  if (!is_open_ || is_writing_ || has_ended_) return;
  if (!out_.empty()) {
    is_writing_ = true;
    stream_.text(true);
    return stream_.async_write(net::buffer(out_.front()),
                               [self = shared_from_this()](const Failed& failed, std::size_t) {
                                 self->is_writing_ = false;
                                 if (failed || self->has_ended_) return self->end();
                                 self->backlog_ -= self->out_.front().size();
                                 self->out_.pop_front();
                                 self->write();
                               });
  }
  if (!closes_) return;
  is_writing_ = true;
  stream_.async_close(websocket::close_code::normal,
                      [self = shared_from_this()](const Failed&) { self->end(); });
}

void SocketConnection::end() {
  if (std::exchange(has_ended_, true)) return;
  const auto self = shared_from_this();
  Failed ignored;
  stream_.next_layer().close(ignored);
  // They may hold what holds this.
  const WebSocketEvents events = std::exchange(events_, {});
  events.gone();
  std::exchange(over_, {})();
}

void SocketEnd::send(std::string text) {
  gate_->post([self = shared_from_this(), text = std::move(text)]() mutable {
    if (const auto connection = self->connection_.lock()) connection->send(std::move(text));
  });
}

void SocketEnd::close() {
  gate_->post([self = shared_from_this()] {
    if (const auto connection = self->connection_.lock()) connection->close();
  });
}

}  // namespace agon::serve
