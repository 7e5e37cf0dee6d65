// Google's generateContent.
#include <algorithm>
#include <cstdlib>

#include "catch.hpp"
#include "model_table.hpp"
#include "rig.hpp"

namespace llm_gemini_test {

using namespace llm_tests;
using agon::test::check_has;
using agon::test::has;

ModelCall read(const std::string& body, Sort sort = Sort::answered) {
  ModelCall call;
  SentRequest sent;
  sent.may_call = true;
  CHECK(decode(gemini_wire(), {.status = 200, .body = body}, sent, call).sort == sort);
  return call;
}

std::string candidate(const std::string& parts, const std::string& finish = "STOP") {
  return R"({"candidates":[{"content":{"role":"model","parts":[)" + parts +
         R"(]},"finishReason":")" + finish + R"("}],"modelVersion":"served"})";
}

TEST_CASE("Google's wire: a request sends only what is set", "[llm][wire]") {
  const ProviderCard& card = provider_card("gemini");
  ModelSpec spec;
  spec.model = "gemini-3-pro";
  ModelRequest request{
      .purpose = "answer",
      .messages = {
          {"system", "S"}, {"user", "1"}, {"assistant", "A"}, {"user", "2"}, {"user", "3"}}};
  const SentRequest bare = encode(card, spec, request, {});
  CHECK(bare.path == "/models/{model}:generateContent");
  CHECK(bare.body == R"({"systemInstruction":{"parts":[{"text":"S"}]},"contents":[)"
                     R"({"role":"user","parts":[{"text":"1"}]},)"
                     R"({"role":"model","parts":[{"text":"A"}]},)"
                     R"({"role":"user","parts":[{"text":"2\n\n3"}]}]})");
  spec.temperature = 0.7;
  spec.top_p = 0.5;
  spec.seed = 7;
  spec.max_tokens = 50;
  spec.stop = {"END"};
  spec.reasoning_effort = "low";
  spec.stream = true;
  spec.extra = R"({"generationConfig":{"topK":5},"safetySettings":[]})";
  request.schema = R"({"type":"object","properties":{"bid":{"type":"integer"}}})";
  const SentRequest full = encode(card, spec, request, {});
  CHECK(full.path == "/models/{model}:streamGenerateContent?alt=sse");
  CHECK(
      full.parameters ==
      R"({"generationConfig":{"temperature":0.7,"topP":0.5,"seed":7,"maxOutputTokens":50,)"
      R"("stopSequences":["END"],"thinkingConfig":{"thinkingLevel":"low","includeThoughts":true},)"
      R"("responseMimeType":"application/json","responseJsonSchema":)" +
          request.schema + R"(,"topK":5},"safetySettings":[]})");
  // Models of the generation before count their thoughts.
  spec.model = "gemini-2.5-flash";
  CHECK(has(encode(card, spec, request, {}).parameters,
            R"("thinkingConfig":{"thinkingBudget":1024,"includeThoughts":true})"));
}

TEST_CASE("Google's wire: the model stands in the path, and stays one name", "[llm][wire]") {
  ModelSpec spec;
  spec.provider = "gemini";
  spec.base_url = "https://g.example/v1beta?a=b";
  const auto url = [&](const std::string& model, std::string_view path) {
    spec.model = model;
    return llm_tests::resolve(spec).url(path);
  };
  CHECK(url("m-1.5", "/models/{model}:go") == "https://g.example/v1beta/models/m-1.5:go?a=b");
  CHECK(url("models/m", "/models/{model}:go?alt=sse") ==
        "https://g.example/v1beta/models/m:go?alt=sse&a=b");
  CHECK(url("../x?y#z", "/models/{model}:go") ==
        "https://g.example/v1beta/models/..%2Fx%3Fy%23z:go?a=b");
  spec.extra = R"({"contents":[]})";
  CHECK_THROWS_AS(llm_tests::resolve(spec), Error);
}

TEST_CASE("Google's key is in either of two variables", "[llm][spec]") {
  ModelSpec spec;
  spec.provider = "gemini";
  spec.model = "m";
  unsetenv("GEMINI_API_KEY");
  unsetenv("GOOGLE_API_KEY");
  CHECK(llm_tests::resolve(spec).key_env == "GEMINI_API_KEY");
  setenv("GOOGLE_API_KEY", "any", 1);
  CHECK(llm_tests::resolve(spec).key_env == "GOOGLE_API_KEY");
  setenv("GEMINI_API_KEY", "any", 1);
  CHECK(llm_tests::resolve(spec).key_env == "GEMINI_API_KEY");
  CHECK(llm_tests::resolve(spec).key_header == "x-goog-api-key: ");
  unsetenv("GEMINI_API_KEY");
  unsetenv("GOOGLE_API_KEY");
}

TEST_CASE("Google's wire: replies", "[llm][wire]") {
  const ModelCall call = read(
      R"({"candidates":[{"content":{"role":"model","parts":[{"text":"Half.","thought":true},)"
      R"({"text":"{\"bid\"","thoughtSignature":"c2ln"},{"text":":3}"}]},"finishReason":"STOP"}],)"
      R"("usageMetadata":{"promptTokenCount":12,"cachedContentTokenCount":4,)"
      R"("candidatesTokenCount":5,"thoughtsTokenCount":30,"totalTokenCount":47},)"
      R"("modelVersion":"served","responseId":"r1"})");
  CHECK(call.text == R"({"bid":3})");
  CHECK(call.reasoning == "Half.");
  CHECK(call.finish == "STOP");
  CHECK(call.usage.input == 12);
  CHECK(call.usage.cached == 4);
  CHECK(call.usage.output == 35);
  CHECK(call.usage.thought == 30);
  CHECK(call.served_model == "served");
  CHECK(call.request_id == "r1");

  CHECK(read(candidate(R"({"text":"{"})", "MAX_TOKENS")).fault == Fault::truncated);
  for (const char* filter : {"SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII"}) {
    const ModelCall refused = read(candidate("", filter));
    CHECK(refused.fault == Fault::refused);
    CHECK(has(refused.problem, filter));
  }
  const ModelCall blocked = read(R"({"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":)"
                                 R"({"promptTokenCount":9}})");
  CHECK(blocked.fault == Fault::refused);
  CHECK(blocked.usage.input == 9);
  CHECK(blocked.usage.output == 0);
  CHECK(has(blocked.problem, "refused the prompt (SAFETY)"));
  // A call of a function that was written wrongly is not there at all.
  const ModelCall malformed = read(
      R"({"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"bad: x("}],)"
      R"("usageMetadata":{"promptTokenCount":9}})");
  CHECK(malformed.usage.output == 0);
  CHECK(malformed.fault == Fault::empty);
  CHECK(has(malformed.problem, "MALFORMED_FUNCTION_CALL: bad: x("));
  CHECK(read(candidate("")).fault == Fault::empty);
  for (const char* odd :
       {"{}", R"({"candidates":[]})", R"({"candidates":[1]})", R"({"error":{"code":503}})"})
    CHECK(read(odd, Sort::transient).text.empty());
}

TEST_CASE("Google's wire: calls of functions go back with their signatures", "[llm][wire]") {
  const std::string parts =
      R"({"text":"Hm.","thought":true},{"functionCall":{"id":"x1","name":"calculator","args":)"
      R"({"a":0.10}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"calculator"}})";
  const ModelCall call = read(candidate(parts));
  REQUIRE(call.finish == kToolCalls);
  CHECK(call.reasoning == "Hm.");
  const std::vector<ToolCall> calls = read_tool_calls(call.text);
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].id == "x1");
  CHECK(calls[0].name == "calculator");
  CHECK(has(calls[0].arguments, "0.1"));
  CHECK(calls[1].arguments == "{}");

  const std::vector<ModelTool> tools{{"calculator", "Works out.", R"({"type":"object"})"}};
  ModelRequest next{.purpose = "answer",
                    .messages = {{"user", "U"},
                                 {std::string(kToolCalls), call.text},
                                 {std::string(kToolResult), "x1\n0.1"},
                                 {std::string(kToolResult), calls[1].id + "\n\"7\""}},
                    .tools = tools};
  ModelSpec spec;
  spec.model = "m";
  const ProviderCard& card = provider_card("gemini");
  const std::string sent = encode(card, spec, next, {}).body;
  INFO(sent);
  check_has(sent, {R"({"role":"model","parts":[{"text":"Hm.","thought":true},)",
                   R"(,"thoughtSignature":"c2ln"},{"functionCall":{"name":"calculator"}}]})"});
  // Ids that the model gave go back, and no others.
  check_has(sent, {R"({"role":"user","parts":[{"functionResponse":{"id":"x1","name":"calculator",)"
                   R"("response":{"result":"0.1"}}},{"functionResponse":{"name":"calculator",)"
                   R"("response":{"result":"\"7\""}}}]})",
                   R"("tools":[{"functionDeclarations":[{"name":"calculator","description":)"
                   R"("Works out.","parametersJsonSchema":{"type":"object"}}]}])",
                   R"("mode":"AUTO")"});
  next.must_answer = true;
  CHECK(has(encode(card, spec, next, {}).body, R"("mode":"NONE")"));
  // Without the turn a signature is put in that newer models take for one.
  next.messages[1].text = write_tool_calls(calls);
  CHECK(has(encode(card, spec, next, {}).body, "skip_thought_signature_validator"));
}

TEST_CASE("Google's wire: a reply in pieces is the reply in one piece", "[llm][wire]") {
  const std::string pieces =
      R"(data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Half.","thought":true}]},)"
      R"("index":0}],"modelVersion":"served","usageMetadata":{"promptTokenCount":12}})"
      "\r\n\r\n"
      R"(data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":)"
      R"("calculator","args":{"a":1}},"thoughtSignature":"c2ln"}]},"index":0}]})"
      "\r\n\r\n";
  const std::string last =
      R"(data: {"candidates":[{"content":{"role":"model","parts":[{"text":""}]},"finishReason":)"
      R"("STOP","index":0}],"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":5}})"
      "\r\n\r\n";
  const ModelCall whole = read(pieces + last);
  CHECK(whole.reasoning == "Half.");
  CHECK(whole.usage.output == 5);
  CHECK(whole.served_model == "served");
  REQUIRE(read_tool_calls(whole.text).size() == 1);
  CHECK(has(read_tool_turn(whole.text), R"("thoughtSignature":"c2ln")"));
  CHECK(read(pieces, Sort::transient).text.empty());
  CHECK(read(R"(data: {"promptFeedback":{"blockReason":"SAFETY"}})"
             "\n\n")
            .fault == Fault::refused);
  CHECK(read(pieces + R"(data: {"error":{"code":503,"status":"UNAVAILABLE"}})" + "\n\n",
             Sort::transient)
            .text.empty());
}

TEST_CASE("Google's errors, and what follows from them", "[llm][wire]") {
  const auto error = [](int status, const std::string& message, const std::string& details = "") {
    return R"({"error":{"code":)" + std::to_string(status) + R"(,"message":")" + message +
           R"(","status":"S")" + (details.empty() ? "" : ",\"details\":[" + details + "]") + "}}";
  };
  Rig key("gemini");
  key.then(400, error(400, "No.", R"({"reason":"API_KEY_INVALID","domain":"googleapis.com"})"));
  const ModelResult wrong = key.call();
  CHECK(wrong.halt == Halt::configuration);
  CHECK(has(wrong.call.problem, kKeyEnv));

  Rig quota("gemini");
  quota.then(429, error(429, "Quota.", R"({"reason":"RATE_LIMIT_EXCEEDED"},{"retryDelay":"37s"})"));
  CHECK(quota.call().call.waited_ms >= 37000);

  Rig long_prompt("gemini");
  long_prompt.then(400, error(400,
                              "The input token count (9) exceeds the maximum number of tokens "
                              "allowed (8)."));
  CHECK(long_prompt.call().call.finish == "context_length");

  // Settings under Google's names, and keywords of schemas.
  ModelSpec base;
  base.top_p = 0.5;
  base.reasoning_effort = "low";
  base.drop_unsupported = true;
  Rig settings("gemini", {}, base);
  settings
      .then(400, error(400, R"(Invalid JSON payload received. Unknown name \"topP\" at )"
                            R"('generation_config': Cannot find field.)"))
      .then(400, error(400, "Thinking level is not supported for this model."));
  const ModelCall without = settings.call().call;
  CHECK(without.fault == Fault::ok);
  CHECK(without.parameters == R"({"not_applied":["top_p","reasoning_effort"]})");
  Rig bounds("gemini");
  bounds.then(400, error(400, R"(Invalid JSON payload received. Unknown name \"multipleOf\" at )"
                              R"('generation_config.response_json_schema': Cannot find field.)"));
  const ModelCall lean =
      bounds.call(R"({"type":"object","properties":{"bid":{"type":"number","multipleOf":0.5}}})")
          .call;
  CHECK(lean.fault == Fault::ok);
  CHECK(has(lean.parameters, "bounds of the schema"));
  CHECK_FALSE(has(lean.parameters, "multipleOf"));

  // Functions beside the form of an answer, which older models do not take.
  const std::vector<ModelTool> tools{{"calculator", "Works out.", R"({"type":"object"})"}};
  Rig both("gemini");
  both.then(400, error(400,
                       "Function calling with a response mime type: 'application/json' is "
                       "unsupported"));
  const ModelRequest request{.purpose = "answer",
                             .messages = {{"user", "U"}},
                             .schema = R"({"type":"object"})",
                             .tools = tools};
  CHECK(has(both.provider().call(request, Provider::Time::max(), Dice(1)).call.problem,
            "does not take the agent's tools"));
}

TEST_CASE("the mock server refuses what Google's does", "[llm][mock]") {
  ModelSpec base;
  base.extra = R"({"top_k":5})";
  Rig unknown("gemini", {}, base);
  const ModelResult r = unknown.call();
  CHECK(r.is_rejected);
  CHECK(has(r.call.problem, R"(Unknown name "top_k")"));
  mock::ParsedCall call;
  const auto wrong = [&](const std::string& body) {
    return mock::read_gemini_call("/v1beta/models/m:generateContent", body, call);
  };
  CHECK(wrong(R"({"contents":[{"role":"user","parts":[{"text":"x"}]}]})").empty());
  CHECK(call.model == "m");
  CHECK(has(wrong(R"({"contents":[{"role":"assistant","parts":[{"text":"x"}]}]})"), "valid role"));
  CHECK(has(wrong(R"({"contents":[{"role":"user","content":"x"}]})"), "Unknown name"));
  CHECK(has(wrong(R"({"contents":[{"role":"model","parts":[{"functionCall":{"name":"f"}}]}]})"),
            "thought_signature"));
  CHECK_FALSE(wrong(R"({"contents":[]})").empty());
}

TEST_CASE("preflight: Google's list of models has the context", "[llm][preflight]") {
  ModelSpec base;
  base.model = "models/m";
  Rig rig("gemini", {}, base);
  rig.then(200,
           R"({"models":[{"name":"models/other"},{"name":"models/m","inputTokenLimit":700}]})");
  bool is_there = false, is_too_long = false;
  for (const Finding& f : rig.provider().preflight({.longest_prompt = 900})) {
    is_there = is_there || has(f.what, "is there, with 700 tokens of context");
    is_too_long = is_too_long || f.level == Finding::Level::error;
  }
  CHECK(is_there);
  CHECK(is_too_long);
  // The answer has a limit of its own.
  Rig both("gemini", {}, base);
  both.then(200,
            R"({"models":[{"name":"models/m","inputTokenLimit":700,"outputTokenLimit":300}]})");
  const auto findings = both.provider().preflight({.longest_prompt = 900});
  CHECK(std::any_of(findings.begin(), findings.end(),
                    [](const Finding& f) { return has(f.what, "with 1000 tokens of context"); }));
  CHECK(rig.seen()[0].query == "?pageSize=1000");
  CHECK(rig.seen()[1].path == "/v1beta/models/m:generateContent");
  CHECK(rig.seen()[1].authorization == kKey);
  rig.then(200, gemini_reply());
  CHECK(rig.call().call.text == "fine");
}

}  // namespace llm_gemini_test
