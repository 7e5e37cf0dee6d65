#include "llm/parts/arithmetic.hpp"

#include <agon/error.hpp>
#include <boost/multiprecision/cpp_int.hpp>

#include "llm/answer/words.hpp"

namespace agon::llm {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

constexpr int kDeepest = 40;         // brackets and signs within one another
constexpr unsigned kMostBits = 500;  // of a numerator or a denominator
constexpr int kMostPower = 100;

/// Not boost's abs, whose result refers to what is gone by then.
template <typename Number>
Number magnitude(Number v) {
  return v < 0 ? Number(-v) : v;
}

/// Reads an expression from left to right; ^ binds first, and to the right.
class Expression {
 public:
  explicit Expression(std::string_view text) : text_(text) {}

  cpp_rational value() {
    cpp_rational all = sum();
    if (at_ < text_.size()) fail("'" + std::string(1, text_[at_]) + "' is not expected here");
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::invalid, "the expression cannot be worked out: " + what +
                                        " (character " + std::to_string(at_ + 1) +
                                        "); it takes numbers, + - * / ^ and parentheses");
  }

  bool takes(char sign) {
    while (at_ < text_.size() && kBlanks.find(text_[at_]) != std::string_view::npos) ++at_;
    if (at_ == text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }

  cpp_rational bounded(cpp_rational v) const {
    for (const cpp_int& part : {numerator(v), denominator(v)})
      if (part != 0 && msb(magnitude(part)) > kMostBits) fail("the numbers become too long");
    return v;
  }

  cpp_rational divided(const cpp_rational& a, const cpp_rational& b) const {
    if (b == 0) fail("division by zero");
    return bounded(a / b);
  }

  cpp_rational sum() {
    cpp_rational all = product();
    for (;;) {
      if (takes('+'))
        all = bounded(all + product());
      else if (takes('-'))
        all = bounded(all - product());
      else
        return all;
    }
  }

  cpp_rational product() {
    cpp_rational all = factor();
    for (;;) {
      if (takes('*'))
        all = bounded(all * factor());
      else if (takes('/'))
        all = divided(all, factor());
      else
        return all;
    }
  }

  cpp_rational factor() {
    if (++depth_ > kDeepest) fail("there are too many brackets or signs");
    cpp_rational v;
    if (takes('-'))
      v = -factor();
    else if (takes('+'))
      v = factor();
    else
      v = power();
    --depth_;
    return v;
  }

  cpp_rational power() {
    cpp_rational base = primary();
    if (!takes('^')) return base;
    const cpp_rational exponent = factor();
    if (denominator(exponent) != 1 || magnitude(exponent) > kMostPower)
      fail("an exponent is a whole number of at most " + std::to_string(kMostPower));
    const auto n = static_cast<int>(numerator(exponent));
    cpp_rational v = 1;
    for (int i = 0; i < std::abs(n); ++i) v = bounded(v * base);
    return n < 0 ? divided(1, v) : v;
  }

  cpp_rational primary() {
    if (takes('(')) {
      cpp_rational inside = sum();
      if (!takes(')')) fail("a closing bracket is missing");
      return inside;
    }
    return number();
  }

  cpp_rational number() {
    cpp_int digits = 0;
    cpp_int unit = 1;
    bool has_digits = false;
    bool has_point = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '.' && !has_point) {
        has_point = true;
        continue;
      }
      if (c < '0' || c > '9') break;
      has_digits = true;
      digits = digits * 10 + (c - '0');
      if (has_point) unit *= 10;
    }
    if (!has_digits) fail(at_ == text_.size() ? "a number is missing" : "no number begins here");
    return bounded(cpp_rational(digits, unit));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

/// The number with as many decimals as it takes, ten at most where it is not near zero.
std::string decimal_text(const cpp_rational& v) {
  const cpp_int n = magnitude(numerator(v));
  const cpp_int d = denominator(v);
  cpp_int scale = 1;
  std::size_t decimals = 0;
  cpp_int scaled = n / d;
  // Rounded at ten decimals, or later where nothing but zeros would be left.
  while (n * scale % d != 0 && (decimals < 10 || scaled < 1000) && decimals < 170) {
    scale *= 10;
    ++decimals;
    scaled = (2 * n * scale + d) / (2 * d);
  }
  const bool is_exact = n * scale % d == 0;
  std::string digits = scaled.str();
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  if (decimals > 0) digits.insert(digits.size() - decimals, ".");
  while (decimals > 0 && digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return (v < 0 ? "-" : "") + digits + (is_exact ? "" : " (rounded)");
}

}  // namespace

std::string worked_out(std::string_view expression) {
  const std::string_view text = trimmed(expression);
  if (text.size() > kLongestExpression)
    throw Error(ErrorKind::invalid,
                "an expression has at most " + std::to_string(kLongestExpression) + " characters");
  return std::string(text) + " = " + decimal_text(Expression(text).value());
}

}  // namespace agon::llm
