#include <boost/json/parse.hpp>
#include <csignal>

#include "catch.hpp"
#include "command/folder.hpp"
#include "support/web_client.hpp"

using namespace command_test;

namespace {

/// `agon serve` of an archive, on a port that was free.
struct Serving {
  explicit Serving(const Words& more = {}) {
    const Ended played =
        folder.agon({"play", "bargaining", "--agent", "time-dependent", "--out", "a.agon"});
    INFO(played.err);
    REQUIRE(played.code == 0);
    Words words = {"serve", "a.agon", "--port", "0", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    child.emplace(words, folder.start());
    REQUIRE(child->until([&] { return contains(child->out(), "}\n"); }));
    const auto said = boost::json::parse(child->out());
    url = std::string(said.at("url").as_string());
    login = std::string(said.at("login").as_string());
  }
  [[nodiscard]] std::uint16_t port() const {
    return static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  }
  /// What comes behind the address.
  [[nodiscard]] std::string link() const { return login.substr(login.find("/login")); }

  Folder folder;
  std::optional<Child> child;
  std::string url, login;
};

}  // namespace

TEST_CASE("An archive is served to who has the link and Ctrl-C ends it") {
  Serving serving;
  CHECK(serving.url.starts_with("http://127.0.0.1:"));
  WebClient browser(serving.port());
  CHECK(browser.ask(browser.get("/")).status == 403);
  const auto in = browser.ask(browser.get(serving.link()));
  CHECK(in.status == 200);
  const std::string cookie = in.header("set-cookie");
  const auto page =
      browser.ask(browser.get("/", "Cookie: " + cookie.substr(0, cookie.find(';')) + "\r\n"));
  CHECK(page.status == 200);
  CHECK(page.header("content-type") == "text/html; charset=utf-8");
  CHECK(browser.ask(browser.get(serving.link())).status == 403);
  serving.child->send(SIGINT);
  const Ended ended = serving.child->end();
  CHECK(ended.code == 0);
  CHECK(ended.err.empty());
  CHECK(browser.read_all().empty());
}

TEST_CASE("A port that is taken is told with the option for another") {
  const Serving serving;
  const Ended second =
      serving.folder.agon({"serve", "a.agon", "--port", std::to_string(serving.port())});
  CHECK(second.code == 1);
  CHECK(second.out.empty());
  CHECK_THAT(second.err, Catch::Contains("is taken") && Catch::Contains("--port"));
}

TEST_CASE("What cannot be served is said") {
  const Folder folder;
  folder.write("text.txt", "text");
  CHECK(folder.agon({"serve"}).code == 2);
  CHECK(folder.agon({"serve", "nothing.agon"}).code == 3);
  CHECK(folder.agon({"serve", "text.txt"}).code != 0);
  const Serving serving;
  const auto refused = [&](const Words& more) {
    Words words = {"serve", "a.agon"};
    words.insert(words.end(), more.begin(), more.end());
    const Ended ended = serving.folder.agon(words);
    CHECK(ended.code != 0);
    return ended.err;
  };
  CHECK_THAT(refused({"--address", "192.0.2.1"}), Catch::Contains("no address 192.0.2.1"));
  CHECK_THAT(refused({"--address", "here"}), Catch::Contains("--address"));
  CHECK_THAT(refused({"--host", "a b"}), Catch::Contains("--host"));
  CHECK_THAT(refused({"--port", "99999"}), Catch::Contains("--port"));
}

TEST_CASE("An address that others reach is warned of and a public name is in the link") {
  Serving serving({"--address", "0.0.0.0", "--host", "https://lab.example.org"});
  CHECK(serving.url == "https://lab.example.org");
  CHECK(serving.login.starts_with("https://lab.example.org/login?key="));
  serving.child->send(SIGTERM);
  const Ended ended = serving.child->end();
  CHECK(ended.code == 0);
  CHECK_THAT(ended.err, Catch::Contains("not encrypted") && Catch::Contains("docs/serve.md"));
}
