#include <agon/json_writer.hpp>

#include "catch.hpp"
#include "model_table.hpp"
#include "rig.hpp"

// One rule for what is accepted, whichever way the words come: from a provider in the process, in
// OpenAI's format, in Anthropic's.
namespace llm_accepted_paths_test {

using namespace agon;
using namespace agon::test;

std::string as_json(const std::string& text) {
  return JsonWriter().text(text).take();
}

/// What an endpoint replies that says this.
std::string openai_body(const std::string& text) {
  return R"({"id":"c","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":)" +
         as_json(text) + R"(},"finish_reason":"stop"}]})";
}
std::string anthropic_body(const std::string& text) {
  return R"({"id":"m","type":"message","role":"assistant","model":"m","content":)"
         R"([{"type":"text","text":)" +
         as_json(text) + R"(}],"stop_reason":"end_turn"})";
}

/// A bargain in which the buyer says this first, and then walks away.
MatchResult played(const std::string& form, const std::string& text, const std::string& path) {
  std::unique_ptr<llm_tests::Rig> rig;
  if (path != "process") rig = std::make_unique<llm_tests::Rig>(path);
  const auto buyer =
      std::make_shared<ScriptedModel>([&, n = 0](const ModelRequest& request) mutable {
        const std::string now =
            ++n == 1 ? text : R"(<answer>{"talk":"","action":{"kind":"quit"}}</answer>)";
        if (rig == nullptr)
          return said(form == "tags" || n == 1 ? now : now.substr(8, now.size() - 17));
        const std::string sent = form == "tags" || n == 1 ? now : now.substr(8, now.size() - 17);
        rig->then(200, path == "openai" ? openai_body(sent) : anthropic_body(sent));
        return rig->provider().call(request, llm::Provider::Time::max(), Dice(1, 0)).call;
      });
  return ModelTable("bargaining", R"({"max_turns": 2})")
      .model(0, "form=" + form, buyer)
      .model(1, "", saying(R"({"talk":"","action":{"kind":"reject"}})"))
      .play();
}

TEST_CASE("the same words are the same answer over every path") {
  const std::string good = R"({"talk":"T","action":{"kind":"buy","price":5}})";
  const std::string other = R"({"talk":"T","action":{"kind":"buy","price":6}})";
  struct Row {
    std::string said;
    Fault schema;
    Fault tags;
  };
  const std::vector<Row> rows{
      {good, Fault::ok, Fault::repaired},
      {"Well: " + good, Fault::in_words, Fault::unparsable},
      {"[THINK]Maybe " + other + "?[/THINK] " + good, Fault::ok, Fault::repaired},
      {"[THINK]Maybe " + other + "?[/THINK] I offer 5.", Fault::unparsable, Fault::unparsable},
      {"I'd never say " + other, Fault::unparsable, Fault::unparsable},
      {"<answer>" + other + "</answer> Wait, 5.", Fault::unparsable, Fault::unparsable},
      {"For example, <answer>" + other + "</answer>", Fault::unparsable, Fault::unparsable},
      {"I keep 60 in mind, at most 70. <answer>" + good + "</answer>", Fault::in_words, Fault::ok},
      {"<answer>" + good + "</answer>", Fault::repaired, Fault::ok},
      {"<ANSWER>" + good + "</ANSWER>", Fault::repaired, Fault::ok},
      {"<think>hm " + other + "</think>" + good, Fault::ok, Fault::repaired},
      {"<thinking>hm</thinking>\n" + good, Fault::ok, Fault::repaired},
      {" <think>a</think><think>b</think> " + good, Fault::ok, Fault::repaired},
      {"it is late</think>" + good, Fault::ok, Fault::repaired},
      {"<think>hm " + other + " so " + good, Fault::empty, Fault::empty},
      {"<think>hm <answer>" + good + "</answer>", Fault::empty, Fault::repaired},
      {"<thinking>hm " + good + " or not", Fault::empty, Fault::empty},
      {"<think>hm", Fault::empty, Fault::empty},
      {"<think>hm</think>", Fault::empty, Fault::empty},
      {"  \n ", Fault::empty, Fault::empty},
      {good + other, Fault::unparsable, Fault::unparsable},
      {R"({'talk': 'T', 'action': {'kind': 'Buy', 'price': '$5',}})", Fault::repaired,
       Fault::repaired},
      {"{\u201ctalk\u201d: \u201cT\u201d, \u201caction\u201d: {\u201ckind\u201d: \u201cbuy\u201d, "
       "\u201cprice\u201d: $5}}",
       Fault::repaired, Fault::repaired},
      {R"({"talk":"T","action":{"kind":"buy","price":"399,50"}})", Fault::unparsable,
       Fault::unparsable},
      {R"({"talk":"T","action":{"kind":"sell","price":5}})", Fault::illegal, Fault::illegal},
      {"I'm sorry, but I can't help with that.", Fault::refused, Fault::refused},
      {"I can't pay more than 5.", Fault::unparsable, Fault::unparsable},
      {"Ich biete f\u00fcnf Dollar.", Fault::unparsable, Fault::unparsable},
      {"<think>" + std::string(100'000, 'x') + "</think>" + good, Fault::ok, Fault::repaired},
      {R"({"type":"object","properties":{"talk":{"type":"string"},"action":{"anyOf":[]}}})",
       Fault::unparsable, Fault::unparsable},
      {R"({"thought":"t","lesson":"bid less"})", Fault::unparsable, Fault::unparsable},
  };
  for (const std::string form : {"schema", "tags"})
    for (const Row& row : rows) {
      INFO(form << ": " << row.said.substr(0, 200));
      const MatchResult here = played(form, row.said, "process");
      REQUIRE(here.end == End::finished);
      const Fault fault = form == "schema" ? row.schema : row.tags;
      CHECK(here.faults[0][static_cast<std::size_t>(fault)] >= 1);
      for (const char* path : {"openai", "anthropic"}) {
        INFO(path);
        const MatchResult there = played(form, row.said, path);
        CHECK(there.faults == here.faults);
        CHECK(there.record == here.record);
      }
    }
}

TEST_CASE("a tool that nobody offered does not take the place of words in any format") {
  const std::string look = R"({"bid":7})";
  const std::string words = R"({"bid":3})";
  llm_tests::Rig openai;
  llm_tests::Rig anthropic("anthropic");
  const auto openai_says = [](const std::string& content) {
    return R"({"choices":[{"message":{"role":"assistant","content":)" + content +
           R"(,"tool_calls":[{"id":"x","type":"function","function":{"name":"look","arguments":)"
           R"("{\"bid\":7}"}}]},"finish_reason":"tool_calls"}]})";
  };
  const auto anthropic_says = [](const std::string& text) {
    return R"({"content":[)" + text +
           R"({"type":"tool_use","id":"x","name":"look","input":{"bid":7}}],)"
           R"("stop_reason":"tool_use"})";
  };
  openai.then(200, openai_says("null")).then(200, openai_says(as_json(words)));
  anthropic.then(200, anthropic_says(""))
      .then(200, anthropic_says(R"({"type":"text","text":)" + as_json(words) + "},"));
  for (llm_tests::Rig* rig : {&openai, &anthropic}) {
    CHECK(rig->call().call.text == look);
    CHECK(rig->call().call.text == words);
  }
}

}  // namespace llm_accepted_paths_test
