#include "http/server.hpp"

#include <agon/error.hpp>
#include <array>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <random>
#include <thread>

#include "catch.hpp"
#include "http/exchange.hpp"
#include "support/web_client.hpp"

using namespace agon;
using namespace agon::serve;

namespace {

/// Says what it was asked.
void echo(const Exchange& exchange) {
  const Request& asked = exchange.request;
  std::string said = asked.method + " " + asked.path + "\n";
  for (const auto& [name, value] : asked.query) said += "?" + name + "=" + value + "\n";
  for (const auto& [name, value] : asked.cookies) said += "cookie " + name + "=" + value + "\n";
  exchange.respond({.content_type = "text/plain", .body = said + asked.body});
}

/// The first address of this machine that other machines know, as the system's tool tells it; empty
/// if it has none, or there is no such tool.
std::string other_address() {
  std::string found;
  if (FILE* said = popen("ip -4 -o address show up scope global 2>/dev/null", "r")) {
    std::array<char, 256> line{};
    if (std::fgets(line.data(), line.size(), said) != nullptr) {
      const std::string first = line.data();
      const std::size_t at = first.find("inet ") + 5;
      found = first.substr(at, first.find('/', at) - at);
    }
    pclose(said);
  }
  return found;
}

/// Holds what happens on other threads until a test asks for it.
class Noted {
 public:
  void note() {
    const std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  /// False if it is not noted so often within a minute.
  bool wait_for(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(1), [&] { return count_ >= count; });
  }
  int count() {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

}  // namespace

TEST_CASE("A request reaches the handler decoded", "[serve]") {
  const Server server({}, echo);
  WebClient browser(server.port());
  const auto answer =
      browser.ask(browser.get("/a%20b?x=%3C1%3E", "Cookie: a=1; b=2\r\nCookie: c=3\r\nDNT: 1\r\n"));
  CHECK(answer.status == 200);
  CHECK(answer.body == "GET /a b\n?x=<1>\ncookie a=1\ncookie b=2\ncookie c=3\n");
  CHECK(browser.ask(browser.post("/p", "{\"a\":1}")).body == "POST /p\n{\"a\":1}");
  CHECK(browser.ask(browser.post("/p", "")).body == "POST /p\n");
}

TEST_CASE("With every answer go headers that keep a browser at home", "[serve]") {
  const Server server({}, [](const Exchange& exchange) {
    Response response{.content_type = "text/html; charset=utf-8", .body = "x"};
    if (exchange.request.path == "/own")
      response.headers = {{"content-security-policy", "default-src 'none'"}};
    exchange.respond(std::move(response));
  });
  WebClient browser(server.port());
  for (const std::string target : {"/", "/%zz"}) {
    const auto answer = browser.ask(browser.get(target));
    CHECK(answer.header("content-security-policy") ==
          "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'");
    CHECK(answer.header("x-content-type-options") == "nosniff");
    CHECK(answer.header("referrer-policy") == "no-referrer");
    CHECK(answer.header("cross-origin-opener-policy") == "same-origin");
    CHECK(answer.header("cross-origin-resource-policy") == "same-origin");
    CHECK(answer.header("cache-control") == "no-store");
    CHECK(answer.header("access-control-allow-origin").empty());
  }
  CHECK(browser.ask(browser.get("/own")).header("content-security-policy") == "default-src 'none'");
}

TEST_CASE("A HEAD is answered as a GET without its body", "[serve]") {
  const Server server({}, echo);
  WebClient browser(server.port());
  browser.send("HEAD /x HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n\r\n");
  const auto answer = browser.read(true);
  CHECK(answer.status == 200);
  CHECK(answer.header("content-length") == "7");
  CHECK(browser.ask(browser.get("/y")).body == "GET /y\n");
}

TEST_CASE("What a handler throws becomes an answer", "[serve]") {
  const Server server({}, [](const Exchange& exchange) {
    const std::string& path = exchange.request.path;
    if (path == "/missing")
      throw Error(ErrorKind::not_found, "there is no match 7", "$.match", "see the list");
    if (path == "/wrong") throw Error(ErrorKind::invalid, "no");
    if (path == "/broken") throw std::runtime_error("secret");
    if (path == "/split") {
      exchange.respond({.headers = {{"Location", "/x\r\nSet-Cookie: a=b"}}});
    } else if (path == "/twice") {
      exchange.respond({.body = "1"});
      exchange.respond({.body = "2"});
    } else if (path == "/status") {
      exchange.respond({.status = 7});
    }
  });
  WebClient browser(server.port());
  const auto missing = browser.ask(browser.get("/missing"));
  CHECK(missing.status == 404);
  CHECK(missing.body ==
        R"({"error":{"problem":"there is no match 7","where":"$.match","hint":"see the list"}})");
  CHECK(browser.ask(browser.get("/wrong")).status == 400);
  const auto broken = browser.ask(browser.get("/broken"));
  CHECK(broken.status == 500);
  CHECK(broken.body.find("secret") == std::string::npos);
  CHECK(browser.ask(browser.get("/dropped")).status == 500);
  const auto split = browser.ask(browser.get("/split"));
  CHECK(split.status == 500);
  CHECK(split.header("set-cookie").empty());
  CHECK(browser.ask(browser.get("/status")).status == 500);
  CHECK(browser.ask(browser.get("/twice")).body == "1");
  CHECK(browser.ask(browser.get("/missing")).status == 404);
}

TEST_CASE("Only a host of its own is answered", "[serve]") {
  const Server server({.hosts = {"https://lab.example.org"}}, echo);
  WebClient browser(server.port());
  const auto asked_of = [&](const std::string& hosts) {
    return browser.ask("GET / HTTP/1.1\r\n" + hosts + "\r\n");
  };
  const std::string port = std::to_string(server.port());
  CHECK(asked_of("Host: localhost:" + port + "\r\n").status == 200);
  CHECK(asked_of("Host: lab.example.org\r\n").status == 200);
  const auto other = asked_of("Host: evil.example:" + port + "\r\n");
  CHECK(other.status == 421);
  CHECK_THAT(other.body, Catch::Contains("evil.example") && Catch::Contains("--public-host"));
  CHECK(asked_of("").status == 400);
  CHECK(asked_of("Host: localhost:" + port + "\r\nHost: evil.example\r\n").status == 400);
}

TEST_CASE("A POST comes from a page of this server", "[serve]") {
  const Server server({.hosts = {"https://lab.example.org"}}, echo);
  WebClient browser(server.port());
  const std::string own = "127.0.0.1:" + std::to_string(server.port());
  const auto sent = [&](const std::string& headers,
                        const std::string& type = "application/json; charset=utf-8") {
    return browser
        .ask("POST /p HTTP/1.1\r\nHost: " + own + "\r\nContent-Length: 0\r\nContent-Type: " + type +
             "\r\n" + headers + "\r\n")
        .status;
  };
  CHECK(sent("Origin: http://" + own + "\r\n") == 200);
  CHECK(sent("Origin: https://lab.example.org\r\n") == 200);
  CHECK(sent("Origin: http://" + own + "\r\nSec-Fetch-Site: same-origin\r\n") == 200);
  CHECK(sent("Sec-Fetch-Site: same-origin\r\n") == 200);
  CHECK(sent("Origin: null\r\nSec-Fetch-Site: same-origin\r\n") == 200);
  CHECK(sent("") == 403);
  CHECK(sent("Origin: null\r\n") == 403);
  CHECK(sent("Origin: https://evil.example\r\n") == 403);
  CHECK(sent("Origin: http://127.0.0.1:1\r\n") == 403);
  CHECK(sent("Origin: https://evil.example\r\nSec-Fetch-Site: same-origin\r\n") == 403);
  CHECK(sent("Origin: http://" + own + "\r\nSec-Fetch-Site: cross-site\r\n") == 403);
  CHECK(sent("Sec-Fetch-Site: same-site\r\n") == 403);
  const std::string good = "Origin: http://" + own + "\r\n";
  CHECK(sent(good, "application/x-www-form-urlencoded") == 415);
  CHECK(sent(good, "text/plain") == 415);
  CHECK(sent(good, "application/jsonp") == 415);
  CHECK(sent(good, "Application/JSON") == 200);
}

TEST_CASE("Only GET and HEAD and POST are understood", "[serve]") {
  const Server server({}, echo);
  const std::string method = GENERATE("PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "BREW");
  WebClient browser(server.port());
  const std::string request = browser.get("/");
  const auto answer = browser.ask(method + request.substr(3));
  CHECK(answer.status == 405);
  CHECK(answer.header("allow") == "GET, HEAD, POST");
}

TEST_CASE("What is no HTTP is refused and the connection ends", "[serve]") {
  const Server server({.hosts = {"lab"}}, echo);
  const std::string host = "Host: lab\r\n";
  const auto [bytes, status] = GENERATE_COPY(table<std::string, int>({
      {std::string("\0\0\0\0\r\n\r\n", 8), 400},
      {"hello\r\n\r\n", 400},
      {"GET / HTTP/9.9\r\n" + host + "\r\n", 400},
      {"GET /a b HTTP/1.1\r\n" + host + "\r\n", 400},
      {"GET / HTTP/1.1\r\n" + host + "X: a" + std::string(1, '\0') + "b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n" + host + "X Y: a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n" + host + "Content-Length: 5\r\n\r\nhello", 400},
      {"POST / HTTP/1.1\r\n" + host + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
       400},
      {"\x16\x03\x01\x02\x05\x01\r\n\r\n", 400},  // TLS
      {"GET / HTTP/1.1\r\n" + host + "X: " + std::string(1 << 20, 'x') + "\r\n\r\n", 431},
      {"GET /" + std::string(1 << 20, 'x') + " HTTP/1.1\r\n" + host + "\r\n", 431},
      {std::string(1 << 20, 'x'), 431},
  }));
  INFO(bytes.substr(0, 60));
  WebClient browser(server.port());
  browser.send(bytes);
  CHECK(browser.read().status == status);
  CHECK(browser.read_all().empty());
  WebClient next(server.port());
  CHECK(next.ask(next.get("/next")).status == 200);
}

TEST_CASE("Bodies are bounded however their length is said", "[serve]") {
  const Server server({.largest_body = 1000}, echo);
  const auto chunked = [&](WebClient& browser, const std::string& body) {
    const std::string request = browser.post("/", "");
    const std::string length = "Content-Length: 0\r\n";
    std::string head = request;
    head.replace(head.find(length), length.size(), "Transfer-Encoding: chunked\r\n");
    return browser.ask(head + body);
  };
  WebClient fits(server.port());
  CHECK(fits.ask(fits.post("/", std::string(1000, 'x'))).body.size() == 1007);
  CHECK(chunked(fits, "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n").body == "POST /\nabcde");
  WebClient large(server.port());
  CHECK(large.ask(large.post("/", std::string(1001, 'x'))).status == 413);
  CHECK(large.read_all().empty());
  WebClient pieces(server.port());
  CHECK(chunked(pieces, "3e9\r\n" + std::string(1001, 'x') + "\r\n0\r\n\r\n").status == 413);
  WebClient endless(server.port());
  CHECK(chunked(endless, "ffffffffffffffffff\r\n").status == 400);
  // The line before a chunk may say more than its size, and need not end.
  WebClient babbling(server.port());
  CHECK(chunked(babbling, "1;" + std::string(1 << 20, 'x')).status == 400);
  WebClient broken(server.port());
  CHECK(chunked(broken, "zz\r\n").status == 400);
}

TEST_CASE("Whatever comes in is answered or ended and the next is served", "[serve]") {
  const Server server({.largest_body = 2000, .request = std::chrono::seconds(1)}, echo);
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return random() % n; };
  std::string good;
  {
    const WebClient browser(server.port());
    good = browser.get("/a%20b?x=%3C1%3E&y", "Cookie: a=1; b=2\r\nConnection: close\r\n") +
           browser.post("/p", "{\"a\":[1,2,3]}", "Connection: close\r\n");
  }
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = good.substr(i % 2 == 0 ? 0 : good.find("POST"));
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
      const std::size_t at = below(bytes.size());
      switch (below(4)) {
        case 0:
          bytes[at] = static_cast<char>(below(256));
          break;
        case 1:
          bytes.erase(at, 1 + below(8));
          break;
        case 2:
          bytes.insert(at, bytes.substr(below(bytes.size()), below(40)));
          break;
        default:
          bytes.insert(at, 1 + below(300), "\r\n :;%/\0\xff"[below(9)]);
      }
    }
    WebClient browser(server.port());
    browser.send(bytes);
    browser.finish();
    const std::string said = browser.read_all();
    CHECK((said.empty() || said.starts_with("HTTP/1.1 ")));
  }
  WebClient browser(server.port());
  CHECK(browser.ask(browser.get("/next")).status == 200);
}

TEST_CASE("All bodies together are bounded", "[serve]") {
  const Server server({.largest_body = 1000, .largest_bodies = 1500}, echo);
  WebClient first(server.port()), second(server.port());
  const std::string request = first.post("/", std::string(1000, 'x'));
  first.send(request.substr(0, request.size() - 1));
  // The server has met the first when it answers something that was sent after it.
  while (second.ask(second.post("/", std::string(900, 'x'))).status == 200) {
  }
  first.send("x");
  CHECK(first.read().status == 200);
  WebClient third(server.port());
  CHECK(third.ask(third.post("/", std::string(900, 'x'))).status == 200);
}

TEST_CASE("Who waits to be asked for a body is asked for it", "[serve]") {
  const Server server({}, echo);
  WebClient browser(server.port());
  const std::string request = browser.post("/", "body", "Expect: 100-continue\r\n");
  browser.send(request.substr(0, request.size() - 4));
  CHECK(browser.read_head().status == 100);
  CHECK(browser.ask("body").body == "POST /\nbody");
}

TEST_CASE("A request that does not come in whole is given up", "[serve]") {
  const Server server({.request = std::chrono::seconds(1)}, echo);
  const bool body = GENERATE(false, true);
  WebClient slow(server.port());
  const std::string request = slow.post("/", "body");
  slow.send(request.substr(0, body ? request.size() - 1 : 30));
  CHECK(slow.read().status == 408);
  CHECK(slow.read_all().empty());
}

TEST_CASE("A connection that says nothing is closed", "[serve]") {
  const Server server({.idle = std::chrono::seconds(3)}, echo);
  WebClient silent(server.port());
  CHECK(silent.read_all().empty());
  WebClient served(server.port());
  CHECK(served.ask(served.get("/")).status == 200);
  CHECK(served.read_all().empty());
}

TEST_CASE("Requests that come in one go are answered one after the other", "[serve]") {
  std::mutex mutex;
  std::vector<std::thread> threads;
  {
    const Server server({}, [&](const Exchange& exchange) {
      if (exchange.request.path != "/slow") return echo(exchange);
      const std::lock_guard lock(mutex);
      threads.emplace_back([exchange] { echo(exchange); });
    });
    WebClient browser(server.port());
    browser.send(browser.get("/slow") + browser.post("/2", "{}") + browser.get("/slow") +
                 browser.get("/4"));
    for (const std::string body : {"GET /slow\n", "POST /2\n{}", "GET /slow\n", "GET /4\n"})
      CHECK(browser.read().body == body);
    WebClient old(server.port());
    old.send("GET /old HTTP/1.0\r\nHost: localhost:" + std::to_string(server.port()) + "\r\n\r\n" +
             old.get("/never"));
    CHECK(old.read().body == "GET /old\n");
    CHECK(old.read_all().empty());
  }
  for (std::thread& t : threads) t.join();
}

TEST_CASE("Thousands of refused requests in one go are refused one after the other", "[serve]") {
  const Server server({}, echo);
  WebClient browser(server.port());
  std::string all;
  for (int i = 0; i < 20'000; ++i) all += "GET /% HTTP/1.1\r\nHost:\r\n\r\n";
  std::thread sender([&] {
    browser.send(all);
    browser.finish();
  });
  int refused = 0;
  while (browser.read().status == 421) ++refused;
  sender.join();
  CHECK(refused == 20'000);
}

TEST_CASE("Two thousand connections leave room for one more", "[serve]") {
  const Server server({}, echo);
  std::vector<std::unique_ptr<WebClient>> all;
  for (int i = 0; i < 2000; ++i) {
    all.push_back(std::make_unique<WebClient>(server.port()));
    if (i % 2 == 0) all.back()->send("GET / HTTP/1.1\r\nHost:");
  }
  WebClient one(server.port());
  CHECK(one.ask(one.get("/more")).status == 200);
}

TEST_CASE("A full server lets those go that say nothing", "[serve]") {
  const bool of_peer = GENERATE(false, true);
  ServerOptions options;
  (of_peer ? options.most_of_one_peer : options.most_connections) = 3;
  const Server server(options, echo);
  WebClient first(server.port());
  CHECK(first.ask(first.get("/1")).status == 200);
  WebClient second(server.port());
  CHECK(second.ask(second.get("/2")).status == 200);
  WebClient busy(server.port());
  busy.send("GET");
  WebClient fourth(server.port());
  CHECK(fourth.ask(fourth.get("/4")).status == 200);
  CHECK(first.read_all().empty());
  CHECK(second.ask(second.get("/2")).status == 200);
  second.send("GET");
  fourth.send("GET");
  CHECK(busy.send(busy.get("/3").substr(3)));
  CHECK(busy.read().status == 200);
}

TEST_CASE("Somebody who posts too often is slowed down and others are not", "[serve]") {
  const Server server({.posts_per_second = 0, .posts_at_once = 3}, echo);
  WebClient browser(server.port());
  const auto post = [&](const std::string& cookie) {
    return browser.ask(browser.post("/", "", "Cookie: " + cookie + "\r\n"));
  };
  for (int i = 0; i < 3; ++i) CHECK(post("a=1").status == 200);
  const auto refused = post("a=1");
  CHECK(refused.status == 429);
  CHECK(refused.header("retry-after") == "1");
  CHECK(post("a=2").status == 200);
  CHECK(browser.ask(browser.get("/")).status == 200);
  int good = 5;  // with the refused one
  for (int i = 0; i < 300; ++i) good += post("b=" + std::to_string(i)).status == 200 ? 1 : 0;
  CHECK(good == 150);  // of one address
}

TEST_CASE("A port that is taken is said with the option that mends it", "[serve]") {
  const Server server({}, echo);
  CHECK_THROWS_WITH(Server({.port = server.port()}, echo),
                    Catch::Contains("is taken") && Catch::Contains("--port"));
  CHECK_THROWS_WITH(Server({.address = "192.0.2.1"}, echo),
                    Catch::Contains("no address 192.0.2.1") && Catch::Contains("--address"));
  CHECK_THROWS_WITH(Server({.address = "lab.example.org"}, echo),
                    Catch::Contains("no address of a machine") && Catch::Contains("0.0.0.0"));
  CHECK_THROWS_WITH(Server({.hosts = {"a b"}}, echo), Catch::Contains("--public-host"));
}

TEST_CASE("A server says where it is found", "[serve]") {
  const Server all({.address = "0.0.0.0"}, echo);
  CHECK(all.url() == "http://127.0.0.1:" + std::to_string(all.port()));
  WebClient browser(all.port());
  CHECK(browser.ask(browser.get("/")).status == 200);
  // For others there is the first address that is not for this machine alone, if it has one.
  REQUIRE(all.public_url().starts_with("http://"));
  const std::string authority = all.public_url().substr(7);
  const std::string address = authority.substr(0, authority.find(':'));
  if (const std::string known = other_address(); !known.empty()) CHECK(address == known);
  WebClient other(all.port(), address);
  CHECK(other.ask("GET / HTTP/1.1\r\nHost: " + authority + "\r\n\r\n").status == 200);
  CHECK(other.ask("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").status == 421);
  const Server own({}, echo);
  CHECK(own.public_url() == own.url());
  const Server named({.hosts = {"lab", "https://lab.example.org:8443"}}, echo);
  CHECK(named.public_url() == "https://lab.example.org:8443");
}

TEST_CASE("A stream carries events to a browser until either leaves", "[serve]") {
  std::shared_ptr<EventStream> stream;
  Noted opened, gone;
  auto server = std::make_unique<Server>(
      ServerOptions{.heartbeat = std::chrono::seconds(1)}, [&](const Exchange& exchange) {
        stream = exchange.stream();
        stream->on_gone([&] { gone.note(); });
        stream->send("state", "{\"last\":\"" + exchange.request.last_event_id + "\"}", "1");
        opened.note();
      });
  auto browser = std::make_unique<WebClient>(server->port());
  browser->send(browser->get("/", "Last-Event-ID: 7\r\n"));
  const auto head = browser->read_head();
  CHECK(head.status == 200);
  CHECK(head.header("content-type") == "text/event-stream");
  CHECK(head.header("x-accel-buffering") == "no");
  CHECK(head.header("cache-control") == "no-store");
  CHECK(browser->read_until("\n\nevent") == "retry: 1000\n\nevent");
  CHECK(browser->read_until("\n\n") == ": state\nid: 1\ndata: {\"last\":\"7\"}\n\n");
  stream->send("two\nlines", "a\r\nb\rc\n", "x\ny");
  CHECK(browser->read_until("\n\n") ==
        "event: twolines\nid: xy\ndata: a\ndata: b\ndata: c\ndata: \n\n");
  CHECK(browser->read_until(": \n\n"));  // a heartbeat
  CHECK(stream->is_open());

  SECTION("the browser leaves") {
    browser.reset();
    CHECK(gone.wait_for(1));
  }
  SECTION("the browser is reset") {
    browser->reset();
    CHECK(gone.wait_for(1));
  }
  SECTION("the browser says something") {
    browser->send("GET /more");
    CHECK(gone.wait_for(1));
  }
  SECTION("the stream is closed after what was sent") {
    stream->send("", "last");
    stream->close();
    stream->send("", "never");
    CHECK_FALSE(stream->is_open());
    CHECK_THAT(browser->read_all(), Catch::EndsWith("data: last\n\n"));
    CHECK(gone.wait_for(1));
  }
  SECTION("the server ends") {
    server.reset();
    CHECK(gone.count() == 1);
  }
  CHECK_FALSE(stream->is_open());
  stream->send("state", "nobody");
  stream->close();
  int again = 0;
  stream->on_gone([&] { ++again; });
  CHECK(again == 1);
  CHECK(gone.count() == 1);
}

TEST_CASE("A browser that does not read is cut off", "[serve]") {
  Noted gone;
  std::shared_ptr<EventStream> stream;
  Noted opened;
  const Server server({.largest_backlog = 100'000}, [&](const Exchange& exchange) {
    stream = exchange.stream();
    stream->on_gone([&] { gone.note(); });
    opened.note();
  });
  WebClient lazy(server.port());
  lazy.send(lazy.get("/"));
  REQUIRE(opened.wait_for(1));
  const std::string data(10'000, 'x');
  int sent = 0;
  for (; stream->is_open() && sent < 1'000'000; ++sent) stream->send("state", data);
  CHECK_FALSE(stream->is_open());
  CHECK(gone.wait_for(1));
}

TEST_CASE("Streams leave room for all else", "[serve]") {
  std::vector<std::shared_ptr<EventStream>> streams;
  const Server server({.most_connections = 4}, [&](const Exchange& exchange) {
    if (exchange.request.path != "/events") return echo(exchange);
    streams.push_back(exchange.stream());
  });
  std::vector<std::unique_ptr<WebClient>> watchers;
  for (int i = 0; i < 3; ++i) {
    watchers.push_back(std::make_unique<WebClient>(server.port()));
    watchers.back()->send(watchers.back()->get("/events"));
    CHECK(watchers.back()->read_head().status == 200);
  }
  WebClient browser(server.port());
  const auto refused = browser.ask(browser.get("/events"));
  CHECK(refused.status == 503);
  CHECK(refused.header("retry-after") == "5");
  CHECK(browser.ask(browser.get("/")).status == 200);
  CHECK(streams.back() == nullptr);
}

TEST_CASE("An answer that comes after the server has ended goes nowhere", "[serve]") {
  std::vector<Exchange> kept;
  Noted asked;
  auto server = std::make_unique<Server>(ServerOptions{}, [&](Exchange exchange) {
    kept.push_back(std::move(exchange));
    asked.note();
  });
  WebClient first(server->port()), second(server->port());
  first.send(first.get("/1"));
  second.send(second.get("/2"));
  REQUIRE(asked.wait_for(2));
  server.reset();
  CHECK(first.read_all().empty());
  kept[0].respond({.body = "late"});
  const auto stream = kept[1].stream();
  REQUIRE(stream);
  bool gone = false;
  stream->on_gone([&] { gone = true; });
  CHECK(gone);
  CHECK_FALSE(stream->is_open());
}

TEST_CASE("Events from many threads come in whole", "[serve]") {
  Noted opened;
  std::shared_ptr<EventStream> stream;
  const Server server({}, [&](const Exchange& exchange) {
    stream = exchange.stream();
    opened.note();
  });
  WebClient browser(server.port());
  browser.send(browser.get("/"));
  REQUIRE(opened.wait_for(1));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) stream->send("", std::to_string(t) + std::string(100, 'x'));
    });
  for (std::thread& t : threads) t.join();
  stream->close();
  const std::string all = browser.read_all();
  std::size_t events = 0;
  for (std::size_t at = all.find("\n\ndata: "); at != std::string::npos;
       at = all.find("\n\ndata: ", at + 1))
    ++events;
  CHECK(events == 2000);
}
