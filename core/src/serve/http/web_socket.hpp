#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "http/connection.hpp"
#include "http/exchange.hpp"
#include "http/server.hpp"

namespace agon::serve {

/// A connection that has become a WebSocket. All of it belongs to the server's thread.
class SocketConnection : public std::enable_shared_from_this<SocketConnection> {
 public:
  /// `over`: called once it is closed.
  SocketConnection(tcp::socket socket, http::request_header<> asked, const ServerOptions& options,
                   WebSocketEvents events, std::function<void()> over);

  /// Answers the request, and reads from then on.
  void accept();
  void send(std::string text);
  /// Says farewell after what was sent.
  void close();
  /// Ends the connection as it is.
  void end();

 private:
  void read();
  void write();

  boost::beast::websocket::stream<tcp::socket, false> stream_;
  const http::request<http::string_body> asked_;
  const std::size_t largest_backlog_;
  WebSocketEvents events_;
  std::function<void()> over_;
  boost::beast::flat_buffer in_;
  std::deque<std::string> out_;
  std::size_t backlog_ = 0;  ///< bytes of `out_`
  bool is_open_ = false;
  bool is_writing_ = false;
  bool closes_ = false;
  bool has_ended_ = false;
};

/// The end that other threads hold.
class SocketEnd final : public WebSocket, public std::enable_shared_from_this<SocketEnd> {
 public:
  explicit SocketEnd(std::shared_ptr<Gate> gate) : gate_(std::move(gate)) {}
  void send(std::string text) override;
  void close() override;
  /// On the server's thread.
  void lead_to(const std::shared_ptr<SocketConnection>& connection) { connection_ = connection; }

 private:
  const std::shared_ptr<Gate> gate_;
  std::weak_ptr<SocketConnection> connection_;  ///< for the server's thread
};

}  // namespace agon::serve
