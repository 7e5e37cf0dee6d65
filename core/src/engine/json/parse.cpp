#include "json/parse.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/error.hpp>
#include <boost/json/value.hpp>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "json/path.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::json {

/// What is wrong with a JSON text, in words.
struct Diagnosis {
  std::size_t offset = 0;  ///< the byte to point at
  std::string problem;     ///< one sentence, without a full stop
  std::string hint;        ///< what to do about it, possibly empty
};

/// Explains why the parser gave up with `code` at byte `offset` of `text`, which must hold no
/// comments (see Uncommented).
Diagnosis diagnose(std::string_view text, std::size_t offset, boost::json::error_code code);

/// A short printable quotation of untrusted text for messages: `'...'`.
std::string in_quotes(std::string_view text);

namespace {

// The offset after the string that begins at `at`. A string cannot span lines, so a missing quote
// costs one line only.
std::size_t after_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n') ++at;
  }
  return at;
}

}  // namespace

Uncommented::Uncommented(std::string_view text) : original_(text) {
  constexpr auto none = std::string_view::npos;
  std::size_t at = 0;
  if (text.starts_with("\xEF\xBB\xBF")) {
    blank(0, 3);
    at = 3;
  }
  while ((at = text.find_first_of("\"/", at)) != none) {
    if (text[at] == '"') {
      at = after_string(text, at);
      continue;
    }
    const std::string_view rest = text.substr(at);
    std::size_t end = at + 1;
    if (rest.starts_with("//")) {
      end = text.find('\n', at);
      if (end == none) end = text.size();
      blank(at, end);
    } else if (rest.starts_with("/*")) {
      end = text.find("*/", at + 2);
      if (end == none) {
        unclosed_ = at;
        return;
      }
      end += 2;
      blank(at, end);
    }
    at = end;
  }
}

void Uncommented::blank(std::size_t begin, std::size_t end) {
  if (!copied_) {
    copy_ = original_;
    copied_ = true;
  }
  for (std::size_t i = begin; i < end; ++i) {
    if (copy_[i] != '\n') copy_[i] = ' ';
  }
}

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

Diagnosis too_large(std::size_t offset, std::string_view digits) {
  return {offset, "the number " + in_quotes(digits) + " is too large",
          "the largest is about 1.8e308"};
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
    // Some versions of Boost stop here, others go on with an infinity: one message for both.
    constexpr std::string_view number = "0123456789+-.eE";
    const std::size_t begin = text.find_last_not_of(number, offset - 1) + 1;
    const std::size_t end = std::min(text.find_first_not_of(number, begin), text.size());
    return too_large(begin, text.substr(begin, end - begin));
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

namespace {

namespace bj = boost::json;

// Builds the value from the parser's events. Boost's own handler is not used, because it lets the
// last of two equal names win and keeps the parser's inexact doubles.
class Builder {
 public:
  static constexpr std::size_t max_array_size = bj::array::max_size();
  static constexpr std::size_t max_object_size = bj::object::max_size();
  static constexpr std::size_t max_string_size = bj::string::max_size();
  static constexpr std::size_t max_key_size = bj::string::max_size();

  explicit Builder(std::string_view text) : text_(text) {}

  bj::value& result() { return root_; }

  // Set when the handler itself refused something; its offset is npos when not known.
  [[nodiscard]] const Diagnosis& refusal() const { return refusal_; }

  bool on_document_begin(bj::error_code&) { return true; }
  bool on_document_end(bj::error_code&) { return true; }
  bool on_comment_part(bj::string_view, bj::error_code&) { return true; }
  bool on_comment(bj::string_view, bj::error_code&) { return true; }

  bool on_array_begin(bj::error_code&) {
    open_.push_back({bj::array(), {}});
    return true;
  }
  bool on_object_begin(bj::error_code&) {
    open_.push_back({bj::object(), {}});
    return true;
  }
  bool on_array_end(std::size_t, bj::error_code&) { return close(); }
  bool on_object_end(std::size_t, bj::error_code&) { return close(); }

  bool on_key_part(bj::string_view part, std::size_t, bj::error_code&) { return collect(part); }
  bool on_key(bj::string_view part, std::size_t, bj::error_code& code) {
    collect(part);
    OpenContainer& object = open_.back();
    object.name = std::exchange(collected_, {});
    if (!object.container.get_object().contains(object.name)) return true;
    return refuse(code, offset_of(part) - (object.name.size() - part.size()) - 1,
                  "the name " + in_quotes(object.name) + " appears twice in one object",
                  "remove or rename one of the two");
  }

  bool on_string_part(bj::string_view part, std::size_t, bj::error_code&) { return collect(part); }
  bool on_string(bj::string_view part, std::size_t, bj::error_code&) {
    collect(part);
    add(bj::value(bj::string_view(collected_)));
    collected_.clear();
    return true;
  }

  bool on_number_part(bj::string_view part, bj::error_code&) { return collect(part); }
  bool on_int64(std::int64_t number, bj::string_view, bj::error_code&) { return number_is(number); }
  bool on_uint64(std::uint64_t number, bj::string_view, bj::error_code&) {
    return number_is(number);
  }
  bool on_double(double approximate, bj::string_view part, bj::error_code& code) {
    collect(part);
    const std::string digits = std::exchange(collected_, {});
    const std::size_t offset = offset_of(part);
    if (digits.find_first_of(".eE") == std::string::npos) {
      return refuse(code, offset, "the integer " + in_quotes(digits) + " does not fit 64 bits",
                    "use a smaller number, or a string");
    }
    double exact = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), exact);
    if (read.ec == std::errc::result_out_of_range) {
      // Too small to tell from zero is harmless; too large is not.
      if (!(std::abs(approximate) < 1)) {
        Diagnosis why = too_large(offset, digits);
        return refuse(code, why.offset, std::move(why.problem), std::move(why.hint));
      }
      exact = std::copysign(0.0, digits.front() == '-' ? -1.0 : 1.0);
    }
    add(exact);
    return true;
  }

  bool on_bool(bool truth, bj::error_code&) {
    add(truth);
    return true;
  }
  bool on_null(bj::error_code&) {
    add(nullptr);
    return true;
  }

 private:
  struct OpenContainer {
    bj::value container;
    std::string name;  // of the member that is being read
  };

  bool collect(bj::string_view part) {
    collected_.append(part.data(), part.size());
    return true;
  }

  template <typename Number>
  bool number_is(Number number) {
    collected_.clear();
    add(number);
    return true;
  }

  bool close() {
    bj::value done = std::move(open_.back().container);
    open_.pop_back();
    add(std::move(done));
    return true;
  }

  void add(bj::value value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (OpenContainer& top = open_.back(); top.container.is_array()) {
      top.container.get_array().push_back(std::move(value));
    } else {
      top.container.get_object().emplace(top.name, std::move(value));
    }
  }

  // Strings with escapes arrive from a buffer of the parser, where their offset is unknown.
  [[nodiscard]] std::size_t offset_of(bj::string_view part) const {
    const std::less<> before;
    if (before(part.data(), text_.data()) || before(text_.data() + text_.size(), part.data())) {
      return std::string_view::npos;
    }
    return static_cast<std::size_t>(part.data() - text_.data());
  }

  bool refuse(bj::error_code& code, std::size_t offset, std::string problem, std::string hint) {
    code = bj::error::syntax;
    refusal_ = {offset < text_.size() ? offset : std::string_view::npos, std::move(problem),
                std::move(hint)};
    return false;
  }

  std::string_view text_;
  std::vector<OpenContainer> open_;
  std::string collected_;
  bj::value root_;
  Diagnosis refusal_;
};

[[noreturn]] void fail(std::string_view text, std::string_view file, const Diagnosis& diagnosis) {
  throw Error(ErrorKind::invalid, diagnosis.problem,
              place(file, position_at(text, diagnosis.offset)), diagnosis.hint);
}

bj::parse_options options() {
  bj::parse_options result;
  result.max_depth = max_depth;
  return result;
}

}  // namespace

bj::value parse(std::string_view text, std::string_view file) {
  if (const std::size_t bad = text::find_invalid_utf8(text); bad != std::string_view::npos) {
    fail(text, file,
         {bad, "the text is not valid UTF-8: byte " + in_quotes(text.substr(bad, 1)),
          "save the file as UTF-8"});
  }
  const Uncommented bare(text);
  if (bare.unclosed() != std::string_view::npos) {
    fail(text, file, {bare.unclosed(), "this comment is never closed", "end it with */"});
  }
  bj::basic_parser<Builder> parser(options(), bare.text());
  bj::error_code code;
  const std::size_t used = parser.write_some(false, bare.text().data(), bare.text().size(), code);
  if (!code && used < bare.text().size()) code = bj::error::extra_data;
  if (!code) return std::move(parser.handler().result());
  Diagnosis diagnosis = parser.handler().refusal();
  if (diagnosis.problem.empty()) diagnosis = diagnose(bare.text(), used, code);
  if (diagnosis.offset == std::string_view::npos) diagnosis.offset = used;
  fail(text, file, diagnosis);
}

bool is_value(std::string_view text) {
  if (text::find_invalid_utf8(text) != std::string_view::npos) return false;
  bj::basic_parser<Builder> parser(options(), text);
  bj::error_code code;
  return parser.write_some(false, text.data(), text.size(), code) == text.size() && !code;
}

std::string read_file(const std::filesystem::path& path) {
  constexpr std::size_t limit = std::size_t{256} << 20U;
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw Error(ErrorKind::not_found, "file not found", path.string());
  }
  if (std::filesystem::is_directory(status)) {
    throw Error(ErrorKind::failure, "expected a file, got a folder", path.string(),
                "choose a file in it");
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  const bool are_too_many = !stream && errno == EMFILE;
  std::string text;
  std::vector<char> chunk(std::size_t{1} << 16U);
  while (stream && text.size() <= limit) {
    stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (text.size() > limit) {
    throw Error(ErrorKind::failure, "the file is larger than 256 MiB", path.string());
  }
  if (!stream.eof()) {
    throw Error(
        ErrorKind::failure, "the file cannot be read", path.string(),
        are_too_many ? "too many files are open; see 'ulimit -n'" : "check its permissions");
  }
  return text;
}

bj::value parse_file(const std::filesystem::path& path) {
  return parse(read_file(path), path.string());
}

}  // namespace agon::json
