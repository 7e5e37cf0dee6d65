#include <agon/conversion.hpp>

#include "catch.hpp"
#include "llm/answer/read_answer.hpp"
#include "llm/answer/schema.hpp"
#include "llm/answer/thought.hpp"
#include "llm/answer/words.hpp"
#include "model_table.hpp"

namespace llm_reading_test {

using namespace agon;
using namespace agon::test;

struct Pick {
  int number = 0;
  std::string why;
};
AGON_DESCRIBE(Pick, (number, "which", agon::range(0, 9)), (why, "why"))

OwnedQuestion question() {
  OwnedQuestion q;
  q.answer_type = &type_of<Pick>();
  return q;
}

ModelAnswer read(const std::string& text) {
  return llm::read_answer(question(), text);
}

TEST_CASE("an answer is the JSON object that has its form") {
  const std::string good = R"({"number": 3, "why": "so"})";
  CHECK(read(good).fault == Fault::ok);
  CHECK(read("  " + good + "\n").fault == Fault::ok);
  CHECK(read(good).json == good);

  // Repairs that lose nothing.
  CHECK(read("```json\n" + good + "\n```").fault == Fault::repaired);
  CHECK(read(R"({"number": 3, "why": "a, }",})").fault == Fault::repaired);
  CHECK(read(R"({"number": 3, "why": "a, }",})").json == R"({"number": 3, "why": "a, }"})");
  CHECK(read("I think {this} and \"that\".\n" + good).json == good);

  CHECK(read(good + R"( then {"other": 1})").fault == Fault::unparsable);
  // Against the bounds is still what was said: the table turns it down.
  CHECK(read(R"({"number": 12, "why": ""})").json == R"({"number": 12, "why": ""})");
}

TEST_CASE("no answer is made of prose") {
  for (const std::string text :
       {"I pick number 3.", "number: 3, why: so", R"({"number": 3})", R"([{"number": 3}])",
        R"({"number": 3, "why": "so")", "{", "{{{{", "\"{", "}{"}) {
    INFO(text);
    const ModelAnswer answer = read(text);
    CHECK(answer.fault == Fault::unparsable);
    CHECK(answer.json.empty());
    CHECK_FALSE(answer.problem.empty());
  }
  CHECK(read("").fault == Fault::empty);
  CHECK(read(" \n ").fault == Fault::empty);
}

TEST_CASE("a thought is taken out of the answer") {
  const ModelAnswer first = read(R"({"thought": "hm, \"3\"?", "number": 3, "why": ""})");
  CHECK(first.fault == Fault::ok);
  CHECK(first.thought == "hm, \"3\"?");
  CHECK(first.json.find("thought") == std::string::npos);
  const ModelAnswer last = read(R"({"number": 3, "why": "", "thought": "x"})");
  CHECK(last.thought == "x");
  CHECK(last.fault == Fault::ok);

  const std::string schema = llm::answer_schema(question(), Thinking::first);
  CHECK(schema.find(R"("properties":{"thought":{"type":"string")") != std::string::npos);
  CHECK(schema.find(R"("required":["thought","number","why"])") != std::string::npos);
  CHECK(llm::answer_schema(question(), Thinking::none).find("thought") == std::string::npos);
}

TEST_CASE("what was thought is told from what was said") {
  const auto split = [](std::string text, std::string reasoning = "") {
    llm::split_thought(text, reasoning);
    return std::pair(text, reasoning);
  };
  using Split = std::pair<std::string, std::string>;
  CHECK(split(" <think>a</think>\n b ") == Split("b ", "a"));
  CHECK(split("<think>a</think><thinking>b</thinking>c") == Split("c", "a\nb"));
  CHECK(split("<think>a</think>b", "before") == Split("b", "before\na"));
  CHECK(split("<think></think>b", "before") == Split("b", "before"));
  CHECK(split("a</think>b") == Split("b", "a"));
  CHECK(split("a</thinkb") == Split("a</thinkb", ""));
  CHECK(split("  nothing of it ") == Split("  nothing of it ", ""));
  CHECK(split("<think>no end") == Split("<think>no end", ""));
  // In an answer it is data.
  for (const std::string answer :
       {R"({"why":"</think>"})", R"(["</think>"])", "```\n{\"why\":\"</think>\"}\n```",
        "<ANSWER></think></ANSWER>"}) {
    CHECK(split(answer) == Split(answer, ""));
    CHECK(split("<think>t</think>" + answer) == Split(answer, "t"));
  }
  CHECK(llm::is_open_thought(" <think>so"));
  CHECK(llm::is_open_thought("<thinking>so"));
  CHECK_FALSE(llm::is_open_thought("<think>so</think>"));
  CHECK_FALSE(llm::is_open_thought("so"));
}

TEST_CASE("words of a model are shortened by whole characters and compared in lower case") {
  CHECK(llm::lower_case("AZaz@[\u00c4") == "azaz@[\u00c4");
  CHECK(llm::beginning("abc", 3) == "abc");
  CHECK(llm::beginning("abcd", 3) == "abc...");
  CHECK(llm::beginning("a\u00e4b", 2) == "a...");
  CHECK(llm::beginning("a\u00e4b", 3) == "a\u00e4...");
}

TEST_CASE("a megabyte of braces is read in no time that anybody notices") {
  CHECK(read(std::string(1 << 20, '{')).fault == Fault::unparsable);
  CHECK(read(std::string(1 << 20, '"')).fault == Fault::unparsable);
  const std::string good = R"({"number": 3, "why": "so"})";
  CHECK(read(std::string(1 << 20, 'x') + ".\n" + good).json == good);
}

TEST_CASE("tags hold the answer, and what comes before them is the thought") {
  const auto form =
      std::static_pointer_cast<const AnswerForm>(catalogue().part(PartKind::form, "tags", ""));
  const OwnedQuestion q = question();
  const std::string good = R"({"number": 3, "why": "so"})";
  CHECK(form->read(q, "<answer>" + good + "</answer>").json == good);
  const ModelAnswer answer =
      form->read(q, "I had {\"number\": 1, \"why\": \"\"} in mind. <answer>" + good + "</answer>");
  CHECK(answer.json == good);
  CHECK(answer.fault == Fault::ok);
  CHECK(answer.thought.find("in mind") != std::string::npos);
  const std::string other = R"({"number": 2, "why": "so"})";
  const ModelAnswer two =
      form->read(q, "I hope for <answer>" + other + "</answer>. <answer>" + good + "</answer>");
  CHECK(two.fault == Fault::unparsable);
  CHECK(two.problem.find("two different answers") != std::string::npos);
  CHECK(form->read(q, "<answer>" + good + "</answer> so <answer>" + good + "</answer>").json ==
        good);
  // Without tags it is one if there is nothing else.
  CHECK(form->read(q, good).fault == Fault::repaired);
  CHECK(form->read(q, good).json == good);
  CHECK(form->read(q, good).problem == "there is no <answer> with its </answer>");
  CHECK(form->read(q, "I take " + good).fault == Fault::unparsable);
  CHECK(form->read(q, good + good).fault == Fault::unparsable);
  // Capitals; tags without an end, as where that stops the model; tags within tags.
  CHECK(form->read(q, "So: <ANSWER>" + good + "</Answer>").json == good);
  CHECK(form->read(q, "So: <answer>" + good).json == good);
  CHECK(form->read(q, "So: <answer>" + good).fault == Fault::repaired);
  CHECK(form->read(q, "So: <answer>" + good).thought == "So: ");
  const ModelAnswer within = form->read(q, "so <answer> so <answer>" + good + "</answer>");
  CHECK(within.json == good);
  CHECK(within.fault == Fault::ok);
  CHECK(within.thought == "so <answer> so ");
  const std::string once = "<answer>" + good + "</answer>";
  CHECK(form->read(q, "1 " + once + " 2 " + once).thought == "1 " + once + " 2 ");
  CHECK(form->read(q, R"("{\"number\": 3, \"why\": \"\"}")").fault == Fault::unparsable);
  // A thought without an end, and refusals, as everywhere.
  CHECK(form->read(q, "<think>so <answer>" + good + "</answer>").fault == Fault::repaired);
  CHECK(form->read(q, "<think>so <answer>" + good + "</answer> or not").fault == Fault::empty);
  CHECK(form->read(q, "I'm sorry, I can't help with that.").fault == Fault::refused);
  CHECK(form->read(q, "").fault == Fault::empty);
  CHECK(form->schema(q, Thinking::none).empty());
}

}  // namespace llm_reading_test
