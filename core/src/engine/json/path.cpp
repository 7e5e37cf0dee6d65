#include "json/path.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/value.hpp>
#include <charconv>

#include "json/parse.hpp"
#include "json/write.hpp"
#include "text/utf8.hpp"

namespace agon::json {

Position position_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_break = before.rfind('\n');
  const std::size_t start = line_break == std::string_view::npos ? 0 : line_break + 1;
  std::string_view line = before.substr(start);
  if (start == 0 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  return {before.size(),
          1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')),
          1 + text::width(line)};
}

std::string place(std::string_view file, const Position& position) {
  const std::string line = std::to_string(position.line);
  const std::string column = std::to_string(position.column);
  if (file.empty()) return "line " + line + ", column " + column;
  return std::string(file) + ":" + line + ":" + column;
}

namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_name_character);
}

// A cursor over JSON text without comments. It trusts the text to be valid, but never leaves it.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  [[nodiscard]] std::size_t offset() const { return at_; }
  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek() const { return done() ? '\0' : text_[at_]; }

  void seek(std::size_t offset) { at_ = offset; }

  // Moves to the next byte that is neither white space nor `separator`.
  void skip_to_token(char separator = ' ') {
    while (!done() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r' ||
                       peek() == separator)) {
      ++at_;
    }
  }

  void enter() { ++at_; }

  // Moves behind the string that begins here, and gives it with its quotes.
  std::string_view skip_string() {
    const std::size_t begin = at_;
    for (++at_; !done() && peek() != '"'; ++at_) {
      if (peek() == '\\') ++at_;
    }
    at_ = std::min(at_ + 1, text_.size());
    return text_.substr(begin, at_ - begin);
  }

  // Moves behind the value that begins here.
  void skip_value() {
    std::size_t depth = 0;
    do {
      const char c = peek();
      if (c == '"') {
        skip_string();
      } else if (c == '[' || c == '{') {
        ++depth;
        ++at_;
      } else if (c == ']' || c == '}') {
        if (depth > 0) --depth;
        ++at_;
      } else if (c == ',' || c == ':' || depth > 0) {
        ++at_;
      } else {
        at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
        return;
      }
    } while (depth > 0 && !done());
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string unquote(std::string_view token) {
  if (token.size() >= 2 && token.find('\\') == std::string_view::npos) {
    return std::string(token.substr(1, token.size() - 2));
  }
  try {
    const boost::json::value value = parse(token, "");
    if (const auto* name = value.if_string()) return {name->data(), name->size()};
  } catch (const Error&) {
    // Not a string after all: no name matches it.
  }
  return {};
}

}  // namespace

std::optional<Path> Path::read(std::string_view text) {
  if (!text.starts_with('$')) return std::nullopt;
  text.remove_prefix(1);
  Path path;
  while (!text.empty()) {
    if (text.front() == '.') {
      const auto end = std::find_if_not(text.begin() + 1, text.end(), is_name_character);
      const std::string_view name(text.begin() + 1, end);
      if (name.empty()) return std::nullopt;
      path.steps_.emplace_back(std::string(name));
      text.remove_prefix(name.size() + 1);
      continue;
    }
    std::size_t length = 0;
    if (text.starts_with("[\"")) {
      Cursor cursor(text);
      cursor.enter();
      const std::string_view token = cursor.skip_string();
      path.steps_.emplace_back(unquote(token));
      length = 1 + token.size();
    } else {
      std::size_t index = 0;
      const char* const begin = text.data() + 1;
      const char* const limit = text.data() + text.size();
      if (text.front() != '[' || begin == limit) return std::nullopt;
      const auto number = std::from_chars(begin, limit, index);
      if (number.ec != std::errc()) return std::nullopt;
      path.steps_.emplace_back(index);
      length = static_cast<std::size_t>(number.ptr - text.data());
    }
    if (length >= text.size() || text[length] != ']') return std::nullopt;
    text.remove_prefix(length + 1);
  }
  return path;
}

Path Path::operator/(std::string_view name) const {
  Path result = *this;
  result.steps_.emplace_back(std::string(name));
  return result;
}

Path Path::operator[](std::size_t index) const {
  Path result = *this;
  result.steps_.emplace_back(index);
  return result;
}

Path Path::operator/(const Path& below) const {
  Path result = *this;
  result.steps_.insert(result.steps_.end(), below.steps_.begin(), below.steps_.end());
  return result;
}

Path Path::rest() const {
  Path result;
  if (!steps_.empty()) result.steps_.assign(steps_.begin() + 1, steps_.end());
  return result;
}

Path Path::parent() const {
  Path result;
  if (!steps_.empty()) result.steps_.assign(steps_.begin(), steps_.end() - 1);
  return result;
}

std::string Path::str() const {
  std::string out = "$";
  for (const Step& step : steps_) {
    if (const auto* index = std::get_if<std::size_t>(&step)) {
      out += "[" + std::to_string(*index) + "]";
    } else if (const auto& name = std::get<std::string>(step); is_plain_name(name)) {
      out += "." + name;
    } else {
      out += '[';
      append_string(out, name);
      out += ']';
    }
  }
  return out;
}

Positions::Positions(std::string_view text)
    : text_(text), bare_(std::make_unique<const Uncommented>(text)), line_starts_{0} {
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    line_starts_.push_back(at + 1);
}

Positions::~Positions() = default;

Position Positions::of(const Path& path) {
  Cursor cursor(bare_->text());
  cursor.skip_to_token();
  Child at{cursor.offset(), cursor.offset()};
  for (const Path::Step& step : path.steps()) {
    const Children& children = children_at(at.value);
    const auto child = children.find(step);
    if (child == children.end()) break;
    at = child->second;
  }
  return position(at.shown);
}

const Positions::Children& Positions::children_at(std::size_t offset) {
  const auto [found, is_new] = known_.try_emplace(offset);
  Children& children = found->second;
  if (!is_new) return children;
  Cursor cursor(bare_->text());
  cursor.seek(offset);
  const bool is_object = cursor.peek() == '{';
  if (!is_object && cursor.peek() != '[') return children;
  cursor.enter();
  for (cursor.skip_to_token(','); !cursor.done(); cursor.skip_to_token(',')) {
    const std::size_t shown = cursor.offset();
    if (cursor.peek() != '"' && (is_object || cursor.peek() == ']')) break;
    Path::Step step = children.size();
    if (is_object) {
      step = unquote(cursor.skip_string());
      cursor.skip_to_token(':');
    }
    children.try_emplace(std::move(step), Child{shown, cursor.offset()});
    cursor.skip_value();
    if (cursor.offset() == shown) break;
  }
  return children;
}

Position Positions::position(std::size_t offset) {
  offset = std::min(offset, text_.size());
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::size_t>(next - line_starts_.begin());
  const bool goes_on = line == last_.line && offset >= last_.offset && last_.offset > 0;
  last_ =
      goes_on
          ? Position{offset, line,
                     last_.column + text::width(text_.substr(last_.offset, offset - last_.offset))}
          : position_at(text_, offset);
  return last_;
}

Position position_of(std::string_view text, const Path& path) {
  return Positions(text).of(path);
}

std::vector<std::size_t> lines_of_elements(std::string_view text, const Path& path,
                                           std::size_t count) {
  Positions all(text);
  std::vector<std::size_t> lines;
  for (std::size_t i = 0; i < count; ++i) lines.push_back(all.of(path[i]).line);
  return lines;
}

std::string place(std::string_view file, std::string_view text, const Path& path) {
  return place(file, position_of(text, path)) + " (" + path.str() + ")";
}

}  // namespace agon::json
