#include <bit>
#include <boost/json/value.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "catch.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "support/utf8.hpp"
#include "text/hash.hpp"
#include "text/utf8.hpp"

using namespace agon::json;

namespace {

template <typename Number>
std::string number(Number value) {
  std::string out;
  append_number(out, value);
  return out;
}

std::string string(std::string_view value) {
  std::string out;
  append_string(out, value);
  return out;
}

}  // namespace

TEST_CASE("doubles are written short and keep their kind") {
  CHECK(number(0.0) == "0.0");
  CHECK(number(-0.0) == "-0.0");
  CHECK(number(1.0) == "1.0");
  CHECK(number(0.1) == "0.1");
  CHECK(number(100000.0) == "100000.0");
  CHECK(number(0.0001) == "0.0001");
  CHECK(number(-12.25) == "-12.25");
  CHECK(number(1e22) == "1e+22");
  CHECK(number(5e-324) == "5e-324");
  CHECK(number(std::numeric_limits<double>::max()) == "1.7976931348623157e+308");
  CHECK(number(std::numeric_limits<double>::quiet_NaN()) == "null");
  CHECK(number(-std::numeric_limits<double>::infinity()) == "null");
  CHECK(number(7) == "7");
  CHECK(number(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(number(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
}

TEST_CASE("every double survives writing and reading, bit for bit") {
  boost::json::array doubles;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    // Half of them any bit pattern, half of them ordinary sizes.
    const std::uint64_t bits = agon::hash::mix(i + 1);
    double value = i % 2 == 0 ? std::bit_cast<double>(bits)
                              : static_cast<double>(bits >> 11U) / static_cast<double>(1U << 30U);
    if (!std::isfinite(value)) value = static_cast<double>(i);
    doubles.push_back(value);
  }
  const auto again = parse(write(doubles), "doubles").as_array();
  const auto pretty = parse(write_pretty(doubles), "doubles").as_array();
  REQUIRE(again.size() == doubles.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < doubles.size(); ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(doubles[i].as_double());
    if (std::bit_cast<std::uint64_t>(again[i].as_double()) != bits) ++wrong;
    if (std::bit_cast<std::uint64_t>(pretty[i].as_double()) != bits) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("strings are escaped and always valid") {
  CHECK(string("") == R"("")");
  CHECK(string("a\"b\\c/") == R"("a\"b\\c/")");
  CHECK(string("\b\f\n\r\t\x01\x1f") == R"("\b\f\n\r\t\u0001\u001f")");
  CHECK(string("caf\u00e9 \U0001F600") == "\"caf\u00e9 \U0001F600\"");
  CHECK(string("a\xFF\xE2\x82z") == "\"a\uFFFD\uFFFD\uFFFDz\"");
  for (char32_t code = 0; code < 0x3000; ++code) {
    std::string text = "x";
    agon::test::append_utf8(text, code);
    const auto read = parse(string(text), "string");
    CHECK(std::string_view(read.as_string().data(), read.as_string().size()) == text);
  }
}

TEST_CASE("strings are escaped wherever in a long text it is") {
  for (const auto& [c, written] : {std::pair{"\"", "\\\""},
                                   {"\\", "\\\\"},
                                   {"\x1f", "\\u001f"},
                                   {"\x7f", "\x7f"},
                                   {" ", " "},
                                   {"!", "!"},
                                   {"#", "#"},
                                   {"\xFF", "\uFFFD"},
                                   {"\u00e9", "\u00e9"}})
    for (std::size_t before = 0; before < 20; ++before)
      for (std::size_t after = 0; after < 10; ++after) {
        const std::string left(before, 'x'), right(after, 'z');
        CHECK(string(left + c + right) == '"' + left + written + right + '"');
      }
}

TEST_CASE("compact writing keeps order and kinds") {
  const std::string text =
      R"({"z":1,"a":[1.0,-2,18446744073709551615,"x",null,true,false,[],{}],"e\n":{"k":{}}})";
  CHECK(write(parse(text, "f")) == text);
}

TEST_CASE("pretty writing is for people and reads back the same") {
  const auto value = parse(
      R"({"short":[1,2.5,"x",null],"none":[],"nested":[[1,2],[3]],"o":{"a":{},"b":[{"c":1}]}})",
      "f");
  CHECK(write_pretty(value) == R"({
  "short": [1, 2.5, "x", null],
  "none": [],
  "nested": [
    [1, 2],
    [3]
  ],
  "o": {
    "a": {},
    "b": [
      {
        "c": 1
      }
    ]
  }
})");
  CHECK(write(parse(write_pretty(value), "f")) == write(value));
  boost::json::array numbers;
  for (int i = 0; i < 60; ++i) numbers.push_back(i);
  const std::string tall = write_pretty(numbers);
  CHECK(tall.starts_with("[\n  0,\n  1,\n"));
  CHECK(tall.ends_with("59\n]"));
  CHECK(write_pretty(boost::json::value("x")) == "\"x\"");
}
