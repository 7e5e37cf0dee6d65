#include "shared/auction-values/text.hpp"

#include <fmt/format.h>

#include <agon/telling.hpp>

namespace auction_values {

std::string_view currency_name(Currency currency) {
  for (const agon::Enumerator& e : agon::type_of<Currency>().enumerators)
    if (e.value == static_cast<std::int64_t>(currency)) return e.name;
  return {};
}

std::string values_text(const Source& source, int rounds, std::string_view currency) {
  const std::string_view what = rounds == 1 ? "What" : "In each round anew, what";
  const std::string_view item = rounds == 1 ? "The item" : "In each round anew, the item";
  const auto span = [](const Span& s) {
    return fmt::format("from {} to {}", agon::with_thousands(s[0]), agon::with_thousands(s[1]));
  };
  switch (source.model) {
    case ValueModel::independent:
      return fmt::format(
          "{} the item is worth to you is a whole number {} {}, all equally likely. "
          "Each bidder's value is drawn on its own and known to that bidder alone.",
          what, span(source.own), currency);
    case ValueModel::affiliated:
      return fmt::format(
          "{} the item is worth to you, in {}, is the sum of two whole numbers, all equally "
          "likely: one {} that is drawn once and is the same for every bidder, and one {} that is "
          "drawn for you alone. You learn your sum and neither of its parts; the others learn "
          "theirs.",
          what, currency, span(source.common), span(source.own));
    case ValueModel::common:
      return fmt::format(
          "{} is worth the same to whoever wins it: a whole number {} {}, all equally likely, "
          "which nobody knows before the bids. Each bidder gets an estimate of it that is off by "
          "a whole number {}, all equally likely and drawn for each bidder on its own.",
          item, span(source.common), currency, span(source.own));
  }
  return {};
}

std::string amount_text(int amount, Currency currency) {
  std::string_view name = currency_name(currency);
  // All plurals but "yen" end in an s.
  if ((amount == 1 || amount == -1) && name.ends_with('s')) name.remove_suffix(1);
  return agon::with_thousands(amount) + " " + std::string(name);
}

std::string gain_text(int profit, Currency currency) {
  if (profit == 0) return "gained nothing";
  return profit > 0 ? "gained " + amount_text(profit, currency)
                    : "lost " + amount_text(-profit, currency);
}

std::string by_bidder(std::span<const std::string_view> seats, const PerBidder& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", seats[i], agon::with_thousands(numbers[i]));
  return text;
}

std::string goal_text(ValueModel model, int rounds, bool all_pay) {
  const std::string_view worth =
      model == ValueModel::common ? "what the item turns out to be worth" : "your value";
  const std::string profit =
      all_pay
          ? fmt::format("{} if you get the item, less your bid whether you get it or not", worth)
          : fmt::format("{} less what you pay if you get the item, nothing if you do not", worth);
  if (rounds == 1) return "Your aim is as much profit as possible: " + profit + ".";
  return fmt::format(
      "Your aim is as much profit as possible over all {} rounds together. The profit of a round "
      "is {}. Trying something out in one round can pay in later ones.",
      rounds, profit);
}

}  // namespace auction_values
