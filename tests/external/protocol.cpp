// The lines of the protocol, both ways.

#include "external/protocol.hpp"

#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "catch.hpp"
#include "seam/parley.hpp"

using namespace agon::external;
using Catch::Matchers::Contains;

namespace {

namespace bj = boost::json;

bj::object object(const std::string& line) {
  REQUIRE(!line.empty());
  CHECK(line.back() == '\n');
  CHECK(line.find('\n') == line.size() - 1);
  return bj::parse(line).as_object();
}

std::vector<std::string> members(const bj::object& o) {
  std::vector<std::string> names;
  for (const auto& entry : o) names.emplace_back(entry.key());
  return names;
}

agon::OwnedQuestion question() {
  agon::OwnedQuestion q;
  q.game = "parley";
  q.title = "Parley";
  q.rules = "Bid.\nOr \"not\".";
  q.match = "a1b2";
  q.seat = 1;
  q.seat_name = "Bo";
  q.seat_names = {"Ann", "Bo", "Zoë"};
  q.stage = "bid";
  q.stage_doc = "Bid for the round.";
  q.number = 12;
  q.attempt = 1;
  q.complaint = "seven is taboo";
  q.view_json = R"({"round":0})";
  q.answer_type = &agon::type_of<parley::Bid>();
  const std::vector<agon::LimitData> limits{agon::limit(&parley::Bid::amount, 0, 10).data};
  q.limits = agon::OwnedLimits(limits);
  q.memo = "be bold";
  q.dice_key = 7;
  return q;
}

std::string problem_of(std::string_view line) {
  const Reading reading = read_line(line);
  CHECK(!reading.message);
  CHECK(!reading.problem.empty());
  return reading.problem;
}

Message message_of(std::string_view line) {
  Reading reading = read_line(line);
  INFO(reading.problem);
  REQUIRE(reading.message);
  return std::move(*reading.message);
}

}  // namespace

TEST_CASE("what the arena says is one JSON object a line", "[external]") {
  CHECK(object(hello_line()).at("protocol") == kProtocol);
  CHECK(ping_line("p1") == "{\"type\":\"ping\",\"id\":\"p1\"}\n");
  CHECK(end_line() == "{\"type\":\"end\"}\n");

  const bj::object match = object(match_line(question(), R"({"risk":0.5})"));
  CHECK(members(match) == std::vector<std::string>{"type", "game", "title", "rules", "match",
                                                   "seat", "name", "role", "seats", "facts",
                                                   "options"});
  CHECK(match.at("rules") == "Bid.\nOr \"not\".");
  CHECK(match.at("seats").at(2) == "Zoë");
  CHECK(match.at("options").at("risk") == 0.5);
  CHECK(match.at("facts").is_null());

  const bj::object asked = object(question_line(question(), std::chrono::milliseconds(1500)));
  CHECK(members(asked) == std::vector<std::string>{"type", "id", "number", "attempt", "stage",
                                                   "doc", "probe", "asked_at_once", "asked_index",
                                                   "view", "schema", "complaint", "memo", "seed",
                                                   "seconds"});
  CHECK(object(question_line(question(), std::chrono::milliseconds(1500), "[]"))
            .at("rendered")
            .as_array()
            .empty());
  CHECK(asked.at("id") == "12.1");
  CHECK(asked.at("complaint") == "seven is taboo");
  CHECK(asked.at("view").at("round") == 0);
  CHECK(asked.at("schema").at("properties").at("amount").at("maximum") == 10);
  CHECK(asked.at("seconds") == 1.5);
  CHECK(asked.at("seed").as_int64() >= 0);
  CHECK(asked.at("seed").as_int64() < std::int64_t{1} << 53);

  agon::OwnedQuestion first = question();
  first.complaint.clear();
  CHECK(!object(question_line(first, std::chrono::milliseconds::max())).contains("complaint"));
  CHECK(object(question_line(first, std::chrono::milliseconds::max())).at("seconds").is_null());
  // The seed is the question's own.
  first.attempt = 2;
  CHECK(object(question_line(first, std::chrono::milliseconds::max())).at("seed") !=
        asked.at("seed"));

  agon::MatchEnding over;
  over.finished = true;
  over.score = 1250.0;
  over.score_decimals = 2;
  over.normalised = 0.25;
  over.rank = 2;
  over.metrics_json = R"({"paid":7.5})";
  CHECK(object(over_line(over)) ==
        bj::parse(R"({"type":"over","finished":true,"payoff":12.5,"normalised_score":0.25,
                      "rank":2,"metrics":{"paid":7.5}})"));
  CHECK(object(over_line({})) ==
        bj::parse(R"({"type":"over","finished":false,"payoff":null,"normalised_score":null,
                      "rank":null,"metrics":null})"));

  using What = agon::Delivery::What;
  CHECK(delivery_line({.is_private = true, .name = "secret", .json = R"({"value":3})"}) ==
        "{\"type\":\"event\",\"name\":\"secret\",\"private\":true,\"data\":{\"value\":3}}\n");
  CHECK(delivery_line({.what = What::question, .name = "bid", .number = 4, .json = "null"}) ==
        "{\"type\":\"asked\",\"number\":4,\"stage\":\"bid\",\"view\":null}\n");
  CHECK(delivery_line(
            {.what = What::answer, .name = "bid", .number = 4, .json = R"({"amount":2})"}) ==
        "{\"type\":\"answered\",\"number\":4,\"stage\":\"bid\",\"answer\":{\"amount\":2}}\n");
}

TEST_CASE("an answer is taken exactly as it was written", "[external]") {
  // Its own spaces, its own digits, and the envelope's members in any order.
  const Message m = message_of(
      R"({ "extra": {"answer": 1, "x": "}"}, "answer" : { "amount" : 0.1000000000000000055 } ,)"
      R"( "id":"3.0","type":"answer", "thought":"well \"so\"", "memo":""})");
  CHECK(m.what == Message::What::answer);
  CHECK(m.id == "3.0");
  CHECK(m.json == R"({ "amount" : 0.1000000000000000055 })");
  CHECK(m.thought == "well \"so\"");
  CHECK(m.memo == std::string());

  CHECK(message_of(R"({"type":"answer","id":"1","answer":"a,b]\"}"})").json == R"("a,b]\"}")");
  CHECK(message_of(R"({"type":"answer","id":"1","answer":[1,[2,{"a":"]"}],3]})").json ==
        R"([1,[2,{"a":"]"}],3])");
  CHECK(message_of(R"({"type":"answer","id":"1","answer":-1.5e3})").json == "-1.5e3");
  CHECK(message_of(R"({"type":"answer","id":"1","answer":null})").json == "null");
  CHECK(message_of(R"({"type":"answer","id":"1","answer":1,"answer":2})").json == "2");
  CHECK(message_of(R"({"type":"answer","id":"1","\u0061nswer":5})").json == "5");
  const Message none = message_of(R"({"type":"answer","id":"1"})");
  CHECK(none.json.empty());
  CHECK(!none.memo);

  CHECK(message_of(R"({"type":"decline","id":"1.0"})").what == Message::What::decline);
  CHECK(message_of(R"({"type":"pong","id":"p"})").what == Message::What::pong);
  CHECK(message_of(R"({"type":"failed","id":"1.0","problem":"503"})").problem == "503");
  CHECK(message_of("  {\"type\":\"pong\",\"id\":\"p\"}\r").id == "p");
}

TEST_CASE("a line that is no message says why", "[external]") {
  CHECK_THAT(problem_of("thinking..."), Contains("this line is none: thinking..."));
  CHECK_THAT(problem_of(R"({"type":"answer","id":"1","answer":{)"), Contains("this line is none"));
  CHECK_THAT(problem_of("\x80\xff"), Contains("this line is none"));
  CHECK_THAT(problem_of("{\"type\":\"answer\",\"id\":\"1\",\"answer\":\"\xff\"}"),
             Contains("this line is none"));
  CHECK_THAT(problem_of("[1]"), Contains("must be a JSON object"));
  CHECK_THAT(problem_of("{}"), Contains("needs a 'type'"));
  CHECK_THAT(problem_of(R"({"type":7,"id":"1"})"), Contains("needs a 'type'"));
  CHECK_THAT(problem_of(R"({"type":"anwser","id":"1"})"), Contains("not 'anwser'"));
  CHECK_THAT(problem_of(R"({"type":"answer","answer":1})"), Contains("'id' must be"));
  CHECK_THAT(problem_of(R"({"type":"answer","id":7,"answer":1})"), Contains("'id' must be a text"));
  CHECK_THAT(problem_of(R"({"type":"answer","id":"1","memo":{},"answer":1})"),
             Contains("'memo' must be a text"));
  CHECK_THAT(problem_of(R"({"type":"hello"})"), Contains("needs 'protocol'"));
  CHECK_THAT(problem_of(std::string(100000, '[')), Contains("..."));
  // Nothing of it can reach a terminal as it is.
  CHECK_THAT(problem_of("\x1b[2J"), !Contains("\x1b"));
}

TEST_CASE("excerpts never cut a character in two", "[external]") {
  for (std::size_t n = 0; n < 10; ++n) {
    std::string text(n, 'x');
    for (int i = 0; i < 10; ++i) text += "\xf0\x9f\x8e\xb2";
    const std::string cut = excerpt(text, 12);
    CHECK_THAT(cut, !Contains("\\x"));
    CHECK(cut.ends_with("..."));
  }
  CHECK(excerpt("short") == "short");
}

TEST_CASE("options are declared, and checked", "[external]") {
  const Message hello =
      message_of(R"({"type":"hello","protocol":1,"name":"b","options":[)"
                 R"({"name":"risk","type":"number","default": 0.10,"doc":"how bold"},)"
                 R"({"name":"depth","type":"integer","default":3},)"
                 R"({"name":"style","type":"text","default":"calm"},)"
                 R"({"name":"loud","type":"boolean","default":false}]})");
  CHECK(hello.protocol == 1);
  CHECK(hello.name == "b");
  REQUIRE(hello.options.size() == 4);
  CHECK(hello.options[0].doc == "how bold");
  CHECK(option_values(hello.options, {}, "b") ==
        R"({"risk":0.10,"depth":3,"style":"calm","loud":false})");
  CHECK(option_values(hello.options, {{"risk", "2"}, {"style", "\"a\""}}, "b") ==
        R"({"risk":2,"depth":3,"style":"a","loud":false})");
  CHECK(option_values({}, {}, "b") == "{}");

  const auto refused = [&](const std::string& name, const std::string& json) {
    try {
      (void)option_values(hello.options, {{name, json}}, "b");
    } catch (const agon::Error& error) {
      CHECK(error.kind() == agon::ErrorKind::invalid);
      return std::string(error.what());
    }
    return std::string("taken");
  };
  CHECK_THAT(refused("rsk", "1"), Contains("no option 'rsk'") && Contains("risk, depth"));
  CHECK_THAT(refused("depth", "1.5"), Contains("must be of type integer, not 1.5"));
  CHECK_THAT(refused("loud", "1"), Contains("must be of type boolean"));
  CHECK_THAT(refused("style", "null"), Contains("must be of type text"));
  CHECK_THAT(refused("risk", "\"0.5\""), Contains("must be of type number"));

  const auto bad = [](const std::string& options) {
    return problem_of(R"({"type":"hello","protocol":1,"options":)" + options + "}");
  };
  CHECK_THAT(bad("{}"), Contains("must be a list"));
  CHECK_THAT(bad("[3]"), Contains("must be an object"));
  CHECK_THAT(bad(R"([{"type":"text","default":""}])"), Contains("needs a name"));
  CHECK_THAT(bad(R"([{"name":"a","type":"float","default":1}])"), Contains("not 'float'"));
  CHECK_THAT(bad(R"([{"name":"a","type":"integer","default":1.5}])"), Contains("needs a default"));
  CHECK_THAT(bad(R"([{"name":"a","type":"integer"}])"), Contains("needs a default"));
  CHECK_THAT(
      bad(R"([{"name":"a","type":"text","default":""},{"name":"a","type":"text","default":""}])"),
      Contains("two options"));
}
