#include <agon/conversion.hpp>

#include "catch.hpp"
#include "describe_samples.hpp"

namespace describe_errors_test {

using namespace agon;
using namespace describe_samples;

struct Wrong {
  std::string_view json;
  std::string_view path;
  std::string_view what;
  Fault fault = Fault::unparsable;
};

/// Reads over the defaults, so that a case names just the member that is wrong.
Problem problem_of(std::string_view json, std::span<const LimitData> limits = {},
                   Missing missing = Missing::keeps) {
  Everything e;
  const auto problem = read_json(type_of<Everything>(), &e, json, limits, missing);
  INFO(json);
  REQUIRE(problem);
  return *problem;
}

TEST_CASE("what is wrong with an answer is told with its place and reason") {
  static constexpr Fault kIllegal = Fault::illegal;
  static const std::vector<Wrong> kWrong{
      {R"({"wole":1})", "$.wole", "unknown key 'wole' (did you mean 'whole'?)"},
      {R"({"items":[{"nam":"x"}]})", "$.items[0].nam", "unknown key 'nam' (did you mean 'name'?)"},
      {R"({"flag":1})", "$.flag", "must be true or false, not a number"},
      {R"({"flag":null})", "$.flag", "must be true or false, not null"},
      {R"({"whole":"5"})", "$.whole", "must be a whole number, not a text"},
      {R"({"whole":2.5})", "$.whole", "must be a whole number"},
      {R"({"whole":51})", "$.whole", "51 is more than 50", kIllegal},
      {R"({"whole":-6})", "$.whole", "-6 is less than -5", kIllegal},
      {R"({"whole":3000000000})", "$.whole", "3000000000 is more than 2147483647"},
      {R"({"large":9223372036854775808})", "$.large",
       "9223372036854775808 is more than 9223372036854775807"},
      {R"({"large":9e15})", "$.large", "is too large"},
      {R"({"large":-9e15})", "$.large", "is too large"},
      {R"({"amount":9e15})", "$.amount", "is too large"},
      {R"({"small":256})", "$.small", "256 is more than 255"},
      {R"({"small":-1})", "$.small", "-1 is less than 0"},
      {R"({"real":true})", "$.real", "must be a number, not true or false"},
      {R"({"real":1.25})", "$.real", "1.25 is more than 1", kIllegal},
      {R"({"amount":"5"})", "$.amount", "must be an amount, not a text"},
      {R"({"amount":1.005})", "$.amount", "has more than two decimals"},
      {R"({"amount":5000.01})", "$.amount", "5000.01 is more than 5000", kIllegal},
      {R"({"amount":-5.5})", "$.amount", "-5.50 is less than -5", kIllegal},
      {R"({"amount":1e300})", "$.amount", "is too large"},
      {R"({"words":7})", "$.words", "must be a text, not a number"},
      {R"({"words":""})", "$.words", "0 characters, fewer than 1", kIllegal},
      {R"({"mood":"angry"})", "$.mood", "invalid value 'angry'; expected calm, keen or cross"},
      {R"({"mood":2})", "$.mood", "must be one of calm, keen, cross, not a number"},
      {R"({"maybe":-1})", "$.maybe", "-1 is less than 0", kIllegal},
      {R"({"items":{}})", "$.items", "must be a list, not an object"},
      {R"({"items":[{},{"price":0.001}]})", "$.items[1].price", "has more than two decimals"},
      {R"({"items":[{},{"pieces":10}]})", "$.items[1].pieces", "10 is more than 9", kIllegal},
      {R"({"items":[{},{},{},{}]})", "$.items", "4 elements, more than 3", kIllegal},
      {R"({"three":[1,2]})", "$.three", "2 elements, but it holds exactly 3"},
      {R"({"few":[1,2,3,4,5]})", "$.few", "5 elements, but it holds at most 4"},
      {R"({"few":[1,100]})", "$.few[1]", "100 is more than 99", kIllegal},
      {R"({"by_name":[]})", "$.by_name", "must be an object, not a list"},
      {R"({"by_name":{"Ann":1.5}})", "$.by_name.Ann", "1.5 is more than 1", kIllegal},
      {R"({"by_name":{"Ann Lee":"x"}})", R"($.by_name["Ann Lee"])", "must be a number, not a text"},
      {R"({"action":{"give":1}})", "$.action.kind",
       "is missing; it is one of offer, agree, walk_away"},
      {R"({"action":{"kind":"accept"}})", "$.action.kind",
       "'accept' is none of offer, agree, walk_away"},
      {R"({"action":{"kind":3}})", "$.action.kind",
       "must be one of offer, agree, walk_away, not a number"},
      {R"({"action":"agree"})", "$.action", "must be an object, not a text"},
      {R"({"action":{"kind":"agree","give":1}})", "$.action.give", "unknown key 'give'"},
      {R"({"action":{"kind":"offer","give":11}})", "$.action.give", "11 is more than 10", kIllegal},
      {R"({"action":{"kind":"offer","keep":[0,6]}})", "$.action.keep[1]", "6 is more than 5",
       kIllegal},
      {R"({"action":{"kind":"walk_away","why":"far too little"}})", "$.action.why",
       "14 characters, more than 12", kIllegal},
      {R"({"gift":{"pieces":0}})", "$.gift.pieces", "0 is less than 1", kIllegal},
      {R"({"lines":["a",2]})", "$.lines[1]", "must be a text, not a number"},
      {R"({"grid":[[1],["x"]]})", "$.grid[1][0]", "must be a whole number, not a text"},
      {R"([])", "$", "must be an object, not a list"},
      {R"(7)", "$", "must be an object, not a number"},
  };
  for (const Wrong& w : kWrong) {
    INFO(w.json);
    const Problem p = problem_of(w.json);
    CHECK(p.path == w.path);
    CHECK(p.what == w.what);
    CHECK(p.fault == w.fault);
  }
}

TEST_CASE("whole numbers with an exponent are read as far as doubles tell them apart") {
  for (const auto& [json, value] :
       {std::pair<std::string_view, std::int64_t>{R"({"large":8.999e15})", 8'999'000'000'000'000},
        {R"({"large":-8.999e15})", -8'999'000'000'000'000},
        {R"({"large":1e3})", 1000},
        {R"({"large":9007199254740993})", 9'007'199'254'740'993}}) {
    INFO(json);
    Everything e;
    CHECK_FALSE(read_json(type_of<Everything>(), &e, json, {}, Missing::keeps));
    CHECK(e.large == value);
  }
}

TEST_CASE("a member that is missing from an answer is named") {
  const Problem p = problem_of(R"({"flag":true})", {}, Missing::is_wrong);
  CHECK(p.path == "$.whole");
  CHECK(p.what == "is missing");
  Item item;
  CHECK_FALSE(read_json(item, R"({"name":"cup","price":1})", Missing::is_wrong));
  CHECK_FALSE(item.pieces);  // what is optional may be left out
}

TEST_CASE("text that is no JSON is told apart from JSON that does not fit") {
  for (const std::string_view json :
       {"", "{", "{\"flag\":tru}", "{\"real\":NaN}", "{\"real\":Infinity}",
        "{\"flag\":true,\"flag\":false}", "{\"words\":\"\xff\"}", "{\"words\":\"\\ud800\"}",
        "{\"whole\":1,}", "{\"whole\":01}", "{} {}"}) {
    INFO(json);
    const Problem p = problem_of(json);
    CHECK(p.fault == Fault::unparsable);
    CHECK(p.path.empty());
    CHECK(p.what.starts_with("is not valid JSON: answer:1:"));
  }
  CHECK(problem_of("{\"flag\":true,\"flag\":false}").what.find("flag") != std::string::npos);
  CHECK(problem_of(std::string(200, '[')).fault == Fault::unparsable);
}

TEST_CASE("limits of the moment are told like bounds") {
  const LimitData whole = limit(&Everything::whole, 1, 3).data;
  CHECK(problem_of(R"({"whole":4})", {&whole, 1}).text() == "$.whole: 4 is more than 3");

  const LimitData mood = allow_if(&Everything::mood, {true, false, true}).data;
  CHECK(problem_of(R"({"mood":"keen"})", {&mood, 1}).text() ==
        "$.mood: 'keen' is not allowed now; choose one of calm, cross");

  const LimitData flag = allow_if(&Everything::flag, {true, false}).data;
  CHECK(problem_of(R"({"flag":true})", {&flag, 1}).text() == "$.flag: must be false now");

  const LimitData action = allow<Offer, WalkAway>(&Everything::action).data;
  CHECK(problem_of(R"({"action":{"kind":"agree"}})", {&action, 1}).text() ==
        "$.action.kind: 'agree' is not allowed now; choose one of offer, walk_away");

  const LimitData give = limit(&Everything::action, &Offer::give, 2, 4).data;
  CHECK(problem_of(R"({"action":{"kind":"offer","give":1}})", {&give, 1}).text() ==
        "$.action.give: 1 is less than 2");

  const std::vector<int> most{2, 0, 1};
  const LimitData keep = limit_each(&Everything::action, &Offer::keep, most).data;
  CHECK(problem_of(R"({"action":{"kind":"offer","keep":[2,1,1]}})", {&keep, 1}).text() ==
        "$.action.keep[1]: 1 is more than 0");
  CHECK(problem_of(R"({"action":{"kind":"offer","keep":[2]}})", {&keep, 1}).text() ==
        "$.action.keep: 1 element, but it must be 3");

  const LimitData by_name = keys(&Everything::by_name, kNames).data;
  CHECK(problem_of(R"({"by_name":{"Ann":1,"Bo":1,"Dee":1}})", {&by_name, 1}).text() ==
        "$.by_name: 'Dee' is none of Ann, Bo, Cy");
  CHECK(problem_of(R"({"by_name":{"Ann":1,"Bo":1}})", {&by_name, 1}).text() ==
        "$.by_name: 'Cy' is missing");

  const LimitData words = one_of(&Everything::words, kNames).data;
  CHECK(problem_of(R"({"words":"Dee"})", {&words, 1}).text() ==
        "$.words: 'Dee' is none of Ann, Bo, Cy");

  const LimitData length = limit_length(&Everything::words, 0, 3).data;
  CHECK(problem_of(R"({"words":"long"})", {&length, 1}).text() ==
        "$.words: 4 characters, more than 3");
  // Signs are counted and not their bytes, as in a JSON Schema.
  CHECK(problem_of("{\"words\":\"\u6c34\u6c34\u6c34\u6c34\"}", {&length, 1}).text() ==
        "$.words: 4 characters, more than 3");
  Everything wide;
  CHECK_FALSE(read_json(agon::type_of<Everything>(), &wide, "{\"words\":\"\u6c34\u6c34\u6c34\"}",
                        {&length, 1}, Missing::keeps)
                  .has_value());

  const LimitData present = presence(&Everything::maybe, false, true).data;
  CHECK(problem_of(R"({"maybe":null})", {&present, 1}).text() == "$.maybe: must not be null now");
  const LimitData absent = presence(&Everything::gift, true, false).data;
  CHECK(problem_of(R"({"gift":{}})", {&absent, 1}).text() == "$.gift: must be null now");
}

TEST_CASE("money is read to the cent over its whole range") {
  for (const std::int64_t cents : {std::int64_t{1}, std::int64_t{29}, std::int64_t{-1005},
                                   std::int64_t{999999999999997}, (std::int64_t{1} << 52) - 1}) {
    const Money money{cents};
    Money read;
    REQUIRE_FALSE(read_json(read, write_json(money), Missing::is_wrong));
    CHECK(read == money);
  }
  Money read;
  for (const std::string_view json : {"0.001", "12.345", "1000000000.001", "0.299999"})
    CHECK(read_json(read, json, Missing::is_wrong)->what == "has more than two decimals");
  CHECK(read_json(read, "45035996273704.97", Missing::is_wrong)->what ==
        "is out of the range of its type");
}

TEST_CASE("a list's length does not bound the texts and lists in it") {
  Everything e;
  CHECK_FALSE(read_json(e, R"({"lines":["far longer than two bytes"],"grid":[[1,2,3,4,5]]})",
                        Missing::keeps));
}

}  // namespace describe_errors_test
