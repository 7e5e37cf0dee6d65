#include "secret/sign.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace agon::secrets {
namespace {

constexpr char kForeign = '\x80';

std::optional<std::uint32_t> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint32_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint32_t>(c - 'A' + 10);
  return {};
}

char sign_of(std::uint32_t code) {
  return code < 128 ? static_cast<char>(code) : kForeign;
}

}  // namespace

/// The signs of what may be an escape, one after another; the first is read already.
class SignReader::Escape {
 public:
  Escape(SignReader& reader, Layer& layer, int below)
      : reader_(reader), layer_(layer), below_(below) {}

  [[nodiscard]] char peek() { return reader_.peek(layer_, below_, taken_).c; }
  void take() { ++taken_; }
  bool take(char c) {
    if (peek() != c) return false;
    take();
    return true;
  }
  /// A number of exactly or at most so many digits.
  std::optional<std::uint32_t> number(int digits, std::uint32_t base, bool exactly) {
    std::uint32_t value = 0;
    int n = 0;
    for (; n < digits; ++n) {
      const auto digit = hex_digit(peek());
      if (!digit || *digit >= base) break;
      value = value * base + *digit;
      take();
    }
    if (n == 0 || (exactly && n < digits)) return {};
    return value;
  }
  [[nodiscard]] std::size_t taken() const { return taken_; }

  /// What the escape that `first` begins stands for, if it is one.
  std::optional<char> meaning(char first) {
    switch (first) {
      case '\\':
        return after_backslash();
      case '&':
        return after_ampersand();
      case '%':
        if (const auto code = number(2, 16, true)) return sign_of(*code);
        return {};
      default:
        return after_zero();
    }
  }

 private:
  std::optional<char> after_backslash() {
    const Sign kind = reader_.peek(layer_, below_, taken_);
    take();
    std::optional<std::uint32_t> code;
    switch (kind.c) {
      case '\\':
        return '\\';
      case 'u':
        if (take('{')) {
          code = number(6, 16, false);
          if (!take('}')) return {};
        } else {
          code = number(4, 16, true);
        }
        break;
      case 'U':
        code = number(8, 16, true);
        break;
      case 'x':
        code = number(2, 16, true);
        break;
      case 'n':
      case 'r':
      case 't':
      case 'f':
      case 'v':
      case 'b':
        // A letter that is escaped itself is meant as one.
        if (kind.end > kind.at + 1) return {};
        return ' ';
      default:
        break;
    }
    if (!code) return {};
    return sign_of(*code);
  }

  /// Of names only those matter that another escape may begin with: none stands for a letter.
  std::optional<char> after_ampersand() {
    if (take('#')) {
      const bool is_hex = take('x') || take('X');
      const auto code = is_hex ? number(6, 16, false) : number(7, 10, false);
      if (!code) return {};
      take(';');
      return sign_of(*code);
    }
    constexpr std::size_t kLongestName = 8;
    std::string name;
    while (name.size() < kLongestName && is_letter_or_digit(peek())) {
      name += peek();
      take();
    }
    if (name.empty() || !take(';')) return {};
    static constexpr std::array<std::pair<std::string_view, char>, 4> kNames{
        {{"amp", '&'}, {"percnt", '%'}, {"bsol", '\\'}, {"num", '#'}}};
    for (const auto& [known, c] : kNames)
      if (name == known) return c;
    return ' ';
  }

  std::optional<char> after_zero() {
    if (!take('x')) return {};
    const auto code = number(2, 16, true);
    if (!code) return {};
    return sign_of(*code);
  }

  SignReader& reader_;
  Layer& layer_;
  int below_;
  std::size_t taken_ = 1;
};

bool has_escapes(std::string_view text) {
  return text.find_first_of("\\%&") != std::string_view::npos ||
         text.find("0x") != std::string_view::npos;
}

const Sign& SignReader::peek(Layer& layer, int below, std::size_t i) {
  while (layer.size <= i) {
    if (layer.begin + layer.size == layer.signs.size()) {
      const auto begin = layer.signs.begin() + static_cast<std::ptrdiff_t>(layer.begin);
      std::copy(begin, begin + static_cast<std::ptrdiff_t>(layer.size), layer.signs.begin());
      layer.begin = 0;
    }
    layer.signs[layer.begin + layer.size] = take(below);
    ++layer.size;
    ++ahead_;
  }
  return layer.signs[layer.begin + i];
}

void SignReader::drop(Layer& layer, std::size_t n) {
  layer.begin += n;
  layer.size -= n;
  ahead_ -= n;
}

Sign SignReader::take(int layer) {
  if (layer == 0) {
    if (at_ >= text_.size()) return {'\0', text_.size(), text_.size()};
    const std::size_t at = at_++;
    return {text_[at], at, at_};
  }
  Layer& own = layers_[static_cast<std::size_t>(layer) - 1];
  const Sign first = peek(own, layer - 1, 0);
  if (begins_escape(first.c)) {
    Escape escape(*this, own, layer - 1);
    if (const auto c = escape.meaning(first.c)) {
      const std::size_t end = peek(own, layer - 1, escape.taken() - 1).end;
      drop(own, escape.taken());
      return {*c, first.at, end};
    }
  }
  drop(own, 1);
  return first;
}

}  // namespace agon::secrets
