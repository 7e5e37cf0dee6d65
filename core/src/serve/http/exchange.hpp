#pragma once

#include <agon/error.hpp>
#include <agon/export.hpp>
#include <boost/json/object.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agon::serve {

/// What a browser asks for. Bounds on its parts are checked by the server: handlers need not check
/// lengths again.
struct Request {
  std::string method;  ///< GET or POST
  std::string path;    ///< begins with /, decoded, without the query
  std::map<std::string, std::string> query{};
  std::map<std::string, std::string> cookies{};
  std::string body{};           ///< of a POST, always of type application/json
  std::string last_event_id{};  ///< of a stream that is opened again; empty: of a new one
  std::string peer{};           ///< the address that it came from
  std::string if_none_match{};  ///< what the browser has of it already: an ETag; empty: nothing
  std::uint16_t port = 0;       ///< the port of ours at which it came in
  bool secure = false;          ///< asked of a name of ours that is declared to be behind https
  bool upgrades = false;        ///< a GET that asks for a WebSocket
};

/// What a browser gets.
struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};  ///< beside those of every response
};

/// Server-sent events to one browser. Its functions may be called from any thread, also after the
/// browser is gone: then they do nothing.
class EventStream {
 public:
  EventStream() = default;
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;
  virtual ~EventStream() = default;

  /// Sends an event. A browser that reads too slowly is cut off; it comes back by itself.
  virtual void send(std::string_view event, std::string_view data, std::string_view id = {}) = 0;
  /// Ends the stream after what was sent.
  virtual void close() = 0;
  [[nodiscard]] virtual bool is_open() const = 0;
  /// Called once when the browser is gone or the stream was closed, at once if it is already.
  virtual void on_gone(std::function<void()> gone) = 0;
};

/// A WebSocket (RFC 6455): whole texts both ways. Its functions may be called from any thread, also
/// after the client is gone: then they do nothing.
class WebSocket {
 public:
  WebSocket() = default;
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;
  virtual ~WebSocket() = default;

  /// Sends a text. A client that reads too slowly is cut off.
  virtual void send(std::string text) = 0;
  /// Closes it after what was sent, with the code 1000.
  virtual void close() = 0;
};

/// What comes from a WebSocket; called on the server's thread.
struct WebSocketEvents {
  std::function<void(std::string text)> message{};
  std::function<void()> gone{};  ///< once, also where it never opened
};

/// One request and the one way in which it is answered.
class Exchange {
 public:
  using Respond = std::function<void(Response)>;
  using Open = std::function<std::shared_ptr<EventStream>()>;
  using Upgrade = std::function<std::shared_ptr<WebSocket>(WebSocketEvents)>;
  Exchange(Request asked, Respond respond, Open open, Upgrade upgrade = {})
      : request(std::move(asked)),
        respond_(std::move(respond)),
        open_(std::move(open)),
        upgrade_(std::move(upgrade)) {}

  Request request;

  /// Answers it: once, from any thread, whenever there is an answer.
  void respond(Response response) const { respond_(std::move(response)); }
  /// Answers it with a stream of events instead. Null if the server has too many of them, and the
  /// request is answered so.
  [[nodiscard]] std::shared_ptr<EventStream> stream() const { return open_(); }
  /// Answers a request that upgrades with a WebSocket. Null if it was answered already.
  [[nodiscard]] std::shared_ptr<WebSocket> web_socket(WebSocketEvents events) const {
    return upgrade_(std::move(events));
  }

 private:
  Respond respond_;
  Open open_;
  Upgrade upgrade_;
};

/// The JSON object that a POST carries. A member that is not there, or is something else than what
/// is asked for, reads as empty.
class AGON_API JsonBody {
 public:
  /// Throws Error (usage) for a body that is another JSON value, and (invalid) for no JSON.
  explicit JsonBody(const Request& request);

  /// The member; null: there is none.
  [[nodiscard]] const boost::json::value* find(std::string_view name) const;
  [[nodiscard]] std::string text(std::string_view name) const;
  /// Without the fraction of a number that has one and is not negative.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;

 private:
  boost::json::object members_;
};

/// Handles a request; called on the server's thread, so it returns soon. What it throws becomes an
/// answer: an agon::Error one of its kind (400, 404, ...) with what it says, all else a 500.
using Handler = std::function<void(Exchange)>;

/// A sentence in plain text.
AGON_API Response text_response(int status, std::string_view sentence);

AGON_API Response json_response(int status, boost::json::object body);

/// The answer to what failed, as `--json` tells it: {"error": {"problem", "where", "hint"}}, with a
/// status by its kind.
AGON_API Response error_response(const Error& error);

/// How far a cookie goes.
struct CookieReach {
  std::string path = "/";         ///< below which it is sent
  bool behind_links = false;      ///< also where a link on another site was followed
  std::chrono::seconds lasts{0};  ///< 0: until the browser is closed
};

/// A cookie that scripts cannot read and requests made by other sites do not carry. A header of a
/// Response.
AGON_API std::pair<std::string, std::string> set_cookie(const Request& asked, std::string_view name,
                                                        std::string_view value,
                                                        const CookieReach& reach);

/// Sends a browser on within what it was sent for: cookies that go behind links go along.
AGON_API Response redirect(std::string to);

/// Sends a browser on to another page of ours, by a page and not by a redirection: behind a link
/// that was followed from another site a redirection would leave out cookies that were just set.
AGON_API Response go_on(std::string_view path);

/// The lines before the body, with what keeps a browser from running or loading what is not from
/// here, but without those on the length and the connection. Nothing if the status or a header is
/// none that may be sent.
[[nodiscard]] std::optional<std::string> head_of(const Response& response);

/// Which handler a path has. Made before the server starts, and then only read.
class AGON_API Router {
 public:
  /// Paths are exact, or end with / and * for all that begins so; the longest that fits wins.
  void get(std::string path, Handler handler);
  void post(std::string path, Handler handler);

  /// Calls the handler, or answers 404, or 405 where the path is known by another method.
  void handle(Exchange exchange) const;

 private:
  struct Route {
    std::string method;
    std::string path;
    bool all = false;
    Handler handler;
  };
  void add(std::string method, std::string path, Handler handler);
  std::vector<Route> routes_;
};

}  // namespace agon::serve
