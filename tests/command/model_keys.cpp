#include <cstdlib>

#include "catch.hpp"
#include "command/endpoint.hpp"
#include "command/folder.hpp"
#include "support/key_forms.hpp"

using namespace command_test;
using agon::test::in_json;
using agon::test::key_forms;
using agon::test::key_in;

namespace {

const std::string kKey = "sk-proj/Zq4w+8sNt_2rLx7Yb/Kd";

// It never answers legally, and the run goes on.
const std::string kSuite = R"({"suite": "echo", "seed": 3, "faults": {"stop_after": 0},
  "models": {"m": {"provider": "openai", "model": "m", "tries": 5, "backoff_s": 0.01}},
  "agents": {"one": {"llm": "m"}, "floor": "random"},
  "scenarios": [{"game": "water-allocation", "set": {"days": 4}, "blocks": 2,
    "design": {"focal": "one", "background": "floor"}}]})";

std::vector<std::pair<std::string, std::string>> environment(const Endpoint& endpoint,
                                                             const std::string& key = kKey) {
  return {{"OPENAI_API_KEY", key}, {"OPENAI_BASE_URL", endpoint.url()}};
}

}  // namespace

TEST_CASE("an endpoint that says its key back gets it into no file and onto no screen") {
  const std::vector<std::string> forms = key_forms(kKey);
  std::atomic<std::size_t> next{0};
  // Answers, errors, replies that are none, headers: in turn, with each form in turn.
  const Endpoint endpoint([&](const Endpoint::Request& request) -> Served {
    const std::size_t n = next++;
    const std::string form = in_json(forms[n % forms.size()]);
    std::string slashed;
    for (const char c : kKey) slashed += c == '/' ? "\\/" : std::string(1, c);
    const std::string& said = n % 3 == 0 ? slashed : form;
    if (request.method == "GET")
      return {Endpoint::reply(200, R"({"data":[{"id":")" + said + R"("},{"id":"n"}]})")};
    if (n % 11 == 1) return {Endpoint::reply(500, R"({"error":{"message":")" + said + R"("}})")};
    if (n % 11 == 2) return {Endpoint::reply(200, "no JSON: " + said)};
    if (n % 11 == 3)
      return {Endpoint::reply(429, R"({"error":{"message":")" + said + R"("}})",
                              "Retry-After: " + kKey + "\r\nx-request-id: " + kKey + "\r\n")};
    if (n == 48 || n == 96)
      return {Endpoint::reply(400, R"({"error":{"message":"bad )" + said + R"("}})")};
    return {Endpoint::reply(200,
                            R"({"id":"i )" + said + R"(","model":"m )" + said +
                                R"(","system_fingerprint":")" + said +
                                R"(","choices":[{"message":{"content":"a )" + said +
                                R"( z","reasoning":"t )" + said + R"("},"finish_reason":"stop )" +
                                said + R"("}],"usage":{"prompt_tokens":1,"completion_tokens":1}})",
                            "x-request-id: " + kKey + "\r\n")};
  });
  const Folder folder;
  folder.write("s.json", kSuite);
  const Ended run = folder.agon({"run", "s.json", "--out", "a.agon", "--verbose", "--no-preflight",
                                 "--jobs", "4", "--drift-check"},
                                {.environment = environment(endpoint)});
  INFO(run.err.substr(0, 2000));
  CHECK((run.code == 0 || run.code == 6));
  CHECK(endpoint.calls() > 50);
  CHECK(contains(run.err, "[key]"));
  CHECK(key_in(run.err, kKey) == "");
  CHECK(key_in(run.out, kKey) == "");
  const Ended doctor =
      folder.agon({"doctor", "s.json", "--verbose"}, {.environment = environment(endpoint)});
  CHECK(key_in(doctor.out + doctor.err, kKey) == "");
  for (const char* file : {"a.agon", "a.agon-wal"})
    if (folder.has(file)) CHECK(key_in(folder.read(file), kKey) == "");
  std::string told;
  for (const Words& words : std::vector<Words>{{"export", "a.agon", "--rows", "calls"},
                                               {"export", "a.agon", "--rows", "records", "--json"},
                                               {"export", "a.agon"},
                                               {"show", "a.agon", "1", "--calls", "--full"},
                                               {"show", "a.agon", "2", "--calls", "--full"},
                                               {"report", "a.agon"},
                                               {"report", "a.agon", "--json"}}) {
    const Ended ended = folder.agon(words);
    INFO(words[0] << " " << words.back() << ": " << ended.err);
    CHECK(ended.code == 0);
    CHECK(key_in(ended.out + ended.err, kKey) == "");
    told += ended.out;
  }
  CHECK(contains(told, "[key]"));
}

TEST_CASE("a key in the settings of a model is refused before anything is written") {
  const Folder folder;
  folder.write("s.json", kSuite);
  const Start start{.environment = {{"OPENAI_API_KEY", kKey}}};
  for (const std::string& setting :
       {std::string(R"({"provider":"openai","model":"m","extra":{"api_key":"hidden-1"}})"),
        R"({"provider":"openai","model":"m","extra":{"a":")" + kKey + R"("}})",
        std::string(
            R"({"provider":"openai","model":"m","base_url":"http://127.0.0.1:9/v1?key=hidden-1"})"),
        std::string(R"({"provider":"openai","model":"m","key_env":"hidden-1"})")}) {
    std::string suite = kSuite;
    const std::string model =
        R"({"provider": "openai", "model": "m", "tries": 5, "backoff_s": 0.01})";
    suite.replace(suite.find(model), model.size(), setting);
    folder.write("k.json", suite);
    const Ended ended = folder.refuses({"run", "k.json", "--out", "k.agon"}, 5, {"key_env"}, start);
    CHECK_FALSE(contains(ended.err, "hidden-1"));
    CHECK(key_in(ended.err, kKey) == "");
    CHECK_FALSE(folder.has("k.agon"));
  }
  const Ended ended = folder.agon(
      {"run", "s.json", "--out", "k.agon", "--model", R"(openai/m:extra={"api_key":"hidden-1"})"},
      start);
  CHECK(ended.code != 0);
  CHECK_FALSE(contains(ended.err, "hidden-1"));
  CHECK_FALSE(folder.has("k.agon"));
}

TEST_CASE("a key on the command line or in a comment of the suite is not kept") {
  const Endpoint endpoint(
      [](const Endpoint::Request&) -> Served { return {Endpoint::answer("nothing")}; });
  const Folder folder;
  folder.write("s.json", "// " + kKey + "\n" + kSuite);
  folder.write(kKey.substr(8, 8) + "x.json", "{}");
  const Ended run = folder.agon(
      {"run", "s.json", "--out", "a.agon", "--no-preflight", "--model", "openai/m:stop=[\"a\"]",
       "--agent", "floor=random", "--prices", "/nowhere/" + kKey},
      {.environment = environment(endpoint)});
  CHECK(run.code == 3);  // it says which file is not there
  CHECK(key_in(run.err, kKey) == "");
}

TEST_CASE("a key that cannot be cut is refused, and said how to fix it") {
  const Endpoint endpoint(
      [](const Endpoint::Request&) -> Served { return {Endpoint::answer("nothing")}; });
  const Folder folder;
  folder.write("s.json", kSuite);
  folder.refuses({"run", "s.json"}, 5,
                 {"the key in OPENAI_API_KEY is too short", "unset OPENAI_API_KEY"},
                 {.environment = environment(endpoint, "123")});
  CHECK(endpoint.calls() == 0);
  CHECK(folder.agon({"run", "s.json"}, {.environment = environment(endpoint, "EMPTY")}).code == 0);
}
