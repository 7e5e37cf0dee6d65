#include <boost/json/parse.hpp>
#include <chrono>
#include <csignal>
#include <thread>

#include "catch.hpp"
#include "command/folder.hpp"
#include "support/web_client.hpp"

using namespace command_test;

namespace {

/// `agon serve` of an archive, on a port that was free.
struct Serving {
  explicit Serving(const Words& more = {}) {
    folder.succeeds({"play", "bargaining", "--agent", "time-dependent", "--out", "a.agon"});
    child.emplace(joined({"serve", "a.agon", "--port", "0", "--json"}, more), folder.start());
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
    const Ended ended = serving.folder.agon(joined({"serve", "a.agon"}, more));
    CHECK(ended.code != 0);
    return ended.err;
  };
  CHECK_THAT(refused({"--address", "192.0.2.1"}), Catch::Contains("no address 192.0.2.1"));
  CHECK_THAT(refused({"--address", "here"}), Catch::Contains("--address"));
  CHECK_THAT(refused({"--public-host", "a b"}), Catch::Contains("--public-host"));
  CHECK_THAT(refused({"--jobs", "2"}), Catch::Contains("--jobs requires a suite"));
  CHECK_THAT(refused({"--port", "99999"}), Catch::Contains("--port"));
}

TEST_CASE("An address that others reach is warned of and a public name is in the link") {
  Serving serving({"--address", "0.0.0.0", "--public-host", "https://lab.example.org"});
  CHECK(serving.url == "https://lab.example.org");
  CHECK(serving.login.starts_with("https://lab.example.org/login?key="));
  serving.child->send(SIGTERM);
  const Ended ended = serving.child->end();
  CHECK(ended.code == 0);
  CHECK_THAT(ended.err, Catch::Contains("not encrypted") && Catch::Contains("docs/serve.md"));
}

namespace {

/// A browser that was let in, and what the server says of the run to it.
struct LetIn {
  explicit LetIn(std::uint16_t port, const std::string& link) : client(port) {
    const std::string set = client.ask(client.get(link)).header("set-cookie");
    cookie = "Cookie: " + set.substr(0, set.find(';')) + "\r\n";
  }
  boost::json::value get(const std::string& path) {
    return json_of(client.ask(client.get(path, cookie)).body);
  }
  int tell(const std::string& what) {
    return client.ask(client.post("/api/run", R"({"do":")" + what + "\"}", cookie)).status;
  }
  /// Waits until the run is so; it fails after two minutes.
  boost::json::value until(const std::string& state, std::int64_t least = 0) {
    boost::json::value run;
    for (int i = 0; i < 1200; ++i) {
      run = get("/api/run");
      if (run.at("state").as_string() == state && run.at("done").as_int64() >= least) return run;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    INFO(run);
    REQUIRE(run.at("state").as_string() == state);
    return run;
  }

  WebClient client;
  std::string cookie;
};

constexpr const char* kSlow = R"({"suite": "slow", "seed": 5,
  "models": {"m": {"provider": "mock", "model": "tiny", "mock": {"latency_ms": 250, "in_real_time": true}}},
  "agents": {"llm": {"llm": "m"}, "other": "default"},
  "design": {"focal": ["llm"], "background": "other", "blocks": 20},
  "scenarios": [{"game": "bargaining"}]})";

}  // namespace

TEST_CASE("A suite is played while it is looked at and stopped and taken up from its page") {
  const Folder folder;
  folder.write("slow.json", kSlow);
  Child child({"serve", "slow.json", "--jobs", "2", "--port", "0", "--json"}, folder.start());
  const bool serves = child.until([&] { return contains(child.out(), "}\n"); });
  INFO(child.err());
  REQUIRE(serves);
  const std::string login(json_of(child.out()).at("login").as_string());
  const std::size_t colon = login.rfind(':');
  LetIn browser(static_cast<std::uint16_t>(std::stoi(login.substr(colon + 1))),
                login.substr(login.find("/login")));
  auto run = browser.until("playing", 2);
  CHECK(run.at("own") == true);
  CHECK(run.at("may_stop") == true);
  const std::int64_t total = run.at("total").as_int64();
  CHECK(total == 40);
  CHECK(browser.get("/api/matches?agent=llm").at("total").as_int64() >= 2);
  // Who plays it is the only one who may.
  CHECK_THAT(folder.agon({"run", "slow.json"}).err, Catch::Contains("another run"));
  REQUIRE(browser.tell("stop") == 200);
  run = browser.until("stopped");
  CHECK(run.at("done").as_int64() < total);
  CHECK(run.at("may_go_on") == true);
  REQUIRE(browser.tell("go-on") == 200);
  run = browser.until("done", total);
  CHECK(run.at("done") == total);
  CHECK(finished(folder.at("slow.agon")) == total);
  // In some match the first seat walks away before the model is asked.
  std::size_t calls = 0;
  for (int match = 1; match <= 10; ++match)
    calls += browser.get("/api/match/" + std::to_string(match))
                 .at("match")
                 .at("calls")
                 .as_array()
                 .size();
  CHECK(calls > 0);
  child.send(SIGINT);
  CHECK(child.end().code == 0);
  // What was played in two parts is what is played in one.
  folder.write("whole.json", kSlow);
  REQUIRE(folder.agon({"run", "whole.json"}).code == 0);
  CHECK(content(folder, "slow.agon") == content(folder, "whole.agon"));
}

TEST_CASE("Ctrl-C stops a suite that is played while it is looked at and it can be taken up") {
  const Folder folder;
  folder.write("slow.json", kSlow);
  Child child({"serve", "slow.json", "--jobs", "2", "--port", "0", "--json"}, folder.start());
  const bool plays = child.until([&] { return finished(folder.at("slow.agon")) > 0; });
  INFO(child.err());
  REQUIRE(plays);
  child.send(SIGINT);
  CHECK(child.end().code == 130);
  const int before = finished(folder.at("slow.agon"));
  CHECK(before < 40);
  // Somebody else's page says how it stands, and how it goes on.
  Child other({"serve", "slow.agon", "--port", "0", "--json"}, folder.start());
  REQUIRE(other.until([&] { return contains(other.out(), "}\n"); }));
  const std::string login(json_of(other.out()).at("login").as_string());
  LetIn browser(static_cast<std::uint16_t>(std::stoi(login.substr(login.rfind(':') + 1))),
                login.substr(login.find("/login")));
  auto run = browser.until("stopped", before);
  CHECK(run.at("may_go_on") == false);
  CHECK(contains(run.at("command").as_string().c_str(), "agon serve slow.json"));
  CHECK(browser.tell("go-on") == 400);
  CHECK(folder.agon({"run", "slow.json"}).code == 0);
  run = browser.until("done", 40);
}
