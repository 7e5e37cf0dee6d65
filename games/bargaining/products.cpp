#include "bargaining/products.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <array>
#include <charconv>
#include <numeric>

namespace bargaining {
namespace {

constexpr std::size_t kMaxFactorDecimals = 6;
constexpr std::int64_t kMaxFactor = 100;

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

struct Decimal {
  std::string whole;
  std::string fraction;
};

/// Digits with or without a point and more digits, nothing else.
std::optional<Decimal> decimal_of(std::string_view text) {
  const std::size_t point = text.find('.');
  Decimal result{std::string(text.substr(0, point)), {}};
  if (point != std::string_view::npos) {
    result.fraction = text.substr(point + 1);
    if (!all_digits(result.fraction)) return std::nullopt;
  }
  if (!all_digits(result.whole)) return std::nullopt;
  return result;
}

/// `whole` and `fraction`, padded to `decimals` digits, as one number; nothing when it is too long.
std::optional<std::int64_t> scaled(const Decimal& decimal, std::size_t decimals) {
  if (decimal.fraction.size() > decimals) return std::nullopt;
  std::string digits = decimal.whole + decimal.fraction;
  digits.append(decimals - decimal.fraction.size(), '0');
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::string shortest_decimal(double number) {
  // Room for every double in fixed notation.
  std::array<char, 400> buffer{};
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
  return {buffer.data(), result.ptr};
}

}  // namespace

std::vector<std::string> problems(const Product& product) {
  std::vector<std::string> found;
  if (product.codename.empty()) found.emplace_back("the codename is empty");
  if (product.codename.find_first_of(" \t\r\n") != std::string::npos) {
    found.push_back(fmt::format("the codename \"{}\" has blanks in it", product.codename));
  }
  if (product.category.empty()) found.emplace_back("the category is empty");
  if (product.title.empty()) found.emplace_back("the title is empty");
  const auto check = [&](std::int64_t cents, std::string_view what) {
    if (cents < 1 || cents > kMaxPriceCents) {
      found.push_back(
          fmt::format("the {} is {} cents instead of 1 to {}", what, cents, kMaxPriceCents));
    }
  };
  check(product.list_price_cents, "list price");
  check(product.cost_cents, "cost");
  if (product.cost_cents > product.list_price_cents) {
    found.push_back(fmt::format("the cost of {} cents is above the list price of {}",
                                product.cost_cents, product.list_price_cents));
  }
  return found;
}

BudgetFactor::BudgetFactor(std::string_view decimal_text) {
  const auto decimal = decimal_of(decimal_text);
  const auto number = decimal ? scaled(*decimal, kMaxFactorDecimals) : std::nullopt;
  constexpr std::int64_t unit = 1'000'000;
  if (!number || *number <= 0 || *number > kMaxFactor * unit) {
    throw agon::Error(agon::ErrorKind::invalid,
                      fmt::format("\"{}\" is not a budget factor", decimal_text), {},
                      fmt::format("use a decimal above 0 and up to {} with at most {} decimals",
                                  kMaxFactor, kMaxFactorDecimals));
  }
  const std::int64_t divisor = std::gcd(*number, unit);
  numerator_ = *number / divisor;
  denominator_ = unit / divisor;
}

BudgetFactor::BudgetFactor(double number) : BudgetFactor(shortest_decimal(number)) {}

Zone zone(const Product& product, const BudgetFactor& factor) {
  // Bounded by kMaxPriceCents, kMaxFactor and its decimals, these products stay within 64 bits.
  const std::int64_t budget = factor.numerator() * product.list_price_cents;
  const std::int64_t cost = factor.denominator() * product.cost_cents;
  const std::int64_t dollar = factor.denominator() * 100;
  Zone result;
  result.scaled_gap = budget - cost;
  result.interest = result.scaled_gap >= 0 ? Interest::mutual : Interest::conflicting;
  result.guarded = -dollar < result.scaled_gap && result.scaled_gap < dollar;
  return result;
}

}  // namespace bargaining
