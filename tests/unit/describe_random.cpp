#include <agon/conversion.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "catch.hpp"
#include "describe/limits.hpp"
#include "describe_samples.hpp"
#include "json/parse.hpp"
#include "record/codec.hpp"
#include "record/shape.hpp"

namespace describe_random_test {

using namespace agon;
using namespace describe_samples;
namespace bj = boost::json;

TEST_CASE("draws are legal, and come back the same from JSON and from a record") {
  const Type& type = type_of<Everything>();
  const hash::Digest digest = hash::sha256(record::shape_of(type));
  const record::RecordedTypes recorded([&](const hash::Digest&) { return record::shape_of(type); });
  std::uint64_t key = 0;
  for (const auto& limits : limit_sets()) {
    for (std::uint32_t n = 0; n < 400; ++n) {
      Everything drawn;
      Dice dice(++key, n);
      draw_value(type, nullptr, &drawn, 0, limits, dice);
      const auto problem = find_problem(type, &drawn, limits);
      const std::string json = write_json(drawn);
      INFO(json << (problem ? problem->text() : ""));
      REQUIRE_FALSE(problem);

      Everything read;
      REQUIRE_FALSE(read_json(type, &read, json, limits));
      REQUIRE(write_json(read) == json);

      std::string bytes;
      record::encode(bytes, type, &drawn);
      Everything decoded;
      record::Bytes in(bytes);
      REQUIRE(record::decode(in, type, &decoded));
      REQUIRE(in.empty());
      REQUIRE(write_json(decoded) == json);
      REQUIRE(recorded.json(digest, bytes) == json);
    }
  }
}

/// Whether a value conforms to a schema; just the keywords that schema_json writes.
bool conforms(const bj::value& v, const bj::object& schema) {
  for (const auto& entry : schema) {
    const std::string_view key = entry.key();
    const bj::value& rule = entry.value();
    if (key == "$schema" || key == "description") continue;
    if (key == "type") {
      const std::string_view t(rule.get_string());
      const bool ok = t == "boolean"   ? v.is_bool()
                      : t == "integer" ? v.is_int64() || v.is_uint64()
                      : t == "number"  ? v.is_number()
                      : t == "string"  ? v.is_string()
                      : t == "null"    ? v.is_null()
                      : t == "array"   ? v.is_array()
                                       : t == "object" && v.is_object();
      if (!ok) return false;
    } else if (key == "enum") {
      bool found = false;
      for (const bj::value& one : rule.get_array()) found = found || one == v;
      if (!found) return false;
    } else if (key == "const") {
      if (rule != v) return false;
    } else if (key == "minimum") {
      if (v.to_number<double>() < rule.to_number<double>()) return false;
    } else if (key == "maximum") {
      if (v.to_number<double>() > rule.to_number<double>()) return false;
    } else if (key == "multipleOf") {
      const double steps = v.to_number<double>() / rule.to_number<double>();
      if (std::abs(steps - std::round(steps)) > 1e-6 + 1e-15 * std::abs(steps)) return false;
    } else if (key == "minLength") {
      if (v.get_string().size() < rule.to_number<std::size_t>()) return false;
    } else if (key == "maxLength") {
      if (v.get_string().size() > rule.to_number<std::size_t>()) return false;
    } else if (key == "minItems") {
      if (v.get_array().size() < rule.to_number<std::size_t>()) return false;
    } else if (key == "maxItems") {
      if (v.get_array().size() > rule.to_number<std::size_t>()) return false;
    } else if (key == "items") {
      for (const bj::value& item : v.get_array())
        if (!conforms(item, rule.get_object())) return false;
    } else if (key == "anyOf") {
      bool any = false;
      for (const bj::value& one : rule.get_array()) any = any || conforms(v, one.get_object());
      if (!any) return false;
    } else if (key == "required") {
      for (const bj::value& name : rule.get_array())
        if (!v.get_object().contains(name.get_string())) return false;
    } else if (key == "properties") {
      for (const auto& member : rule.get_object())
        if (const bj::value* value = v.get_object().if_contains(member.key()))
          if (!conforms(*value, member.value().get_object())) return false;
    } else if (key == "additionalProperties") {
      if (rule != bj::value(false)) return false;
      for (const auto& member : v.get_object())
        if (!schema.at("properties").get_object().contains(member.key())) return false;
    } else {
      FAIL("the schema uses an unexpected keyword: " << key);
    }
  }
  return true;
}

/// Objects of a strict schema name every member as required and allow no others.
void check_strict(const bj::value& schema) {
  if (const bj::array* list = schema.if_array())
    for (const bj::value& item : *list) check_strict(item);
  const bj::object* o = schema.if_object();
  if (o == nullptr) return;
  if (const bj::value* properties = o->if_contains("properties");
      properties != nullptr && properties->is_object() && o->contains("additionalProperties")) {
    CHECK(o->at("additionalProperties") == bj::value(false));
    CHECK(o->at("required").get_array().size() == properties->get_object().size());
  }
  for (const auto& entry : *o) check_strict(entry.value());
}

TEST_CASE("the schema accepts every draw, and turns down what the limits turn down") {
  const Type& type = type_of<Everything>();
  std::uint64_t key = 1000;
  for (const auto& limits : limit_sets()) {
    const bj::value schema = json::parse(schema_json(type, limits), "schema");
    CHECK(schema.at("$schema") == bj::value("https://json-schema.org/draft/2020-12/schema"));
    check_strict(schema);
    const std::uint16_t by_name = keys(&Everything::by_name, kNames).data.slot;
    bool names_given = false;
    for (const LimitData& l : limits) names_given = names_given || l.slot == by_name;
    int refused = 0;
    for (std::uint32_t n = 0; n < 200; ++n) {
      Everything drawn;
      Dice dice(++key, n);
      draw_value(type, nullptr, &drawn, 0, limits, dice);
      // The strict form has no open maps: names come with the limits.
      if (!names_given) drawn.by_name.clear();
      const std::string json = write_json(drawn);
      INFO(json);
      REQUIRE(conforms(json::parse(json, "draw"), schema.get_object()));
      // A draw without the limits is mostly against them; what the schema takes, the check takes.
      Everything free;
      draw_value(type, nullptr, &free, 0, {}, dice);
      const bj::value wild = json::parse(write_json(free), "draw");
      if (!conforms(wild, schema.get_object())) {
        ++refused;
        if (limits.empty()) FAIL("without limits nothing that is drawn is refused");
      }
    }
    CHECK((limits.empty() || refused > 150));
  }
}

struct Small {
  bool flag = false;
  int n = 0;
};
AGON_DESCRIBE(Small, (flag, "either"), (n, "one of three", agon::range(1, 3)))
struct Nothing {};
AGON_DESCRIBE(Nothing)
struct Listed {
  std::vector<int> items;
};
AGON_DESCRIBE(Listed, (items, "up to two of 0..2", agon::range(0, 2), agon::length(0, 2)))
struct Move {
  std::variant<Small, Nothing, Listed> action;
};
AGON_DESCRIBE(Move, (action, "6, 1 and 13 answers"))
struct Optional {
  std::optional<int> n;
  Mood mood = Mood::calm;
};
AGON_DESCRIBE(Optional, (n, "none or 1..4", agon::range(1, 4)), (mood, "three"))

/// Chi-square of draws against the uniform over all values that there are.
template <class T>
double chi_square(std::size_t values, std::uint32_t draws, std::span<const LimitData> limits = {}) {
  CHECK(count_values(type_of<T>(), nullptr, 0, limits) == values);
  std::map<std::string, double> seen;
  for (std::uint32_t i = 0; i < draws; ++i) {
    T value{};
    Dice dice(20261120, i);
    draw_value(type_of<T>(), nullptr, &value, 0, limits, dice);
    seen[write_json(value)] += 1;
  }
  CHECK(seen.size() == values);
  const double expected = static_cast<double>(draws) / static_cast<double>(values);
  double sum = 0;
  for (const auto& [value, n] : seen) sum += (n - expected) * (n - expected) / expected;
  return sum;
}

TEST_CASE("draws over small spaces are uniform over the distinct answers") {
  // The dice are keyed, so each figure is the same everywhere; the bounds are the 99.9th
  // percentiles of chi-square with 5, 19, 14 and 5 degrees of freedom.
  CHECK(chi_square<Small>(6, 6000) < 20.5);
  CHECK(chi_square<Move>(20, 20000) < 43.8);
  CHECK(chi_square<Optional>(15, 15000) < 36.1);
  const LimitData keep = limit_each(&Offer::keep, kMost).data;
  const LimitData give = limit(&Offer::give, 3, 3).data;
  const std::array<LimitData, 2> limits{keep, give};
  CHECK(chi_square<Offer>(6, 6000, limits) < 20.5);
}

}  // namespace describe_random_test
