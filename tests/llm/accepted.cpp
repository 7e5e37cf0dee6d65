#include <agon/conversion.hpp>

#include "catch.hpp"
#include "llm/answer/mend.hpp"
#include "llm/answer/read_answer.hpp"
#include "model_table.hpp"
#include "rig.hpp"

// What is taken for an answer, what is repaired, and what is asked for again: the table in
// docs/faults.md, a row each.
namespace llm_accepted_test {

using namespace agon;
using namespace agon::test;

enum class Colour : std::uint8_t { red, dark_blue };
AGON_DESCRIBE_ENUM(Colour, (red, "red"), (dark_blue, "blue"))
struct Offer {
  Money price{};
};
AGON_DESCRIBE(Offer, (price, "dollars"))
struct WalkAway {};
AGON_DESCRIBE(WalkAway)
struct Move {
  std::int64_t number = 0;
  Colour colour = Colour::red;
  std::variant<Offer, WalkAway> action;
  std::optional<double> most;
  bool sure = false;
  std::vector<int> counts;
  std::string why;
};
AGON_DESCRIBE(Move, (number, "which"), (colour, "a colour"), (action, "what is done"),
              (most, "at most"), (sure, "whether"), (counts, "of each"), (why, "why"))

ModelAnswer read(const std::string& text) {
  OwnedQuestion q;
  q.answer_type = &type_of<Move>();
  return llm::read_answer(q, text);
}

/// An answer with one member written otherwise.
std::string with(const std::string& member, const std::string& value) {
  std::string out = "{";
  for (const auto& [name, usual] :
       std::vector<std::pair<std::string, std::string>>{{"number", "3"},
                                                        {"colour", "\"red\""},
                                                        {"action", R"({"kind":"offer","price":5})"},
                                                        {"most", "null"},
                                                        {"sure", "true"},
                                                        {"counts", "[1,2]"},
                                                        {"why", "\"w\""}})
    out += (out.size() > 1 ? "," : "") + ("\"" + name + "\":") + (name == member ? value : usual);
  return out + "}";
}

/// What the answer says, in one form.
std::string value_of(const ModelAnswer& answer) {
  Move move;
  if (const auto problem = read_json(move, answer.json, Missing::is_wrong)) return problem->text();
  return write_json(move);
}

TEST_CASE("an answer whose meaning is certain is repaired") {
  struct Row {
    std::string given;
    std::string same_as;
    std::string change;  // among what is told of it
  };
  const std::string usual = with("", "");
  const std::vector<Row> rows{
      {"Sure:\n```json\n" + usual + "\n```", usual, ""},
      {usual.substr(0, usual.size() - 1) + R"(,"more":{"x":[1]}})", usual,
       "\"more\" is no part of the answer"},
      {with("action", R"({"kind":"offer","price":5,"turn":2})"), usual, "\"turn\""},
      {with("colour", "\"Dark Blue\""), with("colour", "\"dark_blue\""), "read as \"dark_blue\""},
      {with("colour", "\" RED \""), usual, "read as \"red\""},
      {with("action", R"({"kind":"Walk away"})"), with("action", R"({"kind":"walk_away"})"),
       "read as \"walk_away\""},
      {with("number", "\"5,000\""), with("number", "5000"), "\"5,000\" is read as 5000"},
      {with("number", "\"23\""), with("number", "23"), "read as 23"},
      {with("number", "45."), with("number", "45"), "45. is read as 45"},
      {with("action", R"({"kind":"offer","price":"$58"})"),
       with("action", R"({"kind":"offer","price":58})"), "\"$58\" is read as 58"},
      {with("action", R"({"kind":"offer","price":$1,250.50})"), "", ""},
      {with("action", R"({"kind":"offer","price":"$1,250.50"})"),
       with("action", R"({"kind":"offer","price":1250.5})"), "read as 1250.50"},
      {with("action", R"({"kind":"offer","price":$58})"),
       with("action", R"({"kind":"offer","price":58})"), "$58 is read as 58"},
      {with("most", "\"-7\""), with("most", "-7"), "read as -7"},
      {with("counts", R"(["1", 2,])"), usual, "comma too many"},
      {with("sure", "True"), usual, "true"},
      {with("sure", "\"TRUE\""), usual, "read as true"},
      {with("most", "None"), usual, "null"},
      {with("why", "\"w\nx\""), with("why", "\"w\\nx\""), "line break"},
      {R"({'number': 3, 'colour': 'red', 'action': {'kind': 'offer', 'price': 5}, 'most': null,)"
       R"('sure': true, 'counts': [1, 2], 'why': 'it\'s "w", isn't it'})",
       with("why", R"("it's \"w\", isn't it")"), "quotes"},
      {"{\u201cnumber\u201d: 3, \u201ccolour\u201d: \u201cred\u201d, \u201caction\u201d: "
       "{\u201ckind\u201d: \u201coffer\u201d, \u201cprice\u201d: 5}, \u201cmost\u201d: null, "
       "\u201csure\u201d: true, \u201ccounts\u201d: [1, 2], \u201cwhy\u201d: \u201cw\u201d}",
       usual, "quotes"},
      {"<think>I wonder: {} and no end. " + usual, usual, ""},
  };
  for (const Row& row : rows) {
    INFO(row.given);
    const ModelAnswer answer = read(row.given);
    if (row.same_as.empty()) {
      CHECK(answer.fault == Fault::unparsable);
      continue;
    }
    INFO(answer.problem);
    CHECK(answer.fault == Fault::repaired);
    CHECK(value_of(answer) == value_of(read(row.same_as)));
    CHECK(answer.problem.find(row.change) != std::string::npos);
    if (row.change.empty()) CHECK(answer.problem.empty());
  }
  CHECK(read(usual).fault == Fault::ok);
  // The same twice is no doubt.
  CHECK(read(usual + " That is, " + usual).fault == Fault::repaired);
}

TEST_CASE("an answer whose meaning is not certain is asked for again") {
  struct Row {
    std::string given;
    Fault fault;
    std::string problem;
  };
  const std::string usual = with("", "");
  const std::vector<Row> rows{
      {usual + " or " + with("number", "4"), Fault::unparsable, "two different answers"},
      {with("number", "\"three\""), Fault::unparsable, "$.number"},
      {with("number", "\"5,00\""), Fault::unparsable, "$.number"},
      {with("number", "\"5.000,00\""), Fault::unparsable, "$.number"},
      {with("number", "\"3 or 4\""), Fault::unparsable, "$.number"},
      {with("colour", "\"blue\""), Fault::unparsable, "none of red, dark_blue"},
      {with("action", R"({"kind":"offer","price":12.505})"), Fault::unparsable,
       "more than two decimals"},
      {with("action", R"({"kind":"offer"})"), Fault::unparsable, "price"},
      {"I bid five dollars.", Fault::unparsable, "no JSON object"},
      {"<think>" + usual + " but then again", Fault::empty, "after <think>"},
      {"Ich biete f\u00fcnf Dollar.", Fault::unparsable, "no JSON object"},
      {R"({"question": "before", "answer": 7})", Fault::unparsable, "none of its members"},
      {std::string(schema_json(type_of<Move>())), Fault::unparsable, "none of its members"},
      {"{}", Fault::unparsable, "none of its members (\"number\""},
      {usual.substr(0, usual.size() - 1), Fault::unparsable, "does not come to its end"},
      {R"({"number": 1,000})", Fault::unparsable, "JSON"},
      {"I'm sorry, but I can't help with that.", Fault::refused, "that is no answer"},
      {"I cannot assist with gambling", Fault::refused, "that is no answer"},
      {"I won\u2019t comply with this request.", Fault::refused, "that is no answer"},
      // Moves in prose are no refusals, and no moves.
      {"I can't pay more than 5.", Fault::unparsable, "no JSON object"},
      {"I won't bid more.", Fault::unparsable, "no JSON object"},
      {"", Fault::empty, "nothing was said"},
  };
  for (const Row& row : rows) {
    INFO(row.given);
    const ModelAnswer answer = read(row.given);
    INFO(answer.problem);
    CHECK(answer.fault == row.fault);
    CHECK(answer.json.empty());
    CHECK(answer.problem.find(row.problem) != std::string::npos);
  }
}

TEST_CASE("an answer in another language is one if its form is") {
  CHECK(value_of(read("Gerne: " + with("why", "\"weil es g\u00fcnstig ist\""))) ==
        value_of(read(with("why", "\"weil es g\u00fcnstig ist\""))));
}

TEST_CASE("a hundred kilobytes of thought cost the dialogue only its end") {
  const std::string answer = R"({"talk":"T","action":{"kind":"reject"}})";
  const std::string thought(100'000, 'x');
  for (const std::string& text : {"<think>" + thought + "</think>" + answer, thought + answer}) {
    const auto buyer =
        std::make_shared<ScriptedModel>([&](const ModelRequest&) { return said(text); });
    const MatchResult result =
        ModelTable("bargaining", R"({"max_turns": 2})")
            .model(0, "", buyer)
            .model(1, "", std::make_shared<ScriptedModel>([&](const ModelRequest&) {
                     return said(answer);
                   }))
            .play();
    REQUIRE(result.end == End::finished);
    CHECK(result.forced[0] == 0);
    const auto messages = buyer->asked().at(1).messages;
    std::size_t size = 0;
    for (const ChatMessage& m : messages) size += m.text.size();
    CHECK(size < 20'000);
    CHECK(messages.at(2).role == "assistant");
    CHECK(messages.at(2).text.ends_with(answer));
  }
}

TEST_CASE("the other side's move is turned down with the reason") {
  const auto buyer = std::make_shared<ScriptedModel>([n = 0](const ModelRequest&) mutable {
    return said(++n == 1 ? R"({"talk":"","action":{"kind":"sell","price":5}})"
                         : R"({"talk":"","action":{"kind":"quit"}})");
  });
  const MatchResult result = ModelTable("bargaining", R"({"max_turns": 2})")
                                 .model(0, "", buyer)
                                 .model(1, "", std::make_shared<ScriptedModel>())
                                 .play();
  REQUIRE(result.end == End::finished);
  CHECK(result.faults[0][static_cast<std::size_t>(Fault::illegal)] == 1);
  CHECK(buyer->asked().at(1).last().find("turned down") != std::string::npos);
}

TEST_CASE("tool calls nobody asked for are read where nothing else was said") {
  llm_tests::Rig rig;
  rig.then(200,
           R"({"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"x",)"
           R"("type":"function","function":{"name":"place_bid","arguments":"{\"bid\":7}"}}]},)"
           R"("finish_reason":"tool_calls"}]})")
      .then(200,
            R"({"choices":[{"message":{"role":"assistant","content":"{\"bid\":3}","tool_calls":)"
            R"([{"id":"x","type":"function","function":{"name":"look","arguments":"{}"}}]},)"
            R"("finish_reason":"stop"}]})");
  CHECK(rig.call().call.text == R"({"bid":7})");
  CHECK(rig.call().call.text == R"({"bid":3})");
}

TEST_CASE("a refusal in prose is asked about once more and no more") {
  const auto buyer = std::make_shared<ScriptedModel>(
      [](const ModelRequest&) { return said("I'm sorry, but I cannot help with that."); });
  const MatchResult result = ModelTable("bargaining", R"({"max_turns": 1})")
                                 .model(0, "", buyer)
                                 .model(1, "", std::make_shared<ScriptedModel>())
                                 .play();
  REQUIRE(result.end == End::finished);
  CHECK(result.faults[0][static_cast<std::size_t>(Fault::refused)] == 2);
  CHECK(buyer->asked().size() == 2);
}

}  // namespace llm_accepted_test
