#include <atomic>

#include "archive/archive.hpp"
#include "catch.hpp"
#include "command/endpoint.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

std::string suite_of(int blocks, const std::string& model) {
  return R"({"suite": "s", "seed": 3,
  "models": {"m": {"provider": "openai", "model": "m", "backoff_s": 0.01)" +
         model + R"(}}, "agents": {"one": {"llm": "m"}, "floor": "random"},
  "scenarios": [{"game": "water-allocation", "set": {"days": 2}, "blocks": )" +
         std::to_string(blocks) + R"(, "design": {"focal": "one", "background": "floor"}}]})";
}

Start at(const Endpoint& endpoint) {
  return {.environment = {{"OPENAI_API_KEY", "sk-outages-0123456789"},
                          {"OPENAI_BASE_URL", endpoint.url()}}};
}

}  // namespace

TEST_CASE("one odd reply among good ones stops no run") {
  // Each kind once, and after each a dozen good answers.
  const std::vector<std::string> odd = {
      "HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\n{}",
      "\x15\x03\x03\x00\x02\x02\x28",  // an alert of TLS
      "HTTP/1.1 199 Odd\r\nContent-Length: 2\r\n\r\n{}",
      Endpoint::reply(200, "<html>welcome</html>"),
      Endpoint::reply(403, "<html>you are blocked</html>"),
      Endpoint::reply(302, "", "Location: https://login.example/\r\n"),
      Endpoint::reply(401, R"({"error":{"message":"who are you?"}})"),
      Endpoint::reply(404, R"({"error":{"message":"no such model","code":"model_not_found"}})"),
      Endpoint::reply(405, "no"),
      Endpoint::reply(422, R"({"detail":[{"loc":["body"],"msg":"no"}]})"),
      Endpoint::reply(402, "<html>pay here</html>"),
      "",
  };
  std::atomic<std::size_t> n{0};
  const Endpoint endpoint([&](const Endpoint::Request& request) -> Served {
    if (request.method == "GET") return {Endpoint::reply(404, "{}")};
    const std::size_t i = n++;
    if (i % 12 == 11 && i / 12 < odd.size()) return {odd[i / 12]};
    return {Endpoint::answer(R"({"bid": 3})")};
  });
  const Folder folder;
  folder.write("s.json", suite_of(20, ""));
  folder.succeeds({"run", "s.json", "--jobs", "4"}, at(endpoint));
  CHECK(endpoint.calls() > 12 * 12);
  CHECK(partial(folder.at("s.agon")) == 0);
}

TEST_CASE("a run whose model never answers legally stops, and one that does once goes on") {
  std::atomic<bool> is_silent{true};
  std::atomic<int> n{0};
  const Endpoint endpoint([&](const Endpoint::Request& request) -> Served {
    if (request.method == "GET") return {Endpoint::reply(404, "{}")};
    const bool answers = n++ == 0 && !is_silent;
    return {Endpoint::answer(answers ? R"({"bid": 0})" : "I would rather think about it.")};
  });
  // Nobody can pay the start price of the auctions, and to withdraw is all that is left: these
  // answers, for which nobody is asked, are none of the model's.
  const auto suite = [](const std::string& stop_after) {
    std::string text = suite_of(6, "");
    text.insert(text.find(R"({"game": "water)"),
                R"({"game": "english-auction", "set": {"seats": 2, "items": [{"name": "A"}],
      "everyone": {"budget": 1}}, "blocks": 2, "design": {"focal": "one", "background": "floor"}},
    )");
    text.insert(text.rfind('}'), R"(, "faults": {"reasks": 0)" + stop_after + "}");
    return text;
  };
  const auto run = [&](const Folder& folder) {
    return folder.agon({"run", "s.json", "--jobs", "1", "--no-preflight"}, at(endpoint));
  };
  const Folder folder;
  folder.write("s.json", suite(R"(, "stop_after": 4)"));
  const Ended stopped = run(folder);
  INFO(stopped.err);
  CHECK(stopped.code == 4);
  check_has(stopped.err, {"agent 'one' gave no legal answer so far", "\"stop_after\": 0",
                          "take it up again with: "});
  const auto before = finished(folder.at("s.agon"));
  CHECK(before > 0);
  CHECK(before < 30);
  // What was played stays, and the limit may be lifted.
  folder.write("s.json", suite(R"(, "stop_after": 0)"));
  CHECK(run(folder).code == 0);
  CHECK(finished(folder.at("s.agon")) > 30);  // and the auctions

  const Folder other;
  other.write("s.json", suite(R"(, "stop_after": 4)"));
  is_silent = false;
  n = 0;
  const Ended answered = run(other);
  INFO(answered.err);
  CHECK(answered.code == 0);
  CHECK_FALSE(contains(answered.err, "gave no legal answer"));
}

TEST_CASE("one reply that wants to be left alone for years stops no run") {
  std::atomic<int> n{0};
  const Endpoint endpoint([&](const Endpoint::Request& request) -> Served {
    if (request.method == "GET") return {Endpoint::reply(404, "{}")};
    if (++n % 20 == 7)
      return {Endpoint::reply(429, R"({"error":{"message":"slow down"}})",
                              "Retry-After: 99999999\r\n")};
    return {Endpoint::answer(R"({"bid": 3})")};
  });
  const Folder folder;
  folder.write("s.json", suite_of(20, ""));
  folder.succeeds({"run", "s.json", "--jobs", "4"}, at(endpoint));
  CHECK(finished(folder.at("s.agon")) == 100);
}

TEST_CASE("an endpoint that goes down stops the run in the end, and can be taken up again") {
  std::atomic<bool> down{false};
  std::atomic<int> good{0};
  const Endpoint endpoint([&](const Endpoint::Request&) -> Served {
    if (down || good >= 30) return {Endpoint::reply(503, R"({"error":{"message":"gone"}})")};
    ++good;
    return {Endpoint::answer(R"({"bid": 3})")};
  });
  const Folder folder;
  folder.write("s.json", suite_of(20, R"(, "outage_calls": 10, "outage_pause_s": 0.1,
    "outage_stop_s": 0.5, "total_s": 60)"));
  folder.refuses({"run", "s.json", "--no-preflight", "--jobs", "4"}, 4,
                 {"of its replies fail (outage_share, outage_calls)",
                  "stopped: the endpoint has been out for 0.5 s: ",
                  "take it up again with: agon run s.json --no-preflight --jobs 4"},
                 at(endpoint));
  // The looks were few, and the answers that were paid for are there.
  CHECK(endpoint.calls() < 30 + 10 + 4 + 20);
  int kept = 0;
  agon::archive::Archive::open(folder.at("s.agon"))
      .calls()
      .each(nullptr, [&](const agon::archive::CallRow& row) { kept += row.answered ? 1 : 0; });
  CHECK(kept == 30);
  good = -100000;
  folder.succeeds({"run", "s.json", "--no-preflight", "--jobs", "4"}, at(endpoint));
}

TEST_CASE("a short outage is waited out, and no match is lost to it") {
  std::atomic<int> n{0};
  const Endpoint endpoint([&](const Endpoint::Request&) -> Served {
    const int i = n++;
    if (i >= 30 && i < 80) return {Endpoint::reply(502, "<html>bad gateway</html>")};
    return {Endpoint::answer(R"({"bid": 3})")};
  });
  const Folder folder;
  folder.write("s.json", suite_of(20, R"(, "outage_calls": 10, "outage_pause_s": 0.02,
    "tries": 9)"));
  const Ended run =
      folder.succeeds({"run", "s.json", "--no-preflight", "--jobs", "4"}, at(endpoint));
  CHECK(contains(run.err, "it answers again"));
}

TEST_CASE(
    "matches that an outage left are tried again in the same run, and nothing is paid twice") {
  std::atomic<int> calls{0};
  std::atomic<int> good{0};
  const Endpoint endpoint([&](const Endpoint::Request&) -> Served {
    const int n = ++calls;
    // Out for a while in the middle, and then back.
    if (n > 12 && n <= 20) return {Endpoint::reply(503, R"({"error":{"message":"gone"}})")};
    ++good;
    return {Endpoint::answer(R"({"bid": 3})")};
  });
  const Folder folder;
  folder.write("s.json", suite_of(20, R"(, "tries": 1, "outage_calls": 1000)"));
  const Ended run =
      folder.succeeds({"run", "s.json", "--no-preflight", "--jobs", "2"}, at(endpoint));
  CHECK(contains(run.err, "left unfinished by a failing service: tried again"));
  CHECK(finished(folder.at("s.agon")) == 100);
  CHECK(partial(folder.at("s.agon")) == 0);
  // A hundred matches; two questions a match, each answered once, whatever was left in its middle.
  CHECK(good == 2 * 100);
}

TEST_CASE("a service that stays away is tried once more, and then the run ends") {
  const Endpoint endpoint([&](const Endpoint::Request&) -> Served {
    return {Endpoint::reply(503, R"({"error":{"message":"gone"}})")};
  });
  const Folder folder;
  folder.write("s.json", suite_of(3, R"(, "tries": 1, "outage_calls": 1000)"));
  const Ended run = folder.agon({"run", "s.json", "--no-preflight", "--jobs", "1"}, at(endpoint));
  INFO(run.err);
  CHECK(run.code == 6);
  CHECK(endpoint.calls() == 2 * 15);
  CHECK(contains(run.err, "15 matches could not be finished"));
}
