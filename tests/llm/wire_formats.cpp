#include <agon/error.hpp>

#include "catch.hpp"
#include "llm/provider/http_provider.hpp"
#include "llm/wire/bounds.hpp"
#include "llm/wire/exchange.hpp"
#include "rig.hpp"

namespace {

using namespace llm_tests;

struct Decoded {
  llm::CallOutcome outcome;
  ModelCall call;
};

Decoded decode(const WireFormat& wire, std::string body, bool wrapped = false, int status = 200) {
  Decoded d;
  SentRequest request;
  request.is_structured = request.is_wrapped = wrapped;
  HttpReply reply;
  reply.status = status;
  reply.body = std::move(body);
  d.outcome = llm::decode(wire, reply, request, d.call);
  return d;
}

std::string message(const std::string& members, const std::string& finish = "stop") {
  return R"({"choices":[{"message":{)" + members + R"(},"finish_reason":")" + finish + "\"}]}";
}

ModelRequest request_of(std::vector<ChatMessage> messages, std::string schema = {}) {
  ModelRequest r;
  r.purpose = "answer";
  r.messages = std::move(messages);
  r.schema = std::move(schema);
  return r;
}

TEST_CASE("OpenAI's wire: a request sends only what is set", "[llm][wire]") {
  ModelSpec spec;
  spec.model = "m";
  const auto bare = encode(provider_card("openai"), spec, request_of({{"user", "a \"b\"\n"}}), {});
  CHECK(bare.body == R"({"model":"m","messages":[{"role":"user","content":"a \"b\"\n"}]})");
  CHECK(bare.parameters == "{}");
  spec.temperature = 0.7;
  spec.top_p = 0.5;
  spec.seed = 7;
  spec.max_tokens = 50;
  spec.stop = {"END"};
  spec.reasoning_effort = "low";
  spec.extra = R"({"top_k": 5})";
  const auto full = encode(provider_card("openai"), spec, request_of({{"user", "x"}}), {});
  CHECK(full.parameters ==
        R"({"temperature":0.7,"top_p":0.5,"seed":7,"max_tokens":50,"stop":["END"],)"
        R"("reasoning_effort":"low","top_k":5})");
  CHECK(full.body ==
        R"({"model":"m","messages":[{"role":"user","content":"x"}],)" + full.parameters.substr(1));
}

TEST_CASE("OpenAI's wire: a schema's root becomes an object", "[llm][wire]") {
  ModelSpec spec;
  spec.model = "m";
  const auto r =
      encode(provider_card("openai"), spec,
             request_of({{"user", "x"}}, R"({"$schema":"s","anyOf":[{"type":"null"}]})"), {});
  CHECK(r.is_wrapped);
  CHECK(r.body.find("$schema") == std::string::npos);
  CHECK(r.body.find(R"("properties":{"answer":{"anyOf")") != std::string::npos);
  const Decoded d =
      decode(openai_wire(), message(R"("content":"{\"answer\": {\"x\": 0.10} }")"), true);
  CHECK(d.call.text == " {\"x\": 0.10} ");
  CHECK(decode(openai_wire(), message(R"("content":"no")"), true).call.text == "no");
}

TEST_CASE("OpenAI's wire: the oddities of replies", "[llm][wire]") {
  const WireFormat& w = openai_wire();
  SECTION("usage, cost and identity") {
    const Decoded d = decode(
        w, R"({"id":"i","model":"served","system_fingerprint":"fp","provider":"P","choices":[)"
           R"({"message":{"content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,)"
           R"("completion_tokens":4,"cost":0.0000125,"prompt_tokens_details":{"cached_tokens":3},)"
           R"("completion_tokens_details":{"reasoning_tokens":2}}})");
    CHECK(d.call.usage.input == 10);
    CHECK(d.call.usage.output == 4);
    CHECK(d.call.usage.cached == 3);
    CHECK(d.call.usage.thought == 2);
    CHECK(d.call.provider_cost == 12500);
    CHECK(d.call.served_model == "served");
    CHECK(d.call.fingerprint == "fp provider:P");
    CHECK(d.call.request_id == "i");
  }
  SECTION("usage may be missing, null or odd") {
    CHECK(decode(w, message(R"("content":"x")")).call.usage.input == -1);
    const Decoded d =
        decode(w, R"({"choices":[{"message":{"content":"x"}}],"usage":{"input_tokens":7.0,)"
                  R"("completion_tokens":null,"prompt_tokens_details":null}})");
    CHECK(d.call.fault == agon::Fault::ok);
    CHECK(d.call.usage.input == 7);
    CHECK(d.call.usage.output == -1);
    const Decoded boast =
        decode(w, R"({"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":1e15,)"
                  R"("completion_tokens":1000000000}})");
    CHECK(boast.call.usage.input == -1);
    CHECK(boast.call.usage.output == 1'000'000'000);
  }
  SECTION("thoughts are kept apart from the answer, wherever they stand") {
    for (const std::string& members :
         {std::string(R"("content":"{}","reasoning_content":"hm")"),
          std::string(R"("content":"{}","reasoning":"hm")"),
          std::string(R"("content":"{}","reasoning_details":[{"text":"hm"}])"),
          std::string(R"("content":"<think>hm</think>\n{}")"),
          std::string(R"("content":"hm</think>{}")")}) {
      const Decoded d = decode(w, message(members));
      CAPTURE(members);
      CHECK(d.call.text == "{}");
      CHECK(d.call.reasoning == "hm");
    }
    const Decoded open = decode(w, message(R"("content":"<think>hm {\"bid\":1}")", "length"));
    CHECK(open.call.text == "<think>hm {\"bid\":1}");
    CHECK(open.call.fault == agon::Fault::truncated);
    // Inside an answer the tag is data.
    const Decoded data = decode(w, message(R"("content":"{\"say\":\"</think>\"}")"));
    CHECK(data.call.text == R"({"say":"</think>"})");
  }
  SECTION("nothing said") {
    for (const char* members : {R"("content":null)", R"("content":"")", R"("content":" \n")",
                                R"("role":"assistant")", R"("content":[])"})
      CHECK(decode(w, message(members)).call.fault == agon::Fault::empty);
  }
  SECTION("parts and tools") {
    CHECK(decode(w, message(R"("content":[{"type":"text","text":"a"},{"text":"b"}])")).call.text ==
          "ab");
    CHECK(decode(w, message(R"("content":null,"tool_calls":[{"function":{"arguments":"{}"}}])"))
              .call.text == "{}");
  }
  SECTION("an error in the choice") {
    CHECK(decode(w, R"({"choices":[{"error":{"code":502,"message":"x"}}]})").outcome.sort ==
          Sort::transient);
    CHECK(decode(w, message(R"("content":"half")", "error")).outcome.sort == Sort::transient);
  }
  SECTION("not a reply at all") {
    for (const char* body :
         {"", "{", "[]", "null", "{}", R"({"choices":[]})", R"({"choices":[null]})",
          R"({"choices":[{"message":5}]})", "data: {\"choices\":[]}"})
      CHECK(decode(w, body).outcome.sort == Sort::transient);
  }
}

TEST_CASE("raw completions: the dialogue is one text for the model to go on with", "[llm][wire]") {
  ModelSpec spec;
  spec.provider = "completions";
  spec.model = "base";
  spec.temperature = 0.7;
  spec.stop = {"END"};
  const auto r = encode(provider_card("completions"), spec,
                        request_of({{"system", "You buy."},
                                    {"user", "Your move."},
                                    {"assistant", "{\"bid\":1}"},
                                    {"user", "And now?"}},
                                   R"({"type":"object"})"),
                        llm::capabilities_of(spec, llm_tests::resolve(spec)));
  CHECK(r.body ==
        R"({"model":"base","prompt":"You buy.\n\nUser: Your move.\n\nAssistant: {\"bid\":1}\n\n)"
        R"(User: And now?\n\nAssistant:","temperature":0.7,"max_tokens":512,)"
        R"("stop":["\nUser:","\nAssistant:","END"]})");
  CHECK_FALSE(r.is_structured);
  spec.max_tokens = 60;
  CHECK(encode(provider_card("completions"), spec, request_of({{"user", "x"}}), {})
            .parameters.find("\"max_tokens\":60") != std::string::npos);
}

TEST_CASE("raw completions: replies", "[llm][wire]") {
  const WireFormat& w = llm::completions_wire();
  const auto reply = [](const std::string& text, const std::string& finish) {
    return R"({"id":"c1","model":"served","choices":[{"index":0,"text":")" + text +
           R"(","logprobs":null,"finish_reason":")" + finish +
           R"("}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}})";
  };
  const Decoded good = decode(w, reply(" {\\\"bid\\\": 3}", "stop"));
  CHECK(good.call.fault == agon::Fault::ok);
  CHECK(good.call.text == " {\"bid\": 3}");
  CHECK(good.call.finish == "stop");
  CHECK(good.call.served_model == "served");
  CHECK(good.call.request_id == "c1");
  CHECK(good.call.usage.input == 9);
  CHECK(good.call.usage.output == 2);
  CHECK(decode(w, reply("so it", "length")).call.fault == agon::Fault::truncated);
  CHECK(decode(w, reply("", "stop")).call.fault == agon::Fault::empty);
  CHECK(decode(w, reply("x", "content_filter")).call.fault == agon::Fault::refused);
  CHECK(decode(w, R"({"error":{"message":"no model for text","code":404}})").outcome.status == 404);
  // A server that answers in another format says so.
  const Decoded chat = decode(w, message(R"("content":"hi")"));
  CHECK(chat.outcome.sort == Sort::transient);
  CHECK(chat.outcome.problem.find("chat completion") != std::string::npos);
  for (const char* body : {"", "{}", R"({"choices":[]})", R"({"choices":[{"text":5}]})"})
    CHECK(decode(w, body).outcome.sort == Sort::transient);
}

TEST_CASE("raw completions: a call over the wire, and what is looked at before", "[llm][wire]") {
  Rig rig("completions");
  const ModelResult result = rig.call();
  CHECK(result.call.fault == agon::Fault::ok);
  CHECK_FALSE(result.call.text.empty());
  for (const Finding& f : rig.provider().preflight({})) {
    INFO(f.what);
    CHECK(f.level != Finding::Level::error);
    CHECK(f.what.find("structured") == std::string::npos);
  }
}

TEST_CASE("raw completions take no form of an answer", "[llm][wire]") {
  ModelSpec spec;
  spec.provider = "completions";
  spec.model = "base";
  CHECK_NOTHROW(llm_tests::resolve(spec));
  spec.structured = llm::Structured::schema;
  CHECK_THROWS_AS(llm_tests::resolve(spec), agon::Error);
  spec.structured = llm::Structured::automatic;
  spec.reasoning_effort = "low";
  CHECK_THROWS_AS(llm_tests::resolve(spec), agon::Error);
  spec.reasoning_effort.clear();
  spec.extra = R"({"prompt": "mine"})";
  CHECK_THROWS_AS(llm_tests::resolve(spec), agon::Error);
}

TEST_CASE("Anthropic's wire: system first, users and assistant in turn", "[llm][wire]") {
  ModelSpec spec;
  spec.provider = "anthropic";
  spec.model = "c";
  const auto r = encode(
      provider_card("anthropic"), spec,
      request_of(
          {{"system", "S"}, {"assistant", "A"}, {"user", "1"}, {"user", "2"}, {"system", "late"}}),
      {});
  CHECK(r.body ==
        R"({"model":"c","system":"S","messages":[{"role":"user","content":"Begin."},)"
        R"({"role":"assistant","content":"A"},{"role":"user","content":"1\n\n2\n\nlate"}],)"
        R"("max_tokens":4096})");
}

TEST_CASE("Anthropic's wire: structured output is a forced tool", "[llm][wire]") {
  ModelSpec spec;
  spec.provider = "anthropic";
  spec.model = "c";
  const auto r = encode(provider_card("anthropic"), spec,
                        request_of({{"user", "x"}}, R"({"type":"object","properties":{}})"), {});
  CHECK(r.parameters ==
        R"({"max_tokens":4096,"tools":[{"name":"answer","description":"Give your answer.",)"
        R"("input_schema":{"type":"object","properties":{}}}],)"
        R"("tool_choice":{"type":"tool","name":"answer"}})");
  const Decoded d =
      decode(anthropic_wire(),
             R"({"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":" so "},)"
             R"({"type":"tool_use","name":"answer","input":{"price":103.07,"n":3}}],"model":"c",)"
             R"("stop_reason":"tool_use","usage":{"input_tokens":5,"output_tokens":4,)"
             R"("cache_creation_input_tokens":2,"cache_read_input_tokens":10}})");
  CHECK(d.call.text == R"({"price":103.07,"n":3})");
  CHECK(d.call.reasoning == "hm so ");
  CHECK(d.call.usage.input == 17);
  CHECK(d.call.usage.cached == 10);
  CHECK(d.call.usage.written == 2);
  CHECK(d.call.fault == agon::Fault::ok);
}

TEST_CASE("Anthropic's wire: a model that thinks is not made to call a tool", "[llm][wire]") {
  ModelSpec spec;
  spec.provider = "anthropic";
  spec.model = "c";
  spec.extra = R"({"thinking":{"type":"enabled","budget_tokens":2000}})";
  ModelRequest request = request_of({{"user", "x"}}, R"({"type":"object","properties":{}})");
  const ProviderCard& card = provider_card("anthropic");
  const std::string body = encode(card, spec, request, {}).body;
  CHECK(body.find(R"("output_config":{"format":{"type":"json_schema","schema":{"type":"object",)"
                  R"("properties":{}}}})") != std::string::npos);
  CHECK(body.find("tool_choice") == std::string::npos);
  CHECK(body.find(R"("thinking":{"type":"enabled")") != std::string::npos);
  // Beside it, tools may be called, and need not.
  const std::vector<ModelTool> tools{{"calculator", "Works out.", R"({"type":"object"})"}};
  request.tools = tools;
  CHECK(encode(card, spec, request, {}).body.find(R"("tool_choice":{"type":"auto"})") !=
        std::string::npos);
  request.must_answer = true;
  CHECK(encode(card, spec, request, {}).body.find(R"("tool_choice":{"type":"none"})") !=
        std::string::npos);
  // A server that keeps to the form answers in it.
  Rig rig("anthropic", {}, spec);
  const ModelCall kept = rig.call(R"({"type":"object","properties":{"bid":{"type":"integer"}},)"
                                  R"("required":["bid"]})")
                             .call;
  CHECK(kept.text.find("\"bid\"") != std::string::npos);
  CHECK(kept.finish == "end_turn");
  // Without thoughts the form is a tool's.
  spec.extra = R"({"top_k":3})";
  CHECK(encode(card, spec, request, {}).body.find("output_config") == std::string::npos);
}

TEST_CASE("what the user adds joins objects of a request, and replaces all else", "[llm][wire]") {
  ModelSpec spec;
  spec.provider = "anthropic";
  spec.model = "c";
  spec.temperature = 0.1;
  spec.extra = R"({"thinking":{"type":"adaptive"},"output_config":{"effort":"low","format":1},)"
               R"("temperature":1,"top_k":3})";
  const ModelRequest request = request_of({{"user", "x"}}, R"({"type":"object","properties":{}})");
  const std::string body = encode(provider_card("anthropic"), spec, request, {}).body;
  INFO(body);
  CHECK(body.find(R"("output_config":{"format":{"type":"json_schema","schema":{"type":"object",)"
                  R"("properties":{}}},"effort":"low"})") != std::string::npos);
  CHECK(body.find(R"("temperature":1,)") != std::string::npos);
  CHECK(body.find("0.1") == std::string::npos);
  CHECK(body.find(R"("top_k":3)") != std::string::npos);
  spec.extra = R"({"thinking":{"type":"disabled"}})";
  CHECK(encode(provider_card("anthropic"), spec, request, {}).body.find("output_config") ==
        std::string::npos);
}

TEST_CASE("Anthropic's wire: what stays the same is marked for the cache", "[llm][wire]") {
  ModelSpec spec;
  spec.provider = "anthropic";
  spec.model = "c";
  ModelRequest request =
      request_of({{"system", "S"}, {"user", "1"}, {"assistant", "A"}, {"user", "2"}});
  const auto marks = [&](std::size_t stable) {
    request.stable = stable;
    return encode(provider_card("anthropic"), spec, request, {}).body;
  };
  const std::string mark = R"("cache_control":{"type":"ephemeral"}}])";
  const std::string system = R"("system":[{"type":"text","text":"S",)" + mark;
  const std::string answer = R"("content":[{"type":"text","text":"A",)" + mark;
  CHECK(marks(0).find("cache_control") == std::string::npos);
  CHECK(marks(1).find(system) != std::string::npos);
  CHECK(marks(1).find(answer) == std::string::npos);
  CHECK(marks(3).find(system) != std::string::npos);
  CHECK(marks(3).find(answer) != std::string::npos);
  // A turn of which only the beginning stays is not marked.
  request.messages = {{"system", "S"}, {"user", "1"}, {"user", "2"}};
  CHECK(marks(2).find(R"("text":"1)") == std::string::npos);
  // Nor is the turn before it unmarked for it.
  request.messages = {{"system", "S"}, {"user", "1"}, {"assistant", "A"},
                      {"user", "2"},   {"user", "3"}, {"assistant", "B"}};
  CHECK(marks(4).find(answer) != std::string::npos);
  CHECK(marks(4).find(R"("text":"2)") == std::string::npos);
  CHECK(marks(5).find(answer) == std::string::npos);
  CHECK(marks(5).find(R"("text":"2\n\n3",)" + mark) != std::string::npos);
}

/// What a stream comes to, as a call.
ModelCall streamed(const std::string& provider, const std::string& body, Sort sort) {
  ModelSpec spec;
  spec.model = "m";
  spec.stream = true;
  const ProviderCard& card = provider_card(provider);
  const std::vector<ModelTool> tools{{"calculator", "Works out.", R"({"type":"object"})"}};
  ModelRequest request{.purpose = "answer", .messages = {{"user", "Hi"}}, .tools = tools};
  const SentRequest sent = encode(card, spec, request, {});
  CHECK(sent.body.find(R"("stream":true)") != std::string::npos);
  ModelCall call;
  CHECK(decode(*card.wire, {.status = 200, .body = body}, sent, call).sort == sort);
  return call;
}

TEST_CASE("a reply in pieces is the reply in one piece", "[llm][wire]") {
  // OpenRouter's comments, DeepSeek's thoughts, usage at the end, CR LF, another choice.
  const std::string chunks =
      ": OPENROUTER PROCESSING\r\n\r\n"
      R"(data: {"id":"c","model":"served","choices":[{"index":0,"delta":{"role":"assistant",)"
      R"("content":"","reasoning_content":"Hal"},"finish_reason":null}],"usage":null})"
      "\r\n\r\n"
      R"(data: {"id":"c","model":"served","choices":[{"index":1,"delta":{"content":"no"}}]})"
      "\n"
      R"(data: {"id":"c","model":"served","choices":[{"index":0,"delta":{"reasoning_content":"f."}}]})"
      "\n\n"
      R"(data: {"id":"c","model":"served","choices":[{"index":0,"delta":{"content":"{\"bid\""}}]})"
      "\n\n"
      R"(data:{"id":"c","model":"served","choices":[{"index":0,"delta":{"content":": \u20ac}"}}]})"
      "\n\n";
  const std::string last =
      R"(data: {"id":"c","model":"served","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})"
      "\n\n"
      R"(data: {"id":"c","model":"served","choices":[],"usage":{"prompt_tokens":12,)"
      R"("completion_tokens":5}})"
      "\n\ndata: [DONE]\n\n";
  const ModelCall whole = streamed("openai", chunks + last, Sort::answered);
  CHECK(whole.text == "{\"bid\": \u20ac}");
  CHECK(whole.reasoning == "Half.");
  CHECK(whole.finish == "stop");
  CHECK(whole.served_model == "served");
  CHECK(whole.usage.input == 12);
  CHECK(whole.usage.output == 5);
  // Cut anywhere before its end it is no answer.
  for (const std::size_t length : {chunks.size() / 2, chunks.size() - 20, chunks.size()})
    CHECK(streamed("openai", chunks.substr(0, length), Sort::transient).text.empty());
  CHECK(streamed("openai",
                 chunks + R"(data: {"error":{"message":"overloaded","code":502}})" + "\n\n",
                 Sort::transient)
            .text.empty());

  // Mistral's parts before words; and what no endpoint would send.
  CHECK(
      streamed("openai",
               R"(data: {"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"a"}]}}]})"
               "\n\n"
               R"(data: {"choices":[{"index":0,"delta":{"content":"b"},"finish_reason":"stop"}]})"
               "\n\n",
               Sort::answered)
          .text == "ab");
  for (const std::string odd :
       {R"({"choices":[{"delta":{"tool_calls":"x","content":[1]},"finish_reason":"stop"}]})",
        R"({"choices":[{"delta":{"tool_calls":[{"function":3}]},"finish_reason":"stop"}]})",
        R"({"choices":[1,{"delta":[]}]})", R"({"choices":{}})", "[]", "3", "{"})
    CHECK_NOTHROW(
        streamed("openai", "data: " + odd + "\n\n",
                 odd.find("stop") != std::string::npos ? Sort::answered : Sort::transient));
  // A null for no error; words beside the delta; an empty end in each piece; ids that come again
  // empty; calls that all have the number 0.
  const ModelCall loose = streamed(
      "openai",
      R"(data: {"error":null,"choices":[{"index":0,"text":"x","delta":{"content":"x","tool_calls":)"
      R"([{"index":0,"id":"a","function":{"name":"calculator","arguments":"{"}}]},)"
      R"("finish_reason":""}]})"
      "\n\n"
      R"(data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"","function":)"
      R"({"name":"","arguments":"}"}}]}}]})"
      "\n\n"
      R"(data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"b","function":)"
      R"({"name":"calculator","arguments":"{}"}}]},"finish_reason":"tool_calls"}]})"
      "\n\n",
      Sort::answered);
  const std::vector<ToolCall> two = read_tool_calls(loose.text);
  REQUIRE(two.size() == 2);
  CHECK(two[0].id == "a");
  CHECK(two[0].name == "calculator");
  CHECK(two[0].arguments == "{}");
  CHECK(two[1].id == "b");
  CHECK(streamed("openai",
                 R"(data: {"choices":[{"delta":{"content":"half"},"finish_reason":""}]})"
                 "\n\n",
                 Sort::transient)
            .text.empty());
  for (const char* odd : {R"({"type":"message_start"})", R"({"type":"message_start","message":3})"})
    CHECK_NOTHROW(streamed(
        "anthropic", "data: " + std::string(odd) + "\n\ndata: {\"type\":\"message_stop\"}\n\n",
        Sort::answered));

  const ModelCall tools = streamed(
      "openai",
      R"(data: {"choices":[{"index":0,"delta":{"content":null,"tool_calls":[{"index":0,"id":"x1",)"
      R"("type":"function","function":{"name":"calculator","arguments":""}}]}}]})"
      "\n\n"
      R"(data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":)"
      R"("{\"a\":"}},{"index":1,"id":"x2","function":{"name":"calculator","arguments":"{}"}}]}}]})"
      "\n\n"
      R"(data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":)"
      R"("0.1}"}}]},"finish_reason":"tool_calls"}]})"
      "\n\n",
      Sort::answered);
  const std::vector<ToolCall> calls = read_tool_calls(tools.text);
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].arguments == R"({"a":0.1})");
  CHECK(calls[1].id == "x2");
  CHECK(read_tool_turn(tools.text).find("index") == std::string::npos);

  const std::string blocks =
      "event: message_start\n"
      R"(data: {"type":"message_start","message":{"id":"m","model":"served","content":[],)"
      R"("stop_reason":null,"usage":{"input_tokens":10,"output_tokens":1}}})"
      "\n\nevent: ping\ndata: {\"type\": \"ping\"}\n\n"
      R"(data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking",)"
      R"("thinking":"","signature":""}})"
      "\n\n"
      R"(data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta",)"
      R"("thinking":"Half."}})"
      "\n\n"
      R"(data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta",)"
      R"("signature":"c2ln"}})"
      "\n\n"
      R"(data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use",)"
      R"("id":"x1","name":"calculator","input":{}}})"
      "\n\n"
      R"(data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta",)"
      R"("partial_json":"{\"a\":"}})"
      "\n\n"
      R"(data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta",)"
      R"("partial_json":"0.1}"}})"
      "\n\n";
  const std::string stop =
      R"(data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":)"
      R"({"output_tokens":7}})"
      "\n\ndata: {\"type\":\"message_stop\"}\n\n";
  const ModelCall thought = streamed("anthropic", blocks + stop, Sort::answered);
  CHECK(thought.reasoning == "Half.");
  CHECK(thought.usage.input == 10);
  CHECK(thought.usage.output == 7);
  REQUIRE(read_tool_calls(thought.text).size() == 1);
  CHECK(read_tool_calls(thought.text)[0].arguments == R"({"a":0.1})");
  CHECK(read_tool_turn(thought.text).find("c2ln") != std::string::npos);
  CHECK(streamed("anthropic", blocks, Sort::transient).text.empty());
  CHECK(streamed("anthropic",
                 blocks + R"(data: {"type":"error","error":{"type":"overloaded_error"}})" + "\n\n",
                 Sort::transient)
            .text.empty());
}

TEST_CASE("a stream may begin with any line of an event, or with a byte order mark",
          "[llm][wire]") {
  const std::string rest =
      R"(data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]})"
      "\n\n";
  for (const char* begin : {"", "id: 1\n", "retry: 3000\n\n", ": waiting\n\n", "event: m\n",
                            "\xEF\xBB\xBF", "\xEF\xBB\xBFid: 1\r\n"}) {
    INFO(begin);
    CHECK(streamed("openai", begin + rest, Sort::answered).text == "hi");
  }
}

TEST_CASE("an error that comes as an event keeps its code", "[llm][wire]") {
  const std::string quota =
      "event: error\n"
      R"(data: {"error":{"message":"No.","code":"insufficient_quota"}})"
      "\n\ndata: [DONE]\n\n";
  CHECK(decode(openai_wire(), quota, false, 429).outcome.sort == Sort::out_of_money);
  CHECK(decode(openai_wire(), "id: 1\n" + quota, false, 429).outcome.sort == Sort::out_of_money);
  const Decoded filtered = decode(
      openai_wire(), "data: {\"message\":\"No.\",\"code\":\"content_filter\"}\n\n", false, 400);
  CHECK(filtered.call.fault == Fault::refused);
  // What only begins so is what it was.
  const Decoded words = decode(openai_wire(), "retry: later", false, 503);
  CHECK(words.outcome.sort == Sort::transient);
  CHECK(words.outcome.problem.find("retry: later") != std::string::npos);
}

TEST_CASE("replies in pieces over the wire: the same answers in every format", "[llm][wire]") {
  for (const char* provider :
       {"openai", "anthropic", "completions", "openai-responses", "gemini"}) {
    INFO(provider);
    ModelSpec base;
    Rig one(provider, {}, base);
    base.stream = true;
    Rig pieces(provider, {}, base);
    const ModelResult whole =
        one.call(R"({"type":"object","properties":{"bid":{"type":"integer"}},)"
                 R"("required":["bid"]})");
    const ModelResult joined =
        pieces.call(R"({"type":"object","properties":{"bid":{"type":"integer"}},)"
                    R"("required":["bid"]})");
    CHECK(joined.call.fault == whole.call.fault);
    CHECK(joined.call.text.empty() == whole.call.text.empty());
    CHECK(joined.call.finish == whole.call.finish);
    CHECK(joined.call.usage.input == whole.call.usage.input);
    const SeenRequest seen = pieces.seen().back();
    CHECK((seen.query == "?alt=sse" || seen.body.find(R"("stream":true)") != std::string::npos));
    CHECK(one.seen().back().query.empty());
    CHECK(one.seen().back().body.find("stream") == std::string::npos);
  }
  // An endpoint that knows no counting of streams is asked without.
  ModelSpec base;
  base.stream = true;
  Rig rig("openai", {}, base);
  rig.then(400,
           R"({"error":{"message":"Unrecognized request argument supplied: stream_options"}})");
  CHECK(rig.call().call.fault == Fault::ok);
  CHECK(rig.seen().back().body.find("stream_options") == std::string::npos);
  CHECK(rig.seen().back().body.find(R"("stream":true)") != std::string::npos);
}

TEST_CASE("the schema stands in the prompt where the model is not shown it", "[llm][wire]") {
  ModelSpec spec;
  spec.model = "m";
  ModelRequest request = request_of(
      {{"user", "x"}},
      R"({"type":"object","properties":{"bid":{"type":"integer","minimum":1,"maximum":20},)"
      R"("talk":{"type":"string","maxLength":9}},"required":["bid","talk"]})");
  request.form = "WORDS " + request.schema;
  const auto sent = [&](const std::string& provider, Level level = Level::schema) {
    spec.provider = provider;
    Capabilities can;
    can.level = level;
    return encode(provider_card(provider), spec, request, can).messages.back().text;
  };
  const std::string words = "x\n\n" + request.form;
  CHECK(sent("openai") == "x");
  CHECK(sent("openai", Level::text) == words);
  CHECK(sent("openai", Level::object) == words);
  CHECK(sent("vllm") == words);
  // Without its bounds it does not say all.
  const std::string bounds = "x\n\nBounds: bid: 1 to 20; talk: at most 9 characters.";
  CHECK(sent("openai", Level::lean) == bounds);
  CHECK(sent("anthropic") == bounds);
  CHECK(encode(provider_card("anthropic"), spec, request, {}).parameters.find("maximum") ==
        std::string::npos);
  spec.schema_in_prompt = true;
  CHECK(sent("openai") == words);
  // Who missed the form is told it.
  spec.schema_in_prompt = false;
  request.says_form = true;
  CHECK(sent("openai") == words);
  CHECK(sent("anthropic") == words);
}

TEST_CASE("bounds of amounts say two decimals, and once where there is only one", "[llm][wire]") {
  ModelSpec spec;
  spec.model = "m";
  spec.provider = "anthropic";
  const ModelRequest request = request_of(
      {{"user", "x"}},
      R"({"type":"object","properties":{"price":{"type":"number","multipleOf":0.01,"minimum":0,)"
      R"("maximum":25.2},"keep":{"type":"array","minItems":3,"maxItems":3,"items":{"type":)"
      R"("integer","minimum":0}}},"required":["price","keep"]})");
  CHECK(encode(provider_card("anthropic"), spec, request, {}).messages.back().text ==
        "x\n\nBounds: price: 0.00 to 25.20 dollars, at most two decimals; keep: 3 elements; each "
        "of keep: at "
        "least 0.");
}

TEST_CASE("bounds in words name the unit, list a choice and tell elements apart", "[llm][wire]") {
  const auto bounds = [](const std::string& members) {
    return llm::bounds_after(R"({"type":"object","properties":{)" + members + "}}");
  };
  const std::string money = R"("type":"number","multipleOf":0.01)";
  CHECK(bounds(R"("p":{)" + money + R"x(,"maximum":5,"description":"the price (euros)"})x") ==
        "\n\nBounds: p: at most 5.00 euros, at most two decimals.");
  CHECK(bounds(R"("p":{)" + money + R"x(,"maximum":5,"description":"the price (0 to pass)"})x") ==
        "\n\nBounds: p: at most 5.00 dollars, at most two decimals.");
  CHECK(bounds(R"("p":{)" + money +
               R"x(,"maximum":5,"description":"the sum (thousand dollars)"})x") ==
        "\n\nBounds: p: at most 5.00 thousand dollars, at most two decimals.");
  // The description of an amount that may be left out stands around it.
  CHECK(bounds(R"x("p":{"description":"the price (euros)","anyOf":[{)x" + money +
               R"(,"maximum":5},{"type":"null"}]},"q":{)" + money + R"(,"maximum":6})") ==
        "\n\nBounds: p: at most 5.00 euros, at most two decimals; q: at most 6.00 dollars, at most "
        "two decimals.");
  CHECK(bounds(R"("p":{)" + money + R"(,"enum":[110.12,119.9]})") ==
        "\n\nBounds: p: one of 110.12 and 119.90 dollars.");
  CHECK(bounds(R"("p":{"type":"integer","enum":[4]},"c":{"type":"string","enum":["x","y"]})") ==
        "\n\nBounds: p: 4.");
  const auto list = [&](const std::string& description) {
    return bounds(R"("take":{"type":"array","minItems":3,"maxItems":3,"items":{"type":"integer",)"
                  R"("minimum":0,"maximum":3},"description":")" +
                  description + "\"}");
  };
  CHECK(list("of each (items); element by element at most 1, 3, 1; at most 4 in total") ==
        "\n\nBounds: take: 3 elements; take, elements 1 and 3: 0 to 1; take, element 2: 0 to 3.");
  CHECK(list("element by element at most 3, 3, 3") ==
        "\n\nBounds: take: 3 elements; each of take: 0 to 3.");
}

TEST_CASE("an endpoint that caches the schema gets one that stays the same", "[llm][wire]") {
  ModelSpec spec;
  spec.model = "m";
  const std::string price = R"({"type":"object","properties":{"price":{"type":"number","enum":)";
  const auto sent = [&](const Capabilities& can, const std::string& prices) {
    return encode(provider_card("openai"), spec,
                  request_of({{"user", "x"}}, price + prices + "}}}"), can);
  };
  spec.provider = "openai";
  spec.base_url = "http://127.0.0.1:1/v1";
  const Capabilities elsewhere = llm::capabilities_of(spec, llm_tests::resolve(spec));
  CHECK_FALSE(elsewhere.keeps_schema);
  CHECK(sent(elsewhere, "[1,2]").messages.back().text == "x");
  CHECK(sent(elsewhere, "[1,2]").parameters != sent(elsewhere, "[1,3]").parameters);
  spec.base_url = std::string(provider_card("openai").base_url);
  const Capabilities own = llm::capabilities_of(spec, llm_tests::resolve(spec));
  CHECK(own.keeps_schema);
  CHECK(sent(own, "[1,2]").messages.back().text == "x\n\nBounds: price: one of 1 and 2.");
  CHECK(sent(own, "[1,2]").parameters == sent(own, "[1,3]").parameters);
  CHECK(sent(own, "[1,2]").parameters.find("not_applied") == std::string::npos);
}

TEST_CASE("how long an endpoint wishes to be left alone", "[llm][wire]") {
  constexpr std::int64_t kNow = 1763694000000;  // 2025-11-21T03:00:00Z
  const auto wish = [](std::vector<std::pair<std::string, std::string>> headers) {
    return retry_after_ms({.status = 429, .headers = std::move(headers)}, kNow, true).value_or(-1);
  };
  CHECK(wish({}) == -1);
  CHECK(wish({{"retry-after", "12"}}) == 12000);
  CHECK(wish({{"retry-after", "0.5"}}) == 500);
  CHECK(wish({{"retry-after", "Fri, 21 Nov 2025 03:00:30 GMT"}}) == 30000);
  CHECK(wish({{"retry-after", "Fri, 21 Nov 2025 02:00:00 GMT"}}) == 0);
  CHECK(wish({{"retry-after", "soon"}}) == -1);
  CHECK(wish({{"retry-after", "-5"}}) == -1);
  CHECK(wish({{"retry-after-ms", "1500"}, {"retry-after", "99"}}) == 1500);
  CHECK(wish({{"x-ratelimit-reset-requests", "1m30s"}}) == 90000);
  CHECK(wish({{"x-ratelimit-reset-tokens", "6h0m12.5s"}}) == 21612500);
  CHECK(wish({{"x-ratelimit-reset-tokens", "20"}}) == 20000);
  CHECK(wish({{"x-ratelimit-reset-tokens", "1w"}}) == -1);
  CHECK(wish({{"anthropic-ratelimit-requests-reset", "2025-11-21T03:00:10Z"},
              {"anthropic-ratelimit-tokens-reset", "2025-11-21T03:00:20Z"}}) == 20000);
}

TEST_CASE("what a spec and the environment make of an endpoint", "[llm][spec]") {
  ModelSpec spec;
  spec.model = "m";
  spec.provider = "ollama";
  setenv("OLLAMA_HOST", "0.0.0.0", 1);
  CHECK(resolve(spec).base_url == "http://127.0.0.1:11434/v1");
  setenv("OLLAMA_HOST", "https://far.example/x/", 1);
  CHECK(resolve(spec).base_url == "https://far.example/x/v1");
  unsetenv("OLLAMA_HOST");
  CHECK(resolve(spec).base_url == "http://localhost:11434/v1");
  CHECK_FALSE(resolve(spec).needs_key);

  spec.provider = "openai";
  unsetenv("OPENAI_BASE_URL");
  setenv("OPENAI_API_BASE", "https://old.example/v1/", 1);
  CHECK(resolve(spec).base_url == "https://old.example/v1");
  setenv("OPENAI_BASE_URL", "https://new.example/v1", 1);
  CHECK(resolve(spec).base_url == "https://new.example/v1");
  CHECK(resolve(spec).base_url_from == "OPENAI_BASE_URL");
  unsetenv("OPENAI_BASE_URL");
  unsetenv("OPENAI_API_BASE");

  spec.base_url = "https://user:secret@h.example/v1";
  try {
    static_cast<void>(resolve(spec));
    FAIL("a password in a URL");
  } catch (const Error& e) {
    CHECK(std::string(e.what()).find("secret") == std::string::npos);
  }
  // A query goes behind the path, as Azure's classic URLs have one.
  spec.base_url = "https://a.example/openai/deployments/m/?api-version=1";
  CHECK(resolve(spec).base_url == "https://a.example/openai/deployments/m");
  CHECK(resolve(spec).url("/chat/completions") ==
        "https://a.example/openai/deployments/m/chat/completions?api-version=1");
  spec.base_url = "https://a.example/v1?key=x";
  CHECK_THROWS_AS(resolve(spec), Error);
  spec.base_url = "https://a.example/v1";
  CHECK(resolve(spec).key_header == "Authorization: Bearer ");
  spec.key_header = "api-key";
  CHECK(resolve(spec).key_header == "api-key: ");
  for (const char* wrong : {"", "a b", "Host", "content-length", "x:", "a\r\nb"}) {
    spec.key_header = wrong;
    CHECK_THROWS_AS(resolve(spec), Error);
  }
  spec.key_header.reset();
  spec.system_role = SystemRole::developer;
  CHECK_NOTHROW(resolve(spec));
  spec.provider = "anthropic";
  CHECK_THROWS_AS(resolve(spec), Error);
  spec.provider = "openai";
  spec.system_role.reset();
  spec.base_url = "ftp://h.example";
  CHECK_THROWS_AS(resolve(spec), Error);
  spec.base_url.clear();
  spec.extra = R"({"model": "other"})";
  CHECK_THROWS_AS(resolve(spec), Error);
  spec.extra = "[1]";
  CHECK_THROWS_AS(resolve(spec), Error);
  spec.extra.clear();
  spec.provider = "anthropic";
  spec.seed = 1;
  CHECK_THROWS_AS(resolve(spec), Error);
  ModelSpec mock;
  mock.mock.empty = mock.mock.hang = 0.6;
  CHECK_THROWS_AS(resolve(mock), Error);
}

}  // namespace
