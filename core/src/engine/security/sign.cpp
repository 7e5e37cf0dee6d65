#include "security/sign.hpp"

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

/// The sign of ASCII that a character looks like or hides: of full width, a tag, of mathematics, in
/// a circle. Half a pair of UTF-16 stands for its tag.
char sign_of(std::uint32_t code) {
  const auto among = [&](std::uint32_t first, std::uint32_t last) {
    return code >= first && code <= last;
  };
  const auto letter = [](std::uint32_t n) {
    return static_cast<char>(n < 26 ? 'A' + n : 'a' + (n - 26));
  };
  if (code < 128) return static_cast<char>(code);
  if (among(0xFF01, 0xFF5E)) return static_cast<char>(code - 0xFF01 + '!');
  if (among(0xE0020, 0xE007E)) return static_cast<char>(code - 0xE0000);
  if (among(0xDC20, 0xDC7E)) return static_cast<char>(code - 0xDC00);
  if (among(0x1D400, 0x1D6A3)) return letter((code - 0x1D400) % 52);
  if (among(0x1D7CE, 0x1D7FF)) return static_cast<char>('0' + (code - 0x1D7CE) % 10);
  if (among(0x24B6, 0x24E9)) return letter(code - 0x24B6);
  return kForeign;
}

/// The character of UTF-8 that begins a text, with its length; 0 for what is none.
std::uint32_t character_of(std::string_view text, std::size_t& length) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC0 || text.size() < length) return 0;
  std::uint32_t code = byte(0) & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = code << 6U | (byte(i) & 0x3FU);
  }
  return code;
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
        if (const auto code = take('u') ? number(4, 16, true) : number(2, 16, true))
          return sign_of(*code);
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
        // Octal.
        if (kind.c < '0' || kind.c > '7') return {};
        code = static_cast<std::uint32_t>(kind.c - '0');
        for (int i = 0; i < 2; ++i)
          if (const auto digit = number(1, 8, true)) code = *code * 8 + *digit;
        // Some write four digits, the first of them 0: three of these would be a control character.
        if (kind.c == '0' && *code < 16)
          if (const auto digit = number(1, 8, true)) code = *code * 8 + *digit;
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

Sign SignReader::take_character() {
  const std::size_t at = at_++;
  if (static_cast<unsigned char>(text_[at]) >= 0x80U) {
    std::size_t length = 0;
    if (const char c = sign_of(character_of(text_.substr(at), length));
        c != '\0' && c != kForeign) {
      at_ = at + length;
      return {c, at, at_};
    }
  }
  return {text_[at], at, at_};
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
    return take_character();
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
