#include <unistd.h>

#include <agon/error.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"

using agon::Error;
using agon::ErrorKind;
using agon::json::parse;
using agon::json::parse_file;
using agon::json::write;
using namespace std::string_literals;

namespace {

struct Refused {
  std::string where;
  std::string problem;
  std::string hint;
};

Refused refused(const std::string& text) {
  try {
    parse(text, "f");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::invalid);
    return {error.where(), error.problem(), error.hint()};
  }
  return {"accepted", "", ""};
}

// A document with everything in it.
const std::string everything = R"(// settings
{
  "name": "caf\u00e9 \ud83d\ude00 \"q\" \\ \n", /* why */
  "empty": {}, "none": [], "yes": true, "no": false, "nothing": null,
  "numbers": [0, -1, 1.5e-3, 18446744073709551615, -9223372036854775808, 1e300],
  "deep": {"a": [{"b": [[1, "€"]]}]} // end
}
)";

}  // namespace

TEST_CASE("JSON with comments is read") {
  const auto value = parse(everything, "f");
  CHECK(value.at("name").as_string() == "caf\u00e9 \U0001F600 \"q\" \\ \n");
  CHECK(value.at("yes").as_bool());
  CHECK(value.at("nothing").is_null());
  CHECK(value.at("numbers").at(0).is_int64());
  CHECK(value.at("numbers").at(3).as_uint64() == std::numeric_limits<std::uint64_t>::max());
  CHECK(value.at("numbers").at(4).as_int64() == std::numeric_limits<std::int64_t>::min());
  CHECK(value.at("deep").at("a").at(0).at("b").at(0).at(1).as_string() == "€");
  CHECK(value.as_object().begin()->key() == "name");  // order is kept
  CHECK(write(parse("1 /***/ ", "f")) == "1");
  CHECK(write(parse("[1, /* a **/ 2] // x", "f")) == "[1,2]");
  CHECK(write(parse(R"({"//": "/* no comment */"})", "f")) == R"({"//":"/* no comment */"})");
  CHECK(write(parse("\xEF\xBB\xBF[]", "f")) == "[]");
  CHECK(write(parse("[1,\r\n2]\r\n", "f")) == "[1,2]");
}

TEST_CASE("doubles are the nearest to their text") {
  const auto read = [](const char* text) { return parse(text, "f").as_double(); };
  CHECK(read("0.1") == 0.1);
  CHECK(read("1.0") == 1.0);
  CHECK(read("1e5") == 100000.0);
  CHECK(read("9007199254740993.0") == 9007199254740992.0);
  CHECK(read("2.2250738585072011e-308") == 2.2250738585072011e-308);
  CHECK(read("5e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(read("1.7976931348623157e308") == std::numeric_limits<double>::max());
  CHECK(read("1e-400") == 0.0);
  CHECK(std::signbit(read("-1e-400")));
  CHECK(read("0.30000000000000004") == 0.1 + 0.2);
  const std::string half = "0.5" + std::string(5000, '0') + "1";
  CHECK(read(half.c_str()) == 0.5);
}

TEST_CASE("every mistake is named, with its place and its cure") {
  struct Case {
    std::string text;
    std::string where;
    std::string problem;
  };
  const std::vector<Case> cases{
      {"", "f:1:1", "no JSON value"},
      {" \n // c", "f:2:6", "no JSON value"},
      {"[1,2,]", "f:1:5", "trailing comma before ']'"},
      {"{\"a\":1,\n}", "f:1:7", "trailing comma before '}'"},
      {"[1, /* x */ ]", "f:1:3", "trailing comma"},
      {"{'a':1}", "f:1:2", "double quotes"},
      {"{a:1}", "f:1:2", "'a' is not in double quotes"},
      {"[NaN]", "f:1:2", "'NaN' is not a number that JSON can hold"},
      {"[-Infinity]", "f:1:2", "'-Infinity' is not a number"},
      {"[nan]", "f:1:2", "'nan' is not a number"},
      {"[True]", "f:1:2", "'True' is not a value"},
      {"[None]", "f:1:2", "'None' is not a value"},
      {"[hello]", "f:1:2", "'hello' is not a value"},
      {"[1 2]", "f:1:4", "comma is missing"},
      {"{\"a\":1\n\"b\":2}", "f:2:1", "comma is missing"},
      {"{\"a\" 1}", "f:1:6", "':' is missing"},
      {"{\"a\",\"b\"}", "f:1:5", "':' is missing"},
      {"{\"a\":}", "f:1:6", "value is missing after ':'"},
      {"{\"a\":1:2}", "f:1:7", "unexpected ':'"},
      {"[\"a\":1]", "f:1:5", "unexpected ':'"},
      {"[1,,2]", "f:1:4", "nothing before this comma"},
      {"[\n1}", "f:2:2", "'}' does not close the '[' of line 1"},
      {"{} x", "f:1:4", "more text after the end"},
      {"[01]", "f:1:2", "'01' is not a number"},
      {"[+1]", "f:1:2", "'+1' is not a number"},
      {"[.5]", "f:1:2", "'.5' is not a number"},
      {"[1.]", "f:1:2", "'1.' is not a number"},
      {"[0x10]", "f:1:2", "'0x10' is not a number"},
      {"[18446744073709551616]", "f:1:2", "'18446744073709551616' does not fit 64 bits"},
      {"[-9223372036854775809]", "f:1:2", "'-9223372036854775809' does not fit 64 bits"},
      {"[1e400]", "f:1:2", "'1e400' is too large"},
      {"[1e99999999999]", "f:1:2", "the number '1e99999999999' is too large"},
      {"{\"a\":1,\n \"a\":2}", "f:2:2", "'a' appears twice"},
      {"{\"a\":1,\"\\u0061\":2}", "f:1:15", "'a' appears twice"},
      {"[\"a\nb\"]", "f:1:2", "not closed on its line"},
      {"[\"a\tb\"]", "f:1:4", "control character '\\t'"},
      {"[\"\\q\"]", "f:1:3", "unknown escape '\\q'"},
      {"[\"\\ud800\"]", "f:1:3", "half of a surrogate pair"},
      {"[\"\\udc00\"]", "f:1:3", "half of a surrogate pair"},
      {"[\"a\\ud800\\n\"]", "f:1:4", "half of a surrogate pair"},
      {"[\"\\u12g4\"]", "f:1:3", "four hexadecimal digits"},
      {"[\"abc", "f:1:2", "string is never closed"},
      {"{\n[", "f:2:1", "name in double quotes is due"},
      {"{\n\"a\": [1, 2", "f:2:11", "'[' of line 2 is never closed"},
      {"[1]\n/* a", "f:2:1", "comment is never closed"},
      {"# x\n{}", "f:1:1", "does not start a comment"},
      {"[\"\u20ac\u20ac\", \xFF]", "f:1:8", "not valid UTF-8: byte '\\xff'"},
      {"[\"\u20ac\u20ac\", ?]", "f:1:8", "'?'"},
      {"[1\0]"s, "f:1:3", "'\\x00'"},
  };
  for (const Case& example : cases) {
    INFO(example.text);
    const Refused error = refused(example.text);
    CHECK(error.where == example.where);
    CHECK_THAT(error.problem, Catch::Contains(example.problem));
  }
  CHECK(refused("[1,]").hint == "remove the comma");
  CHECK(refused("[FALSE]").hint == "write false in small letters");
}

TEST_CASE("messages never carry control characters of the text") {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = "[" + std::string(1, static_cast<char>(byte)) + "\x1b[2J";
    const Refused error = refused(text);
    CHECK(error.where != "accepted");
    CHECK(error.problem.find('\x1b') == std::string::npos);
  }
}

TEST_CASE("nesting is limited, at once") {
  const std::string open(64, '[');
  const std::string close(64, ']');
  CHECK(write(parse(open + close, "f")) == open + close);
  CHECK(refused("[" + open + close + "]").problem.find("more than 64 deep") != std::string::npos);
  CHECK(refused(std::string(10'000'000, '[')).where == "f:1:65");
  std::string objects;
  for (int i = 0; i < 65; ++i) objects += "{\"a\":";
  CHECK(refused(objects).problem.find("more than 64 deep") != std::string::npos);
}

TEST_CASE("a document cut off anywhere is refused in words") {
  const std::size_t end = everything.rfind('}');
  for (std::size_t size = 0; size <= end; ++size) {
    INFO(size);
    const Refused error = refused(everything.substr(0, size));
    CHECK(error.where.starts_with("f:"));
    CHECK_FALSE(error.problem.empty());
  }
  for (std::size_t size = end + 1; size <= everything.size(); ++size) {
    CHECK(write(parse(everything.substr(0, size), "f")) == write(parse(everything, "f")));
  }
}

TEST_CASE("a document with one byte changed is read or refused, never worse") {
  const std::string bytes = "\"{}[],:/*\\0-.eN \n\x01\xFF'#";
  std::size_t read = 0;
  std::size_t wrong = 0;
  for (std::size_t at = 0; at < everything.size(); ++at) {
    for (const char byte : bytes) {
      std::string text = everything;
      text[at] = byte;
      const Refused error = refused(text);
      (error.where == "accepted" ? read : wrong) += 1;
      if (error.where != "accepted" && error.problem.empty()) FAIL(text);
    }
  }
  CHECK(read > 0);
  CHECK(wrong > 1000);
}

TEST_CASE("files are read, and their absence is told") {
  const auto folder = std::filesystem::temp_directory_path();
  const auto file = folder / ("agon_json_parse_test_" + std::to_string(::getpid()) + ".json");
  std::ofstream(file, std::ios::binary) << "{\"a\": 1,\n\"b\": }";
  try {
    parse_file(file);
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.where() == file.string() + ":2:6");
  }
  std::ofstream(file, std::ios::binary) << "{\"a\": 1}";
  CHECK(write(parse_file(file)) == "{\"a\":1}");
  std::filesystem::remove(file);
  const auto kind_of = [](const std::filesystem::path& path) {
    try {
      parse_file(path);
    } catch (const Error& error) {
      CHECK(error.where() == path.string());
      return error.kind();
    }
    return ErrorKind::usage;
  };
  CHECK(kind_of(file) == ErrorKind::not_found);
  CHECK(kind_of(folder) == ErrorKind::failure);
}
