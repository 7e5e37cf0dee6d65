#include <chrono>

#include "catch.hpp"
#include "rig.hpp"

// One test a row of the table in docs/providers.md.
namespace {

using namespace llm_tests;

const std::string kSchema =
    R"({"type":"object","properties":{"bid":{"type":"integer","minimum":0,"maximum":9}},)"
    R"("required":["bid"],"additionalProperties":false})";

std::string error_body(const std::string& code, const std::string& message,
                       const std::string& param = "") {
  return R"({"error":{"message":")" + message + R"(","type":"invalid_request_error","param":)" +
         (param.empty() ? "null" : "\"" + param + "\"") + R"(,"code":)" +
         (code.empty() ? "null" : "\"" + code + "\"") + "}}";
}

TEST_CASE("retry table: 429 with Retry-After waits at least as long", "[llm][retry]") {
  Rig rig;
  rig.then(429, error_body("rate_limit_exceeded", "slow down"), {{"Retry-After", "7"}});
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.tries == 2);
  CHECK(r.call.waited_ms >= 7000);
  CHECK(r.call.waited_ms <= 7000 + 5000);
}

TEST_CASE("retry table: retry-after-ms goes before Retry-After", "[llm][retry]") {
  Rig rig;
  rig.then(429, error_body("", "slow down"), {{"Retry-After", "700"}, {"retry-after-ms", "2500"}});
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.waited_ms >= 2500);
  CHECK(r.call.waited_ms <= 4000);
}

TEST_CASE("retry table: 429 without Retry-After waits for the limits' own reset", "[llm][retry]") {
  Rig rig;
  rig.then(429, error_body("", "slow down"),
           {{"x-ratelimit-reset-requests", "500ms"}, {"x-ratelimit-reset-tokens", "1m30s"}});
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.waited_ms >= 90000);
  CHECK(r.call.waited_ms <= 96000);
}

TEST_CASE("retry table: 429 without any word waits ever longer", "[llm][retry]") {
  Rig rig;
  for (int i = 0; i < 3; ++i) rig.then(429, error_body("", "slow down"));
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.tries == 4);
  // 1, 2 and 4 seconds, a quarter more or less.
  CHECK(r.call.waited_ms >= 7000 * 0.75);
  CHECK(r.call.waited_ms <= 7000 * 1.25);
}

TEST_CASE("retry table: a limit of zero tries more is kept", "[llm][retry]") {
  Rig rig;
  rig.spec.tries = 1;
  rig.then(429, error_body("", "slow down"));
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::provider_failed);
  CHECK(r.halt == Halt::no);
  CHECK(rig.calls_seen() == 1);
}

TEST_CASE("retry table: a 429 makes the endpoint's limit smaller, a 500 does not", "[llm][retry]") {
  Rig rig;
  rig.then(500, error_body("", "oops"));
  CHECK(rig.call().call.fault == agon::Fault::ok);
  CHECK(rig.provider().state().traffic().limiter.limit() == Limiter::kFirst);
  rig.then(429, error_body("", "slow down"));
  CHECK(rig.call().call.fault == agon::Fault::ok);
  CHECK(rig.provider().state().traffic().limiter.limit() < Limiter::kFirst);
}

TEST_CASE("retry table: no money left stops the run", "[llm][retry]") {
  const std::string anthropic_spend =
      R"({"type":"error","error":{"type":"rate_limit_error","message":"spend limit",)"
      R"("details":{"error_code":"enforced_spend_limit_reached"}}})";
  struct Row {
    std::string provider;
    int status;
    std::string body;
  };
  for (const Row& row :
       {Row{"openai", 429, error_body("insufficient_quota", "you exceeded your quota")},
        Row{"openrouter", 402, R"({"error":{"code":402,"message":"credits"}})"},
        Row{"anthropic", 429, anthropic_spend}}) {
    Rig rig(row.provider);
    rig.then(row.status, row.body);
    const ModelResult r = rig.call();
    CHECK(r.call.fault == agon::Fault::provider_failed);
    CHECK(r.halt == Halt::out_of_money);
    CHECK(r.call.tries == 1);
    // Nothing more is sent: every call says the same.
    CHECK(rig.call().halt == Halt::out_of_money);
    CHECK(rig.calls_seen() == 1);
  }
}

TEST_CASE("retry table: what may pass is tried again", "[llm][retry]") {
  const int status = GENERATE(408, 409, 425, 500, 502, 503, 504, 529);
  CAPTURE(status);
  Rig rig;
  rig.then(status, "<html>bad gateway</html>");
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.tries == 2);
  CHECK(r.call.waited_ms > 0);
}

TEST_CASE("retry table: tries are bounded, and failure is no move", "[llm][retry]") {
  Rig rig;
  for (int i = 0; i < 9; ++i) rig.then(500, error_body("", "oops"));
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::provider_failed);
  CHECK(r.halt == Halt::no);
  CHECK(r.call.tries == 5);
  CHECK(r.call.text.empty());
  CHECK(r.call.problem.find("oops") != std::string::npos);
  CHECK(rig.calls_seen() == 5);
}

TEST_CASE("retry table: the total deadline holds, whatever the endpoint wishes", "[llm][retry]") {
  Rig rig;
  rig.spec.total_s = 30;
  for (int i = 0; i < 9; ++i) rig.then(429, error_body("", "slow down"), {{"Retry-After", "3600"}});
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::provider_failed);
  CHECK(r.call.waited_ms <= 30'000);
  CHECK(rig.calls_seen() == 5);
}

TEST_CASE("retry table: the budget of retries is one for all calls", "[llm][retry]") {
  Rig rig;
  rig.spec.retry_budget = 3;
  for (int i = 0; i < 5; ++i) rig.then(500, error_body("", "oops"));
  CHECK(rig.call().call.fault == agon::Fault::provider_failed);
  CHECK(rig.calls_seen() == 4);
  CHECK(rig.call().call.fault == agon::Fault::provider_failed);
  CHECK(rig.calls_seen() == 5);
}

TEST_CASE("retry table: an endpoint that is out is waited for, and one call looks",
          "[llm][retry]") {
  Rig rig;
  rig.spec.tries = 2;
  // Different errors: what counts is how many there are.
  for (int i = 0; i < 27; ++i) rig.then(500 + i % 4, error_body("", "oops"));
  int failed = 0;
  while (rig.calls_seen() < 20) {
    CHECK(rig.call().call.fault == agon::Fault::provider_failed);
    ++failed;
  }
  CHECK(failed == 10);
  const auto before = rig.clock->now();
  // It looks seven times in vain, which are no tries of its own, and then there is an answer.
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.tries == 8);
  // 1, 2, 4, 8, 16, 30 and 30 s, and the last 30.
  CHECK(rig.clock->now() - before >= std::chrono::seconds(120));
  CHECK(rig.clock->now() - before <= std::chrono::seconds(122));
  CHECK(r.call.waited_ms >= 119000);
  // And all is as it was.
  CHECK(rig.call().call.tries == 1);
}

TEST_CASE("retry table: while an endpoint is out a call waits as long as it may take",
          "[llm][retry]") {
  Rig rig;
  rig.spec.tries = 1;
  rig.spec.total_s = 100;
  for (int i = 0; i < 100; ++i) rig.then(500, error_body("", "oops"));
  for (int i = 0; i < 20; ++i) CHECK(rig.call().halt == Halt::no);
  const auto before = rig.clock->now();
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::provider_failed);
  CHECK(r.halt == Halt::no);
  CHECK(r.call.problem.find("oops") != std::string::npos);
  CHECK(rig.clock->now() - before == std::chrono::seconds(100));
}

TEST_CASE("retry table: an endpoint that stays out stops the run", "[llm][retry]") {
  Rig rig;
  rig.spec.tries = 1;
  rig.spec.outage_stop_s = 200;
  for (int i = 0; i < 100; ++i) rig.then(500, error_body("", "oops"));
  for (int i = 0; i < 20; ++i) CHECK(rig.call().halt == Halt::no);
  const auto before = rig.clock->now();
  const ModelResult r = rig.call();
  CHECK(r.halt == Halt::configuration);
  CHECK(r.call.problem.find("200 s") != std::string::npos);
  CHECK(r.call.problem.find("oops") != std::string::npos);
  CHECK(rig.clock->now() - before <= std::chrono::seconds(200));
  // Nothing more is sent.
  const std::size_t sent = rig.calls_seen();
  CHECK(rig.call().halt == Halt::configuration);
  CHECK(rig.calls_seen() == sent);
}

TEST_CASE("retry table: half of the replies may fail before an endpoint is out", "[llm][retry]") {
  Rig rig;
  for (int i = 0; i < 40; ++i) {
    rig.then(500, error_body("", "oops"));
    rig.then(200, openai_reply());
    rig.then(200, openai_reply());
  }
  for (int i = 0; i < 80; ++i) CHECK(rig.call().call.fault == agon::Fault::ok);
  CHECK_FALSE(rig.provider().state().traffic().outage.is_on());
}

TEST_CASE("retry table: a reply that is cut is tried again", "[llm][retry]") {
  Rig rig;
  rig.then(CannedReply{.body = openai_reply(), .is_cut = true});
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.tries == 2);
}

TEST_CASE("retry table: a reply that does not come in time is not bought again, and is counted",
          "[llm][retry]") {
  ModelSpec base;
  base.max_tokens = 700;
  Rig rig("openai", {}, base);
  rig.spec.idle_s = 2;  // far above what a busy machine needs for the answer
  rig.then(CannedReply{.hangs = true});
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::provider_failed);
  CHECK(r.halt == Halt::no);
  CHECK(r.is_slow);
  CHECK(r.call.tries == 1);
  CHECK(rig.calls_seen() == 1);
  CHECK(r.call.usage.output == 700);
  CHECK(r.call.usage.input > 0);
  for (const char* words : {"idle_s", "2 s", "stream", "and 700 out"})
    CHECK(r.call.problem.find(words) != std::string::npos);
  // The next call is another matter.
  CHECK(rig.call().call.fault == agon::Fault::ok);
}

TEST_CASE("retry table: a server that is loading its model is waited for", "[llm][retry]") {
  Rig rig("llamacpp");
  const std::string loading =
      R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})";
  // Eight looks, each a call and a look at /health: more than the five tries.
  for (int i = 0; i < 16; ++i) rig.then(503, loading);
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(rig.calls_seen() == 9);
  CHECK(r.call.waited_ms > 20000);
}

TEST_CASE("retry table: a prompt that does not fit is a fault of the answer", "[llm][retry]") {
  struct Row {
    std::string provider;
    int status;
    std::string body;
  };
  for (const Row& row : {
           Row{"openai", 400, error_body("context_length_exceeded", "too long")},
           Row{"vllm", 400,
               R"({"object":"error","message":"no","param":"input_tokens","code":400})"},
           Row{"llamacpp", 400,
               R"({"error":{"code":400,"message":"the request exceeds the available context size",)"
               R"("type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}})"},
           Row{"anthropic", 400,
               R"({"type":"error","error":{"type":"invalid_request_error",)"
               R"("message":"prompt is too long: 210000 tokens > 200000 maximum"}})"},
           Row{"openai", 413, "too large"},
       }) {
    Rig rig(row.provider);
    rig.then(row.status, row.body);
    const ModelResult r = rig.call();
    CAPTURE(row.body);
    CHECK(r.call.fault == agon::Fault::truncated);
    CHECK(r.call.finish == "context_length");
    CHECK(r.call.tries == 1);
    CHECK(rig.calls_seen() == 1);
  }
}

TEST_CASE("retry table: refusals are a category of their own", "[llm][retry]") {
  struct Row {
    std::string provider;
    int status;
    std::string body;
  };
  for (const Row& row : {
           Row{"openai", 400, error_body("content_filter", "filtered")},
           Row{"openai", 400, error_body("content_policy_violation", "policy")},
           Row{"openai", 200,
               R"({"choices":[{"message":{"content":null},"finish_reason":"content_filter"}]})"},
           Row{"openai", 200,
               R"({"choices":[{"message":{"content":null,"refusal":"I cannot."},)"
               R"("finish_reason":"stop"}]})"},
           Row{"anthropic", 200,
               R"({"content":[],"stop_reason":"refusal","usage":{"input_tokens":3}})"},
       }) {
    Rig rig(row.provider);
    rig.then(row.status, row.body);
    const ModelResult r = rig.call();
    CAPTURE(row.body);
    CHECK(r.call.fault == agon::Fault::refused);
    CHECK(rig.calls_seen() == 1);
  }
}

TEST_CASE("retry table: an answer cut at its length is truncated", "[llm][retry]") {
  Rig openai;
  openai.then(200, R"({"choices":[{"message":{"content":null,"reasoning":"hm"},)"
                   R"("finish_reason":"length"}]})");
  const ModelResult a = openai.call();
  CHECK(a.call.fault == agon::Fault::truncated);
  CHECK(a.call.reasoning == "hm");
  Rig anthropic("anthropic");
  anthropic.then(200, R"({"content":[{"type":"text","text":"{\"b"}],"stop_reason":"max_tokens"})");
  CHECK(anthropic.call().call.fault == agon::Fault::truncated);
}

TEST_CASE("retry table: a wrong configuration stops the run, and says where", "[llm][retry]") {
  const int status = GENERATE(401, 403, 404, 405, 422);
  CAPTURE(status);
  Rig rig;
  rig.then(status, error_body("", "no"));
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::provider_failed);
  CHECK(r.halt == Halt::configuration);
  CHECK(rig.calls_seen() == 1);
  CHECK(r.call.problem.find(rig.server->url()) != std::string::npos);
  if (status == 401) CHECK(r.call.problem.find(kKeyEnv) != std::string::npos);
  if (status == 404) CHECK(r.call.problem.find("\"m\"") != std::string::npos);
}

/// Replies that speak of a wrong configuration, unless something stands in the way.
std::vector<CannedReply> unclear_replies() {
  return {{.status = 403, .body = "<html>you are blocked</html>"},
          {.status = 404, .body = "404 page not found"},
          {.status = 402, .body = "<html>pay here</html>"},
          {.status = 401, .body = "who are you?"},
          {.status = 302, .headers = {{"Location", "https://login.example/"}}},
          {.status = 301, .body = R"({"error":{"message":"moved"}})"},
          {.status = 200, .body = "<!DOCTYPE html><html>welcome</html>"}};
}

TEST_CASE("retry table: what may be something on the way is tried again at first", "[llm][retry]") {
  for (const CannedReply& odd : unclear_replies()) {
    CAPTURE(odd.status, odd.body);
    Rig passes;
    passes.then(odd).then(odd);
    CHECK(passes.call().call.fault == agon::Fault::ok);
    CHECK(passes.calls_seen() == 3);
    Rig stays;
    for (int i = 0; i < 9; ++i) stays.then(odd);
    const ModelResult r = stays.call();
    CHECK(r.halt == Halt::configuration);
    CHECK(stays.calls_seen() == 3);
    CHECK(r.call.problem.find(stays.server->url()) != std::string::npos);
    Rig once;
    once.spec.tries = 1;
    once.then(odd);
    CHECK(once.call().halt == Halt::configuration);
  }
}

TEST_CASE("retry table: after a good answer no single reply stops the run", "[llm][retry]") {
  std::vector<CannedReply> all = unclear_replies();
  for (const int status : {401, 403, 404, 405, 422, 199, 308})
    all.push_back({.status = status, .body = error_body("", "no")});
  all.push_back({.status = 404, .body = error_body("model_not_found", "no such model")});
  all.push_back({.status = 400, .body = error_body("", "Incorrect API key provided")});
  for (const CannedReply& odd : all) {
    CAPTURE(odd.status, odd.body);
    Rig rig;
    rig.spec.idle_s = 2;  // for a server that says nothing after its status
    CHECK(rig.call().call.fault == agon::Fault::ok);
    rig.then(odd);
    const ModelResult r = rig.call();
    CHECK(r.halt == Halt::no);
    CHECK(r.call.fault == agon::Fault::ok);
    CHECK(r.call.tries == 2);
    if (odd.status == 199) continue;
    for (int i = 0; i < 5; ++i) rig.then(odd);
    CHECK(rig.call().halt == Halt::no);
  }
  // Money is another matter.
  Rig rig;
  CHECK(rig.call().call.fault == agon::Fault::ok);
  rig.then(402, R"({"error":{"code":402,"message":"credits"}})");
  CHECK(rig.call().halt == Halt::out_of_money);
}

TEST_CASE("retry table: any other 400 ends the call and not the run", "[llm][retry]") {
  Rig rig;
  rig.then(400, error_body("", "bad request"));
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::provider_failed);
  CHECK(r.halt == Halt::no);
  CHECK(rig.calls_seen() == 1);
  CHECK(rig.call().call.fault == agon::Fault::ok);
}

TEST_CASE("an error inside a reply with status 200 is an error", "[llm][retry]") {
  Rig rig;
  rig.then(200, R"({"error":{"message":"upstream broke","code":502}})");
  rig.then(200, R"({"type":"error","error":{"type":"overloaded_error","message":"busy"}})");
  rig.then(200, R"({"error":"model crashed"})");
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.tries == 4);
}

TEST_CASE("a page of HTML is a wrong URL", "[llm][retry]") {
  Rig rig;
  for (int i = 0; i < 3; ++i) rig.then(200, "<!DOCTYPE html><html>welcome</html>");
  const ModelResult r = rig.call();
  CHECK(r.halt == Halt::configuration);
  CHECK(r.call.problem.find("HTML") != std::string::npos);
}

TEST_CASE("an answer of a megabyte arrives, one without bound does not", "[llm][retry]") {
  Rig rig;
  const std::string large(1U << 20U, 'a');
  rig.then(200, openai_reply(large));
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.text == large);
  rig.then(200, openai_reply(std::string(9U << 20U, 'b')));
  const ModelResult huge = rig.call();
  CHECK(huge.call.fault == agon::Fault::truncated);
  CHECK(huge.call.finish == "too_large");
  CHECK(rig.calls_seen() == 2);
}

TEST_CASE("a parameter that is turned down is left out, once for all", "[llm][capabilities]") {
  ModelSpec base;
  base.drop_unsupported = true;
  base.temperature = 0.5;
  base.max_tokens = 99;
  Rig rig("openai", {}, base);
  rig.then(400, error_body("unsupported_value", "temperature does not support 0.5", "temperature"));
  rig.then(400, error_body("unsupported_parameter", "Unsupported parameter: 'max_tokens'",
                           "max_tokens"));
  const ModelResult r = rig.call();
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.tries == 1);
  CHECK(r.call.parameters == R"({"max_completion_tokens":99,"not_applied":["temperature"]})");
  CHECK(rig.call().call.fault == agon::Fault::ok);
  CHECK(rig.calls_seen() == 4);  // nothing is learned twice
}

TEST_CASE("reasoning models are known by name", "[llm][capabilities]") {
  ModelSpec base;
  base.drop_unsupported = true;
  base.temperature = 0.5;
  base.max_tokens = 99;
  for (const char* name : {"gpt-5-mini", "o3", "openai/o4-mini-2025"}) {
    base.model = name;
    CHECK(Rig("openai", {}, base).call().call.parameters ==
          R"({"max_completion_tokens":99,"not_applied":["temperature"]})");
  }
  base.model = "gpt-5-mini";
  base.sampling = Sampling::yes;
  base.token_limit = TokenLimit::max_tokens;
  CHECK(Rig("openai", {}, base).call().call.parameters == R"({"temperature":0.5,"max_tokens":99})");
  base = {};
  base.temperature = 0.5;
  for (const char* name : {"ollama-chat", "gpt-5-chat", "opt-7b"}) {
    base.model = name;
    CHECK(Rig("openai", {}, base).call().call.parameters == R"({"temperature":0.5})");
  }
}

TEST_CASE("structured output steps down as far as it must", "[llm][capabilities]") {
  Rig rig;
  rig.then(400, error_body("", "Invalid schema for response_format: minimum"));
  rig.then(400, error_body("", "response_format json_schema is unavailable", "response_format"));
  rig.then(400, error_body("", "response_format is not supported", "response_format"));
  const ModelResult r = rig.call(kSchema);
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.parameters == R"({"not_applied":["schema"]})");
  const auto seen = rig.seen();
  REQUIRE(seen.size() == 4);
  CHECK(seen[0].body.find("\"minimum\"") != std::string::npos);
  CHECK(seen[1].body.find("json_schema") != std::string::npos);
  CHECK(seen[1].body.find("\"minimum\"") == std::string::npos);
  CHECK(seen[2].body.find("json_object") != std::string::npos);
  CHECK(seen[3].body.find("response_format") == std::string::npos);
}

TEST_CASE("a server that breaks on schemas gets none", "[llm][capabilities]") {
  Rig rig("llamacpp");
  for (int i = 0; i < 4; ++i) rig.then(500, R"({"error":{"code":500,"message":"exception"}})");
  const ModelResult r = rig.call(kSchema);
  CHECK(r.call.fault == agon::Fault::ok);
  CHECK(r.call.parameters == R"({"not_applied":["schema"]})");
  CHECK(r.call.tries == 2);
}

TEST_CASE("structured output can be fixed", "[llm][capabilities]") {
  ModelSpec base;
  base.structured = Structured::text;
  CHECK(Rig("openai", {}, base).call(kSchema).call.parameters == "{}");
  base.structured = Structured::object;
  CHECK(Rig("openai", {}, base).call(kSchema).call.parameters ==
        R"({"response_format":{"type":"json_object"}})");
  base.structured = Structured::schema;
  Rig rig("openai", {}, base);
  rig.then(400, error_body("", "response_format is not supported", "response_format"));
  CHECK(rig.call(kSchema).call.fault == agon::Fault::provider_failed);
}

}  // namespace
