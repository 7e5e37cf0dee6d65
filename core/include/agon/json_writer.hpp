#pragma once

#include <agon/export.hpp>
#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace agon {

/// Appends `text` as a JSON string, quotes included. Bytes that are not valid UTF-8 become U+FFFD.
AGON_API void append_json_text(std::string& out, std::string_view text);

/// Appends a double in the shortest form that reads back as the same double. Whole numbers keep a
/// `.0` or an exponent; NaN and infinities become `null`.
AGON_API void append_json_number(std::string& out, double number);

/// Appends an integer.
template <std::integral Integer>
requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>)  //
    void append_json_number(std::string& out, Integer number) {
  std::array<char, 24> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  out.append(buffer.data(), end);
}

/// Writes JSON on one line without spaces, and sees to the commas. Brackets must be closed and
/// members named by the caller.
class JsonWriter {
 public:
  /// Begins an object.
  JsonWriter& open_object() { return put('{'); }
  /// Ends it.
  JsonWriter& close_object() { return close('}'); }
  /// Begins a list.
  JsonWriter& open_list() { return put('['); }
  /// Ends it.
  JsonWriter& close_list() { return close(']'); }
  /// The name of the member whose value comes next.
  JsonWriter& name(std::string_view name) {
    separate();
    append_json_text(out_, name);
    out_ += ':';
    first_ = true;
    return *this;
  }
  /// A text, as append_json_text() writes it.
  JsonWriter& text(std::string_view text) {
    separate();
    append_json_text(out_, text);
    return *this;
  }
  /// A number, as append_json_number() writes it.
  template <class Number>
  JsonWriter& number(Number number) {
    separate();
    append_json_number(out_, number);
    return *this;
  }
  /// `true` or `false`.
  JsonWriter& truth(bool truth) { return json(truth ? "true" : "false"); }
  /// `null`.
  JsonWriter& null() { return json("null"); }
  /// A value that is JSON already, as it is.
  JsonWriter& json(std::string_view json) {
    separate();
    out_ += json;
    return *this;
  }

  /// What was written; the writer starts again.
  [[nodiscard]] std::string take() {
    first_ = true;
    return std::exchange(out_, {});
  }

 private:
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  JsonWriter& put(char bracket) {
    separate();
    out_ += bracket;
    first_ = true;
    return *this;
  }
  JsonWriter& close(char bracket) {
    out_ += bracket;
    first_ = false;
    return *this;
  }

  std::string out_;
  bool first_ = true;
};

}  // namespace agon
