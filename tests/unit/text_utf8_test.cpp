#include <boost/json/value.hpp>
#include <string>

#include "catch.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "support/utf8.hpp"
#include "text/utf8.hpp"

using namespace agon::text;
using namespace std::string_literals;

TEST_CASE("UTF-8 is told from what is not") {
  CHECK(is_utf8(""));
  CHECK(is_utf8("plain, \u00e9, \u20ac, \U0001F600"));
  CHECK(is_utf8("\0"s));
  CHECK(is_utf8("\xF4\x8F\xBF\xBF"));  // U+10FFFF
  CHECK(is_utf8("\xED\x9F\xBF"));      // the last before the surrogates
  CHECK(is_utf8("\xEE\x80\x80"));      // the first after them
  CHECK_FALSE(is_utf8("\x80"));
  CHECK_FALSE(is_utf8("\xC0\x80"));          // overlong
  CHECK_FALSE(is_utf8("\xC1\xBF"));          // overlong
  CHECK_FALSE(is_utf8("\xE0\x9F\xBF"));      // overlong
  CHECK_FALSE(is_utf8("\xF0\x8F\xBF\xBF"));  // overlong
  CHECK_FALSE(is_utf8("\xED\xA0\x80"));      // surrogate
  CHECK_FALSE(is_utf8("\xF4\x90\x80\x80"));  // above U+10FFFF
  CHECK_FALSE(is_utf8("\xF8\x88\x80\x80\x80"));
  CHECK_FALSE(is_utf8("\xE2\x82"));  // cut short
  CHECK_FALSE(is_utf8("\xE2(\xA1"));
  CHECK(find_invalid_utf8("ab\u00e9\xFFz") == 4);
}

TEST_CASE("every scalar value survives writing and reading") {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code == 0xD800) code = 0xE000;
    std::string text;
    agon::test::append_utf8(text, code);
    const CodePoint point = decode(text, 0);
    if (point.value != code || point.length != text.size()) FAIL(static_cast<unsigned>(code));
  }
  SUCCEED();
}

TEST_CASE("width counts code points") {
  CHECK(width("") == 0);
  CHECK(width("abc") == 3);
  CHECK(width("\u00e9\u20ac") == 2);
  CHECK(width("a\xFFz") == 3);
}

TEST_CASE("shortening keeps whole code points") {
  CHECK(shorten("\u20ac\u20ac\u20ac", 3) == "\u20ac\u20ac\u20ac");
  CHECK(shorten("\u20ac\u20ac\u20ac\u20ac", 3) == "\u20ac\u20ac\u2026");
  CHECK(shorten("abc", 1) == "\u2026");
  CHECK(shorten("abc", 0).empty());
}

TEST_CASE("printable text cannot drive a terminal") {
  CHECK(printable("plain \u00e9 \U0001F600 \\n") == "plain \u00e9 \U0001F600 \\n");
  CHECK(printable("\x1b[31mred\x1b[0m") == "\\x1b[31mred\\x1b[0m");
  CHECK(printable("\x1b]0;title\x07") == "\\x1b]0;title\\x07");
  CHECK(printable("a\nb\tc\r") == "a\\nb\\tc\\r");
  CHECK(printable("a\nb\tc\r", Breaks::keep) == "a\nb\tc\\r");
  CHECK(printable("\0\x7f"s) == "\\x00\\x7f");
  CHECK(printable("\xC2\x9B"
                  "31m") == "\\u009b31m");  // the one-character form of ESC [
  CHECK(printable("\u202eabc") == "\\u202eabc");
  CHECK(printable("a\xFF\xFEz") == "a\\xff\\xfez");
  CHECK(printable("cut \xE2\x82") == "cut \\xe2\\x82");
  for (int byte = 0; byte < 256; ++byte) {
    const std::string shown = printable(std::string(1, static_cast<char>(byte)));
    CHECK(is_utf8(shown));
    CHECK(shown.find('\x1b') == std::string::npos);
  }
}

TEST_CASE("printable text has no character that nobody sees") {
  CHECK(printable("pay\u200bme") == "pay\\u200bme");
  CHECK(printable("pay\u200dme") == "pay\\u200dme");
  CHECK(printable("pay\u00adme") == "pay\\u00adme");
  for (const char32_t code :
       {0xAD,    0x34F,   0x61C,   0x115F,  0x1160,  0x17B4,  0x17B5,  0x180B,  0x180E,
        0x180F,  0x200B,  0x200C,  0x200D,  0x200E,  0x200F,  0x2028,  0x2029,  0x202A,
        0x202E,  0x2060,  0x2066,  0x2069,  0x206F,  0x3164,  0xFE00,  0xFE0E,  0xFE0F,
        0xFEFF,  0xFFA0,  0xFFF0,  0xFFF8,  0xFFF9,  0xFFFB,  0x1BCA0, 0x1D173, 0x1D17A,
        0xE0000, 0xE0001, 0xE0041, 0xE007F, 0xE0100, 0xE01EF, 0xE0FFF}) {
    std::string text = "a";
    agon::test::append_utf8(text, code);
    text += "b";
    INFO(std::hex << static_cast<unsigned>(code));
    CHECK(printable(text).starts_with("a\\u"));
    CHECK(printable(text, Breaks::keep) == printable(text));
  }
  // Neighbours that are seen.
  for (const char32_t code : {0xAC, 0xAE, 0x34E, 0x1161, 0x2010, 0x2027, 0x2070, 0xFE10, 0xFFFC}) {
    std::string text;
    agon::test::append_utf8(text, code);
    CHECK(printable(text) == text);
  }
}

TEST_CASE("printable JSON shows what nobody sees and stands for the same data") {
  CHECK(printable_json("{\n  \"a\": \"\u202eb\\n\"\n}") == "{\n  \"a\": \"\\u202eb\\n\"\n}");
  for (const char32_t code : {0x7F, 0x9B, 0x200B, 0x2028, 0x2066, 0xFEFF, 0xE0041, 0xE0FFF}) {
    std::string text = "a";
    agon::test::append_utf8(text, code);
    text += "\"\\b";
    const boost::json::value value{text, boost::json::value{{text, 1}}};
    const std::string shown = printable_json(agon::json::write(value));
    INFO(shown);
    CHECK(shown.find(text.substr(1, text.size() - 4)) == std::string::npos);
    CHECK(printable(shown) == shown);
    CHECK(agon::json::parse(shown, "") == value);
    CHECK(agon::json::write_pretty(value).find(text.substr(1, text.size() - 4)) ==
          std::string::npos);
  }
  CHECK(printable_json("\"\u2764\ufe0f \u00e9\"") == "\"\u2764\ufe0f \u00e9\"");
  CHECK(printable_json("\"\xFF\"") == "\"\uFFFD\"");
}

TEST_CASE("printable text keeps emoji whole") {
  for (const std::string text :
       {"\U0001F468\u200d\U0001F469\u200d\U0001F467",    // a family
        "\u2764\ufe0f", "\u2764\ufe0f\u200d\U0001F525",  // a heart, a heart on fire
        "\U0001F44D\U0001F3FD", "1\ufe0f\u20e3", "\u2122\ufe0e"})
    CHECK(printable(text) == text);
  // Without a picture on both sides, or behind one that is already chosen, nothing is joined.
  CHECK(printable("\U0001F468\u200d") == "\U0001F468\\u200d");
  CHECK(printable("\u200d\U0001F468") == "\\u200d\U0001F468");
  CHECK(printable("\U0001F468\u200dme") == "\U0001F468\\u200dme");
  CHECK(printable("\u2764\ufe0f\ufe0f") == "\u2764\ufe0f\\ufe0f");
  CHECK(printable("1\ufe0f2") == "1\\ufe0f2");
}

TEST_CASE("utf8: where in a long text a character stands changes nothing") {
  for (std::size_t before = 0; before < 20; ++before) {
    const std::string plain(before, 'a');
    INFO(before);
    CHECK(width(plain + "\u00e9" + plain) == 2 * before + 1);
    CHECK(width(plain + "\xff" + plain) == 2 * before + 1);
    CHECK(find_invalid_utf8(plain + "\xff" + plain) == before);
    CHECK(find_invalid_utf8(plain + "\u00e9" + plain) == std::string_view::npos);
    CHECK(printable(plain + "\x01\x7f\u009f" + plain) == plain + "\\x01\\x7f\\u009f" + plain);
    CHECK(printable(plain + "\xff\u200b" + plain) == plain + "\\xff\\u200b" + plain);
    CHECK(printable(plain + "\U000E0041" + plain) == plain + "\\ue0041" + plain);
    // What stands before decides whether a joiner is of a picture: a sign of its own behind text.
    CHECK(printable(plain + "1\uFE0F\u20E3") == plain + "1\uFE0F\u20E3");
    CHECK(printable(plain + "x\uFE0F\u20E3") == plain + "x\\ufe0f\u20E3");
  }
}
