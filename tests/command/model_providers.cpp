// A provider that a plugin brings is used as the shipped ones are.
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cstdlib>

#include "catch.hpp"
#include "command/endpoint.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

const std::string kProviderPlugin = std::string(AGON_TEST_PLUGINS) + "/good/provider.so";
const std::string kAcmeKey = "acme/Zq4w+8sNt_2rLx7Yb";

std::string acme_suite(const std::string& more = "") {
  return R"({"suite": "acme", "seed": 3,
    "models": {"m": {"provider": "acme", "model": "a-1", "temperature": 0.5, "backoff_s": 0.01)" +
         more + R"(}},
    "agents": {"one": {"llm": "m"}, "floor": "random"},
    "scenarios": [{"game": "water-allocation", "set": {"days": 3}, "blocks": 2,
      "design": {"focal": "one", "background": "floor"}}]})";
}

}  // namespace

TEST_CASE("a provider and its wire format may come from a plugin") {
  std::mutex mutex;
  std::vector<Endpoint::Request> seen;
  // The first call meets an error in the provider's words, which may pass.
  const Endpoint endpoint([&](const Endpoint::Request& request) -> Served {
    const std::lock_guard lock(mutex);
    seen.push_back(request);
    if (seen.size() == 1) return {Endpoint::reply(200, R"({"excuse": "too many at once"})")};
    return {Endpoint::reply(
        200, R"({"said": "{\"bid\": 7}", "engine": "a-1 of today", "read": 20, "written": 4,)"
             R"( "end": "done"})")};
  });
  std::string url = endpoint.url();
  url.resize(url.rfind('/'));
  const Folder folder;
  folder.write("s.json", acme_suite());
  const Start start{
      .environment = {{"ACME_URL", url}, {"ACME_KEY", kAcmeKey}, {"ACME_TEAM", "red"}}};
  folder.succeeds(
      {"run", "s.json", "--out", "a.agon", "--plugin", kProviderPlugin, "--sandbox", "never"},
      start);

  REQUIRE(seen.size() > 6);
  for (const Endpoint::Request& request : seen) {
    INFO(request.head);
    CHECK(request.method == "POST");
    CHECK(request.path == "/talk");
    check_has(request.head,
              {"acme-key: " + kAcmeKey + "\r\n", "acme-version: 7\r\n", "acme-team: red\r\n"});
    CHECK_FALSE(contains(request.head, "Authorization"));
  }
  const boost::json::object body = boost::json::parse(seen.back().body).as_object();
  CHECK(body.at("engine").as_string() == "a-1");
  CHECK(body.at("warmth").as_double() == 0.5);
  CHECK(body.at("shape").as_object().contains("properties"));
  CHECK(body.at("talk").as_array().front().as_object().at("by").as_string() == "system");

  // Without the plugin the archive reads as any other.
  const Ended calls = folder.agon({"export", "a.agon", "--rows", "calls", "--json"});
  INFO(calls.err);
  check_has(calls.out, {R"("provider":"acme")", R"("served_model":"a-1 of today")"});
  CHECK_FALSE(contains(calls.out, kAcmeKey));
  CHECK_FALSE(contains(folder.agon({"report", "a.agon"}).out, "mock"));
}

TEST_CASE("a model that only goes on with texts narrates over raw completions") {
  std::mutex mutex;
  std::vector<Endpoint::Request> seen;
  // As such models do: it says its line, and the endpoint ends at the stop text.
  const Endpoint endpoint([&](const Endpoint::Request& request) -> Served {
    const std::lock_guard lock(mutex);
    seen.push_back(request);
    if (request.method == "GET")
      return {Endpoint::reply(200, R"({"object":"list","data":[{"id":"base-1"}]})")};
    return {Endpoint::reply(
        200, R"({"id":"cmpl-1","object":"text_completion","model":"base-1","choices":[{"index":0,)"
             R"("text":" {\"talk\": \"It is what I can give.\"}\n","finish_reason":"stop"}],)"
             R"("usage":{"prompt_tokens":200,"completion_tokens":9,"total_tokens":209}})")};
  });
  const Folder folder;
  folder.write("s.json", R"({"suite": "raw", "seed": 3,
    "models": {"base": {"provider": "completions", "model": "base-1", "temperature": 0.7,
                        "max_tokens": 80}},
    "agents": {"narrator": {"llm": "base", "reasoning": "og-narrator"},
               "seller": "adversary:style=exploiting"},
    "scenarios": [{"game": "bargaining", "preset": "paper", "blocks": 2,
      "design": {"fixed": [["narrator", "seller"]], "seat_rotation": "as-listed"}}]})");
  const Start start{.environment = {{"COMPLETIONS_BASE_URL", endpoint.url()}}};
  folder.succeeds({"run", "s.json", "--out", "a.agon"}, start);
  REQUIRE(seen.size() > 10);
  for (const Endpoint::Request& request : seen)
    if (request.method == "POST") CHECK(request.path == "/v1/completions");
  const boost::json::object body = boost::json::parse(seen.back().body).as_object();
  CHECK_FALSE(body.contains("messages"));
  CHECK_FALSE(body.contains("response_format"));
  CHECK(body.at("max_tokens").to_number<int>() == 80);
  CHECK(body.at("stop").as_array().at(0).as_string() == "\nUser:");
  const std::string_view prompt = body.at("prompt").as_string();
  CHECK(prompt.starts_with("User: A buyer bargains with a seller"));
  CHECK(prompt.ends_with("\n\nAssistant:"));
  CHECK(contains(std::string(prompt), "It is what I can give."));  // of the turns before
  const Ended shown = folder.agon({"show", "a.agon", "1"});
  INFO(shown.err);
  CHECK(contains(shown.out, "It is what I can give."));

  // What speaks chat completions at that place is told apart.
  const Endpoint chat(
      [](const Endpoint::Request&) -> Served { return {Endpoint::answer("hello")}; });
  folder.refuses({"run", "s.json", "--out", "b.agon"}, 4,
                 {"a chat completion", "look at base_url and provider"},
                 {.environment = {{"COMPLETIONS_BASE_URL", chat.url()}}});
}

TEST_CASE("a run over Google's own API") {
  std::mutex mutex;
  std::vector<Endpoint::Request> seen;
  const Endpoint endpoint([&](const Endpoint::Request& request) -> Served {
    const std::lock_guard lock(mutex);
    seen.push_back(request);
    if (request.method == "GET")
      return {
          Endpoint::reply(200, R"({"models":[{"name":"models/g-1","inputTokenLimit":90000}]})")};
    return {Endpoint::reply(
        200,
        R"({"candidates":[{"content":{"role":"model","parts":[{"text":"Seven.","thought":true})"
        R"(,{"text":"{\"bid\": 7}"}]},"finishReason":"STOP"}],"usageMetadata":)"
        R"({"promptTokenCount":20,"candidatesTokenCount":4,"thoughtsTokenCount":3},)"
        R"("modelVersion":"g-1 of today"})")};
  });
  const Folder folder;
  folder.write("s.json", R"({"suite": "google", "seed": 3,
    "models": {"m": {"provider": "gemini", "model": "g-1", "reasoning_effort": "low"}},
    "agents": {"one": {"llm": "m"}, "floor": "random"},
    "scenarios": [{"game": "water-allocation", "set": {"days": 3}, "blocks": 2,
      "design": {"focal": "one", "background": "floor"}}]})");
  const Start start{
      .environment = {{"GEMINI_BASE_URL", endpoint.url()}, {"GOOGLE_API_KEY", kAcmeKey}}};
  const Ended run = folder.succeeds({"run", "s.json", "--out", "a.agon"}, start);
  // It answers in JSON, and not by the schema of the look before the run.
  CHECK(contains(run.err, "warning: "));
  REQUIRE(seen.size() > 6);
  for (const Endpoint::Request& request : seen) {
    INFO(request.head);
    CHECK(contains(request.head, "\r\nx-goog-api-key: " + kAcmeKey));
    CHECK_FALSE(contains(request.head, "Authorization"));
    if (request.method == "POST") CHECK(request.path == "/v1/models/g-1:generateContent");
  }
  const boost::json::object body = boost::json::parse(seen.back().body).as_object();
  CHECK_FALSE(body.contains("model"));
  CHECK(body.contains("systemInstruction"));
  const boost::json::object& config = body.at("generationConfig").as_object();
  CHECK(config.at("responseJsonSchema").as_object().contains("properties"));
  CHECK(config.at("thinkingConfig").as_object().at("thinkingLevel").as_string() == "low");
  const Ended calls = folder.agon({"export", "a.agon", "--rows", "calls", "--json"});
  INFO(calls.err);
  check_has(calls.out, {R"("provider":"gemini")", R"("served_model":"g-1 of today")"});
  CHECK_FALSE(contains(calls.out, kAcmeKey));
  CHECK(contains(folder.agon({"describe", "gemini"}).out, "GEMINI_API_KEY, else GOOGLE_API_KEY"));
}

TEST_CASE("a provider of a plugin is listed, described, and held to what it takes") {
  const Folder folder;
  const Ended list =
      folder.agon({"list", "providers", "--plugin", kProviderPlugin, "--sandbox", "never"});
  check_has(list.out, {"acme              https://acme.example/api",
                       "anthropic         https://api.anthropic.com",
                       "gemini            https://generativelanguage.googleapis.com/v1beta"});
  const Ended one =
      folder.succeeds({"describe", "acme", "--plugin", kProviderPlugin, "--sandbox", "never"});
  check_has(one.out, {"ACME_KEY", "takes no          seed"});

  folder.write("s.json", acme_suite(R"(, "seed": 4)"));
  folder.refuses({"run", "s.json", "--plugin", kProviderPlugin, "--sandbox", "never"}, 5,
                 {"the provider 'acme' takes no seed\nhint: leave it out"});

  folder.write("t.json", acme_suite());
  folder.refuses({"run", "t.json"}, 5, {"unknown provider 'acme'", "t.json"});

  // Its key goes to no other host unasked.
  folder.write("u.json", acme_suite(R"(, "base_url": "https://other.example")"));
  const Ended other =
      folder.agon({"run", "u.json", "--plugin", kProviderPlugin, "--sandbox", "never"},
                  {.environment = {{"ACME_KEY", kAcmeKey}}});
  CHECK(other.code != 0);
  check_has(other.err, {"ACME_KEY", "https://other.example"});
}
