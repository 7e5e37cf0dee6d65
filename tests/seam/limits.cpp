// Limits of the moment reach the schema, the check, the reader and the random draw alike, wherever
// in the answer they stand.

#include "describe/limits.hpp"

#include <agon/agent.hpp>
#include <agon/conversion.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <map>
#include <set>

#include "catch.hpp"
#include "describe/value.hpp"

namespace limits_sample {

enum class Mood { calm, keen, cross };
AGON_DESCRIBE_ENUM(Mood, (calm, "waits"), (keen, "hurries"), (cross, "walks out"))

struct Price {
  agon::Money amount{};
  int days = 0;
};
AGON_DESCRIBE(Price, (amount, "money", agon::range(0, 10000)), (days, "when", agon::range(0, 9)))
struct Give {
  std::vector<int> items;
  std::optional<Price> price;
  int days = 0;
};
AGON_DESCRIBE(Give, (items, "of each", agon::range(0, 9), agon::length(0, 4)),
              (price, "asked for it"), (days, "when", agon::range(0, 9)))
struct Pass {};
AGON_DESCRIBE(Pass)
struct Pick {
  int days = 0;
};
AGON_DESCRIBE(Pick, (days, "when", agon::range(0, 9)))
struct Round {
  std::optional<Give> give;
};
AGON_DESCRIBE(Round, (give, "perhaps"))

struct Deal {
  std::variant<Give, Pass, Pick> move;
  std::vector<Round> rounds;
  std::optional<int> tip;
  std::vector<int> marks;
  std::map<std::string, int> votes;
  std::string note;
  std::string who;
  Mood mood = Mood::calm;
  bool loud = false;
  double share = 0;
  agon::Money fee{};
};
AGON_DESCRIBE(Deal, (move, "what you do"), (rounds, "more", agon::length(0, 2)),
              (tip, "perhaps", agon::range(0, 9)),
              (marks, "numbers", agon::range(0, 9), agon::length(0, 3)),
              (votes, "by name", agon::range(0, 9)), (note, "words", agon::length(0, 8)),
              (who, "a name", agon::length(0, 8)), (mood, "how"), (loud, "or not"),
              (share, "of it", agon::range(0, 1)), (fee, "money", agon::range(0, 10000)))

}  // namespace limits_sample

using namespace limits_sample;
namespace bj = boost::json;

namespace {

/// Does the value fit the schema? Just the words that strict schemas use; others fail the test.
bool fits(const bj::object& schema, const bj::value& value) {
  for (const auto& [word, rule] : schema) {
    if (word == "$schema" || word == "description" || word == "required" ||
        word == "additionalProperties")
      continue;  // the last two go with "properties"
    if (word == "type") {
      const std::string_view type = rule.as_string();
      const bool ok = type == "object"    ? value.is_object()
                      : type == "array"   ? value.is_array()
                      : type == "string"  ? value.is_string()
                      : type == "boolean" ? value.is_bool()
                      : type == "null"    ? value.is_null()
                      : type == "integer" ? value.is_int64() || value.is_uint64()
                                          : value.is_number();
      if (!ok) return false;
    } else if (word == "enum") {
      const bj::array& list = rule.as_array();
      if (std::find(list.begin(), list.end(), value) == list.end()) return false;
    } else if (word == "const") {
      if (rule != value) return false;
    } else if (word == "anyOf") {
      const bj::array& list = rule.as_array();
      if (std::none_of(list.begin(), list.end(),
                       [&](const bj::value& s) { return fits(s.as_object(), value); }))
        return false;
    } else if (word == "minimum") {
      if (value.to_number<double>() < rule.to_number<double>()) return false;
    } else if (word == "maximum") {
      if (value.to_number<double>() > rule.to_number<double>()) return false;
    } else if (word == "multipleOf") {
      const double cents = value.to_number<double>() * 100;
      if (std::abs(cents - std::round(cents)) > 1e-6) return false;
    } else if (word == "minLength") {
      if (value.as_string().size() < rule.to_number<std::size_t>()) return false;
    } else if (word == "maxLength") {
      if (value.as_string().size() > rule.to_number<std::size_t>()) return false;
    } else if (word == "minItems") {
      if (value.as_array().size() < rule.to_number<std::size_t>()) return false;
    } else if (word == "maxItems") {
      if (value.as_array().size() > rule.to_number<std::size_t>()) return false;
    } else if (word == "items") {
      for (const bj::value& item : value.as_array())
        if (!fits(rule.as_object(), item)) return false;
    } else if (word == "properties") {
      // Strict: all that is named is there, and nothing else.
      REQUIRE(schema.at("additionalProperties") == bj::value(false));
      REQUIRE(schema.at("required").as_array().size() == rule.as_object().size());
      if (value.as_object().size() != rule.as_object().size()) return false;
      for (const auto& [name, inner] : rule.as_object()) {
        const bj::value* member = value.as_object().if_contains(name);
        if (member == nullptr || !fits(inner.as_object(), *member)) return false;
      }
    } else {
      FAIL("a schema says " << std::string_view(word));
    }
  }
  return true;
}

constexpr std::string_view kDeal =
    R"({"move": {"kind": "pass"}, "rounds": [], "tip": null, "marks": [], "votes": {}, "note": "",
        "who": "", "mood": "calm", "loud": false, "share": 0.5, "fee": 1})";

/// kDeal with some members replaced.
std::string deal(const std::string& members) {
  bj::object all = bj::parse({kDeal.data(), kDeal.size()}).as_object();
  const bj::object replaced = bj::parse("{" + members + "}").as_object();
  for (const auto& [name, value] : replaced) all[name] = value;
  return bj::serialize(all);
}

const std::array<int, 3> kCounts{1, 0, 2};
const std::array<std::string_view, 2> kNames{"Ann", "Bo"};

struct Row {
  const char* what;
  agon::Limit<Deal> limit;
  std::string good, bad;
  std::string path;        ///< where the bad one is turned down
  bool schema_too = true;  ///< false where strict schemas have no word for it: said in its docs
};

std::string give(const std::string& items, const std::string& days = "1",
                 const std::string& price = "null") {
  return R"({"kind": "give", "items": )" + items + R"(, "price": )" + price + R"(, "days": )" +
         days + "}";
}
std::string round_of(const std::string& items) {
  return R"({"give": {"items": )" + items + R"(, "price": null, "days": 1}})";
}

std::vector<Row> rows() {
  using agon::Money;
  return {
      {"a number in an optional", agon::limit(&Deal::tip, 2, 4), R"("tip": 4)", R"("tip": 5)",
       "$.tip"},
      {"a real number", agon::limit(&Deal::share, 1, 1), R"("share": 1)", R"("share": 0.5)",
       "$.share"},
      {"money", agon::limit(&Deal::fee, Money{150}, Money{250}), R"("fee": 1.5)", R"("fee": 1.49)",
       "$.fee"},
      {"each element of a list", agon::limit(&Deal::marks, 3, 5), R"("marks": [3, 5])",
       R"("marks": [3, 6])", "$.marks[1]"},
      {"each value of a map", agon::limit(&Deal::votes, 0, 0), R"("votes": {})",
       R"("votes": {"Ann": 1})", "$.votes.Ann"},
      {"a member of one alternative", agon::limit(&Deal::move, &Give::days, 2, 3),
       R"("move": )" + give("[]", "3"), R"("move": )" + give("[]", "4"), "$.move.days"},
      {"but not of another", agon::limit(&Deal::move, &Give::days, 2, 3),
       R"("move": {"kind": "pick", "days": 9})", R"("move": )" + give("[]", "9"), "$.move.days"},
      {"nor the other way round", agon::limit(&Deal::move, &Pick::days, 2, 3),
       R"("move": )" + give("[]", "9"), R"("move": {"kind": "pick", "days": 9})", "$.move.days"},
      {"element by element", agon::limit_each(&Deal::marks, kCounts), R"("marks": [1, 0, 2])",
       R"("marks": [0, 0, 3])", "$.marks[2]"},
      {"and just so many", agon::limit_each(&Deal::marks, kCounts), R"("marks": [0, 0, 0])",
       R"("marks": [0, 0])", "$.marks"},
      {"element by element, a smaller place", agon::limit_each(&Deal::marks, kCounts),
       R"("marks": [1, 0, 0])", R"("marks": [0, 1, 0])", "$.marks[1]", false},
      {"element by element in an alternative", agon::limit_each(&Deal::move, &Give::items, kCounts),
       R"("move": )" + give("[1, 0, 2]"), R"("move": )" + give("[1, 0, 3]"), "$.move.items[2]"},
      {"through a list and an optional",
       agon::limit_each_at(kCounts, &Deal::rounds, &Round::give, &Give::items),
       R"("rounds": [)" + round_of("[1, 0, 2]") + R"(, {"give": null}])",
       R"("rounds": [{"give": null}, )" + round_of("[3, 0, 0]") + "]", "$.rounds[1].give.items[0]"},
      {"only some alternatives", agon::allow<Give, Pick>(&Deal::move),
       R"("move": {"kind": "pick", "days": 1})", R"("move": {"kind": "pass"})", "$.move.kind"},
      {"alternatives by number", agon::allow_if(&Deal::move, {false, true, false}),
       R"("move": {"kind": "pass"})", R"("move": {"kind": "pick", "days": 1})", "$.move.kind"},
      {"some words of an enumeration", agon::allow_if(&Deal::mood, {true, false, true}),
       R"("mood": "cross")", R"("mood": "keen")", "$.mood"},
      {"one side of a bool", agon::allow_if(&Deal::loud, {false, true}), R"("loud": true)",
       R"("loud": false)", "$.loud"},
      {"one of the names", agon::one_of(&Deal::who, kNames), R"("who": "Bo")", R"("who": "Cy")",
       "$.who"},
      {"keys", agon::keys(&Deal::votes, kNames), R"("votes": {"Ann": 1, "Bo": 2})",
       R"("votes": {"Ann": 1, "Cy": 2})", "$.votes"},
      {"all keys", agon::keys(&Deal::votes, kNames), R"("votes": {"Ann": 1, "Bo": 2})",
       R"("votes": {"Ann": 1})", "$.votes"},
      {"present", agon::presence(&Deal::tip, false, true), R"("tip": 1)", R"("tip": null)",
       "$.tip"},
      {"absent", agon::presence(&Deal::tip, true, false), R"("tip": null)", R"("tip": 1)", "$.tip"},
      {"length of a text", agon::limit_length(&Deal::note, 1, 3), R"("note": "abc")",
       R"("note": "abcd")", "$.note"},
      {"a text that is not empty", agon::limit_length(&Deal::note, 1, 3), R"("note": "a")",
       R"("note": "")", "$.note"},
      {"length of a list", agon::limit_length(&Deal::marks, 1, 2), R"("marks": [1])",
       R"("marks": [1, 2, 3])", "$.marks"},
  };
}

}  // namespace

TEST_CASE("a limit means the same to schema, check, reader and draw", "[seam][limits]") {
  for (const Row& row : rows()) {
    INFO(row.what);
    // What an agent that answers later is given says the same as the original.
    const agon::OwnedLimits owned(std::array{row.limit.data});
    for (const std::span<const agon::LimitData> limits :
         {std::span<const agon::LimitData>(&row.limit.data, 1), owned.get()}) {
      const bj::object schema =
          bj::parse(agon::schema_json(agon::type_of<Deal>(), limits)).as_object();
      Deal value;
      const std::string fine = deal(row.good), wrong = deal(row.bad);
      const auto no_problem = agon::read_json(agon::type_of<Deal>(), &value, fine, limits);
      INFO((no_problem ? no_problem->text() : std::string()));
      CHECK(!no_problem);
      CHECK(!agon::find_problem(agon::type_of<Deal>(), &value, limits));
      CHECK(fits(schema, bj::parse(fine)));

      Deal turned_down;
      const auto problem = agon::read_json(agon::type_of<Deal>(), &turned_down, wrong, limits);
      REQUIRE(problem);
      CHECK(problem->path.find(row.path) == 0);
      CHECK(problem->fault == agon::Fault::illegal);
      CHECK(!problem->what.empty());
      if (row.schema_too) CHECK(!fits(schema, bj::parse(wrong)));

      // The same answer without the limit is legal, and then the check alone finds what is wrong.
      Deal unlimited;
      REQUIRE(!agon::read_json(agon::type_of<Deal>(), &unlimited, wrong, {}));
      const auto found = agon::find_problem(agon::type_of<Deal>(), &unlimited, limits);
      REQUIRE(found);
      CHECK(found->text() == problem->text());

      std::set<std::string> drawn;
      for (std::uint32_t i = 0; i < 200; ++i) {
        agon::Dice dice(17, i);
        Deal at_random;
        agon::draw_value(agon::type_of<Deal>(), nullptr, &at_random, 0, limits, dice);
        const std::string json = agon::write_json(at_random);
        const auto illegal = agon::find_problem(agon::type_of<Deal>(), &at_random, limits);
        INFO(json << (illegal ? illegal->text() : std::string()));
        CHECK(!illegal);
        CHECK(fits(schema, bj::parse(json)));
        Deal again;
        CHECK(!agon::read_json(agon::type_of<Deal>(), &again, json, limits));
        CHECK(agon::write_json(again) == json);
        drawn.insert(json);
      }
      CHECK(drawn.size() > 100);
    }
  }
}
