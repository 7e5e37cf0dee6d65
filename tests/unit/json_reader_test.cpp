#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <cstdint>
#include <functional>
#include <limits>

#include "catch.hpp"

using agon::JsonDocument;
using agon::JsonNode;

namespace {

std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const agon::Error& error) {
    CHECK(error.kind() == agon::ErrorKind::invalid);
    return error.where() + ": " + error.problem();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("JSON reader: every kind of value is read as what it is") {
  const JsonDocument document(
      "{ // a comment\n"
      "\"n\": null, \"t\": true, \"i\": -7, \"u\": 18446744073709551615, \"d\": 0.1,\n"
      "\"s\": \"D\\u00e9j\\u00e0\", \"l\": [1, [2]], \"o\": {\"b\": 1, \"a\": 2}}",
      "f.json");
  const JsonNode root = document.root();
  CHECK(root.kind() == JsonNode::Kind::object);
  CHECK(root.member_count() == 8);
  CHECK(root["n"].kind() == JsonNode::Kind::null);
  CHECK(root["t"].truth());
  CHECK(root["i"].whole() == -7);
  CHECK(root["i"].number() == -7);
  CHECK(root["u"].number() == 18446744073709551615.0);
  CHECK(root["u"].number_text() == "18446744073709551615");
  CHECK(root["d"].number() == 0.1);
  CHECK(root["d"].number_text() == "0.1");
  CHECK(root["s"].text() == "Déjà");
  CHECK(root["l"].size() == 2);
  CHECK(root["l"][1][0].whole(0, 2) == 2);
  CHECK(root["l"][1][0].path() == "$.l[1][0]");
  CHECK(root["l"].line() == 3);
  CHECK(root["o"].name(0) == "b");
  CHECK(root["o"].member(1).whole() == 2);
  CHECK(root["o"].write() == R"({"b":1,"a":2})");
  CHECK(!root.find("x"));
  CHECK(root.find("n"));
}

TEST_CASE("JSON reader: what is not there is refused at its place") {
  const JsonDocument document("{\"a\": [1.5, \"x\"],\n \"prise\": {}}", "f.json");
  const JsonNode root = document.root();
  CHECK(refusal([&] { (void)root["a"][0].whole(); }) ==
        "f.json:1:8 ($.a[0]): expected a whole number");
  CHECK(refusal([&] { (void)root["a"][1].whole(0, 9); }) ==
        "f.json:1:13 ($.a[1]): expected a whole number from 0 to 9");
  CHECK(refusal([&] { (void)root["a"][0].text(); }) == "f.json:1:8 ($.a[0]): expected a text");
  CHECK(refusal([&] { (void)root["a"][1].number(); }) == "f.json:1:13 ($.a[1]): expected a number");
  CHECK(refusal([&] { (void)root["a"][1].number_text(); }) ==
        "f.json:1:13 ($.a[1]): expected a number");
  CHECK(refusal([&] { (void)root["a"][1].truth(); }) ==
        "f.json:1:13 ($.a[1]): expected true or false");
  CHECK(refusal([&] { (void)root["a"][2]; }) ==
        "f.json:1:2 ($.a): this list has 2 elements, too few");
  CHECK(refusal([&] { (void)root["a"].find("b"); }) == "f.json:1:2 ($.a): expected an object");
  CHECK(refusal([&] { (void)root[std::size_t{0}]; }) == "f.json:1:1 ($): expected a list");
  CHECK(refusal([&] { (void)root["a"][0].size(); }) == "f.json:1:8 ($.a[0]): expected a list");
  CHECK(refusal([&] { (void)root["b"]; }) == "f.json:1:1 ($): missing key \"b\"");
  CHECK(refusal([&] { (void)root["prise"].name(0); }) ==
        "f.json:2:2 ($.prise): this object has 0 members, too few");
  CHECK(refusal([&] {
          root.allow_only({"a", "price"});
        }) == "f.json:2:2 ($.prise): unknown key \"prise\"");
  CHECK(refusal([&] { root["a"].allow_only({}); }) == "f.json:1:2 ($.a): expected an object");
  CHECK(refusal([] { JsonDocument("{\n\"a\": }", "f.json"); }).rfind("f.json:2:6", 0) == 0);
}

TEST_CASE("JSON writer: one line, commas in their places, numbers without loss") {
  agon::JsonWriter writer;
  writer.open_object();
  writer.name("a").open_list().number(1).number(0.1).open_list().close_list().close_list();
  writer.name("b \"q\"").text("line\nbreak");
  writer.name("c").open_object().name("d").null().name("e").truth(true).close_object();
  writer.name("f").json("[2]").close_object();
  const std::string text = writer.take();
  CHECK(text == R"({"a":[1,0.1,[]],"b \"q\"":"line\nbreak","c":{"d":null,"e":true},"f":[2]})");
  CHECK(JsonDocument(text, "").root().write() == text);
  writer.number(std::numeric_limits<std::uint64_t>::max());
  CHECK(writer.take() == "18446744073709551615");
  for (const double number : {0.1 + 0.2, 1e300, 5e-324, -0.0, 1.0}) {
    writer.number(number);
    const JsonDocument document(writer.take(), "");
    CHECK(document.root().number() == number);
  }
}
