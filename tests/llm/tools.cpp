// Tools that a model may call before it answers.
#include <agon/error.hpp>
#include <memory>

#include "catch.hpp"
#include "llm/parts/parts.hpp"
#include "model_table.hpp"
#include "rig.hpp"

namespace llm_tools_test {

using namespace agon;
using namespace agon::test;

ModelCall tool_calls(const std::vector<ToolCall>& calls) {
  ModelCall call = said(write_tool_calls(calls));
  call.finish = kToolCalls;
  return call;
}

/// Says a bid of 1 where it is asked for an answer, and before that what `call` says as long as it
/// says something; n counts the requests.
std::shared_ptr<ScriptedModel> caller(std::function<std::vector<ToolCall>(int n)> call) {
  return std::make_shared<ScriptedModel>([n = 0, call](const ModelRequest& request) mutable {
    if (request.must_answer || request.tools.empty()) return said(R"({"bid":1})");
    const std::vector<ToolCall> calls = call(n++);
    return calls.empty() ? said(R"({"bid":1})") : tool_calls(calls);
  });
}

MatchResult play_water(const std::string& parts, std::shared_ptr<ScriptedModel> model,
                       const std::string& settings = R"({"days": 1})", Ledgers* ledgers = nullptr) {
  ModelTable table("water-allocation", settings);
  table.model(0, parts, std::move(model));
  table.everybody("", saying(R"({"bid":0})"));
  if (ledgers != nullptr) table.ledgers(*ledgers);
  return table.play();
}

TEST_CASE("tools: arithmetic is exact, and what is none is told why") {
  const std::vector<std::pair<std::string, std::string>> sums{
      {"0.1 + 0.2", "0.1 + 0.2 = 0.3"},
      {"1/3", "1/3 = 0.3333333333 (rounded)"},
      {"2/3*3", "2/3*3 = 2"},
      {" -2^2 ", "-2^2 = -4"},
      {"2^-3", "2^-3 = 0.125"},
      {"2^3^2", "2^3^2 = 512"},
      {"(120 - 45.5) * 0.8", "(120 - 45.5) * 0.8 = 59.6"},
      {"1/70000000000", "1/70000000000 = 0.00000000001429 (rounded)"},
      {"10000000000000000.01*100", "10000000000000000.01*100 = 1000000000000000001"},
      {"-(1-1)", "-(1-1) = 0"}};
  for (const auto& [expression, result] : sums) CHECK(llm::worked_out(expression) == result);
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"1/0", "division by zero"},
      {"0^-1", "division by zero"},
      {"1/(2-2)", "division by zero"},
      {"", "a number is missing"},
      {"2 +", "a number is missing"},
      {"twice two", "no number begins here"},
      {"2 2", "'2' is not expected here"},
      {"(1", "a closing bracket is missing"},
      {"2^0.5", "an exponent is a whole number"},
      {"1^101", "an exponent is a whole number"},
      {"9^99^99", "become too long"},
      {"(9^99)^99", "become too long"},
      {std::string(100, '(') + "1", "too many brackets"},
      {std::string(201, '1'), "at most 200 characters"}};
  for (const auto& [expression, why] : wrong) {
    INFO(expression);
    CHECK_THROWS_WITH(llm::worked_out(expression), Catch::Matchers::Contains(why));
  }
}

TEST_CASE("tools: what a model calls is worked out and told to it alone before it answers") {
  const auto model = caller([](int n) -> std::vector<ToolCall> {
    if (n > 0) return {};
    return {{"a", "calculator", R"({"expression":"0.8 * 50"})"}, {"b", "own_moves", "{}"}};
  });
  Ledgers ledgers;
  const MatchResult result =
      play_water("tools=calculator-and-own-moves", model, R"({"days": 1})", &ledgers);
  REQUIRE(result.end == End::finished);
  const auto asked = model->asked();
  REQUIRE(asked.size() == 2);
  const auto& messages = asked[1].messages;
  REQUIRE(messages.size() == asked[0].messages.size() + 3);
  const std::size_t first = asked[0].messages.size();
  CHECK(messages[first].role == kToolCalls);
  CHECK(messages[first].text ==
        R"([{"id":"a","name":"calculator","arguments":{"expression":"0.8 * 50"}},)"
        R"({"id":"b","name":"own_moves","arguments":{}}])");
  CHECK(messages[first + 1].role == kToolResult);
  CHECK(messages[first + 1].text == "a\n0.8 * 50 = 40");
  CHECK(messages[first + 2].text == "b\nYou have made no move yet.");
  CHECK(result.faults[0][static_cast<std::size_t>(Fault::ok)] == 1);
  CHECK_FALSE(has(result.record, "0.8 * 50"));
  // Each call is on record by itself, and what is taken up again asks for none of them.
  REQUIRE(ledgers.calls.size() >= 2);
  CHECK(ledgers.calls.at({0, 0, 0, 0}).finish == kToolCalls);
  const std::size_t admitted = ledgers.admitted;
  const auto again = caller([](int) -> std::vector<ToolCall> { return {{"c", "x", ""}}; });
  const MatchResult resumed =
      play_water("tools=calculator-and-own-moves", again, R"({"days": 1})", &ledgers);
  CHECK(resumed.record == result.record);
  CHECK(again->asked().empty());
  CHECK(ledgers.admitted == admitted);
  // So does what is read again from the record alone.
  ledgers.close();
  CHECK(play_water("tools=calculator-and-own-moves", again, R"({"days": 1})", &ledgers).record ==
        result.record);
}

TEST_CASE("tools: calls that make no sense get an answer, and calls without end an end") {
  SECTION("junk") {
    const auto model = caller([](int n) -> std::vector<ToolCall> {
      switch (n) {
        case 0:
          return {{"a", "calculator", "no JSON"}, {"b", "calculator", R"({"expression":"1/0"})"}};
        case 1:
          return {{"c", "search", R"({"q":"x"})"}, {"d", "calculator", R"({"expression":5})"}};
        default:
          return {};
      }
    });
    REQUIRE(play_water("tools=calculator", model).end == End::finished);
    const std::string all = model->asked().back().text();
    check_has(all, {"a\nNothing came of this call: the arguments are wrong",
                    "b\nNothing came of this call: the expression cannot be worked out: division",
                    "c\nNothing came of this call: there is no tool 'search'; there are: calc",
                    "d\nNothing came of this call: the arguments are wrong"});
  }
  SECTION("no end") {
    const auto model = std::make_shared<ScriptedModel>([](const ModelRequest& request) {
      if (request.tools.empty()) return said(R"({"bid":0})");
      return tool_calls({{"a", "calculator", R"({"expression":"1+1"})"},
                         {"b", "calculator", R"({"expression":"1+2"})"}});
    });
    const MatchResult result = play_water("tools=calculator:calls=3", model);
    REQUIRE(result.end == End::finished);
    CHECK(result.forced[0] == 1);
    const auto asked = model->asked();
    // Two rounds of calls, an answer that is none, and three more tries without a call left.
    CHECK(model->count("answer") < 10);
    check_has(asked[2].text(), {"a\n1+1 = 2\n(That was the last call. Answer now.)",
                                "b\nNothing came of this call: none is left"});
  }
}

TEST_CASE("tools: an answer that is turned down comes back with what was asked of tools") {
  int answers = 0;
  const auto model = std::make_shared<ScriptedModel>([&](const ModelRequest& request) {
    if (request.messages.back().role == "user" && answers == 0)
      return tool_calls({{"a", "calculator", R"({"expression":"3*3"})"}});
    return said(++answers == 1 ? "nine" : R"({"bid":9})");
  });
  REQUIRE(play_water("tools=calculator", model).end == End::finished);
  const auto messages = model->asked().back().messages;
  REQUIRE(messages.size() >= 5);
  std::string roles;
  for (auto m = messages.end() - 5; m != messages.end(); ++m) roles += m->role + " ";
  CHECK(roles == "user tool_calls tool assistant user ");
}

TEST_CASE("tools: own moves are shown with what followed, and nobody else's") {
  std::vector<ToolCall> calls{{"a", "own_moves", R"({"last":2})"}};
  const auto model = std::make_shared<ScriptedModel>([&](const ModelRequest& request) {
    const bool is_new = request.messages.back().role == "user";
    return is_new ? tool_calls(calls) : said(R"({"bid":7})");
  });
  REQUIRE(play_water("memory=none tools=own-moves", model, R"({"days": 4})").end == End::finished);
  const std::string last = model->asked().back().last();
  INFO(last);
  check_has(last, {"Your last 2 of 3 moves, the oldest first:", "- after day 1: bid 7 dollars",
                   "- after day 2: bid 7 dollars\n  What followed:\n- "});
  CHECK_FALSE(has(last, "at the start"));
  // What followed a move is what came before the next one, and no more.
  const std::size_t second = last.find("- after day 2");
  const std::string before = last.substr(0, second);
  std::string followed = last.substr(last.find("What followed:\n", second) + 15);
  followed = followed.substr(0, followed.find('\n'));
  INFO(followed);
  REQUIRE(followed.size() > 5);
  CHECK(has(before, "What followed:\n"));
  CHECK_FALSE(has(before, followed));
}

namespace {

/// Gives a text of a million bytes: two of each character.
class Flood final : public Tools {
 public:
  [[nodiscard]] std::span<const ModelTool> offered() const override { return offered_; }
  [[nodiscard]] int most_calls() const override { return 2; }
  [[nodiscard]] std::string result(ModelTurn&, std::string_view, std::string_view) const override {
    std::string text = "x";
    while (text.size() < 1000000) text += "\xC3\xA4";
    return text;
  }

 private:
  std::vector<ModelTool> offered_{{"flood", "Says much.", R"({"type":"object"})"}};
};

}  // namespace

TEST_CASE("tools: a result that is too long is cut, and says how much is missing") {
  const auto model = caller([](int n) -> std::vector<ToolCall> {
    if (n > 0) return {};
    return {{"a", "flood", "{}"}};
  });
  const llm::AgentModels models{model};
  const OwnedQuestion question;
  llm::Parts parts;
  parts.memory = catalogue().make<PartKind::memory>("whole", "");
  parts.learning = catalogue().make<PartKind::learning>("none", "");
  parts.tools = std::make_shared<const Flood>();
  const llm::Prompts prompts(std::make_shared<PromptSet>());
  const llm::DataStyle style;
  llm::LineCache cache;
  llm::Turn turn(question, parts, prompts, models, style, cache,
                 std::chrono::steady_clock::time_point::max());
  (void)turn.call({.purpose = "answer", .messages = {{"user", "Bid."}}, .may_use_tools = true});
  const auto asked = model->asked();
  REQUIRE(asked.size() == 2);
  const std::string& shown = asked[1].messages.back().text;
  // The 16000th byte is the first one of a character, which is left out as a whole.
  CHECK(shown.size() < 16100);
  CHECK(has(shown, "\xC3\xA4\n[cut off here: 984002 of 1000001 bytes are missing]"));
}

TEST_CASE("tools: how long a result may be is a parameter") {
  const auto shown = [](const std::string& tools) {
    const auto model = caller([](int n) -> std::vector<ToolCall> {
      if (n != 2) return {};
      return {{"a", "own_moves", "{}"}};
    });
    const MatchResult result = play_water("tools=" + tools, model, R"({"days": 3})");
    REQUIRE(result.end == End::finished);
    std::string text;
    for (const auto& asked : model->asked())
      for (const ChatMessage& message : asked.messages)
        if (message.role == kToolResult) text = message.text;
    REQUIRE_FALSE(text.empty());
    return text;
  };
  const std::string whole = shown("own-moves");
  CHECK_FALSE(has(whole, "cut off here"));
  REQUIRE(whole.size() > 110);
  const std::string cut = shown("own-moves:longest=100");
  CHECK(has(cut, "\n[cut off here: "));
  CHECK(cut.starts_with(whole.substr(0, 100)));
}

TEST_CASE("tools: words that are read by another call may be worked out with them too") {
  const auto model = std::make_shared<ScriptedModel>([](const ModelRequest& request) {
    if (request.purpose == "say" && request.messages.back().role == "user")
      return tool_calls({{"a", "calculator", R"({"expression":"2*3"})"}});
    CHECK((request.purpose == "say") == !request.tools.empty());
    return said(request.purpose == "say" ? "I bid six." : R"({"bid":6})");
  });
  REQUIRE(play_water("reasoning=free-text tools=calculator", model).end == End::finished);
  CHECK(model->count("say") == 2);
}

TEST_CASE("tools: the mock calls them in every game, and every match ends") {
  std::size_t calling = 0;  // games: the shortest matches may have none
  for (const std::string_view game : game_ids()) {
    INFO(game);
    const auto model = std::make_shared<ScriptedModel>();
    const MatchResult result =
        ModelTable(game).everybody("tools=calculator-and-own-moves", model).play_to_end();
    CHECK(std::any_of(result.forced.begin(), result.forced.end(),
                      [](std::uint32_t n) { return n == 0; }));
    bool any = false;
    for (const auto& asked : model->asked()) any = any || asked.messages.back().role == kToolResult;
    calling += any ? 1 : 0;
  }
  CHECK(calling >= 7);
}

// ---- over the wire -----------------------------------------------------------------------------

using namespace llm_tests;

const std::string kSchema = R"({"type":"object","properties":{"bid":{"type":"integer"}},)"
                            R"("required":["bid"],"additionalProperties":false})";

ModelRequest with_tools(bool must_answer) {
  static const std::vector<ModelTool> tools{
      {"calculator", "Works out.", R"({"type":"object","properties":{}})"}};
  ModelRequest request;
  request.purpose = "answer";
  request.messages = {
      {"system", "S"},
      {"user", "Your bid?"},
      {std::string(kToolCalls), write_tool_calls({{"a", "calculator", R"({"expression":"1+1"})"}})},
      {std::string(kToolResult), "a\n1+1 = 2"}};
  request.schema = kSchema;
  request.form = "AS JSON";
  request.says_form = true;
  request.tools = tools;
  request.must_answer = must_answer;
  return request;
}

TEST_CASE("tools: OpenAI's wire", "[llm][wire]") {
  ModelSpec spec;
  spec.model = "m";
  const std::string body = encode(provider_card("openai"), spec, with_tools(false), {}).body;
  check_has(body,
            {R"({"role":"user","content":"Your bid?\n\nAS JSON"},)"
             R"({"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",)"
             R"("function":{"name":"calculator","arguments":"{\"expression\":\"1+1\"}"}}]},)"
             R"({"role":"tool","tool_call_id":"a","content":"1+1 = 2"}])",
             R"("tools":[{"type":"function","function":{"name":"calculator","description":)"
             R"("Works out.","parameters":{"type":"object","properties":{}}}}],)"
             R"("tool_choice":"auto")"});
  CHECK(has(encode(provider_card("openai"), spec, with_tools(true), {}).body,
            R"("tool_choice":"none")"));
}

TEST_CASE("tools: Anthropic's wire", "[llm][wire]") {
  ModelSpec spec;
  spec.model = "m";
  const std::string body = encode(provider_card("anthropic"), spec, with_tools(false), {}).body;
  check_has(body, {R"({"role":"assistant","content":[{"type":"tool_use","id":"a","name":)"
                   R"("calculator","input":{"expression":"1+1"}}]},{"role":"user","content":[)"
                   R"({"type":"tool_result","tool_use_id":"a","content":"1+1 = 2"}]}])",
                   R"({"name":"calculator","description":"Works out.","input_schema":)",
                   R"("tool_choice":{"type":"any"})"});
  CHECK(has(encode(provider_card("anthropic"), spec, with_tools(true), {}).body,
            R"("tool_choice":{"type":"tool","name":"answer"})"));
  spec.structured = Structured::text;
  const Capabilities text{.level = Level::text};
  CHECK(has(encode(provider_card("anthropic"), spec, with_tools(false), text).body,
            R"("tool_choice":{"type":"auto"})"));
  CHECK(has(encode(provider_card("anthropic"), spec, with_tools(true), text).body,
            R"("tool_choice":{"type":"none"})"));
}

ModelCall read_reply(const std::string& provider, const std::string& body, bool must_answer) {
  const ProviderCard& card = provider_card(provider);
  ModelSpec spec;
  spec.model = "m";
  const SentRequest sent = encode(card, spec, with_tools(must_answer), {});
  HttpReply reply;
  reply.status = 200;
  reply.body = body;
  ModelCall call;
  CHECK(llm::decode(*card.wire, reply, sent, call).sort == Sort::answered);
  return call;
}

TEST_CASE("tools: calls in a reply are read in both formats", "[llm][wire]") {
  const std::string openai =
      R"({"choices":[{"message":{"content":"Let me see.","tool_calls":[)"
      R"({"id":"x1","function":{"name":"calculator","arguments":"{\"expression\":\"2*2\"}"}},)"
      R"({"id":"x1","function":{"name":"calculator","arguments":"{broken"}}]},)"
      R"("finish_reason":"tool_calls"}]})";
  const std::string anthropic =
      R"({"content":[{"type":"text","text":"Let me see."},{"type":"tool_use","id":"x1",)"
      R"("name":"calculator","input":{"expression":"2*2"}}],"stop_reason":"tool_use"})";
  for (const auto& [provider, body, n] :
       {std::tuple{"openai", openai, 2}, std::tuple{"anthropic", anthropic, 1}}) {
    INFO(provider);
    const ModelCall call = read_reply(provider, body, false);
    CHECK(call.finish == kToolCalls);
    CHECK(call.reasoning == "Let me see.");
    const std::vector<ToolCall> calls = read_tool_calls(call.text);
    REQUIRE(calls.size() == static_cast<std::size_t>(n));
    CHECK(calls[0].id == "x1");
    CHECK(calls[0].name == "calculator");
    CHECK(calls[0].arguments == R"({"expression":"2*2"})");
    if (n > 1) {
      CHECK(calls[1].arguments == "{broken");
      CHECK(calls[1].id != "x1");
    }
    // Where none may be made it is what it was before: words, or an answer in the wrong place.
    CHECK(read_tool_calls(read_reply(provider, body, true).text).empty());
  }
  // Nobody needs more than 16 at once.
  std::string many;
  for (int i = 0; i < 20; ++i)
    many += std::string(i == 0 ? "" : ",") + R"({"id":"c)" + std::to_string(i) +
            R"(","function":{"name":"calculator","arguments":"{}"}})";
  const ModelCall all =
      read_reply("openai",
                 R"({"choices":[{"message":{"content":null,"tool_calls":[)" + many +
                     R"(]},)"
                     R"("finish_reason":"tool_calls"}]})",
                 false);
  REQUIRE(read_tool_calls(all.text).size() == 16);
  CHECK(read_tool_calls(all.text).back().id == "c15");
  // What went into the tool for answers is the answer, whatever else was called.
  const std::string both =
      R"({"content":[{"type":"tool_use","id":"x","name":"calculator","input":{}},)"
      R"({"type":"tool_use","id":"y","name":"answer","input":{"bid":3}}],)"
      R"("stop_reason":"tool_use"})";
  CHECK(read_reply("anthropic", both, false).text == R"({"bid":3})");
}

TEST_CASE("tools: what was said and thought with calls goes back as it came", "[llm][wire]") {
  // Signed thoughts, in their order; numbers and spaces as they came.
  const std::string content =
      R"([{"type":"thinking","thinking":"Half of it, <think>.","signature":"c2ln"},)"
      R"({"type":"redacted_thinking","data":"eA=="},{"type":"text","text":"Let me see."},)"
      R"({"type":"tool_use","id":"x1","name":"calculator","input":{"expression":"0.10"}}])";
  const std::string message =
      R"({"role":"assistant","content":"<think>so</think> Let me see.","refusal":null,)"
      R"("annotations":[],"reasoning_content":"Half of it.","reasoning_details":[{"type":)"
      R"("reasoning.encrypted","data":"c2ln"}],"tool_calls":[{"id":"x1","type":"function",)"
      R"("function":{"name":"calculator","arguments":"{\"expression\": \"0.10\"}"},)"
      R"("extra_content":{"google":{"thought_signature":"c2ln"}}}]})";
  const std::string returned =
      R"({"role":"assistant","content":"<think>so</think> Let me see.",)"
      R"("reasoning_content":"Half of it.","reasoning_details":[{"type":)"
      R"("reasoning.encrypted","data":"c2ln"}],"tool_calls":[{"id":"x1","type":"function",)"
      R"("function":{"name":"calculator","arguments":"{\"expression\": \"0.10\"}"},)"
      R"("extra_content":{"google":{"thought_signature":"c2ln"}}}]})";
  for (const auto& [provider, body, turn] :
       {std::tuple{"anthropic", R"({"content":)" + content + R"(,"stop_reason":"tool_use"})",
                   R"({"role":"assistant","content":)" + content},
        std::tuple{"openai",
                   R"({"choices":[{"message":)" + message + R"(,"finish_reason":"tool_calls"}]})",
                   returned}}) {
    INFO(provider);
    const ModelCall call = read_reply(provider, body, false);
    REQUIRE(call.finish == kToolCalls);
    CHECK(has(call.reasoning, "Half of it"));
    REQUIRE(read_tool_calls(call.text).size() == 1);
    ModelSpec spec;
    spec.model = "m";
    ModelRequest next = with_tools(false);
    next.messages[2].text = call.text;
    next.messages[3].text = "x1\n0.10";
    const std::string sent = encode(provider_card(provider), spec, next, {}).body;
    INFO(sent);
    CHECK(has(sent, turn));
    // An agent of another provider has the calls alone.
    const std::string other = provider == std::string("openai") ? "anthropic" : "openai";
    const std::string elsewhere = encode(provider_card(other), spec, next, {}).body;
    CHECK_FALSE(has(elsewhere, "c2ln"));
    CHECK(has(elsewhere, "calculator"));
  }
  // A reply that a strict reader refuses is still one: its calls go back alone.
  const ModelCall twice = read_reply(
      "anthropic",
      R"({"content":[{"type":"tool_use","id":"x1","name":"calculator","input":{"a":1,"a":2}}],)"
      R"("stop_reason":"tool_use"})",
      false);
  CHECK(read_tool_calls(twice.text).size() == 1);
  CHECK(read_tool_turn(twice.text).empty());
  // Ids that had to be changed are not what the turn says.
  const ModelCall renamed = read_reply(
      "openai",
      R"({"choices":[{"message":{"content":"Well.","tool_calls":[{"id":"a b","function":)"
      R"({"name":"calculator","arguments":"{}"}}]},"finish_reason":"tool_calls"}]})",
      false);
  CHECK(read_tool_turn(renamed.text).empty());
  CHECK(read_tool_calls(renamed.text).size() == 1);
}

TEST_CASE("tools: OpenAI's responses, whose thoughts are encrypted", "[llm][wire]") {
  const std::string items =
      R"([{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Half."}],)"
      R"("encrypted_content":"c2ln"},{"type":"message","role":"assistant","content":[{"type":)"
      R"("output_text","text":"Let me see."}]},{"type":"function_call","id":"fc_1","call_id":"x1",)"
      R"("name":"calculator","arguments":"{\"expression\": \"0.10\"}"}])";
  const ModelCall call =
      read_reply("openai-responses",
                 R"({"id":"r","model":"served","status":"completed","error":null,)"
                 R"("incomplete_details":null,"output":)" +
                     items +
                     R"(,"usage":{"input_tokens":12,"output_tokens":5,)"
                     R"("output_tokens_details":{"reasoning_tokens":3}}})",
                 false);
  REQUIRE(call.finish == kToolCalls);
  CHECK(call.reasoning == "Half.Let me see.");
  CHECK(call.usage.thought == 3);
  ModelRequest next = with_tools(false);
  next.messages[2].text = call.text;
  next.messages[3].text = "x1\n0.10";
  ModelSpec spec;
  spec.model = "m";
  spec.reasoning_effort = "low";
  spec.max_tokens = 9;
  const ProviderCard& card = provider_card("openai-responses");
  const std::string sent = encode(card, spec, next, {}).body;
  INFO(sent);
  check_has(sent, {R"({"role":"system","content":"S"})",
                   items.substr(1, items.size() - 2) +
                       R"(,{"type":"function_call_output","call_id":"x1","output":"0.10"}])",
                   R"("store":false,"max_output_tokens":9,"reasoning":{"effort":"low"},"text":)"
                   R"({"format":{"type":"json_schema","name":"answer","strict":true,)",
                   R"("include":["reasoning.encrypted_content"])",
                   R"({"type":"function","name":"calculator",)"});
  // Models that do not reason take no such thing, and without tools nothing goes back.
  CHECK_FALSE(has(encode(card, spec, next, {.without = {"include"}}).body, "include"));
  next.tools = {};
  CHECK_FALSE(has(encode(card, spec, next, {}).body, "include"));
  // Cut, refused, filtered, failed.
  const auto fault = [&](const std::string& members) {
    return read_reply("openai-responses", "{" + members + "}", true).fault;
  };
  CHECK(fault(R"("status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},)"
              R"("output":[{"type":"message","content":[{"type":"output_text","text":"{"}]}])") ==
        Fault::truncated);
  CHECK(fault(R"("status":"incomplete","incomplete_details":{"reason":"content_filter"},)"
              R"("output":[])") == Fault::refused);
  CHECK(fault(R"("status":"completed","output":[{"type":"message","content":[{"type":"refusal",)"
              R"("refusal":"No."}]}])") == Fault::refused);
}

TEST_CASE("tools: a match over each format, by a server that calls them", "[llm][wire]") {
  for (const std::string provider : {"openai", "anthropic", "openai-responses", "gemini"}) {
    INFO(provider);
    Rig rig(provider);
    bool called = false;
    for (int i = 0; i < 12 && !called; ++i) {
      ModelRequest request = with_tools(false);
      request.messages[1].text += std::to_string(i);
      const ModelCall call = rig.provider().call(request, Provider::Time::max(), Dice(1)).call;
      REQUIRE(call.fault == Fault::ok);
      called = call.finish == kToolCalls;
      CHECK(called == !read_tool_calls(call.text).empty());
    }
    CHECK(called);
    const ModelCall last =
        rig.provider().call(with_tools(true), Provider::Time::max(), Dice(1)).call;
    CHECK(has(last.text, "\"bid\""));
  }
}

TEST_CASE("tools: an endpoint without them is told of before a run and never played without",
          "[llm][preflight]") {
  const std::vector<ModelTool> tools{{"calculator", "Works out.", R"({"type":"object"})"}};
  SECTION("turned down") {
    Rig rig("openai");
    const std::string body =
        R"({"error":{"message":"gemma3 does not support tools","type":"invalid_request_error"}})";
    rig.then(400, body);
    const ModelResult result =
        rig.provider().call(with_tools(false), Provider::Time::max(), Dice(1));
    CHECK(result.call.fault == Fault::provider_failed);
    CHECK(has(result.call.problem, "does not take the agent's tools"));
    CHECK(rig.calls_seen() == 1);
    // The form of answers is left as it was.
    CHECK(rig.provider().state().capabilities().level == Level::schema);
  }
  SECTION("preflight") {
    Rig rig("openai");
    rig.then(200, R"({"data":[{"id":"m"}]})")
        .then(200, openai_reply("ready"))
        .then(200, openai_reply(R"({\"wet\":true})"))
        .then(400, R"({"error":{"message":"`tools` is not supported"}})");
    bool found = false;
    for (const Finding& f : rig.provider().preflight({.tools = tools}))
      found = found || (f.level == Finding::Level::error && has(f.what, "offers tools fails") &&
                        has(f.hint, "leave out the agent's \"tools\""));
    CHECK(found);
  }
  SECTION("all is well") {
    Rig rig("openai");
    const std::vector<Finding> findings = rig.provider().preflight({.tools = tools});
    REQUIRE_FALSE(findings.empty());
    CHECK(has(findings.back().what, "tools are taken"));
  }
}

}  // namespace llm_tools_test
