// Files that are read through descriptions: forms, any JSON, places, and what versions may add.

#include <agon/conversion.hpp>
#include <boost/json/value.hpp>

#include "catch.hpp"
#include "describe/file_text.hpp"
#include "describe/read.hpp"
#include "describe/schema.hpp"
#include "describe/value.hpp"
#include "json/write.hpp"
#include "run/manifest.hpp"
#include "suite/suite_file.hpp"

namespace described_files {

using agon::Error;
using agon::FileText;
using agon::InOrder;
using agon::JsonText;

enum class Pace { as_ever, quick };
AGON_DESCRIBE_ENUM(Pace, (as_ever, "no change", "as-ever"), (quick, "in a hurry"))

struct Price {
  double dollars = -1;
};
AGON_DESCRIBE(Price, (dollars, "what it costs", agon::range(0, 10)))

struct Shelf {
  std::string title;
  std::variant<bool, std::string, std::vector<std::string>> who;
  std::optional<std::variant<double, Price>> price;
  InOrder<JsonText> free;
  Pace pace = Pace::as_ever;
  std::optional<int> count;
};
AGON_DESCRIBE(Shelf, (title, "of the shelf", agon::length(1, 20)), (who, "may take from it"),
              (price, "of a piece", agon::range(0, 10), agon::left_out), (free, "what others know"),
              (pace, "of the work"), (count, "of pieces"))

Shelf read(const std::string& text) {
  const FileText file(text, "shelf.json", "see the manual");
  Shelf shelf = file.read<Shelf>();
  file.check(shelf);
  return shelf;
}

/// "place: problem", or empty.
std::string told(const std::string& text) {
  try {
    (void)read(text);
    return {};
  } catch (const Error& error) {
    return error.where() + ": " + error.problem();
  }
}

TEST_CASE("a member with several forms takes each, and says which there are", "[describe]") {
  CHECK(std::get<bool>(read(R"({"title": "a", "who": true})").who));
  CHECK(std::get<std::string>(read(R"({"title": "a", "who": "b"})").who) == "b");
  CHECK(std::get<std::vector<std::string>>(read(R"({"title": "a", "who": ["b"]})").who).size() ==
        1);
  CHECK(told(R"({"title": "a", "who": 7})") ==
        "shelf.json:1:16 ($.who): must be true or false, a text or a list, not a number");
  CHECK(std::get<Price>(*read(R"({"title": "a", "price": {"dollars": 2}})").price).dollars == 2);
  CHECK(told(R"({"title": "a", "price": 11})") == "shelf.json:1:16 ($.price): 11 is more than 10");
  CHECK(told(R"({"title": "a", "price": {"dollars": 11}})") ==
        "shelf.json:1:26 ($.price.dollars): 11 is more than 10");
}

TEST_CASE("what a file lacks or misspells is told with its place", "[describe]") {
  CHECK(told("{}") == "shelf.json:1:1 ($.title): missing key 'title'");
  CHECK(told(R"({"title": ""})").ends_with("($.title): 0 characters, fewer than 1"));
  CHECK(told("{\n\"titel\": \"a\"}") ==
        "shelf.json:2:1 ($.titel): unknown key 'titel' (did you mean 'title'?)");
  CHECK(told(R"({"title": "a", "pace": "quik"})") ==
        "shelf.json:1:16 ($.pace): invalid value 'quik' (did you mean 'quick'?)");
  CHECK(told(R"({"title": "a", "count": 3000000000})")
            .ends_with("3000000000 is more than 2147483647"));
  CHECK(told(R"({"$schema": "x", "title": "a"})").empty());
  CHECK(told(R"({"title": "a", "price": {"$schema": "x", "dollars": 2}})")
            .ends_with("($.price[\"$schema\"]): unknown key '$schema' (known: dollars)"));
}

TEST_CASE("described files are written as they are read", "[describe]") {
  const std::string text =
      R"({"title":"a","who":["b","c"],"price":{"dollars":2.5},"free":{"z":[1,{"y":null}],"b":"t"},)"
      R"("pace":"as-ever","count":null})";
  const Shelf shelf = read(text);
  CHECK(shelf.free.begin()->first == "z");
  CHECK(shelf.free.begin()->second.text == R"([1,{"y":null}])");
  CHECK(agon::write_json(shelf) == text);
  CHECK(agon::write_json(Shelf{}) ==
        R"({"title":"","who":false,"free":{},"pace":"as-ever","count":null})");
}

TEST_CASE("the schema of a file lets out what has a default, and nothing else in", "[describe]") {
  const auto schema = agon::file_schema(agon::type_of<Shelf>());
  CHECK(agon::json::write(schema.at("required")) == R"(["title"])");
  CHECK(schema.at("additionalProperties") == false);
  const auto member = [&](const char* name) {
    return agon::json::write(schema.at("properties").at(name));
  };
  CHECK(
      member("who") ==
      R"({"anyOf":[{"type":"boolean"},{"type":"string"},{"type":"array","items":{"type":"string"}}],)"
      R"("description":"may take from it"})");
  CHECK(member("free") ==
        R"({"type":"object","additionalProperties":{},"description":"what others know"})");
  CHECK(schema.at("properties").at("pace").at("default") == "as-ever");
  CHECK(agon::json::write(schema.at("properties").at("price").at("anyOf").at(1).at("required")) ==
        R"(["dollars"])");
  // Over a preset nothing is asked for, but in a list what has no default is.
  CHECK_FALSE(agon::overrides_schema(agon::type_of<Shelf>()).contains("required"));
  const auto suite = agon::file_schema(agon::type_of<agon::suite_file::SuiteDocument>());
  CHECK(agon::json::write(suite.at("properties").at("scenarios").at("items").at("required")) ==
        R"(["game"])");
}

TEST_CASE("manifests of other versions are read", "[archive]") {
  // As version 0.1 wrote it, with a member of tomorrow.
  const auto manifest = agon::read_recorded<agon::Manifest>(
      R"({"stop":{"rule":{"best":0.95,"agents":["a","b"]},"words":"until","decided":false,
      "verdict":"not decided yet","best":null,"looks":3,"most_looks":9,"level":0.95,"agents":[
        {"agent":"a","in":true,"less":"b","difference":null,"interval":null,"method":"none","units":3},
        {"agent":"b","in":false,"out_after":2}]},
      "drift":{"questions":"00","models":[{"spec":"11","agents":["a"]}]},
      "suite":"s","matches":4,"tomorrow":[1],"plan":[{"scenario":"x","game":"g","matches":4,
        "blocks":2,"repeats":1,"treatments":1,"agents":[{"name":"a","spec":"22","prompts":"33"},
        {"name":"b","spec":"44"}]}],
      "models":[{"provider":"p","endpoint":"","model":"m","calls":3,"served_as":["m-1"],
        "fingerprints":[],"parameters":[{"temperature":0}]}],"prices":{"format":"agon.prices"}})");
  REQUIRE(manifest);
  CHECK(manifest->stop->looks == 3);
  CHECK_FALSE(manifest->stop->agents[0].difference);
  CHECK(manifest->stop->agents[0].less == "b");
  CHECK(manifest->stop->agents[1].out_after == 2);
  CHECK(manifest->drift->models[0].agents == std::vector<std::string>{"a"});
  CHECK(manifest->plan[0].agents[0].prompts == "33");
  CHECK(manifest->models->at(0).parameters.at(0).text == R"({"temperature":0})");
  CHECK_FALSE(agon::read_recorded<agon::Manifest>("{}"));
  CHECK_FALSE(agon::read_recorded<agon::Manifest>("{"));
  // What is written is read again as it was.
  const std::string text = agon::write_json(*manifest);
  CHECK(agon::write_json(*agon::read_recorded<agon::Manifest>(text)) == text);
  CHECK(text.starts_with(R"({"stop":{"rule":{"best":0.95,"agents":["a","b"]},)"));
}

}  // namespace described_files
