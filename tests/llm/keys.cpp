#include <fmt/format.h>
#include <sys/resource.h>

#include <agon/error.hpp>
#include <agon/secrets.hpp>

#include "catch.hpp"
#include "rig.hpp"
#include "standard_error.hpp"
#include "support/key_forms.hpp"

// An endpoint that says the key that it was sent, in every way and in every place.
namespace {

using namespace llm_tests;
using agon::test::in_json;
using agon::test::key_forms;
using agon::test::key_in;

std::string all_of(const ModelResult& r) {
  const ModelCall& c = r.call;
  std::string text;
  for (const std::string& part :
       {c.provider, c.endpoint, c.model, c.parameters, c.text, c.reasoning, c.finish,
        c.served_model, c.fingerprint, c.request_id, c.problem})
    text += part + "\n";
  for (const ChatMessage& m : c.messages) text += m.text + "\n";
  return text;
}

/// The forms as they stand in JSON: what is escaped there once more, and the key escaped as JSON
/// allows and as no parser would leave it.
std::vector<std::string> forms_in_json() {
  std::vector<std::string> forms;
  for (const std::string& form : key_forms(kKey)) forms.push_back(in_json(form));
  std::string escaped, slashed;
  for (const char* c = kKey; *c != '\0'; ++c) {
    escaped += fmt::format("\\u{:04X}", static_cast<unsigned>(*c));
    slashed += *c == '/' ? "\\/" : std::string(1, *c);
  }
  forms.push_back(escaped);
  forms.push_back(slashed);
  return forms;
}

/// One reply with the form in every field that anything is read from.
std::string talkative(bool anthropic, const std::string& form) {
  const auto fill = [&](std::string text) {
    for (std::size_t at = 0; (at = text.find("KEY", at)) != std::string::npos; at += form.size())
      text.replace(at, 3, form);
    return text;
  };
  if (anthropic)
    return fill(R"({"id":"KEY","model":"m KEY","role":"assistant","content":[)"
                R"({"type":"thinking","thinking":"t KEY"},{"type":"text","text":"a KEY z"}],)"
                R"("stop_reason":"s KEY","usage":{"input_tokens":1,"output_tokens":1}})");
  return fill(R"({"id":"i KEY","model":"m KEY","system_fingerprint":"f KEY","provider":"p KEY",)"
              R"("choices":[{"message":{"content":"a KEY z","reasoning_content":"t KEY"},)"
              R"("finish_reason":"s KEY"}],"usage":{"prompt_tokens":1,"completion_tokens":1}})");
}

TEST_CASE("a key that an endpoint writes in any form and field is cut", "[llm][keys]") {
  const std::string provider = GENERATE("openai", "anthropic");
  std::string screen;
  std::string record;
  {
    StandardError error;
    Rig rig(provider);
    AgentServices services;
    services.verbose = true;
    HttpProvider loud(rig.spec, provider_card(rig.spec.provider), services, rig.clock);
    const ModelRequest request{.purpose = "answer", .messages = {{"user", "hello"}}};
    for (const std::string& form : forms_in_json()) {
      rig.then(200, talkative(provider == "anthropic", form));
      const ModelResult r = loud.call(request, Provider::Time::max(), Dice(1));
      CHECK(r.call.fault == agon::Fault::ok);
      // What stands around it is left.
      INFO(form << "\n" << r.call.text);
      CHECK(r.call.text.starts_with("a "));
      CHECK(r.call.text.ends_with(" z"));
      record += all_of(r);
    }
    for (const std::string& form : key_forms(kKey)) {
      // Headers have one line.
      if (form.find_first_of("\r\n") != std::string::npos) continue;
      rig.then(200, openai_reply(), {{"x-request-id", form}, {"request-id", form}});
      record += all_of(loud.call(request, Provider::Time::max(), Dice(1)));
    }
    screen = error.text();
  }
  CHECK(record.find("[key]") != std::string::npos);
  CHECK(key_in(record, kKey) == "");
  CHECK(screen.find("> POST") != std::string::npos);
  CHECK(key_in(screen, kKey) == "");
}

TEST_CASE("errors of every kind do not quote the key", "[llm][keys]") {
  std::string screen;
  std::string record;
  {
    StandardError error;
    Rig rig;
    rig.spec.tries = 1;
    AgentServices services;
    services.verbose = true;
    const ModelRequest request{.purpose = "answer", .messages = {{"user", "hello"}}};
    // An endpoint that answered once stops nobody.
    HttpProvider loud(rig.spec, provider_card(rig.spec.provider), services, rig.clock);
    record += all_of(loud.call(request, Provider::Time::max(), Dice(1)));
    for (const std::string& form : forms_in_json()) {
      const std::string said =
          R"({"error":{"message":"no: )" + form + R"(","code":"c","type":"t"}})";
      rig.then(400, said);
      record += all_of(loud.call(request, Provider::Time::max(), Dice(1)));
      // What is no JSON, and a reply without what it should hold.
      rig.then(200, "not JSON " + form);
      record += all_of(loud.call(request, Provider::Time::max(), Dice(1)));
      rig.then(200, R"({"nothing":")" + form + "\"}");
      record += all_of(loud.call(request, Provider::Time::max(), Dice(1)));
      // Shortened in the middle of the key.
      rig.then(400, R"({"error":{"message":")" + std::string(185, '.') + form + "\"}}");
      record += all_of(loud.call(request, Provider::Time::max(), Dice(1)));
    }
    for (const char* body : {R"({"error":{"message":"Incorrect API key: KEY"}})", "KEY"}) {
      std::string text = body;
      text.replace(text.find("KEY"), 3, kKey);
      Rig wrong;
      wrong.then(200, R"({"data":[{"id":")" + std::string(kKey) + "\"}]}");
      for (int i = 0; i < 3; ++i) wrong.then(401, text);
      for (const Finding& f : wrong.provider().preflight({}))
        record += f.what + "\n" + f.hint + "\n";
      Rig moved;
      for (int i = 0; i < 3; ++i)
        moved.then(302, "", {{"Location", "https://other.example/?key=" + std::string(kKey)}});
      record += all_of(moved.call());
    }
    screen = error.text();
  }
  CHECK(record.find("[key]") != std::string::npos);
  CHECK(key_in(record, kKey) == "");
  CHECK(record.find("sk-test") == std::string::npos);
  CHECK(key_in(screen, kKey) == "");
}

TEST_CASE("the key of another provider is cut as well", "[llm][keys]") {
  Rig rig;
  setenv("AGON_TEST_OTHER_KEY", "other-Kq7w/Zx3v9Lm", 1);
  ModelSpec spec = rig.spec;
  spec.key_env = "AGON_TEST_OTHER_KEY";
  const HttpProvider other(spec, provider_card(spec.provider), {}, rig.clock);
  rig.then(200, openai_reply("it is other-Kq7w%2FZx3v9Lm"));
  CHECK(rig.call().call.text == "it is [key]");
}

TEST_CASE("a key that is too short to be cut is refused, words that are no keys are not",
          "[llm][keys]") {
  Rig rig;
  rig.spec.key_env = "AGON_TEST_SHORT_KEY";
  for (const char* key : {"1", "abc", "1234567"}) {
    setenv("AGON_TEST_SHORT_KEY", key, 1);
    try {
      const HttpProvider provider(rig.spec, provider_card(rig.spec.provider), {}, rig.clock);
      FAIL("it was taken");
    } catch (const agon::Error& error) {
      CHECK(error.problem().find("AGON_TEST_SHORT_KEY") != std::string::npos);
      CHECK(error.problem().find(key) == std::string::npos);
      CHECK(error.hint().find("unset") != std::string::npos);
    }
  }
  for (const char* word : {"EMPTY", "none", "ollama", "lm-studio"}) {
    setenv("AGON_TEST_SHORT_KEY", word, 1);
    MockServer server{ServerOptions{
        .before = [&](const SeenRequest&) { return CannedReply{.body = openai_reply(word)}; }}};
    ModelSpec spec = rig.spec;
    spec.base_url = server.url() + "/v1";
    HttpProvider provider(spec, provider_card(spec.provider), {}, rig.clock);
    const ModelRequest request{.purpose = "answer", .messages = {{"user", "hello"}}};
    CHECK(provider.call(request, Provider::Time::max(), Dice(1)).call.text == word);
  }
  setenv("AGON_TEST_SHORT_KEY", "ab12", 1);
  const HttpProvider provider(rig.spec, provider_card(rig.spec.provider), {}, rig.clock);
  CHECK(agon::secrets::cut("ab12 AB12 xab12") == "[key] [key] xab12");
}

TEST_CASE("no core file is written once there is a key", "[llm][keys]") {
  const Rig rig;
  const HttpProvider provider(rig.spec, provider_card(rig.spec.provider), {}, rig.clock);
  rlimit limit{};
  REQUIRE(getrlimit(RLIMIT_CORE, &limit) == 0);
  CHECK(limit.rlim_cur == 0);
}

TEST_CASE("settings of a model cannot carry a key", "[llm][keys]") {
  setenv(kKeyEnv, kKey, 1);
  ModelSpec plain;
  plain.provider = "openai";
  plain.model = "m";
  plain.base_url = "http://127.0.0.1:9/v1";
  plain.key_env = kKeyEnv;
  const auto place_of = [](const ModelSpec& spec) -> std::string {
    try {
      static_cast<void>(resolve(spec));
      return "";
    } catch (const agon::Error& error) {
      const std::string words = error.what();
      CHECK(words.find("key_env") != std::string::npos);
      CHECK(key_in(words, kKey) == "");
      CHECK(words.find("hidden") == std::string::npos);
      return error.where();
    }
  };
  const auto extra = [&](const std::string& text) {
    ModelSpec spec = plain;
    spec.extra = text;
    return place_of(spec);
  };
  for (const char* name : {"api_key", "apikey", "API-Key", "x-api-key", "openai_api_key",
                           "Authorization", "auth_token", "access_token", "secret", "client_secret",
                           "password", "bearer", "token", "auth"})
    CHECK(extra(R"({"top_k":3,"a":[{"b":{")" + std::string(name) + R"(":"hidden"}}]})") ==
          "$.extra");
  CHECK(extra(R"({"x":["a )" + std::string(kKey) + R"("]})") == "$.extra");
  CHECK(extra(R"({"x":"sk-test\/0123456789+abcdef_Xy"})") == "$.extra");
  // In another form as well.
  CHECK(extra(R"({"x":"c2stdGVzdC8wMTIzNDU2Nzg5K2FiY2RlZl9YeQ=="})") == "$.extra");
  CHECK(extra(R"({"x":["id dXNlcjpzay10ZXN0LzAxMjM0NTY3ODkrYWJjZGVmX1h5"]})") == "$.extra");
  CHECK(extra(R"({"headers":{"h":"Bearer hidden"}})") == "$.extra");
  CHECK(extra(R"({"max_tokens":3,"prompt_cache_key":"a","min_tokens":1,"stop_token_ids":[1],)"
              R"("thinking":{"type":"enabled","budget_tokens":9},"secret":false})")
            .empty());
  const auto with = [&](auto change) {
    ModelSpec spec = plain;
    change(spec);
    return place_of(spec);
  };
  CHECK(with([](ModelSpec& s) { s.base_url = "https://a.example/v1?api_key=hidden"; }) ==
        "$.base_url");
  CHECK(with([](ModelSpec& s) { s.base_url = "https://a.example/v1?v=1&key=hidden"; }) ==
        "$.base_url");
  CHECK(with([](ModelSpec& s) { s.base_url = "https://a.example/" + std::string(kKey); }) ==
        "$.base_url");
  CHECK(with([](ModelSpec& s) { s.key_env = "sk-hidden-1"; }) == "$.key_env");
  CHECK(with([](ModelSpec& s) { s.stop = {kKey}; }) == "$.stop");
  CHECK(with([](ModelSpec& s) { s.model = kKey; }) == "$.model");
  CHECK(with([](ModelSpec& s) { s.reasoning_effort = kKey; }) == "$.reasoning_effort");
  CHECK(with([](ModelSpec&) {}).empty());
  ModelSpec mock;
  mock.extra = R"({"api_key":"hidden"})";
  CHECK(place_of(mock) == "$.extra");
}

}  // namespace
