#include "shared/auction-values/text.hpp"

#include <fmt/format.h>

namespace auction_values {

std::string_view currency_name(Currency currency) {
  for (const agon::Enumerator& e : agon::type_of<Currency>().enumerators)
    if (e.value == static_cast<std::int64_t>(currency)) return e.name;
  return {};
}

std::string values_text(const Source& source, int rounds, std::string_view currency) {
  const std::string_view what = rounds == 1 ? "What" : "In every round anew, what";
  const std::string_view item = rounds == 1 ? "The item" : "In every round anew, the item";
  switch (source.model) {
    case ValueModel::independent:
      return fmt::format(
          "{} the item is worth to you is a whole number from {} to {} {}, all equally likely. "
          "Each bidder's value is drawn on its own and known to that bidder alone.",
          what, source.own[0], source.own[1], currency);
    case ValueModel::affiliated:
      return fmt::format(
          "{} the item is worth to you is the sum of two whole numbers: one from {} to {} "
          "that is drawn once and is the same for every bidder, and one from {} to {} that is "
          "drawn for you alone, all equally likely, in {}. You learn your sum and neither of its "
          "parts; others learn theirs.",
          what, source.common[0], source.common[1], source.own[0], source.own[1], currency);
    case ValueModel::common:
      return fmt::format(
          "{} is worth the same to whoever wins it: a whole number from {} to {} {}, all "
          "equally likely, which nobody knows before the bids. Each bidder gets an estimate of "
          "it that is off by a whole number from {} to {}, all equally likely and drawn for each "
          "bidder on its own.",
          item, source.common[0], source.common[1], currency, source.own[0], source.own[1]);
  }
  return {};
}

std::string amount_text(int amount, Currency currency) {
  std::string_view name = currency_name(currency);
  // All plurals but "yen" end in an s.
  if (amount == 1 && name.ends_with('s')) name.remove_suffix(1);
  return fmt::format("{} {}", amount, name);
}

std::string gain_text(int profit) {
  if (profit == 0) return "gained nothing";
  return fmt::format("{} {}", profit > 0 ? "gained" : "lost", profit > 0 ? profit : -profit);
}

std::string by_bidder(std::span<const std::string_view> seats, const PerBidder& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", seats[i], numbers[i]);
  return text;
}

std::string goal_text(ValueModel model, int rounds) {
  const std::string_view worth =
      model == ValueModel::common ? "what the item turns out to be worth" : "your value";
  if (rounds == 1)
    return fmt::format("Your aim is as much profit as possible: {} less what you pay.", worth);
  return fmt::format(
      "Your aim is as much profit as possible over all {} rounds together: {} less what you pay, "
      "summed up. Trying something out in one round can pay in later ones.",
      rounds, worth);
}

}  // namespace auction_values
