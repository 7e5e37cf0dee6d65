#include <agon/conversion.hpp>
#include <agon/form.hpp>
#include <ctime>

#include "catch.hpp"
#include "llm/answer/read_answer.hpp"
#include "llm/answer/thought.hpp"
#include "model_table.hpp"

// Answers of any size and form: read in a time that grows with their size, and told of in few
// words.
namespace llm_accepted_bounds_test {

using namespace agon;
using namespace agon::test;

enum class Side : std::uint8_t { left, right };
AGON_DESCRIBE_ENUM(Side, (left, "left"), (right, "right"))
struct Pick {
  std::int64_t number = 0;
  Side side = Side::left;
  std::vector<int> counts;
  std::map<std::string, double> shares;
  std::string why;
};
AGON_DESCRIBE(Pick, (number, "which"), (side, "where"), (counts, "of each"), (shares, "of each"),
              (why, "why"))

OwnedQuestion question() {
  OwnedQuestion q;
  q.answer_type = &type_of<Pick>();
  return q;
}

std::string times(std::size_t n, std::string_view text) {
  std::string out;
  while (out.size() + text.size() <= n) out += text;
  return out;
}

/// What readers have trouble with where there is much of it.
std::vector<std::string> nasty() {
  constexpr std::size_t kMega = 1 << 20;
  std::vector<std::string> all{times(kMega / 2, "{") + times(kMega / 2, "}"),
                               times(kMega / 2, "[") + times(kMega / 2, "]"),
                               times(kMega / 2, "{\"a\":") + times(kMega / 2, "}"),
                               times(kMega / 2, "<answer>") + times(kMega / 2, "</answer>"),
                               times(kMega, "x") + R"({"number":3})"};
  for (const std::string_view unit : {"{",
                                      "\"",
                                      "'",
                                      "\\",
                                      "{}",
                                      "{\"",
                                      "{\"a\"",
                                      "{\"a\":1}",
                                      "{'a': 'b',}",
                                      "{\"number\":1,000}",
                                      "{\"number\":\"1.000\"}",
                                      "\u201c",
                                      "{\u201ca\u201d\uff1a",
                                      "' ",
                                      "\"\n\"",
                                      "<think>",
                                      "<think></think>",
                                      "</think>",
                                      "</think",
                                      "<answer>",
                                      "</answer>",
                                      "<answer>{\"number\":3}</answer>",
                                      "1",
                                      "1,",
                                      "1.000,",
                                      "$",
                                      "i can't assist ",
                                      "sorry, ",
                                      "\xe2\x80",
                                      "\"a\":1,"}) {
    all.push_back(times(kMega, unit));
    for (const auto& [before, after] : {std::pair<std::string, std::string>{"{\"why\":\"", "\"}"},
                                        {"{\"number\":", "}"},
                                        {"{\"side\":\"", "\"}"},
                                        {"{'why':'", "'}"},
                                        {"<answer>{\"counts\":[", "]}</answer>"}})
      all.push_back(before + times(kMega / 4, unit) + after);
  }
  return all;
}

TEST_CASE("a megabyte of whatever is read in a moment and told of in few words") {
  const auto form =
      std::static_pointer_cast<const AnswerForm>(catalogue().part(PartKind::form, "tags", ""));
  const OwnedQuestion q = question();
  for (const std::string& text : nasty()) {
    INFO(text.substr(0, 40));
    const std::clock_t begin = std::clock();
    const ModelAnswer answer = llm::read_answer(q, text);
    const ModelAnswer tagged = form->read(q, text);
    std::string said = text, thought;
    llm::split_thought(said, thought);
    // What takes the square of its length takes minutes; a machine without room may take ten times
    // as long as others.
    CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 60);
    CHECK(answer.problem.size() < 1500);
    CHECK(tagged.problem.size() < 1500);
  }
}

TEST_CASE("what is said again of an answer is bounded, whatever it was") {
  const std::string much = times(100'000, "\u00e4");
  for (const std::string& text :
       {R"({"number":3,"side":")" + much + R"(","counts":[],"shares":{},"why":""})",
        R"({"number":")" + much + R"("})", R"({")" + much + R"(":3,"number":3})",
        R"({"number":3,"side":"left","counts":[],"shares":{},"why":")" + much + R"("} or )" +
            R"({"number":4,"side":"left","counts":[],"shares":{},"why":")" + much.substr(2) +
            R"("})",
        R"({"number":1)" + times(100'000, "0") + "}"}) {
    const ModelAnswer answer = llm::read_answer(question(), text);
    INFO(text.substr(0, 60));
    CHECK(answer.fault == Fault::unparsable);
    CHECK(answer.problem.size() > 10);
    CHECK(answer.problem.size() < 1500);
    // Whole characters.
    CHECK(printable(answer.problem).find("\\x") == std::string::npos);
  }
}

TEST_CASE("who is asked again is not sent all of a long answer") {
  const std::string much(120'000, 'y');
  for (const std::string& text :
       {much, R"({"talk":"","action":{"kind":")" + much + R"("}})",
        R"({"talk":")" + much + R"(","action":{"kind":"sell","price":5}})",
        R"({"talk":")" + much +
            R"(","action":{"kind":"quit"}} {"talk":"","action":{"kind":"reject"}})",
        "<think>" + much, "<think>" + much + "</think>I don't know"}) {
    INFO(text.substr(0, 60));
    const auto buyer = std::make_shared<ScriptedModel>([&, n = 0](const ModelRequest&) mutable {
      return said(++n == 1 ? text : R"({"talk":"","action":{"kind":"quit"}})");
    });
    ModelTable("bargaining", R"({"max_turns": 1})")
        .model(0, "", buyer)
        .model(1, "", std::make_shared<ScriptedModel>())
        .play_to_end();
    REQUIRE(buyer->asked().size() == 2);
    CHECK(buyer->asked()[1].text().size() < buyer->asked()[0].text().size() + 6000);
    CHECK(buyer->asked()[1].last().find("turned down") != std::string::npos);
  }
}

}  // namespace llm_accepted_bounds_test
