#include <chrono>
#include <csignal>

#include "archive/archive.hpp"
#include "catch.hpp"
#include "command/endpoint.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

using Clock = std::chrono::steady_clock;

/// Two seconds are promised, and a busy machine may add to them; who waits for one of these
/// endpoints waits for minutes.
constexpr std::chrono::seconds kPromised(60);

std::string suite_with(const std::string& model) {
  return R"({"suite": "s", "seed": 3, "models": {"m": {"provider": "openai", "model": "m")" +
         model +
         R"(}}, "agents": {"one": {"llm": "m"}, "floor": "random"},
  "scenarios": [{"game": "water-allocation", "set": {"days": 4}, "blocks": 40,
    "design": {"focal": "one", "background": "floor"}}]})";
}

Start at(const Folder& folder, const Endpoint& endpoint) {
  return folder.start({.environment = {{"OPENAI_API_KEY", "sk-signals-0123456789"},
                                       {"OPENAI_BASE_URL", endpoint.url()}}});
}

/// How an endpoint behaves after its first answers.
struct Bad {
  const char* name;
  std::string model;  ///< more settings
  std::function<Served()> serve;
};

std::vector<Bad> bad_endpoints() {
  const std::string patient = R"(, "tries": 30, "backoff_s": 60)";
  return {{"hangs", "", [] { return Served{.hangs = true}; }},
          {"hangs in its reply", "",
           [] {
             return Served{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{",
                           .hangs = true};
           }},
          {"trickles", "",
           [] {
             return Served{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
                           .trickles = true};
           }},
          {"fails", patient, [] { return Served{Endpoint::reply(500, "{}")}; }},
          {"fails at once", R"(, "tries": 30, "backoff_s": 0)",
           [] { return Served{Endpoint::reply(500, "{}")}; }},
          {"is busy", patient,
           [] { return Served{Endpoint::reply(429, "{}", "Retry-After: 600\r\n")}; }},
          {"is loading", "",
           [] {
             return Served{Endpoint::reply(
                 503, R"({"error":{"message":"Loading model","type":"unavailable_error"}})")};
           }},
          {"has one place", R"(, "concurrency": 1)", [] { return Served{.hangs = true}; }}};
}

/// Answered calls that an archive has.
int kept(const std::filesystem::path& archive) {
  int n = 0;
  agon::archive::Archive::open(archive).calls().each(
      nullptr, [&](const agon::archive::CallRow& row) { n += row.answered ? 1 : 0; });
  return n;
}

}  // namespace

TEST_CASE("a signal ends a run at once, whatever its endpoint does") {
  int turn = 0;
  for (const Bad& bad : bad_endpoints()) {
    const int signal =
        std::vector<int>{SIGTERM, SIGINT, SIGHUP}[static_cast<std::size_t>(turn++ % 3)];
    constexpr int kGood = 12;
    std::atomic<int> n{0};
    const Endpoint endpoint([&](const Endpoint::Request& request) {
      if (request.method == "GET") return Served{Endpoint::reply(404, "{}")};
      return n++ < kGood ? Served{Endpoint::answer("no answer")} : bad.serve();
    });
    const Folder folder;
    folder.write("s.json", suite_with(bad.model));
    Child run({"run", "s.json", "--no-preflight", "--jobs", "8"}, at(folder, endpoint));
    INFO(bad.name);
    REQUIRE(run.until([&] { return endpoint.calls() > kGood; }));
    run.send(signal);
    const Clock::time_point sent = Clock::now();
    const Ended ended = run.end();
    const auto took = Clock::now() - sent;
    INFO(ended.err);
    CHECK(ended.code == 130);
    CHECK(took < kPromised);
    CHECK(contains(ended.err, "take it up again with: agon run s.json --no-preflight --jobs 8"));
    // What was answered was paid for.
    CHECK(kept(folder.at("s.agon")) == kGood);
    CHECK(folder.agon({"doctor", "s.agon"}).code == 0);
  }
}

TEST_CASE("an answer that is on its way when the run is stopped is kept") {
  std::atomic<bool> go{false};
  const Endpoint endpoint([&](const Endpoint::Request&) {
    while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return Served{Endpoint::answer("no answer")};
  });
  const Folder folder;
  folder.write("s.json", suite_with(""));
  Child run({"run", "s.json", "--no-preflight", "--jobs", "3"}, at(folder, endpoint));
  REQUIRE(run.until([&] { return endpoint.calls() == 3; }));
  run.send(SIGTERM);
  REQUIRE(run.until([&] { return contains(run.err(), "Ctrl-C again"); }));
  go = true;
  CHECK(run.end().code == 130);
  CHECK(kept(folder.at("s.agon")) == 3);
  CHECK(endpoint.calls() == 3);
}

TEST_CASE("a signal while keys and endpoints are looked at ends the command") {
  std::atomic<int> looked{0};
  const Endpoint endpoint([&](const Endpoint::Request&) {
    ++looked;
    return Served{.hangs = true};
  });
  for (const Words& call :
       {Words{"run", "s.json"}, Words{"doctor", "s.json"},
        Words{"play", "water-allocation", "--agent", "llm", "--model", "openai/m"}}) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
      const Folder folder;
      folder.write("s.json", suite_with(""));
      looked = 0;
      Child child(call, at(folder, endpoint));
      REQUIRE(child.until([&] { return looked > 0; }));
      child.send(signal);
      const Clock::time_point sent = Clock::now();
      const Ended ended = child.end();
      INFO(call[0] << "\n" << ended.err);
      CHECK(ended.code == 130);
      CHECK(Clock::now() - sent < kPromised);
      CHECK(contains(ended.err, "begin again with: agon " + call[0]));
      CHECK_FALSE(folder.has("s.agon"));
    }
  }
}

TEST_CASE("a signal ends programs that play, however stubborn") {
  const Folder folder;
  // One that does not answer, does not mind that its input ends, and does not heed SIGTERM.
  folder.write("bot.sh", R"(trap '' TERM HUP INT
echo '{"type": "hello", "protocol": 1, "name": "stubborn"}'
while :; do read -r line; sleep 0.1; echo asked >> asked.txt; done
)");
  folder.write("s.json", R"({"seed": 3,
  "agents": {"a": {"external": {"command": ["sh", "bot.sh"], "quit_seconds": 600,
                                "answer_seconds": 600}},
             "b": {"external": {"command": ["sh", "bot.sh"], "quit_seconds": 600,
                                "answer_seconds": 600}}, "floor": "random"},
  "scenarios": [{"game": "water-allocation", "set": {"days": 4}, "blocks": 4,
    "design": {"focal": ["a", "b"], "background": "floor"}}]})");
  Child run({"run", "s.json", "--trust", "--jobs", "4"}, folder.start());
  REQUIRE(run.until([&] { return folder.has("asked.txt"); }));
  run.send(SIGTERM);
  const Clock::time_point sent = Clock::now();
  const Ended ended = run.end();
  INFO(ended.err);
  CHECK(ended.code == 130);
  CHECK(Clock::now() - sent < kPromised);
}
