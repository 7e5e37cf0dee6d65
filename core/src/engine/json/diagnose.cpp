#include "json/diagnose.hpp"

#include <algorithm>
#include <vector>

#include "json/parse.hpp"
#include "json/position.hpp"
#include "text/lower.hpp"
#include "text/utf8.hpp"

namespace agon::json {
namespace {

constexpr auto none = std::string_view::npos;

struct Bracket {
  std::size_t offset;
  bool is_object;
  bool after_colon;  // in an object: the value of a member is due or was read
};

// What the text before an offset leaves open.
struct Context {
  std::vector<Bracket> open;
  std::size_t string = none;    // where the string begins that is still open
  std::size_t previous = none;  // the last byte that is neither white space nor inside a string
};

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '+' || c == '-' || c == '.' || (static_cast<unsigned char>(c) >= 0x80);
}

Context context_at(std::string_view text, std::size_t end) {
  Context result;
  for (std::size_t at = 0; at < end; ++at) {
    const char c = text[at];
    if (result.string != none) {
      if (c == '\\') {
        ++at;
      } else if (c == '"') {
        result.string = none;
        result.previous = at;
      }
      continue;
    }
    if (is_space(c)) continue;
    result.previous = at;
    if (c == '"') {
      result.string = at;
    } else if (c == '[' || c == '{') {
      result.open.push_back({at, c == '{', false});
    } else if ((c == ']' || c == '}') && !result.open.empty()) {
      result.open.pop_back();
    } else if ((c == ',' || c == ':') && !result.open.empty()) {
      result.open.back().after_colon = c == ':';
    }
  }
  return result;
}

std::string line_of(std::string_view text, std::size_t offset) {
  return "line " + std::to_string(position_at(text, offset).line);
}

Diagnosis ended(std::string_view text, const Context& context) {
  if (context.string != none) {
    return {context.string, "this string is never closed", "end it with a double quote"};
  }
  if (!context.open.empty()) {
    const Bracket& last = context.open.back();
    const std::string bracket = last.is_object ? "'{'" : "'['";
    return {text.size(),
            "the text ends, but the " + bracket + " of " + line_of(text, last.offset) +
                " is never closed",
            std::string("add what is missing, then ") + (last.is_object ? "'}'" : "']'")};
  }
  if (context.previous == none) {
    return {text.size(), "there is no JSON value in this text", "write at least {}"};
  }
  return {text.size(), "the text ends in the middle of a value", ""};
}

Diagnosis half_pair(std::size_t offset) {
  return {offset, "this \\u escape is half of a surrogate pair",
          "write both halves, or the character itself"};
}

Diagnosis in_string(std::string_view text, std::size_t offset, const Context& context) {
  const char c = text[offset];
  if (c == '\n' || c == '\r') {
    return {context.string, "this string is not closed on its line",
            "end it with a double quote; write a line break inside a string as \\n"};
  }
  if (static_cast<unsigned char>(c) < 0x20) {
    return {offset, "a string holds the control character " + in_quotes(text.substr(offset, 1)),
            "write it as an escape, such as \\t or \\u0000"};
  }
  const std::size_t slash = text.rfind('\\', offset);
  if (slash != none && slash > context.string) {
    // A sound escape can only be wrong for following the first half of a pair.
    constexpr std::string_view known = "\"\\/bfnrtu";
    if (slash + 1 < text.size() && known.find(text[slash + 1]) != none) {
      return half_pair(text.rfind("\\u", offset));
    }
    return {slash,
            "unknown escape " + in_quotes(text.substr(slash, offset - slash + 1)) + " in a string",
            "write a backslash as \\\\; the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"};
  }
  return {offset, "unexpected " + in_quotes(text.substr(offset, 1)) + " in a string", ""};
}

Diagnosis bad_word(std::string_view text, std::size_t begin, bool name_due) {
  std::size_t end = begin;
  while (end < text.size() && is_word(text[end])) ++end;
  const std::string_view word = text.substr(begin, end - begin);
  std::string plain = text::lower(word);
  if (name_due) {
    return {begin, "the name " + in_quotes(word) + " is not in double quotes",
            "put quotes around it"};
  }
  const bool is_signed = plain.front() == '-' || plain.front() == '+';
  const std::string magnitude = is_signed ? plain.substr(1) : plain;
  if (magnitude == "nan" || magnitude == "inf" || magnitude == "infinity") {
    return {begin, in_quotes(word) + " is not a number that JSON can hold",
            "use a finite number or null"};
  }
  if (plain == "true" || plain == "false" || plain == "null") {
    if (word != plain) {
      return {begin, in_quotes(word) + " is not a value", "write " + plain + " in small letters"};
    }
  } else if (plain == "none" || plain == "undefined" || plain == "nil") {
    return {begin, in_quotes(word) + " is not a value", "write null"};
  }
  const char first = magnitude.empty() ? '-' : magnitude.front();
  if ((first >= '0' && first <= '9') || first == '.' || is_signed) {
    return {begin, in_quotes(word) + " is not a number",
            "numbers look like 12, -0.5 or 1e6: no leading zero, no plus sign, a digit on both "
            "sides of the point"};
  }
  return {begin, in_quotes(word) + " is not a value",
          "put text in double quotes; the bare words are true, false and null"};
}

Diagnosis unexpected(std::string_view text, std::size_t offset, const Context& context) {
  const char c = text[offset];
  const char before = context.previous == none ? '\0' : text[context.previous];
  const bool closes = c == ']' || c == '}';
  if (c == '\'') return {offset, "strings need double quotes", "write \" instead of '"};
  if (c == '#') return {offset, "'#' does not start a comment", "use // or /* */"};
  if (context.open.empty()) {
    if (before == '\0') {
      return {offset, "a JSON value cannot start with " + in_quotes(text.substr(offset, 1)), ""};
    }
    return {offset, "there is more text after the end of the value",
            "remove it, or put all values into one array"};
  }
  const Bracket& open = context.open.back();
  if (closes && before == ',') {
    return {context.previous, "trailing comma before " + in_quotes(text.substr(offset, 1)),
            "remove the comma"};
  }
  if (closes && open.is_object != (c == '}')) {
    return {offset,
            in_quotes(text.substr(offset, 1)) + " does not close the " +
                in_quotes(text.substr(open.offset, 1)) + " of " + line_of(text, open.offset),
            open.is_object ? "write '}'" : "write ']'"};
  }
  if (before == ':') return {offset, "a value is missing after ':'", ""};
  if (open.is_object && !open.after_colon && before == '"') {
    return {offset, "':' is missing between a name and its value", ""};
  }
  if (c == ',') return {offset, "there is nothing before this comma", "remove the comma"};
  if (open.is_object && !open.after_colon) {
    return {offset, "a name in double quotes is due here", ""};
  }
  if (c == ':') {
    return {offset, "unexpected ':'",
            open.is_object ? "separate members with commas"
                           : "only objects, between '{' and '}', hold names"};
  }
  if (before != ',' && before != '[') {
    return {offset, "a comma is missing before " + in_quotes(text.substr(offset, 1)), ""};
  }
  return {offset, "unexpected " + in_quotes(text.substr(offset, 1)), ""};
}

}  // namespace

std::string in_quotes(std::string_view text) {
  // Whole code points only, however the quotation was cut out.
  return "'" + text::shorten(text::printable(text.substr(0, 200)), 40) + "'";
}

Diagnosis diagnose(std::string_view text, std::size_t offset, boost::json::error_code code) {
  using boost::json::error;
  offset = std::min(offset, text.size());
  if (code == error::too_deep) {
    return {offset,
            "arrays and objects are nested more than " + std::to_string(max_depth) + " deep",
            "flatten them"};
  }
  if (code == error::exponent_overflow) {
    return {offset, "the exponent of this number is too large", "the largest is about 1e308"};
  }
  if (code == error::illegal_leading_surrogate || code == error::illegal_trailing_surrogate ||
      code == error::expected_utf16_escape) {
    return half_pair(text.rfind("\\u", offset));
  }
  if (code == error::expected_hex_digit) {
    return {text.rfind("\\u", offset), "a \\u escape needs four hexadecimal digits", ""};
  }
  if (code == error::object_too_large || code == error::array_too_large ||
      code == error::key_too_large || code == error::string_too_large) {
    return {offset, "this value is too large", "split it"};
  }
  // A word that fails in its middle is looked at as a whole.
  std::size_t begin = offset;
  const Context at_offset = context_at(text, offset);
  if (at_offset.string != none && offset < text.size()) return in_string(text, offset, at_offset);
  if (at_offset.string == none) {
    while (begin > 0 && is_word(text[begin - 1])) --begin;
  }
  const Context context = begin == offset ? at_offset : context_at(text, begin);
  const bool in_word = begin < offset || (offset < text.size() && is_word(text[offset]));
  const char before = context.previous == none ? '\0' : text[context.previous];
  const bool value_due =
      before == '\0' || before == '[' || before == ',' || before == ':' || before == '{';
  if (offset == text.size() && !(in_word && value_due && code != error::incomplete)) {
    return ended(text, at_offset);
  }
  if (in_word && value_due) {
    const bool name_due =
        !context.open.empty() && context.open.back().is_object && !context.open.back().after_colon;
    std::size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view word = text.substr(begin, end - begin);
    // A sound word is not the culprit: what follows it is.
    if (name_due || offset < end || (word != "true" && word != "false" && word != "null")) {
      const bool number =
          !word.empty() && word.back() >= '0' && word.back() <= '9' && offset == end;
      if (name_due || !number) return bad_word(text, begin, name_due);
    }
  }
  return unexpected(text, offset, at_offset);
}

}  // namespace agon::json
