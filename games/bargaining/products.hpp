#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bargaining {

/// The highest price that is accepted, in cents: 100 million dollars.
inline constexpr std::int64_t kMaxPriceCents = 10'000'000'000;

/// Something to haggle about.
struct Product {
  /// Short unique name that actions use, such as "books_7".
  std::string codename;
  std::string category;
  /// What buyer and seller read.
  std::string title;
  std::string description;
  /// What the seller first asks, known to both (L): the higher of list price and highest price.
  std::int64_t list_price_cents = 0;
  /// What it cost the seller, who alone knows it (C): the lowest price there ever was.
  std::int64_t cost_cents = 0;

  friend bool operator==(const Product&, const Product&) = default;
};

/// Everything that makes a product unusable, one plain sentence each; empty when it is valid.
/// Valid: codename, category and title are not empty, the codename has no blanks, prices are from 1
/// to kMaxPriceCents, and the cost is at most the list price. A description may be empty.
[[nodiscard]] std::vector<std::string> problems(const Product& product);

/// The share of the list price that the buyer can spend, as an exact fraction: 0.8 is 4/5, not the
/// binary number next to it.
class BudgetFactor {
 public:
  /// The published default, 0.8.
  BudgetFactor() = default;

  /// Reads a decimal such as "0.8": above 0, at most 100, at most six decimals. Throws agon::Error
  /// (invalid) for anything else.
  explicit BudgetFactor(std::string_view decimal);

  /// The factor whose shortest decimal form is that of `number`, so that 0.8 means 4/5. Throws as
  /// above.
  explicit BudgetFactor(double number);

  /// In lowest terms.
  [[nodiscard]] std::int64_t numerator() const { return numerator_; }
  [[nodiscard]] std::int64_t denominator() const { return denominator_; }

  friend bool operator==(const BudgetFactor&, const BudgetFactor&) = default;

 private:
  std::int64_t numerator_ = 4;
  std::int64_t denominator_ = 5;
};

/// Can a deal serve both sides? (Xia et al. 2024, section 3.)
enum class Interest : std::uint8_t {
  mutual,       ///< the budget covers the cost (equality included)
  conflicting,  ///< it does not: in any deal somebody loses
};

/// What lies between budget and cost of one product.
struct Zone {
  Interest interest = Interest::mutual;
  /// Budget minus cost in cents times the factor's denominator, so that it is exact. The budget
  /// itself is not rounded.
  std::int64_t scaled_gap = 0;
  /// Are budget and cost less than one dollar apart? Normalised profits then use a gap of one
  /// dollar.
  bool guarded = false;
};

/// Compares budget and cost exactly. The product is valid.
[[nodiscard]] Zone zone(const Product& product, const BudgetFactor& factor = {});

}  // namespace bargaining
