#include "describe/value_text.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <cmath>

#include "json/write.hpp"

namespace agon {

std::string integer_text(const Type& type, std::int64_t value) {
  std::string text;
  if (type.decimals == 0) {
    json::append_number(text, value);
    return text;
  }
  const std::int64_t units = value / 100, rest = value % 100;
  if (value < 0) text += '-';
  json::append_number(text, units < 0 ? -units : units);
  if (rest != 0) {
    const std::int64_t cents = rest < 0 ? -rest : rest;
    text += '.';
    text += static_cast<char>('0' + cents / 10);
    text += static_cast<char>('0' + cents % 10);
  }
  return text;
}

std::string number_text(double value) {
  std::string text;
  if (std::isinf(value)) return value > 0 ? "infinity" : "-infinity";
  json::append_number(text, value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string figure_text(double value) {
  if (!std::isfinite(value)) return number_text(value);
  if (value != 0 && std::abs(value) < 0.001) return fmt::format("{:.3g}", value);
  if (std::abs(value) >= 1e15) return number_text(value);
  return score_text(value, 0);
}

std::string score_text(double value, int decimals) {
  if (!std::isfinite(value)) return "-";
  if (decimals <= 0) {
    // Sums of doubles end in digits that say nothing.
    std::string text = fmt::format("{:.4f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
  }
  std::string text = fmt::format("{:.{}f}", value / std::pow(10.0, decimals), decimals);
  const bool zero = text.find_first_not_of("-0.") == std::string::npos;
  return zero && text.front() == '-' ? text.substr(1) : text;
}

std::string kind_of(const Type& alternative) {
  std::string tag;
  for (const char c : alternative.name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !tag.empty()) tag += '_';
    tag += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return tag;
}

}  // namespace agon
