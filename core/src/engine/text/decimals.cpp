#include "text/decimals.hpp"

#include <algorithm>

namespace agon::text {
namespace {

bool digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

/// Most digits before and after scaling: they fit an unsigned __int128 many times over.
constexpr std::size_t kMostDigits = 18;

}  // namespace

bool divides_power_of_ten(std::int64_t n) {
  if (n < 1) return false;
  while (n % 2 == 0) n /= 2;
  while (n % 5 == 0) n /= 5;
  return n == 1;
}

std::size_t number_at(std::string_view text, std::size_t at, bool thousands) {
  std::size_t end = at;
  while (digit_at(text, end)) ++end;
  if (end == at) return 0;
  while (thousands && end < text.size() && text[end] == ',' && digit_at(text, end + 1) &&
         digit_at(text, end + 2) && digit_at(text, end + 3) && !digit_at(text, end + 4))
    end += 4;
  if (end < text.size() && text[end] == '.' && digit_at(text, end + 1)) {
    ++end;
    while (digit_at(text, end)) ++end;
  }
  return end - at;
}

std::string scaled(std::string_view number, std::int64_t scale, bool back, bool plain) {
  if (scale == 1) return std::string(number);
  __extension__ using Wide = unsigned __int128;
  Wide value = 0;
  std::size_t decimals = 0, digits = 0;
  bool has_commas = false, after_point = false;
  for (const char c : number) {
    if (c == ',') has_commas = true;
    if (c == '.') after_point = true;
    if (c < '0' || c > '9') continue;
    value = value * 10 + static_cast<unsigned>(c - '0');
    ++digits;
    if (after_point) ++decimals;
  }
  if (digits > kMostDigits || (!plain && number.find('e') != std::string_view::npos))
    return std::string(number);
  const std::size_t whole_digits = digits - decimals;
  if (back) {
    std::int64_t power = 1;
    while (power % scale != 0) power *= 10, ++decimals;
    value *= static_cast<unsigned long long>(power / scale);
  } else {
    value *= static_cast<unsigned long long>(scale);
  }
  while (decimals > 0 && value % 10 == 0) value /= 10, --decimals;
  if (!plain && decimals == 1) value *= 10, ++decimals;
  std::string text;
  std::size_t places = 0;
  for (; value > 0 || places <= decimals; value /= 10, ++places) {
    if (places == decimals && decimals > 0) text += '.';
    if (!plain && places > decimals && (places - decimals) % 3 == 0 &&
        (has_commas || whole_digits < 4))
      text += ',';
    text += static_cast<char>('0' + static_cast<int>(value % 10));
  }
  std::reverse(text.begin(), text.end());
  return text;
}

}  // namespace agon::text
