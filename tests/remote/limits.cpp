// Limits by the names of members say what limits by slots say.

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/limits.hpp>
#include <boost/json/value.hpp>
#include <map>

#include "catch.hpp"
#include "json/parse.hpp"
#include "remote/card_json.hpp"

namespace remote_limits_test {

using namespace agon;
using namespace agon::remote;

enum class Colour { red, green, blue };
AGON_DESCRIBE_ENUM(Colour, (red, ""), (green, ""), (blue, ""))

struct Item {
  int price = 0;
  std::string name;
};
AGON_DESCRIBE(Item, (price, ""), (name, ""))

struct Offer {
  std::vector<int> keep;
  Money fee;
};
AGON_DESCRIBE(Offer, (keep, ""), (fee, ""))

struct WalkAway {
  bool sure = false;
};
AGON_DESCRIBE(WalkAway, (sure, ""))

struct Answer {
  std::optional<int> bid;
  Colour colour = Colour::red;
  double weight = 0;
  std::string text;
  std::vector<Item> items;
  std::map<std::string, int> profits;
  std::variant<Offer, WalkAway> action;
  bool again = false;
};
AGON_DESCRIBE(Answer, (bid, ""), (colour, ""), (weight, ""), (text, ""), (items, ""), (profits, ""),
              (action, ""), (again, ""))

const Type& kAnswer = type_of<Answer>();

/// All that a limit says, so that two can be compared.
std::string text_of(const LimitData& limit) {
  std::string text = std::to_string(limit.slot) + " " +
                     std::to_string(static_cast<int>(limit.kind)) + " " + std::to_string(limit.n) +
                     " " + std::to_string(limit.lo) + " " + std::to_string(limit.hi);
  for (std::uint32_t i = 0; limit.each != nullptr && i < limit.n; ++i)
    text += " " + std::to_string(limit.each[i]);
  for (std::uint32_t i = 0; limit.names != nullptr && i < limit.n; ++i)
    text += " " + std::string(limit.names[i]);
  return text;
}

TEST_CASE("limits come back as they were written, each at its place") {
  const std::vector<int> most{3, 0, 2};
  const std::vector<std::string_view> names{"a", "b c"};
  const std::vector<std::pair<LimitData, std::string>> rows{
      {limit(&Answer::bid, 2, 7).data, R"([{"at":"bid","kind":"range","low":2,"high":7}])"},
      {usual(&Answer::bid, 0, 1).data, R"([{"at":"bid","kind":"usual","low":0,"high":1}])"},
      {usual(&Answer::action, 0, 1).data, R"([{"at":"action","kind":"usual","low":0,"high":1}])"},
      {presence(&Answer::bid, true, false).data,
       R"([{"at":"bid","kind":"presence","absent":true,"present":false}])"},
      {presence(&Answer::bid, false, true).data,
       R"([{"at":"bid","kind":"presence","absent":false,"present":true}])"},
      {allow_if(&Answer::colour, {true, false, true}).data,
       R"([{"at":"colour","kind":"alternatives","allowed":["red","blue"]}])"},
      {allow_if(&Answer::again, {false, true}).data,
       R"([{"at":"again","kind":"alternatives","allowed":[true]}])"},
      {allow_if(&Answer::again, {true, false}).data,
       R"([{"at":"again","kind":"alternatives","allowed":[false]}])"},
      {allow<WalkAway>(&Answer::action).data,
       R"([{"at":"action","kind":"alternatives","allowed":["walk_away"]}])"},
      {limit(&Answer::weight, 0.25, 1e9).data,
       R"([{"at":"weight","kind":"range","low":0.25,"high":1000000000.0}])"},
      {limit(&Answer::weight, -std::numeric_limits<double>::infinity(), 1.0).data,
       R"([{"at":"weight","kind":"range","low":null,"high":1.0}])"},
      {limit_length(&Answer::text, 1, 500).data,
       R"([{"at":"text","kind":"length","low":1,"high":500}])"},
      {one_of(&Answer::text, names).data, R"([{"at":"text","kind":"names","names":["a","b c"]}])"},
      {keys(&Answer::profits, names).data,
       R"([{"at":"profits","kind":"names","names":["a","b c"]}])"},
      {limit(&Answer::profits, -5, 5).data,
       R"([{"at":"profits","kind":"range","low":-5,"high":5}])"},
      {limit(&Answer::items, &Item::price, 1, 9).data,
       R"([{"at":"items.price","kind":"range","low":1,"high":9}])"},
      {limit_length(&Answer::items, 2, 2).data,
       R"([{"at":"items","kind":"length","low":2,"high":2}])"},
      {limit_each(&Answer::action, &Offer::keep, most).data,
       R"([{"at":"action.offer.keep","kind":"each","most":[3,0,2]}])"},
      {limit(&Answer::action, &Offer::fee, Money{150}, Money{1000}).data,
       R"([{"at":"action.offer.fee","kind":"range","low":1.50,"high":10}])"},
      {limit_sum(&Answer::profits, 0, 9).data,
       R"([{"at":["profits"],"kind":"sum","low":0,"high":9}])"},
      {limit_sum(&Answer::items, &Item::price, 2, 2).data,
       R"([{"at":["items.price"],"kind":"sum","low":2,"high":2}])"},
      {limit_sum(&Answer::action, &Offer::fee, Money{0}, Money{150}).data,
       R"([{"at":["action.offer.fee"],"kind":"sum","low":0,"high":1.50}])"},
  };
  for (const auto& [data, json] : rows) {
    INFO(json);
    CHECK(write_limits(kAnswer, std::span(&data, 1)) == json);
    const OwnedLimits read = read_limits(kAnswer, json::parse(json, ""));
    REQUIRE(read.get().size() == 1);
    CHECK(text_of(read.get()[0]) == text_of(data));
  }
}

TEST_CASE("what a limit leaves open is open") {
  const OwnedLimits read = read_limits(kAnswer, json::parse(R"([{"at":"bid","kind":"range","low":3},
                               {"at":"weight","kind":"range","high":null},
                               {"at":"action.offer.fee","kind":"range","high":2}])",
                                                            ""));
  REQUIRE(read.get().size() == 3);
  CHECK(read.get()[0].lo == 3);
  CHECK(read.get()[0].hi == std::numeric_limits<std::int64_t>::max());
  CHECK(std::bit_cast<double>(read.get()[1].lo) == -std::numeric_limits<double>::infinity());
  CHECK(std::bit_cast<double>(read.get()[1].hi) == std::numeric_limits<double>::infinity());
  CHECK(write_limits(kAnswer, read.get()) ==
        R"([{"at":"bid","kind":"range","low":3,"high":null},)"
        R"({"at":"weight","kind":"range","low":null,"high":null},)"
        R"({"at":"action.offer.fee","kind":"range","low":null,"high":2}])");
}

TEST_CASE("the whole answer has limits too") {
  const Type& type = type_of<std::vector<int>>();
  const OwnedLimits read =
      read_limits(type, json::parse(R"([{"at":"","kind":"each","most":[1,1]}])", ""));
  REQUIRE(read.get().size() == 1);
  CHECK(read.get()[0].slot == 0);
  CHECK(read.get()[0].hi == 4);
  std::vector<int> list{1, 2};
  CHECK(find_problem(type, &list, read.get()).has_value());
  list = {1, 1};
  CHECK_FALSE(find_problem(type, &list, read.get()).has_value());
}

TEST_CASE("limits that are wrong are refused with the reason") {
  const auto row = GENERATE(table<std::string, std::string>({
      {R"({})", "limits are a list"},
      {R"([3])", "limit 0: it is no object"},
      {R"([{"at":"bid","kind":"range"}, {"kind":"range"}])", "limit 1: 'at' is missing"},
      {R"([{"at":"bid","kind":"rang"}])", "limit 0: 'rang' is no kind of limit"},
      {R"([{"at":"bit","kind":"range"}])", "limit 0: there is no 'bit' at 'bit'; there are bid, "},
      {R"([{"at":"action.fee","kind":"range"}])",
       "limit 0: there is no 'fee' at 'action.fee'; there are offer, walk_away"},
      {R"([{"at":"bid.x","kind":"range"}])",
       "limit 0: there is no 'x' at 'bid.x'; there is nothing"},
      {R"([{"at":"text","kind":"range"}])",
       "limit 0: a limit of kind range says nothing of 'text'"},
      {R"([{"at":"bid","kind":"range","low":"a"}])", "limit 0: 'low' must be a whole number"},
      {R"([{"at":"bid","kind":"range","low":0.5}])", "limit 0: 'low' must be a whole number"},
      {R"([{"at":"text","kind":"length","low":-1}])", "limit 0: 'low' is below zero"},
      {R"([{"at":"colour","kind":"alternatives","allowed":["pink"]}])",
       "limit 0: 'pink' in 'allowed' is not an allowed value of the type"},
      {R"([{"at":"again","kind":"alternatives","allowed":["no"]}])",
       "limit 0: 'allowed' must hold true or false"},
      {R"([{"at":"action.offer.keep","kind":"each","most":[99999999999]}])",
       "limit 0: 'most' holds a number that is too large"},
      {R"([{"at":"text","kind":"names","names":[1]}])", "limit 0: 'names' must hold texts"},
      {R"([{"at":"text","kind":1}])", "limit 0: 'kind' must be a text"},
      {R"([{"at":"text","kind":"names","names":"a"}])", "limit 0: 'names' must be a list"},
      {R"([{"at":"weight","kind":"range","low":"a"}])", "limit 0: 'low' must be a number"},
      {R"([{"at":"colour","kind":"alternatives","allowed":[1]}])",
       "limit 0: 'allowed' must hold texts"},
      {R"([{"at":"items","kind":"each","most":[1]}])",
       "limit 0: a limit of kind each says nothing of 'items': it is for lists of whole numbers"},
      {R"([{"at":["bid","weight"],"kind":"sum","low":1}])",
       "limit 0: 'at' names numbers of several kinds"},
      {R"([{"at":[],"kind":"sum","low":1}])", "limit 0: 'at' names nothing"},
      {R"([{"at":"text","kind":"sum","low":1}])",
       "limit 0: a limit of kind sum says nothing of 'text': it is for numbers"},
      {R"([{"at":"items","kind":"sum","low":1}])",
       "limit 0: a limit of kind sum says nothing of 'items'"},
      {R"([{"at":"bid","kind":"presence","absent":1,"present":true}])",
       "limit 0: 'absent' must be true or false"},
  }));
  INFO(std::get<0>(row));
  try {
    (void)read_limits(kAnswer, json::parse(std::get<0>(row), ""));
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.problem().find(std::get<1>(row)) == 0);
  }
}

TEST_CASE("a limit that lists prices says nothing where it lists none") {
  const std::vector<std::string_view> prices{"2", "3.50"};
  const auto written = [](const std::vector<std::string_view>& names) {
    const LimitData data = one_of(&Answer::action, &Offer::fee, names).data;
    return write_limits(kAnswer, std::span(&data, 1));
  };
  const std::string json = R"([{"at":"action.offer.fee","kind":"names","names":["2","3.50"]}])";
  CHECK(written(prices) == json);
  CHECK(written({}) == "[]");
  const OwnedLimits read = read_limits(kAnswer, json::parse(json, ""));
  const std::string schema = schema_json(kAnswer, read.get());
  CHECK(schema.find(R"("enum":[2,3.5])") != std::string::npos);
  // Bounds leave out what lies beyond them.
  const LimitData both[] = {one_of(&Answer::action, &Offer::fee, prices).data,
                            limit(&Answer::action, &Offer::fee, Money{300}, Money{400}).data};
  CHECK(schema_json(kAnswer, both).find(R"("enum":[3.5])") != std::string::npos);
}

TEST_CASE("limits that would be ignored, and bounds the wrong way round, are named") {
  const std::vector<int> most{1, 2};
  const std::vector<std::string_view> names{"a"};
  const auto problem = [](const std::vector<LimitData>& limits) {
    return problem_of_limits(kAnswer, "deal", limits);
  };
  const auto at = [](const std::string& path, const std::string& what) {
    return "the limit at '" + path + "' of the stage 'deal': " + what;
  };
  const auto twice = [&](const std::string& path, const std::string& kind) {
    return at(path,
              kind + " is given twice, and only the first would count; give one that says both");
  };
  const auto beside = [&](const std::string& kind) {
    return at("action.offer.keep",
              kind +
                  " would not count beside limit_each(), which says both the length and the "
                  "bounds; leave out one of the two");
  };
  const auto between = [&](const std::string& path, const std::string& bounds) {
    return at(path, "nothing lies between " + bounds + "; the lower bound comes first");
  };
  const LimitData each = agon::limit_each(&Answer::action, &Offer::keep, most).data;
  LimitData length = each;
  length.kind = LimitKind::length;
  length.lo = 0;
  length.hi = 2;
  const LimitData range = agon::limit(&Answer::action, &Offer::keep, 5, 9).data;

  CHECK(problem({agon::limit(&Answer::bid, 0, 9).data, agon::limit(&Answer::bid, 2, 5).data}) ==
        twice("bid", "limit()"));
  CHECK(problem({agon::one_of(&Answer::text, names).data,
                 agon::limit_length(&Answer::text, 0, 9).data,
                 agon::one_of(&Answer::text, names).data}) == twice("text", "keys() or one_of()"));
  CHECK(problem({each, range}) == beside("limit()"));
  CHECK(problem({range, each}) == beside("limit()"));
  CHECK(problem({length, each}) == beside("limit_length()"));
  CHECK(problem({agon::limit(&Answer::weight, -1.5, -2).data}) == between("weight", "-1.5 and -2"));
  CHECK(problem({agon::limit_length(&Answer::text, 2, 1).data}) == between("text", "2 and 1"));
  CHECK(problem({agon::limit_length(&Answer::items, 2, 1).data}) == between("items", "2 and 1"));
  CHECK(problem({agon::limit_sum(&Answer::profits, 5, 3).data}) == between("profits", "5 and 3"));

  // An optional, a list or a variant may do without what nothing fits.
  CHECK(problem({agon::limit(&Answer::bid, 9, 5).data}).empty());
  CHECK(problem({agon::limit(&Answer::action, &Offer::fee, Money{9}, Money{5}).data}).empty());
  CHECK(problem({agon::usual(&Answer::weight, 2, 1).data}).empty());
  CHECK(problem(
            {agon::limit(&Answer::weight, -2, -1.5).data, agon::usual(&Answer::weight, -2, -2).data,
             agon::limit_length(&Answer::text, 0, 9).data, agon::one_of(&Answer::text, names).data,
             each, agon::limit_sum(&Answer::profits, 0, 9).data,
             agon::limit_sum(&Answer::profits, 3, 20).data})
            .empty());
}

}  // namespace remote_limits_test
