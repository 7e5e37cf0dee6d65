#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace agon::secrets {

/// A character, and the bytes of a text that stand for it. What is not ASCII is '\x80' or a byte;
/// characters of full width, tags and the like are the signs that they stand for.
struct Sign {
  char c = '\0';
  std::size_t at = 0;
  std::size_t end = 0;
};

[[nodiscard]] constexpr bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// True if reading with escapes could make a difference.
[[nodiscard]] bool has_escapes(std::string_view text);

/// Reads a text sign by sign. A sign may be written as an escape (`\u0073`, `\x73`, `\163`,
/// `%73`, `%u0073`, `&#115;`, `&#x73;`, `&amp;`, `0x73`), the signs of the escape as escapes again,
/// and so on `depth` times, 3 at most. What escapes a line break or a tab is a space.
class SignReader {
 public:
  SignReader(std::string_view text, int depth) : text_(text), depth_(depth) {}

  /// False at the end.
  bool next(Sign& sign) {
    if (ahead_ == 0) {
      if (at_ >= text_.size()) return false;
      const char c = text_[at_];
      if (depth_ == 0 || !begins_escape(c)) {
        sign = take_character();
        return true;
      }
    }
    sign = take(depth_);
    return sign.end > sign.at;
  }

 private:
  /// No escape has more signs than this.
  static constexpr std::size_t kLongest = 12;

  /// What was read by the layer below, and is not used up yet.
  struct Layer {
    std::array<Sign, 2 * kLongest> signs;
    std::size_t begin = 0;
    std::size_t size = 0;
  };

  static bool begins_escape(char c) { return c == '\\' || c == '%' || c == '&' || c == '0'; }
  /// The next byte, or the character that stands for a sign of ASCII.
  Sign take_character();
  /// The next sign of a layer; one of no length at the end. Layer 0 reads these.
  Sign take(int layer);
  /// The sign `i` signs ahead in what a layer reads.
  const Sign& peek(Layer& layer, int below, std::size_t i);
  void drop(Layer& layer, std::size_t n);

  class Escape;

  std::string_view text_;
  int depth_;
  std::size_t at_ = 0;
  std::size_t ahead_ = 0;  ///< signs in all layers
  std::array<Layer, 3> layers_;
};

}  // namespace agon::secrets
