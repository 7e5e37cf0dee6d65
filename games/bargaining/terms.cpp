#include "bargaining/terms.hpp"

#include <cmath>

namespace bargaining {
namespace {

double cents(Micros amount) {
  return static_cast<double>(amount) / static_cast<double>(kMicrosPerCent);
}

Micros micros(agon::Money amount) {
  return amount.cents * kMicrosPerCent;
}

}  // namespace

Terms terms_of(const Product& product, const Settings& settings, const BudgetFactor& factor) {
  Terms terms;
  terms.list_price = {product.list_price_cents};
  terms.cost = settings.cost.value_or(agon::Money{product.cost_cents});
  // The denominator divides a million, as a factor has at most six decimals.
  terms.budget = settings.budget ? micros(*settings.budget)
                                 : product.list_price_cents * factor.numerator() *
                                       (kMicrosPerCent / factor.denominator());
  return terms;
}

Profits profits(const Terms& terms, agon::Money price) {
  return {cents(terms.budget - micros(price)), cents(micros(price) - micros(terms.cost))};
}

Profits published_profits(const Terms& terms, agon::Money price) {
  return {cents(terms.guarded_budget() - micros(price)), cents(micros(price) - micros(terms.cost))};
}

Profits normalised_profits(const Terms& terms, agon::Money price) {
  const double gap = std::abs(cents(terms.guarded_budget() - micros(terms.cost)));
  const Profits raw = published_profits(terms, price);
  return {raw.buyer / gap, raw.seller / gap};
}

double split_distance(const Terms& terms, agon::Money price) {
  return std::abs(normalised_profits(terms, price).buyer - 0.5);
}

}  // namespace bargaining
