#include <agon/conversion.hpp>
#include <agon/language.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "catch.hpp"
#include "describe/limits.hpp"
#include "describe/value.hpp"
#include "describe_samples.hpp"
#include "form/form.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "support/typed_tree.hpp"

namespace form_pages_test {

using namespace agon;
using namespace describe_samples;

template <class T>
std::string described(std::span<const LimitData> limits = {},
                      const Language& language = Language::english()) {
  return json::write(form_description(type_of<T>(), limits, language));
}

template <class T>
TypedAnswer read(std::string_view tree, std::span<const LimitData> limits = {},
                 const Language& language = Language::english()) {
  return read_typed(type_of<T>(), limits, json::parse(tree, "tree"), language);
}

/// "/price: 5 is more than 3; /name: ..."
std::string told(const TypedAnswer& answer) {
  std::string text;
  for (const TypedProblem& p : answer.problems)
    text += (text.empty() ? "" : "; ") + p.path + ": " + p.problem;
  return text;
}

struct Message {
  std::string text;
  std::optional<Money> bid;
  bool halt = false;
  std::optional<int> odd_name;
  int kept_short = 0;
};
struct SealedBid {
  std::optional<Money> bid;
};
AGON_DESCRIBE(SealedBid, (bid, "what you pay", agon::unit("dollars")))
AGON_DESCRIBE(Message, (text, "what you say; may be empty", agon::length(0, 200)),
              (bid, "BID: what you pay; null: no bid", agon::unit("dollars"), agon::at_least(1)),
              (halt, "true if you want to stop, false if not; a falsehood is no matter"),
              (odd_name,
               "a meaning that goes on for longer than anybody would want to have over a "
               "field to fill in"),
              (kept_short, ""))

TEST_CASE("a form for pages has labels from what members mean, and plain words") {
  CHECK(described<Message>() ==
        R"({"kind":"struct","fields":[)"
        R"({"name":"text","label":"What you say","doc":"may be empty",)"
        R"("node":{"kind":"text","min":0,"max":200,"lines":true}},)"
        R"({"name":"bid","label":"Bid","doc":"BID: what you pay; none: no bid",)"
        R"("node":{"kind":"optional","may_be_absent":true,"may_be_present":true,)"
        R"("node":{"kind":"money","unit":"dollars","min":0.01,"max":null,"step":0.01}}},)"
        R"({"name":"halt","label":"Halt",)"
        R"("doc":"yes if you want to stop, no if not; a falsehood is no matter",)"
        R"("node":{"kind":"boolean","choices":["yes","no"]}},)"
        R"({"name":"odd_name","label":"Odd name","doc":"a meaning that goes on for longer than )"
        R"(anybody would want to have over a field to fill in",)"
        R"("node":{"kind":"optional","may_be_absent":true,"may_be_present":true,)"
        R"("node":{"kind":"integer","unit":"","min":null,"max":null,"step":1}}},)"
        R"({"name":"kept_short","label":"Kept short","doc":"",)"
        R"("node":{"kind":"integer","unit":"","min":null,"max":null,"step":1}}]})");
}

struct Turn {
  std::variant<Offer, Agree, WalkAway> action;
};
AGON_DESCRIBE(Turn, (action, "what you do"))

TEST_CASE("limits of the moment narrow the form for pages") {
  const std::vector<int> most{2, 0, 1};
  const std::vector<LimitData> limits{allow<Offer, WalkAway>(&Turn::action).data,
                                      limit(&Turn::action, &Offer::give, 2, 4).data,
                                      limit_each(&Turn::action, &Offer::keep, most).data};
  const auto form = form_description(type_of<Turn>(), limits);
  const auto& choices =
      form.at("fields").as_array()[0].as_object().at("node").as_object().at("choices").as_array();
  REQUIRE(choices.size() == 2);
  CHECK(choices[0].as_object().at("name") == "offer");
  CHECK(choices[1].as_object().at("label") == "Walk away");
  const auto& fields = choices[0].as_object().at("node").as_object().at("fields").as_array();
  CHECK(json::write(fields[0].as_object().at("node")) ==
        R"({"kind":"integer","unit":"coins","min":2,"max":4,"step":1})");
  CHECK(json::write(fields[1].as_object().at("node")) ==
        R"({"kind":"list","min":3,"max":3,"each":[2,0,1],)"
        R"("node":{"kind":"integer","unit":"","min":0,"max":5,"step":1}})");
}

TEST_CASE("the elements of a list with highest numbers of their own keep the lowest of all") {
  const std::vector<int> most{3, 5, 4};
  const auto node = [&](const std::vector<LimitData>& limits) {
    const auto form = form_description(type_of<Turn>(), limits);
    return json::write(form.at("fields")
                           .as_array()[0]
                           .as_object()
                           .at("node")
                           .as_object()
                           .at("choices")
                           .as_array()[0]
                           .as_object()
                           .at("node")
                           .as_object()
                           .at("fields")
                           .as_array()[1]
                           .as_object()
                           .at("node"));
  };
  const LimitData each = limit_each(&Turn::action, &Offer::keep, most).data;
  // As the type has it: 0 to 5.
  CHECK(node({each}) == R"({"kind":"list","min":3,"max":3,"each":[3,5,4],)"
                        R"("node":{"kind":"integer","unit":"","min":0,"max":5,"step":1}})");
  const LimitData range = limit(&Turn::action, &Offer::keep, 2, 4).data;
  CHECK(node({each, range}) == R"({"kind":"list","min":3,"max":3,"each":[3,5,4],)"
                               R"("node":{"kind":"integer","unit":"","min":2,"max":4,"step":1}})");
}

TEST_CASE("what is typed is read entry by entry, and every problem has its place") {
  CHECK(read<Item>(R"({"name":"cup","price":"$12.50","pieces":null})").json ==
        R"({"name":"cup","price":12.50,"pieces":null})");
  CHECK(read<Item>(R"({"name":"cup","price":" 1,000 ","pieces":"3 pieces"})").json ==
        R"({"name":"cup","price":1000,"pieces":3})");
  CHECK(told(read<Item>(R"({"name":"","price":"1 000","pieces":"12","x/y":""})")) ==
        "/name: 0 characters, fewer than 1; "
        "/price: '1 000' is not certain: write 1000 if that is what you mean; "
        "/pieces: 12 is more than 9; /x~1y: is not known here");
  CHECK(told(read<Item>(R"({"name":5,"price":"","pieces":""})")) ==
        "/name: this is not what the form asks for; /price: something has to be entered here; "
        "/pieces: something has to be entered here");
  CHECK(told(read<Item>("{}")) ==
        "/name: something has to be entered here; /price: something has to be entered here");
  CHECK(told(read<Item>("null")) == ": something has to be entered here");
  CHECK(told(read<Item>("[]")) == ": this is not what the form asks for");
  // A text may say what would leave out anything else.
  CHECK(read<Message>(R"({"text":"none","bid":"none","halt":"no","kept_short":"7"})").json ==
        R"({"text":"none","bid":null,"halt":false,"odd_name":null,"kept_short":7})");
}

TEST_CASE("only what was chosen is none") {
  // The one entry of an answer: nobody touched it, it was chosen and left empty, it was chosen.
  CHECK(told(read<SealedBid>("{}")) == "/bid: choose one of these");
  CHECK(told(read<SealedBid>(R"({"bid":""})")) == "/bid: something has to be entered here");
  CHECK(told(read<SealedBid>(R"({"bid":"  "})")) == "/bid: something has to be entered here");
  CHECK(read<SealedBid>(R"({"bid":null})").json == R"({"bid":null})");
  CHECK(read<SealedBid>(R"({"bid":"none"})").json == R"({"bid":null})");
  CHECK(read<SealedBid>(R"({"bid":"0"})").json == R"({"bid":0})");
  // Where there is no choice, there is nothing to choose.
  const std::vector<LimitData> never{presence(&SealedBid::bid, true, false).data};
  CHECK(read<SealedBid>("{}", never).json == R"({"bid":null})");
}

TEST_CASE("kinds and lengths that are typed are held to the form") {
  const std::vector<int> most{2, 0, 1};
  const std::vector<LimitData> limits{allow<Offer, WalkAway>(&Turn::action).data,
                                      limit_each(&Turn::action, &Offer::keep, most).data};
  CHECK(read<Turn>(R"({"action":{"kind":"offer","give":"4","keep":["2","0","1"]}})", limits).json ==
        R"({"action":{"kind":"offer","give":4,"keep":[2,0,1]}})");
  CHECK(told(read<Turn>(R"({"action":{"kind":"offer","give":"4","keep":["3","","1"]}})", limits)) ==
        "/action/keep/0: 3 is more than 2; /action/keep/1: something has to be entered here");
  CHECK(told(read<Turn>(R"({"action":{"kind":"offer","give":"4","keep":["2","0"]}})", limits)) ==
        "/action/keep: 2 elements, but it must be 3");
  CHECK(told(read<Turn>(R"({"action":{"kind":"agree"}})", limits))
            .starts_with("/action/kind: 'agree' is none of the choices"));
  CHECK(told(read<Turn>(R"({"action":{}})", limits)) == "/action/kind: choose one of these");
  CHECK(told(read<Turn>(R"({"action":{"kind":"walk_away","why":"","give":"1"}})", limits)) ==
        "/action/give: is not known here");
}

TEST_CASE("forms and problems are in the person's language") {
  Language::Sentences sentences;
  for (const std::string_view english : arena_sentences())
    sentences[std::string(english)] = "<" + std::string(english) + ">";
  sentences["yes"] = "ja";
  sentences["no"] = "nein";
  sentences["none"] = "nichts";
  sentences["what you say; may be empty"] = "was Sie sagen; darf leer sein";
  sentences["dollars"] = "Dollar";
  sentences["true if you want to stop, false if not; a falsehood is no matter"] =
      "true, wenn Sie aufhören wollen, sonst false";
  const Language german("de", std::move(sentences));
  const std::string form = described<Message>({}, german);
  INFO(form);
  CHECK(form.find(R"("label":"Was Sie sagen","doc":"darf leer sein")") != std::string::npos);
  CHECK(form.find(R"("doc":"ja, wenn Sie aufhören wollen, sonst nein")") != std::string::npos);
  CHECK(form.find(R"("unit":"Dollar")") != std::string::npos);
  CHECK(
      read<Message>(R"({"text":"","bid":"5 Dollar","halt":true,"odd_name":null,"kept_short":"1"})",
                    {}, german)
          .json == R"({"text":"","bid":5,"halt":true,"odd_name":null,"kept_short":1})");
  const TypedAnswer answer = read<Message>(
      R"({"text":[],"bid":"0","halt":"x","odd_name":"1 000","kept_short":"zwei","more":""})", {},
      german);
  REQUIRE(answer.problems.size() == 6);
  for (const TypedProblem& p : answer.problems) {
    INFO(p.problem);
    CHECK(p.problem.front() == '<');
  }
}

struct Many {
  std::vector<int> all;
};
AGON_DESCRIBE(Many, (all, "as many as there are"))

TEST_CASE("of many problems the first are told, and their places stay short") {
  const std::string many = json::write(boost::json::array(10'000, "x"));
  const TypedAnswer answer = read<Many>(R"({"all":)" + many + "}");
  CHECK(answer.problems.size() == 50);
  CHECK(answer.json.empty());
  const std::string long_name(1'000'000, 'n');
  const TypedAnswer named = read<Item>("{\"" + long_name + "\":\"\"}");
  REQUIRE(named.problems.size() == 3);
  CHECK(named.problems.back().path.size() < 100);
  const TypedAnswer said =
      read<Item>(R"({"name":"cup","price":")" + long_name + R"(","pieces":null})");
  REQUIRE(said.problems.size() == 1);
  CHECK(said.problems[0].problem.size() < 100);
}

TEST_CASE("what a random value is typed as gives the value") {
  const Type& type = type_of<Everything>();
  const std::vector<LimitData> limits{keys(&Everything::by_name, kNames).data};
  for (std::uint32_t n = 0; n < 500; ++n) {
    Everything drawn;
    Dice dice(79, n);
    draw_value(type, nullptr, &drawn, 0, limits, dice);
    const boost::json::value tree = test::typed_tree(type, &drawn, dice);
    const TypedAnswer answer = read_typed(type, limits, tree);
    INFO(json::write(tree));
    INFO(told(answer));
    REQUIRE(answer.problems.empty());
    Everything back;
    REQUIRE_FALSE(read_json(type, &back, answer.json, limits));
    REQUIRE(write_json(back) == write_json(drawn));
  }
}

}  // namespace form_pages_test
