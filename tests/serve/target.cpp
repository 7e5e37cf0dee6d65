#include "http/target.hpp"

#include <agon/error.hpp>

#include "catch.hpp"

using namespace agon::serve;

TEST_CASE("A target is decoded into its path and its query", "[serve]") {
  const auto target = read_target("/p/a%20b/%C3%BC?name=%3Cb%3E&x=1+2&&empty=&alone&x=3#fragment");
  REQUIRE(target);
  CHECK(target->path == "/p/a b/\u00fc");
  CHECK(target->query == std::map<std::string, std::string>{
                             {"name", "<b>"}, {"x", "3"}, {"empty", ""}, {"alone", ""}});
  CHECK(read_target("/a+b")->path == "/a+b");
  CHECK(read_target("/...")->path == "/...");
}

TEST_CASE("A target that is none is refused", "[serve]") {
  const std::string text =
      GENERATE("", "x", "http://127.0.0.1/", "*", "/%", "/%4", "/%4g", "/%00",
               "/a%0d%0aSet-Cookie:x", "/%7f", "/..", "/../etc/passwd", "/a/../b", "/a/%2e%2e/b",
               "/a/.", "/a%2f..%2fb", "/%ff", "/%c0%ae%c0%ae/", "/?x=%", "/?x=%00", "/?%ff=1");
  INFO(text);
  CHECK_FALSE(read_target(text));
}

TEST_CASE("Of a cookie that comes twice the first counts", "[serve]") {
  std::map<std::string, std::string> cookies;
  read_cookies("a=1; b=x=y;c=;  d; =z; a=2", cookies);
  read_cookies("b=3; e=4", cookies);
  CHECK(cookies == std::map<std::string, std::string>{
                       {"a", "1"}, {"b", "x=y"}, {"c", ""}, {"d", ""}, {"e", "4"}});
}

TEST_CASE("A server knows its own names", "[serve]") {
  struct Case {
    std::vector<std::string> names;
    std::string authority;
    std::string local = "127.0.0.1";
    bool ours;
  };
  const std::vector<Case> cases = {
      {{}, "127.0.0.1:8123", "127.0.0.1", true},
      {{}, "localhost:8123", "127.0.0.1", true},
      {{}, "LocalHost:8123", "127.0.0.1", true},
      {{}, "[::1]:8123", "127.0.0.1", true},
      {{}, "[::1]:8123", "::1", true},
      {{}, "127.0.0.1", "127.0.0.1", false},
      {{}, "127.0.0.1:80", "127.0.0.1", false},
      {{}, "127.0.0.1:81230", "127.0.0.1", false},
      {{}, "localhost:8124", "127.0.0.1", false},
      {{}, "", "127.0.0.1", false},
      {{}, ":8123", "127.0.0.1", false},
      {{}, "[::1:8123", "::1", false},
      {{}, "evil.example:8123", "127.0.0.1", false},
      {{}, "127.0.0.1.evil.example:8123", "127.0.0.1", false},
      {{}, "localhost.evil.example:8123", "127.0.0.1", false},
      {{}, "evil.example@127.0.0.1:8123", "127.0.0.1", false},
      {{}, "192.0.2.7:8123", "192.0.2.7", true},
      {{}, "192.0.2.8:8123", "192.0.2.7", false},
      {{}, "localhost:8123", "192.0.2.7", false},
      {{"lab.example.org"}, "lab.example.org", "127.0.0.1", true},
      {{"lab.example.org"}, "LAB.example.org:8123", "127.0.0.1", true},
      {{"lab.example.org"}, "lab.example.org:443", "127.0.0.1", true},
      {{"lab.example.org"}, "lab.example.org:9999", "127.0.0.1", false},
      {{"lab.example.org"}, "www.lab.example.org", "127.0.0.1", false},
      {{"lab.example.org:8443"}, "lab.example.org:8443", "127.0.0.1", true},
      {{"lab.example.org:8443"}, "lab.example.org:8444", "127.0.0.1", false},
      {{"https://lab.example.org/"}, "lab.example.org", "127.0.0.1", true},
      {{"https://lab.example.org:443"}, "lab.example.org", "127.0.0.1", true},
      {{"https://lab.example.org"}, "lab.example.org:80", "127.0.0.1", false},
  };
  for (const Case& c : cases) {
    INFO(c.authority << " at " << c.local);
    CHECK(Hosts(c.names).has(c.authority, c.local, 8123) == c.ours);
  }
  const Hosts hosts({"plain.example.org", "https://lab.example.org"});
  CHECK(hosts.is_https("lab.example.org"));
  CHECK_FALSE(hosts.is_https("plain.example.org"));
  CHECK(hosts.url() == "https://lab.example.org");
  CHECK(Hosts({"plain.example.org"}).url().empty());
}

TEST_CASE("What is no name of a host is refused with an example", "[serve]") {
  const std::string name = GENERATE("", "a b", "http://", "lab/path", "ftp://lab", "lab:port",
                                    "[::1", "user@lab", "https://lab.example.org/path", "lab:");
  CHECK_THROWS_WITH(Hosts({name}), Catch::Contains("lab.example.org"));
}
