#include "theory/rational.hpp"

#include <agon/error.hpp>
#include <array>
#include <charconv>
#include <string>

namespace agon::theory {
namespace {

Integer whole_number(std::string_view digits) {
  Integer value = 0;
  for (const char digit : digits) value = value * 10 + (digit - '0');
  return value;
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

Rational exactly(double value) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific)
                       .ptr;
  std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const bool negative = text.front() == '-';
  if (negative) text.remove_prefix(1);
  const std::size_t e = text.find('e');
  int exponent = 0;
  std::string_view power = text.substr(e + 1);
  if (power.front() == '+') power.remove_prefix(1);
  std::from_chars(power.data(), power.data() + power.size(), exponent);
  std::string digits(text.substr(0, 1));
  if (e > 2) {
    digits += text.substr(2, e - 2);
    exponent -= static_cast<int>(e) - 2;
  }
  Integer top = whole_number(digits);
  if (negative) top = -top;
  const Integer scale =
      boost::multiprecision::pow(Integer(10), exponent < 0 ? static_cast<unsigned>(-exponent)
                                                           : static_cast<unsigned>(exponent));
  return exponent < 0 ? Rational(top, scale) : Rational(top * scale);
}

Rational from_text(std::string_view text) {
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest.front() == '-';
  if (negative) rest.remove_prefix(1);
  const std::size_t slash = rest.find('/');
  const std::string_view top = rest.substr(0, slash);
  const std::string_view bottom = slash == std::string_view::npos ? "1" : rest.substr(slash + 1);
  if (!all_digits(top) || !all_digits(bottom) || whole_number(bottom) == 0) {
    throw Error(ErrorKind::invalid,
                "'" + std::string(text) + "' is not a whole number or a fraction", {},
                "write it like 1/3");
  }
  const Rational value(whole_number(top), whole_number(bottom));
  return negative ? Rational(-value) : value;
}

Exact to_exact(const Rational& value) {
  return {value.convert_to<double>(), value.str()};
}

}  // namespace agon::theory
