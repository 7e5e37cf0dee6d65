#include "http/door.hpp"

#include <set>

#include "catch.hpp"
#include "http/server.hpp"
#include "support/web_client.hpp"

using namespace agon::serve;

namespace {

/// A server behind a door, with one page.
struct House {
  House() {
    door.add_routes(router);
    router.get("/", door.guard([](const Exchange& exchange) { exchange.respond({.body = "in"}); }));
    router.post("/do",
                door.guard([](const Exchange& exchange) { exchange.respond({.status = 204}); }));
    server.emplace(ServerOptions{.hosts = {"https://lab.example.org"}},
                   [this](Exchange exchange) { router.handle(std::move(exchange)); });
  }
  Door door;
  Router router;
  std::optional<Server> server;
};

/// "name=value" of the cookie that an answer sets.
std::string cookie_of(const WebClient::Answer& answer) {
  const std::string cookie = answer.header("set-cookie");
  return cookie.substr(0, cookie.find(';'));
}

}  // namespace

TEST_CASE("A key lets one browser in and then nobody", "[serve]") {
  House house;
  WebClient browser(house.server->port());
  CHECK(browser.ask(browser.get("/")).status == 403);
  CHECK(browser.ask(browser.post("/do", "{}")).status == 403);
  const std::string link = house.door.new_link();
  const auto in = browser.ask(browser.get(link));
  CHECK(in.status == 200);
  CHECK_THAT(in.body, Catch::Contains("url=/\""));
  CHECK_THAT(in.header("set-cookie"),
             Catch::Contains("; HttpOnly") && Catch::Contains("; SameSite=Strict") &&
                 Catch::Contains("; Path=/") &&
                 Catch::StartsWith("agon-" + std::to_string(house.server->port()) + "=") &&
                 !Catch::Contains("Secure"));
  const std::string cookie = cookie_of(in);
  CHECK(browser.ask(browser.get("/", "Cookie: " + cookie + "\r\n")).body == "in");
  CHECK(browser.ask(browser.post("/do", "{}", "Cookie: " + cookie + "\r\n")).status == 204);
  // The link that the browser has in its history leads it in again, and nobody else.
  CHECK(browser.ask(browser.get(link, "Cookie: " + cookie + "\r\n")).status == 200);
  const auto again = browser.ask(browser.get(link));
  CHECK(again.status == 403);
  CHECK(again.header("set-cookie").empty());
}

TEST_CASE("Behind https the cookie is for https alone", "[serve]") {
  House house;
  WebClient browser(house.server->port());
  const auto in =
      browser.ask("GET " + house.door.new_link() + " HTTP/1.1\r\nHost: lab.example.org\r\n\r\n");
  CHECK_THAT(in.header("set-cookie"), Catch::EndsWith("; Secure"));
}

TEST_CASE("A cookie that is made up opens nothing", "[serve]") {
  House house;
  WebClient browser(house.server->port());
  const std::string cookie = cookie_of(browser.ask(browser.get(house.door.new_link())));
  const std::string name = cookie.substr(0, cookie.find('='));
  std::string other = cookie;
  other.back() = other.back() == 'A' ? 'B' : 'A';
  for (const std::string& forged : std::vector<std::string>{
           other, cookie.substr(0, cookie.size() - 1), cookie + "A", name + "=", name, "a=b; x",
           name + "=" + key_digest(cookie.substr(name.size() + 1)),
           "agon-1" + cookie.substr(name.size())})
    CHECK(browser.ask(browser.get("/", "Cookie: " + forged + "\r\n")).status == 403);
  CHECK(browser.ask(browser.get("/", "Cookie: " + cookie + "\r\n")).status == 200);
}

TEST_CASE("Wrong keys are slowed down and right ones are not", "[serve]") {
  House house;
  WebClient browser(house.server->port());
  CHECK(browser.ask(browser.get("/login")).status == 403);
  CHECK(browser.ask(browser.get("/login?key=")).status == 403);
  int status = 403;
  for (int i = 0; i < 10'000 && status == 403; ++i)
    status = browser.ask(browser.get("/login?key=" + std::to_string(i))).status;
  CHECK(status == 429);
  CHECK(browser.ask(browser.get(house.door.new_link())).status == 200);
}

TEST_CASE("Keys that nobody used are forgotten in their order", "[serve]") {
  House house;
  std::vector<std::string> links;
  for (int i = 0; i < 17; ++i) links.push_back(house.door.new_link());
  WebClient browser(house.server->port());
  CHECK(browser.ask(browser.get(links[0])).status == 403);
  CHECK(browser.ask(browser.get(links[1])).status == 200);
}

TEST_CASE("Keys are long and none is like another", "[serve]") {
  std::set<std::string> keys;
  for (int i = 0; i < 1000; ++i) {
    const std::string key = random_key();
    CHECK(key.size() == 32);
    CHECK(
        key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
        std::string::npos);
    keys.insert(key);
  }
  CHECK(keys.size() == 1000);
  CHECK(same_key("abc", "abc"));
  CHECK_FALSE(same_key("abc", "abd"));
  CHECK_FALSE(same_key("abc", "ab"));
}

TEST_CASE("A bucket gets back what it lacks with time", "[serve]") {
  Buckets buckets(2, 0.5);
  const Buckets::Time begin{};
  const auto after = [&](int seconds) { return begin + std::chrono::seconds(seconds); };
  CHECK(buckets.take("a", begin));
  CHECK(buckets.take("a", begin));
  CHECK_FALSE(buckets.take("a", after(1)));
  CHECK(buckets.take("b", after(1)));
  CHECK(buckets.take("a", after(2)));
  CHECK_FALSE(buckets.take("a", after(2)));
  CHECK(buckets.take("a", after(100)));
  CHECK(buckets.take("a", after(100)));
  CHECK_FALSE(buckets.take("a", after(100)));
  // Names that somebody makes up do not fill the memory, nor make others wait.
  for (int i = 0; i < 20'000; ++i) CHECK(buckets.take("c" + std::to_string(i), after(100)));
  CHECK(buckets.take("a", after(102)));
}
