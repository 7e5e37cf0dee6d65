#include <agon/error.hpp>

#include "catch.hpp"
#include "rig.hpp"

// What endpoints say in words of their own.
namespace {

using namespace llm_tests;

const std::string kSchema =
    R"({"type":"object","properties":{"bid":{"type":"integer","minimum":0,"maximum":9}},)"
    R"("required":["bid"],"additionalProperties":false})";

TEST_CASE("a 5xx is waited out by the doubling wait, whatever it says of rate limits",
          "[llm][quirks]") {
  Rig rig;
  rig.then(500, R"({"error":{"message":"oops"}})",
           {{"x-ratelimit-reset-requests", "8.6s"}, {"x-ratelimit-reset-tokens", "6m0s"}});
  rig.then(503, R"({"error":{"message":"busy"}})", {{"Retry-After", "4"}});
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.tries == 3);
  CHECK(r.call.waited_ms >= 4000);
  CHECK(r.call.waited_ms <= 10000);
}

TEST_CASE("a wish that is longer than a call may take is an odd reply: the call tries again",
          "[llm][quirks]") {
  ModelSpec base;
  base.total_s = 60;
  Rig rig("openai", {}, base);
  rig.then(429, R"({"error":{"message":"per day"}})", {{"Retry-After", "5400"}});
  const ModelResult first = rig.call();
  CHECK(first.call.fault == agon::Fault::ok);
  CHECK(first.call.tries == 2);
  CHECK(first.call.waited_ms < 60'000);
  // And ends no other call.
  const ModelResult second = rig.call();
  CHECK(second.call.fault == agon::Fault::ok);
  CHECK(second.call.tries == 1);
  CHECK(rig.calls_seen() == 3);
}

TEST_CASE("errors are read in any wrapping", "[llm][quirks]") {
  // A list of one error; a validator's list of complaints, bare and inside a message; a router that
  // hands on what it was told.
  const std::string body = GENERATE(
      std::string(R"([{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name )"
                  R"(\"seed\": Cannot find field.","status":"INVALID_ARGUMENT"}}])"),
      std::string(R"({"detail":[{"type":"extra_forbidden","loc":["body","seed"],)"
                  R"("msg":"Extra inputs are not permitted","input":3}]})"),
      std::string(R"({"object":"error","message":{"detail":[{"loc":["body","seed"],)"
                  R"("msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error"})"),
      std::string(R"({"error":{"message":"Unrecognized request argument supplied: seed"}})"),
      std::string(R"({"error":{"message":"litellm.UnsupportedParamsError: openai does not support )"
                  R"(parameters: ['seed'], for model=m.","type":"None","param":"None",)"
                  R"("code":"400"}})"),
      std::string(R"({"error":{"message":"Provider returned error","code":400,"metadata":{"raw":)"
                  R"("{\"error\":{\"message\":\"no\",\"code\":\"unsupported_parameter\",)"
                  R"(\"param\":\"seed\"}}","provider_name":"P"}}})"));
  ModelSpec base;
  base.seed = 3;
  base.drop_unsupported = true;
  Rig rig("openai", {}, base);
  rig.then(body.starts_with(R"({"detail)") ? 422 : 400, body);
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.parameters == R"({"not_applied":["seed"]})");
  CHECK(rig.calls_seen() == 2);
}

/// A model with one setting, and what an endpoint calls that.
struct Setting {
  std::string name;
  ModelSpec spec;
  std::string value;
  std::string wire;  ///< as requests have it
};

Setting setting(const std::string& name) {
  Setting s{name, {}, "3", name};
  if (name == "temperature") s.spec.temperature = 0.5, s.value = "0.5";
  if (name == "top_p") s.spec.top_p = 0.5, s.value = "0.5";
  if (name == "seed") s.spec.seed = 3;
  if (name == "stop") s.spec.stop = {"END"}, s.value = R"(["END"])";
  if (name == "reasoning_effort") s.spec.reasoning_effort = "low", s.value = R"("low")";
  if (name == "logprobs") s.name = "sample", s.value = R"("distribution")";
  if (name == "n") s.name = "samples", s.spec.samples = 3;
  if (name == "logprobs" || name == "n") s.spec.sample = Sample::distribution;
  return s;
}

CannedReply turns_down(const std::string& name) {
  return {.status = 400,
          .body = R"({"error":{"message":"Unsupported parameter","code":"unsupported_parameter",)"
                  R"("param":")" +
                  name + R"("}})"};
}

TEST_CASE("a setting that is not taken stops the run, and says what to write", "[llm][settings]") {
  const Setting s = setting(
      GENERATE("temperature", "top_p", "seed", "stop", "reasoning_effort", "logprobs", "n"));
  INFO(s.name);
  Rig rig("openai", {}, s.spec);
  rig.then(turns_down(s.wire));
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::provider_failed);
  CHECK(r.halt == Halt::configuration);
  CHECK(rig.calls_seen() == 1);
  for (const std::string& words :
       {s.name, s.value, std::string("drop_unsupported"), rig.spec.base_url})
    CHECK(r.call.problem.find(words) != std::string::npos);
  // Known once, nothing is sent again; who asks without it is not stopped.
  CHECK(rig.call().halt == Halt::configuration);
  CHECK(rig.calls_seen() == 1);
  ModelSpec without = rig.spec;
  without.temperature.reset(), without.top_p.reset(), without.seed.reset();
  without.stop.clear(), without.reasoning_effort.clear();
  without.sample.reset(), without.samples.reset();
  HttpProvider other(without, provider_card("openai"), AgentServices{}, rig.clock);
  ModelRequest request{.purpose = "answer", .messages = {{"user", "Hi"}}};
  CHECK(other.call(request, Provider::Time::max(), Dice(1)).call.fault == agon::Fault::ok);
}

TEST_CASE("a setting that is not taken later on stops the run as well", "[llm][settings]") {
  Rig rig("openai", {}, setting("reasoning_effort").spec);
  rig.then(200, openai_reply());
  CHECK(rig.call().call.fault == agon::Fault::ok);
  rig.then(turns_down("reasoning_effort"));
  CHECK(rig.call().halt == Halt::configuration);
}

TEST_CASE("a setting may be left out where the suite says so, and is on record",
          "[llm][settings]") {
  Setting s = setting(
      GENERATE("temperature", "top_p", "seed", "stop", "reasoning_effort", "logprobs", "n"));
  INFO(s.name);
  s.spec.drop_unsupported = true;
  Rig rig("openai", {}, s.spec);
  rig.then(200, openai_reply());
  CHECK(rig.call().call.parameters.find("not_applied") == std::string::npos);
  rig.then(turns_down(s.wire));
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  const std::string also = s.wire == "n" ? R"(,"sample")" : "";
  CHECK(r.call.parameters == R"({"not_applied":[")" + s.name + '"' + also + "]}");
  CHECK(rig.seen().back().body.find(s.name) == std::string::npos);
}

TEST_CASE("what a reasoning model's name rules out is not left out in silence", "[llm][settings]") {
  Setting s = setting("temperature");
  s.spec.model = "gpt-5-mini";
  Rig rig("openai", {}, s.spec);
  const ModelResult r = rig.call();
  CHECK(r.halt == Halt::configuration);
  CHECK(rig.calls_seen() == 0);
  CHECK(r.call.problem.find(R"("sampling": "yes")") != std::string::npos);
  // Of what the endpoint turns down the name is no reason.
  Setting other = setting("top_p");
  Rig refused("openai", {}, other.spec);
  refused.then(turns_down("top_p"));
  CHECK(refused.call().call.problem.find("by its name") == std::string::npos);
  CHECK(refused.call().call.problem.find("by its name") == std::string::npos);
  // Said to be left out, or to be sent; without the setting there is nothing to say.
  s.spec.drop_unsupported = true;
  Rig drops("openai", {}, s.spec);
  drops.then(200, openai_reply());
  CHECK(drops.call().call.parameters == R"({"not_applied":["temperature"]})");
  s.spec.drop_unsupported.reset();
  s.spec.sampling = Sampling::no;
  Rig never("openai", {}, s.spec);
  never.then(200, openai_reply());
  CHECK(never.call().call.parameters == R"({"not_applied":["temperature"]})");
  s.spec.sampling = Sampling::yes;
  Rig sends("openai", {}, s.spec);
  sends.then(200, openai_reply());
  CHECK(sends.call().call.parameters == R"({"temperature":0.5})");
}

TEST_CASE("preflight: a setting that is not taken is named, and so is one that is left out",
          "[llm][settings]") {
  for (const bool drops : {false, true}) {
    Setting s = setting("reasoning_effort");
    if (drops) s.spec.drop_unsupported = true;
    Rig rig("openai", {}, s.spec);
    rig.then(200, R"({"data":[{"id":"m"}]})").then(turns_down("reasoning_effort"));
    std::string words;
    bool is_error = false, is_warning = false;
    for (const Finding& f : rig.provider().preflight({})) {
      words += f.what + "\n";
      is_error = is_error || f.level == Finding::Level::error;
      is_warning = is_warning || (f.level == Finding::Level::warning &&
                                  f.what.find("reasoning_effort") != std::string::npos);
    }
    INFO(words);
    CHECK(is_error != drops);
    CHECK(is_warning == drops);
    CHECK((words.find("drop_unsupported") != std::string::npos) != drops);
  }
}

TEST_CASE("preflight: a setting that the suite leaves out is not said of the endpoint",
          "[llm][settings]") {
  Setting s = setting("temperature");
  s.spec.sampling = Sampling::no;
  Rig rig("openai", {}, s.spec);
  rig.then(200, R"({"data":[{"id":"m"}]})").then(200, openai_reply("ready"));
  std::string words;
  for (const Finding& f : rig.provider().preflight({})) words += f.what + "\n";
  INFO(words);
  CHECK(words.find(R"(temperature is not sent: "sampling" is "no")") != std::string::npos);
  CHECK(words.find("does not take it") == std::string::npos);
}

TEST_CASE("preflight: the form of answers is tried with the keywords of the run, and then stays",
          "[llm][settings]") {
  const std::string refuses = R"({"error":{"message":"Invalid schema for response_format"}})";
  for (const bool drops : {false, true}) {
    ModelSpec base;
    if (drops) base.drop_unsupported = true;
    Rig rig("openai", {}, base);
    const std::vector<std::string> keywords{"minimum", "maxLength", "anyOf"};
    rig.then(200, R"({"data":[{"id":"m"}]})").then(200, openai_reply("ready"));
    rig.then(400, refuses);  // with bounds
    const auto found = rig.provider().preflight({.keywords = keywords});
    for (const Finding& f : found) CHECK(f.level != Finding::Level::error);
    const std::vector<SeenRequest> seen = rig.seen();
    REQUIRE(seen.size() == 4);
    for (const std::string& keyword : keywords)
      CHECK(seen[2].body.find('"' + keyword + '"') != std::string::npos);
    CHECK(seen[2].body.find("minItems") == std::string::npos);
    CHECK(seen[3].body.find("maxLength") == std::string::npos);
    const ModelResult first = rig.call(kSchema);
    CHECK(first.call.parameters.find("bounds of the schema") != std::string::npos);
    CHECK(first.call.parameters.find("\"maximum\"") == std::string::npos);
    // What it refuses from now on changes no prompt, unless it may.
    rig.then(400, refuses);
    const ModelResult later = rig.call(kSchema);
    CHECK((later.halt == Halt::configuration) != drops);
    CHECK((later.call.fault == agon::Fault::ok) == drops);
  }
}

TEST_CASE("a template without a system gets the system prompt in the user's first message",
          "[llm][settings]") {
  // Gemma over vLLM, early Mistral, o1-mini, llama.cpp.
  const auto [status, body] = GENERATE(
      std::pair(400, std::string(R"({"object":"error","message":"System role not supported"})")),
      std::pair(400, std::string(R"({"message":"Conversation roles must alternate user/assistant/)"
                                 R"(user/assistant/..."})")),
      std::pair(400, std::string(R"({"error":{"message":"Unsupported value: 'messages[0].role' )"
                                 R"(does not support 'system' with this model.","param":)"
                                 R"("messages[0].role","code":"unsupported_value"}})")),
      std::pair(500, std::string(R"({"error":{"code":500,"message":"System role not supported )"
                                 R"(at row 1"}})")));
  INFO(body);
  Rig rig;
  rig.then(200, R"({"data":[{"id":"m"}]})").then(status, body);
  std::string words;
  for (const Finding& f : rig.provider().preflight({})) {
    CHECK(f.level == Finding::Level::ok);
    words += f.what + "\n";
  }
  CHECK(words.find("takes no system prompt") != std::string::npos);
  rig.then(200, openai_reply());
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  REQUIRE(r.call.messages.size() == 1);
  CHECK(r.call.messages[0].role == "user");
  CHECK(r.call.messages[0].text == "You play.\n\nYour bid, as JSON?");
  CHECK(rig.seen().back().body.find("\"system\"") == std::string::npos);
  CHECK(r.call.parameters == R"({"not_applied":["system_role"]})");
}

TEST_CASE("a system prompt that is refused after the start of a run ends it, and no prompt changes",
          "[llm][settings]") {
  for (const bool drops : {false, true}) {
    ModelSpec base;
    if (drops) base.drop_unsupported = true;
    Rig rig("openai", {}, base);
    rig.then(200, R"({"data":[{"id":"m"}]})").then(200, openai_reply("ready"));
    static_cast<void>(rig.provider().preflight({}));
    rig.then(400, R"({"message":"System role not supported"})");
    const ModelResult r = rig.call();
    CHECK((r.halt == Halt::configuration) != drops);
    CHECK((r.call.fault == agon::Fault::ok) == drops);
    if (!drops) CHECK(r.call.problem.find("the system prompt") != std::string::npos);
  }
}

TEST_CASE("who says the system prompt is as the settings say", "[llm][settings]") {
  ModelSpec base;
  base.system_role = SystemRole::developer;
  Rig developer("openai", {}, base);
  developer.then(200, openai_reply());
  CHECK(developer.call().call.messages[0].role == "developer");
  CHECK(developer.seen().back().body.find(R"("role":"developer")") != std::string::npos);
  base.system_role = SystemRole::user;
  Rig user("openai", {}, base);
  user.then(200, openai_reply());
  const ModelResult merged = user.call();
  CHECK(merged.call.messages.size() == 1);
  CHECK(merged.call.parameters == "{}");  // it was asked for
  // What was asked for is not changed in silence.
  base.system_role = SystemRole::system;
  Rig system("openai", {}, base);
  system.then(400, R"({"message":"System role not supported"})");
  const ModelResult refused = system.call();
  CHECK(refused.halt == Halt::configuration);
  CHECK(refused.call.problem.find(R"("system_role": "user")") != std::string::npos);
  CHECK(system.calls_seen() == 1);
  // An error that names the system for another reason changes nothing.
  Rig other;
  other.then(400, R"({"message":"the system message is empty"})");
  CHECK(other.call().call.messages.size() == 2);
}

TEST_CASE("a query of the URL and a header for the key, as Azure has them", "[llm][keys]") {
  ModelSpec base;
  base.key_header = "api-key";
  Rig rig("openai", {}, base);
  rig.spec.base_url += "?api-version=2024-10-21";
  rig.then(200, openai_reply());
  CHECK(rig.call().call.fault == agon::Fault::ok);
  const SeenRequest seen = rig.seen().back();
  CHECK(seen.path == "/v1/chat/completions");
  CHECK(seen.query == "?api-version=2024-10-21");
  CHECK(seen.authorization == kKey);
}

TEST_CASE("a server that takes answers for thoughts is named at the third", "[llm][quirks]") {
  const std::string thought =
      R"({"choices":[{"message":{"content":null,"reasoning_content":"{\"bid\":3}"},)"
      R"("finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":5}})";
  Rig rig;
  for (int i = 0; i < 3; ++i) rig.then(200, thought);
  for (int i = 0; i < 2; ++i) CHECK(rig.call().call.fault == agon::Fault::empty);
  const ModelResult third = rig.call();
  CHECK(third.halt == Halt::configuration);
  CHECK(third.call.problem.find("--reasoning-parser") != std::string::npos);
  CHECK(third.call.usage.output == 5);  // it was paid
  // One that was cut while it thought says nothing about it.
  Rig cut;
  cut.then(200, R"({"choices":[{"message":{"content":"","reasoning_content":"Hm"},)"
                R"("finish_reason":"length"}]})");
  for (int i = 0; i < 3; ++i) cut.then(200, thought);
  for (int i = 0; i < 3; ++i) CHECK(cut.call().halt == Halt::no);
  CHECK(cut.call().halt == Halt::configuration);
  // Once it has spoken, a thought alone is the model's own.
  Rig speaks;
  speaks.then(200, openai_reply());
  for (int i = 0; i < 4; ++i) speaks.then(200, thought);
  for (int i = 0; i < 5; ++i) CHECK(speaks.call().halt == Halt::no);
  // The look before a run says so too.
  Rig looked;
  looked.then(200, R"({"data":[{"id":"m"}]})").then(200, thought).then(200, thought);
  bool is_named = false;
  for (const Finding& f : looked.provider().preflight({}))
    is_named = is_named || f.what.find("came as a thought") != std::string::npos;
  CHECK(is_named);
}

/// What the look before a run warns of.
std::string warnings_of(Rig& rig) {
  std::string words;
  for (const Finding& f : rig.provider().preflight({})) {
    CHECK(f.level != Finding::Level::error);
    if (f.level == Finding::Level::warning) words += f.what + "\n";
  }
  return words;
}

constexpr const char* kListed = R"({"data":[{"id":"m"}]})";
constexpr const char* kKeptTo = R"({\"wet\":true,\"mark_71\":false})";

TEST_CASE("preflight: an endpoint that goes on beyond max_tokens is named", "[llm][preflight]") {
  std::string all;
  for (int i = 1; i <= 100; ++i) all += std::to_string(i) + " ";
  const auto cut = [](const std::string& members) {
    return R"({"choices":[{"message":{)" + members +
           R"(},"finish_reason":"length"}],)"
           R"("usage":{"prompt_tokens":12,"completion_tokens":32}})";
  };
  ModelSpec base;
  base.max_tokens = 800;
  Rig drops("openai", {}, base);
  drops.then(200, kListed).then(200, openai_reply(all)).then(200, openai_reply(kKeptTo));
  CHECK(warnings_of(drops) == drops.spec.base_url +
                                  " seems to ignore max_tokens: \"m\" went on where it was to "
                                  "end\n");
  CHECK(drops.seen()[1].body.find(R"("max_tokens":32)") != std::string::npos);
  // Cut, cut in its thoughts, another answer: no alarm.
  for (const std::string& reply :
       {cut(R"("content":"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16")"),
        cut(R"("content":"","reasoning_content":"I am to count.")"), openai_reply("ready")}) {
    Rig keeps("openai", {}, base);
    keeps.then(200, kListed).then(200, reply).then(200, openai_reply(kKeptTo));
    CHECK(warnings_of(keeps).empty());
    CHECK(keeps.calls_seen() == 2);
  }
  // One that takes no limit as low as that is asked with its own.
  Rig high("openai", {}, base);
  high.then(200, kListed)
      .then(400, R"({"error":{"message":"max_tokens must be greater than budget_tokens"}})")
      .then(200, openai_reply("ready"))
      .then(200, openai_reply(kKeptTo));
  CHECK(warnings_of(high).empty());
  CHECK(high.seen()[2].body.find(R"("max_tokens":800)") != std::string::npos);
}

TEST_CASE("preflight: an endpoint that goes on after a stop text is named", "[llm][preflight]") {
  ModelSpec base;
  base.stop = {"END"};
  for (const bool drops : {false, true}) {
    Rig rig("openai", {}, base);
    rig.then(200, kListed)
        .then(200, openai_reply(drops ? "ready END afterwards" : "ready "))
        .then(200, openai_reply(kKeptTo));
    CHECK((warnings_of(rig).find("seems to ignore stop") != std::string::npos) == drops);
    CHECK(rig.calls_seen() == 2);
  }
  // With both a call more is needed. What is left out is not said to be ignored.
  base.max_tokens = 800;
  base.drop_unsupported = true;
  Rig both("openai", {}, base);
  both.then(200, kListed)
      .then(turns_down("stop"))
      .then(200, openai_reply("ready END afterwards"))
      .then(200, openai_reply("1 2 3"))
      .then(200, openai_reply(kKeptTo));
  const std::string words = warnings_of(both);
  CHECK(words.find("stop is not applied") != std::string::npos);
  CHECK(words.find("seems to ignore") == std::string::npos);
  CHECK(both.calls_seen() == 4);
}

TEST_CASE("preflight: an endpoint that ignores the schema is named", "[llm][preflight]") {
  const auto look = [](const char* answer, Structured structured) {
    ModelSpec base;
    base.structured = structured;
    Rig rig("openai", {}, base);
    rig.then(200, kListed).then(200, openai_reply("ready")).then(200, openai_reply(answer));
    return warnings_of(rig);
  };
  CHECK(look(R"({\"wet\":true})", Structured::automatic)
            .find("seems to ignore the schema of an answer") != std::string::npos);
  CHECK(look(kKeptTo, Structured::automatic).empty());
  // Prompts for a server that shows no schema have it already.
  Rig local("vllm");
  local.then(200, kListed)
      .then(200, openai_reply("ready"))
      .then(200, openai_reply(R"({\"wet\":true})"));
  bool is_hint = false;
  for (const Finding& f : local.provider().preflight({}))
    is_hint = is_hint || f.hint.find("look at the server's structured output") == 0;
  CHECK(is_hint);
  // Where none is sent, none can be kept to.
  CHECK(look(R"({\"wet\":true})", Structured::object).empty());
}

TEST_CASE("preflight: a router that may choose another host at each call is a warning",
          "[llm][preflight]") {
  for (const auto& [provider, extra, is_warned] :
       {std::tuple{"openrouter", "", true}, std::tuple{"openrouter", R"({"top_k":3})", true},
        std::tuple{"openrouter", R"({"provider":{"order":["a"]}})", false},
        std::tuple{"openai", "", false}}) {
    INFO(provider << extra);
    ModelSpec base;
    base.extra = extra;
    Rig rig(provider, {}, base);
    bool is_there = false;
    for (const Finding& f : rig.provider().preflight({}))
      is_there = is_there || (f.level == Finding::Level::warning &&
                              f.what.find("another host") != std::string::npos &&
                              f.hint.find("allow_fallbacks") != std::string::npos);
    CHECK(is_there == is_warned);
  }
}

TEST_CASE("of two members that an error names the first is the wrong one", "[llm][quirks]") {
  ModelSpec base;
  base.max_tokens = 99;
  Rig rig("openai", {}, base);
  rig.then(400, R"({"error":{"message":"Unsupported parameter: 'max_tokens' is not supported )"
                R"(with this model. Use 'max_completion_tokens' instead."}})");
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.parameters == R"({"max_completion_tokens":99})");
}

TEST_CASE("a wish to wait is also read from the details of an error", "[llm][quirks]") {
  Rig rig;
  rig.then(429, R"([{"error":{"code":429,"message":"slow","details":[)"
                R"({"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"37s"}]}}])");
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.waited_ms >= 37000);
  CHECK(r.call.waited_ms <= 43000);
}

TEST_CASE("a schema that is turned down without a reason is given up step by step",
          "[llm][quirks]") {
  Rig rig;
  for (int i = 0; i < 3; ++i) rig.then(400, R"({"error":{"message":"Input validation error"}})");
  const ModelResult r = rig.call(kSchema);
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.parameters == R"({"not_applied":["schema"]})");
  // Once a form has worked, a 400 is about the request.
  Rig works;
  CHECK(works.call(kSchema).call.fault == agon::Fault::ok);
  works.then(400, R"({"error":{"message":"Input validation error"}})");
  const ModelResult failed = works.call(kSchema);
  CHECK(failed.call.fault == agon::Fault::provider_failed);
  CHECK(failed.is_rejected);
}

TEST_CASE("a wrong key is one whatever the status, and the key's variable is named",
          "[llm][quirks]") {
  Rig rig;
  rig.then(400, R"([{"error":{"code":400,"message":"API key not valid. Please pass one."}}])");
  const ModelResult r = rig.call();
  CHECK(r.halt == Halt::configuration);
  CHECK(r.call.problem.find(kKeyEnv) != std::string::npos);
}

TEST_CASE("members of the user's own go into the body as they are", "[llm][quirks]") {
  ModelSpec base;
  base.temperature = 0.5;
  base.extra = R"({"top_k":20,"provider":{"order":["a"]}})";
  Rig rig("openai", {}, base);
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.parameters == R"({"temperature":0.5,"top_k":20,"provider":{"order":["a"]}})");
  CHECK(rig.seen().back().body.find(R"("top_k":20,"provider":{"order":["a"]})") !=
        std::string::npos);
}

TEST_CASE("a redirect says where to", "[llm][quirks]") {
  Rig rig;
  for (int i = 0; i < 3; ++i)
    rig.then(308, "", {{"Location", "https://elsewhere.example/v1/chat/completions"}});
  const ModelResult r = rig.call();
  CHECK(r.halt == Halt::configuration);
  CHECK(r.call.problem.find("https://elsewhere.example/v1") != std::string::npos);
  CHECK(rig.calls_seen() == 3);
}

TEST_CASE("an answer that the endpoint itself found unreadable is the model's fault",
          "[llm][quirks]") {
  Rig rig;
  rig.then(400, R"({"error":{"message":"Failed to generate JSON.","code":"json_validate_failed",)"
                R"("failed_generation":"{\"bid\": "}})");
  const ModelResult r = rig.call(kSchema);
  CHECK(r.call.fault == agon::Fault::unparsable);
  CHECK(rig.calls_seen() == 1);
}

TEST_CASE("thoughts that only the total counts are tokens of the output", "[llm][quirks]") {
  Rig rig;
  rig.then(200, R"({"model":"m","choices":[{"message":{"content":"3"},"finish_reason":"stop"}],)"
                R"("usage":{"prompt_tokens":12,"completion_tokens":5,"total_tokens":317,)"
                R"("completion_tokens_details":{"reasoning_tokens":300}}})");
  const ModelResult r = rig.call();
  CHECK(r.call.usage.input == 12);
  CHECK(r.call.usage.output == 305);
}

TEST_CASE("a request that is turned down unread costs nothing", "[llm][quirks]") {
  Rig rig;
  rig.then(400, R"({"error":{"message":"too long","code":"context_length_exceeded"}})");
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::truncated);
  CHECK(r.call.usage.input == 0);
  CHECK(r.call.usage.output == 0);
}

TEST_CASE("the context that an endpoint lists is held against the longest prompt",
          "[llm][quirks][preflight]") {
  const std::string context =
      GENERATE(std::string(R"("max_model_len":700)"), std::string(R"("context_length":700)"),
               std::string(R"("meta":{"n_ctx":700})"));
  const auto errors = [&](std::int64_t own) {
    ModelSpec base;
    base.context = own;
    Rig rig("openai", {}, base);
    rig.then(200, R"({"data":[{"id":"m",)" + context + "}]}");
    int n = 0;
    for (const Finding& f : rig.provider().preflight({.longest_prompt = 900}))
      if (f.level == Finding::Level::error) {
        ++n;
        CHECK(f.what.find("700 tokens") != std::string::npos);
      }
    return n;
  };
  CHECK(errors(0) == 1);
  CHECK(errors(5000) == 0);  // who sets it knows better
}

TEST_CASE("preflight: a request that is turned down is laid to the settings", "[llm][preflight]") {
  Rig rig;
  rig.then(404, "{}");  // no list of models
  rig.then(400, R"({"error":{"message":"max_tokens is too large","code":"invalid_value"}})");
  const std::vector<Finding> findings = rig.provider().preflight({});
  REQUIRE(findings.back().level == Finding::Level::error);
  CHECK(findings.back().hint.find("max_tokens") != std::string::npos);
}

}  // namespace
