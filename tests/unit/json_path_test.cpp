#include <string>
#include <vector>

#include "catch.hpp"
#include "json/path.hpp"

using agon::json::Path;
using agon::json::place;
using agon::json::Position;
using agon::json::position_at;
using agon::json::position_of;

namespace {

const std::string commented = R"(// comment with "quotes" and { brackets
{
  "rounds": 5, /* "rounds": 6 */
  "scenarios": [
    {"name": "a, ] } \" b", "set": {}},
    [[1, 2], "x", {"y": [true, null]}],
    {
      "set": {
        "factor": 1.6, "odd name": 2,
        "caf\u00e9":
          -3.5e2
      }
    }
  ]
}
)";

std::string line_and_column(const Path& path) {
  const Position position = position_of(commented, path);
  return std::to_string(position.line) + ":" + std::to_string(position.column);
}

}  // namespace

TEST_CASE("a path is written as people expect and read back") {
  const Path path = Path() / "scenarios";
  const Path deeper = path[2] / "set" / "factor";
  CHECK(Path().str() == "$");
  CHECK(path.str() == "$.scenarios");
  CHECK(deeper.str() == "$.scenarios[2].set.factor");
  CHECK((path[0] / "odd \"name\"" / "").str() == R"($.scenarios[0]["odd \"name\""][""])");
  for (const char* example : {"$", "$.a", "$[0]", "$.a-b_c[12][3].d", R"($["x y"]["]"].z)"}) {
    const auto read = Path::read(example);
    REQUIRE(read.has_value());
    CHECK(read->str() == example);
  }
  CHECK((deeper[1] / "q\n").steps() == Path::read((deeper[1] / "q\n").str())->steps());
  for (const char* bad : {"", "a", "$.", "$x", "$[", "$[]", "$[-1]", "$[1", "$[\"a", "$[\"a\"",
                          "$[99999999999999999999999]", "$..a"}) {
    INFO(bad);
    CHECK_FALSE(Path::read(bad).has_value());
  }
}

TEST_CASE("a path leads to its line and column") {
  const Path scenarios = Path() / "scenarios";
  CHECK(line_and_column(Path()) == "2:1");
  CHECK(line_and_column(Path() / "rounds") == "3:3");
  CHECK(line_and_column(scenarios) == "4:3");
  CHECK(line_and_column(scenarios[0]) == "5:5");
  CHECK(line_and_column(scenarios[0] / "set") == "5:29");
  CHECK(line_and_column(scenarios[1]) == "6:5");
  CHECK(line_and_column(scenarios[1][0][1]) == "6:10");
  CHECK(line_and_column(scenarios[1][2] / "y") == "6:20");
  CHECK(line_and_column((scenarios[1][2] / "y")[1]) == "6:32");
  CHECK(line_and_column(scenarios[2] / "set" / "factor") == "9:9");
  CHECK(line_and_column(scenarios[2] / "set" / "odd name") == "9:24");
  CHECK(line_and_column(scenarios[2] / "set" / "caf\u00e9") == "10:9");
  CHECK(place("s.json", commented, scenarios[2] / "set" / "factor") ==
        "s.json:9:9 ($.scenarios[2].set.factor)");
}

TEST_CASE("a path that leads nowhere stops at the deepest place that exists") {
  CHECK(line_and_column(Path() / "missing") == "2:1");
  CHECK(line_and_column((Path() / "scenarios")[2] / "set" / "missing") == "8:7");
  CHECK(line_and_column((Path() / "scenarios")[9]) == "4:3");
  CHECK(line_and_column((Path() / "rounds")[0] / "x") == "3:3");
  CHECK(line_and_column((Path() / "scenarios")[0] / "set" / "x") == "5:29");
}

TEST_CASE("the places of one text are the same in any order") {
  agon::json::Positions all(commented);
  const Path scenarios = Path() / "scenarios";
  const std::vector<Path> paths{scenarios[2] / "set", scenarios[0], Path(),       scenarios[2],
                                scenarios[0] / "set", scenarios,    scenarios[1], scenarios[0]};
  for (const Path& path : paths) {
    INFO(path.str());
    CHECK(all.of(path).offset == position_of(commented, path).offset);
    CHECK(all.of(path).line == position_of(commented, path).line);
    CHECK(all.of(path).column == position_of(commented, path).column);
  }
  // On one line, behind signs of several bytes.
  const std::string line = R"({"a": "\u00e9é", "b": [1, "é", 2], "c": 3})";
  agon::json::Positions places(line);
  const Path b = Path() / "b";
  for (const Path& path : {Path() / "a", b, b[1], b[2], Path() / "c", b[0]})
    CHECK(places.of(path).column == position_of(line, path).column);
}

TEST_CASE("looking for a path in broken text ends inside it") {
  const Path path = (Path() / "scenarios")[2] / "set" / "factor";
  for (std::size_t size = 0; size <= commented.size(); ++size) {
    CHECK(position_of(commented.substr(0, size), path).offset <= size);
    CHECK(position_of(commented.substr(size), path).offset <= commented.size() - size);
  }
}

TEST_CASE("lines and columns count from 1, in code points") {
  CHECK(position_at("abc", 0).line == 1);
  CHECK(position_at("abc", 2).column == 3);
  CHECK(position_at("a\n\u20acb", 5).line == 2);
  CHECK(position_at("a\n\u20acb", 5).column == 2);
  CHECK(position_at("\xEF\xBB\xBF{", 3).column == 1);
  CHECK(position_at("a\n", 2).column == 1);
  CHECK(place("f", Position{4, 2, 3}) == "f:2:3");
  CHECK(place("", Position{4, 2, 3}) == "line 2, column 3");
}

TEST_CASE("the lines of all elements of a list are those of each") {
  const Path scenarios = Path() / "scenarios";
  const auto lines = agon::json::lines_of_elements(commented, scenarios, 3);
  REQUIRE(lines.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(lines[i] == position_of(commented, scenarios[i]).line);
  CHECK(agon::json::lines_of_elements(commented, scenarios[1], 2) ==
        std::vector<std::size_t>{6, 6});
  CHECK(agon::json::lines_of_elements("[\n1,\n\n\"a]\", // c\n\n[2,\n3],{}]", Path(), 4) ==
        std::vector<std::size_t>{2, 4, 6, 7});
}
