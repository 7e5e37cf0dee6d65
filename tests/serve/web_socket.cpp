#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "catch.hpp"
#include "http/exchange.hpp"
#include "http/server.hpp"
#include "support/web_client.hpp"

using namespace agon;
using namespace agon::serve;

namespace {

constexpr const char* kUpgrade =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// Says what it is told, and counts who is gone.
struct Echo {
  void operator()(const Exchange& exchange) {
    if (!exchange.request.upgrades) return exchange.respond({.body = exchange.request.method});
    auto held = std::make_shared<std::shared_ptr<WebSocket>>();
    *held = exchange.web_socket({.message =
                                     [held](std::string text) {
                                       if (text == "bye") return (*held)->close();
                                       (*held)->send("> " + text);
                                     },
                                 .gone =
                                     [this, held] {
                                       held->reset();
                                       const std::lock_guard lock(mutex);
                                       ++gone;
                                       changed.notify_all();
                                     }});
  }
  /// False if nobody more is gone within a minute.
  bool wait_for(int count) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::minutes(1), [&] { return gone >= count; });
  }
  std::mutex mutex;
  std::condition_variable changed;
  int gone = 0;
};

/// A frame of a client: masked with zeros.
std::string frame(char opcode, const std::string& text) {
  std::string out{static_cast<char>(0x80 | opcode)};
  if (text.size() < 126) {
    out += static_cast<char>(0x80 | static_cast<int>(text.size()));
  } else {
    out += static_cast<char>(0x80 | 126);
    out += static_cast<char>(text.size() >> 8U);
    out += static_cast<char>(text.size() & 0xFFU);
  }
  return out + std::string(4, '\0') + text;
}

struct Served {
  explicit Served(ServerOptions options = {.for_programs = true})
      : server(std::move(options), [this](const Exchange& exchange) { echo(exchange); }) {}
  Echo echo;
  Server server;
};

}  // namespace

TEST_CASE("A WebSocket carries texts both ways until either end closes it", "[serve]") {
  Served served;
  WebClient client(served.server.port());
  REQUIRE(client.send(client.get("/ws", kUpgrade)));
  const auto opened = client.read_head();
  CHECK(opened.status == 101);
  CHECK(opened.header("sec-websocket-accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  REQUIRE(client.send(frame(1, "one") + frame(1, "two")));
  CHECK(client.read_until("> two") == std::string("\x81\x05> one\x81\x05> two"));
  const std::string large(5000, 'x');
  REQUIRE(client.send(frame(1, large)));
  CHECK(client.read_until("> " + large).has_value());
  REQUIRE(client.send(frame(9, "p")));
  CHECK(client.read_until("p") == std::string("\x8A\x01p"));
  REQUIRE(client.send(frame(1, "bye")));
  CHECK(client.read_until("\x03\xE8") == std::string("\x88\x02\x03\xE8"));
  REQUIRE(client.send(frame(8, "\x03\xE8")));
  CHECK(client.read_all().empty());
  CHECK(served.echo.wait_for(1));
}

TEST_CASE("A WebSocket of a client that breaks its rules or goes is closed", "[serve]") {
  Served served;
  const auto opened = [&](WebClient& client) {
    REQUIRE(client.send(client.get("/ws", kUpgrade)));
    REQUIRE(client.read_head().status == 101);
  };
  {
    WebClient gone(served.server.port());
    opened(gone);
    gone.reset();
    CHECK(served.echo.wait_for(1));
  }
  WebClient unmasked(served.server.port());
  opened(unmasked);
  REQUIRE(unmasked.send("\x81\x01x"));
  unmasked.finish();
  (void)unmasked.read_all();
  CHECK(served.echo.wait_for(2));
  Served small({.largest_body = 100, .for_programs = true});
  WebClient large(small.server.port());
  opened(large);
  WebClient too_large(small.server.port());
  opened(too_large);
  REQUIRE(too_large.send(frame(1, std::string(101, 'x'))));
  too_large.finish();
  (void)too_large.read_all();
  CHECK(small.echo.wait_for(1));
  REQUIRE(large.send(frame(1, std::string(100, 'x'))));
  CHECK(large.read_until("> xx").has_value());
}

TEST_CASE("Programs need not say where they are and pages of others are refused", "[serve]") {
  Served served;
  WebClient client(served.server.port());
  const std::string head =
      "POST /p HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(served.server.port()) +
      "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n";
  CHECK(client.ask(head + "\r\n{}").body == "POST");
  CHECK(client.ask(head + "Origin: http://evil.example\r\n\r\n{}").status == 403);
  WebClient other(served.server.port());
  CHECK(other.ask(other.get("/ws", std::string("Origin: http://evil.example\r\n") + kUpgrade))
            .status == 403);
  // Where pages are served nothing changes.
  Served pages(agon::serve::ServerOptions{});
  WebClient browser(pages.server.port());
  const std::string no_origin =
      "POST /p HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(pages.server.port()) +
      "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
  CHECK(browser.ask(no_origin).status == 403);
}
