#include "bargaining/settings.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <set>

namespace bargaining {
namespace {

/// A codename stands in the text form of an action, where these marks have a meaning.
constexpr std::string_view kReservedMarks = ",()[]";

std::string check_product(const Product& product, std::size_t index) {
  if (const auto found = problems(product); !found.empty())
    return fmt::format("products[{}]: {}", index, found.front());
  if (product.codename.find_first_of(kReservedMarks) != std::string::npos)
    return fmt::format("products[{}]: the codename \"{}\" has one of {} in it", index,
                       product.codename, kReservedMarks);
  return {};
}

std::string check_choice(const Settings& s) {
  if (s.products.empty())
    return "there are no products; give a list or the name of a product file as \"products\"";
  if (s.product && static_cast<std::size_t>(*s.product) >= s.products.size())
    return fmt::format("product {} does not exist; the list has {}, counted from 0", *s.product,
                       s.products.size());
  if (s.product && s.order == agon::Dealing::in_turn)
    return "every block has the same product: leave out product or order";
  if (s.product && !s.category.empty()) return "give either a product or a category, not both";
  const auto fits = [&](const Product& p) { return p.category == s.category; };
  if (!s.category.empty() && std::none_of(s.products.begin(), s.products.end(), fits))
    return fmt::format("no product is of the category \"{}\"", s.category);
  return {};
}

std::string check_ceiling(const Settings& s, const BudgetFactor& factor) {
  if (s.price_ceiling == 0) return {};
  if (!s.budget && factor.numerator() > s.price_ceiling * factor.denominator())
    return fmt::format(
        "the factor lets the buyer spend more than the price ceiling of {} times "
        "the list price; raise price_ceiling, or set it to 0",
        s.price_ceiling);
  const auto lowest = std::min_element(
      s.products.begin(), s.products.end(),
      [](const Product& a, const Product& b) { return a.list_price_cents < b.list_price_cents; });
  const agon::Money ceiling{
      (s.product ? s.products[static_cast<std::size_t>(*s.product)] : *lowest).list_price_cents *
      s.price_ceiling};
  if ((s.budget && *s.budget > ceiling) || (s.cost && *s.cost > ceiling))
    return fmt::format(
        "budget or cost is above the price ceiling of {} times the list price; "
        "raise price_ceiling, or set it to 0",
        s.price_ceiling);
  return {};
}

}  // namespace

std::string check(const Settings& settings) {
  if (std::string reason = check_choice(settings); !reason.empty()) return reason;
  std::set<std::string_view> codenames;
  for (std::size_t i = 0; i < settings.products.size(); ++i) {
    const Product& product = settings.products[i];
    if (std::string reason = check_product(product, i); !reason.empty()) return reason;
    if (!codenames.insert(product.codename).second)
      return fmt::format("products[{}]: another product before it has the codename \"{}\"", i,
                         product.codename);
  }
  try {
    return check_ceiling(settings, BudgetFactor(settings.factor));
  } catch (const agon::Error& error) {
    return fmt::format("factor: {}; {}", error.problem(), error.mend());
  }
}

}  // namespace bargaining
