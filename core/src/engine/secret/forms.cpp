#include <algorithm>
#include <array>

#include "hash/sha256.hpp"
#include "secret/matcher.hpp"
#include "secret/sign.hpp"
#include "text/lower.hpp"

namespace agon::secrets {
namespace {

constexpr std::size_t kLong = 8;      ///< letters and digits of a key that is cut anywhere
constexpr std::size_t kEnough = 16;   ///< of a long key's characters
constexpr std::size_t kShortest = 4;  ///< of a key in another alphabet

std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text)
    if (is_letter_or_digit(c)) letters += c;
  return letters;
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::string codes(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += std::to_string(static_cast<unsigned char>(c));
  return out;
}

/// Bytes after `before` others as digits of so many bits: those that depend on these bytes alone.
std::string in_digits(std::string_view bytes, std::size_t before, std::size_t bits,
                      std::string_view alphabet) {
  const std::string all = std::string(before, '\0') + std::string(bytes);
  const auto bit = [&](std::size_t at) {
    return (static_cast<unsigned char>(all[at / 8]) >> (7 - at % 8)) & 1U;
  };
  std::string out;
  for (std::size_t at = (before * 8 + bits - 1) / bits * bits; at + bits <= all.size() * 8;
       at += bits) {
    unsigned value = 0;
    for (std::size_t i = 0; i < bits; ++i) value = value << 1U | bit(at + i);
    out += alphabet[value];
  }
  return out;
}

/// What base64 makes of them.
std::string base64(std::string_view bytes, std::size_t before) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return in_digits(bytes, before, 6, kAlphabet);
}

// Of base32, and of base32hex.
constexpr std::array<std::string_view, 2> kAlphabetsOf32{"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
                                                         "0123456789ABCDEFGHIJKLMNOPQRSTUV"};

/// The key as whoever reads escapes would read it.
std::string decoded(std::string_view key) {
  std::string out;
  SignReader signs(key, 3);
  for (Sign sign; signs.next(sign);) out += sign.c;
  return out;
}

class Forms {
 public:
  void add(Form form) {
    form.letters = letters_of(form.whole);
    form.enough = std::min(form.enough, form.letters.size());
    const bool known = std::any_of(all_.begin(), all_.end(), [&](const Form& f) {
      return f.letters == form.letters && f.gaps == form.gaps;
    });
    if (!known) all_.push_back(std::move(form));
  }
  std::vector<Form> take() { return std::move(all_); }

 private:
  std::vector<Form> all_;
};

}  // namespace

std::vector<Form> forms_of(std::string_view key) {
  const std::string plain(key);
  const std::string letters = letters_of(plain);
  const bool is_long = letters.size() >= kLong;
  const bool is_number = letters.find_first_not_of("0123456789") == std::string::npos;
  Forms forms;
  for (const std::string& whole : {plain, decoded(key)}) {
    Form form{.whole = whole, .enough = kEnough};
    // Lists of numbers are in every answer.
    form.gaps = !is_long ? Gaps::none : is_number ? Gaps::spaces : Gaps::any;
    form.whole_word = !is_long;
    if (!is_long) form.enough = letters.size();
    forms.add(form);
    if (!is_long) continue;
    std::reverse(form.whole.begin(), form.whole.end());
    forms.add(form);
  }
  for (const std::string& bytes : {plain, text::lower(plain), upper(plain)}) {
    forms.add(
        {.whole = hash::hex({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}),
         .enough = 24});
    if (is_long) forms.add({.whole = codes(bytes), .enough = 24});
    for (const std::size_t before : {0U, 1U, 2U}) {
      Form form{.whole = base64(bytes, before), .enough = kEnough};
      if (letters_of(form.whole).size() < kShortest) continue;
      form.gaps = is_long ? Gaps::any : Gaps::none;
      form.exact_case = !is_long;
      forms.add(std::move(form));
    }
    for (std::size_t before = 0; is_long && before < 5; ++before)
      for (const std::string_view alphabet : kAlphabetsOf32)
        forms.add({.whole = in_digits(bytes, before, 5, alphabet), .enough = 24});
  }
  // Twice over: what was encoded once may begin anywhere of what is encoded then.
  for (std::size_t once = 0; is_long && once < 3; ++once)
    for (std::size_t twice = 0; twice < 3; ++twice)
      forms.add({.whole = base64(base64(plain, once), twice), .enough = 24, .edge = 4});
  return forms.take();
}

}  // namespace agon::secrets
