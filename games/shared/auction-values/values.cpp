#include "shared/auction-values/values.hpp"

#include <fmt/format.h>

#include <agon/telling.hpp>
#include <algorithm>

#include "shared/auction-values/rounds.hpp"

namespace auction_values {

namespace {

constexpr std::array<std::string_view, kMaxBidders> kNames{
    "Bidder Andy",    "Bidder Betty", "Bidder Charles", "Bidder David", "Bidder Ethel",
    "Bidder Florian", "Bidder Greta", "Bidder Henry",   "Bidder Irene", "Bidder James"};

/// Why a given number is not one that could be drawn; empty if it could.
std::string outside(std::string_view place, std::string_view what, int number, Span range) {
  if (number >= range[0] && number <= range[1]) return {};
  return fmt::format("{}: {} is {}, outside the range that bidders are told, {} to {}", place, what,
                     number, range[0], range[1]);
}

/// What bidders are told of the ranges must hold for given values too.
std::string check_ranges(const Source& source, const GivenRound& round, std::size_t index) {
  const bool parts = source.model != ValueModel::independent;
  if (parts && round.common) {
    std::string why =
        outside(fmt::format("given[{}].common", index),
                source.model == ValueModel::common ? "the common value" : "the common part",
                *round.common, source.common);
    if (!why.empty()) return why;
  }
  for (std::size_t b = 0; b < round.values.size(); ++b) {
    const std::string place = fmt::format("given[{}].values[{}]", index, b);
    const int value = round.values[b];
    std::string why;
    if (!parts)
      why = outside(place, "the value", value, source.own);
    else if (!round.common)
      why = outside(place, "the sum of both parts", value, seen_range(source));
    else
      why = outside(place,
                    source.model == ValueModel::common ? "the error of the estimate"
                                                       : "the bidder's own part",
                    value - *round.common, source.own);
    if (!why.empty()) return why + "; change it, common_range or own_range";
  }
  return {};
}

std::string check_given(const Source& source, int bidders, int rounds) {
  if (source.given.empty()) return {};
  if (source.given.size() < static_cast<std::size_t>(rounds))
    return fmt::format(
        "given has the values of {} rounds, but {} rounds are played: give {} more, or set rounds "
        "to {}",
        source.given.size(), rounds, static_cast<std::size_t>(rounds) - source.given.size(),
        source.given.size());
  for (std::size_t i = 0; i < source.given.size(); ++i) {
    const GivenRound& round = source.given[i];
    if (round.values.size() != static_cast<std::size_t>(bidders))
      return fmt::format("given[{}].values: {} values for {} bidders", i, round.values.size(),
                         bidders);
    if (source.model == ValueModel::common && !round.common)
      return fmt::format(
          "given[{}].common: is missing; with common values it says what the item is worth", i);
    std::string why = check_ranges(source, round, i);
    if (!why.empty()) return why;
    if (!round.tie_winner) continue;
    bool found = false;
    for (int b = 0; b < bidders; ++b) found = found || bidder_name(b) == *round.tie_winner;
    if (!found)
      return fmt::format("given[{}].tie_winner: is '{}'; the bidders are {} to {}", i,
                         *round.tie_winner, bidder_name(0), bidder_name(bidders - 1));
  }
  return {};
}

/// Stretches without white space.
int words_of(std::string_view text) {
  int words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool space = c == ' ' || (c >= '\t' && c <= '\r');
    words += !space && !inside ? 1 : 0;
    inside = !space;
  }
  return words;
}

}  // namespace

Source source(ValueModel model, std::optional<Span> common, std::optional<Span> own,
              std::span<const GivenRound> given) {
  Source made{model, {}, {0, 99}, given};
  if (model == ValueModel::affiliated) made.common = {0, 20}, made.own = {0, 20};
  if (model == ValueModel::common) made.common = {20, 79}, made.own = {-20, 20};
  if (common) made.common = *common;
  if (own) made.own = *own;
  return made;
}

RoundValues values_of_round(agon::AnyTable& table, const Source& source, int round) {
  RoundValues values;
  values.same_worth = source.model == ValueModel::common;
  if (!source.given.empty()) {
    const GivenRound& given = source.given[static_cast<std::size_t>(round)];
    values.common = given.common;
    for (const int value : given.values) values.seen.push_back(value);
    return values;
  }
  int base = 0;
  if (source.model != ValueModel::independent) {
    base =
        static_cast<int>(table.chance("common", round).between(source.common[0], source.common[1]));
    values.common = base;
  }
  for (int seat = 0; seat < table.seats(); ++seat)
    values.seen.push_back(
        base +
        static_cast<int>(table.chance("value", round, seat).between(source.own[0], source.own[1])));
  return values;
}

Span seen_range(const Source& source) {
  if (source.model == ValueModel::independent) return source.own;
  return {source.common[0] + source.own[0], source.common[1] + source.own[1]};
}

int tie_winner(agon::AnyTable& table, const Source& source, int round, std::span<const int> tied) {
  if (tied.size() == 1) return tied.front();
  if (!source.given.empty())
    if (const auto& name = source.given[static_cast<std::size_t>(round)].tie_winner)
      for (const int seat : tied)
        if (bidder_name(seat) == *name) return seat;
  return table.chance("tie", round).one_of(tied);
}

TwoHighest two_highest(const PerBidder& numbers) {
  TwoHighest top{std::max(numbers[0], numbers[1]), std::min(numbers[0], numbers[1])};
  for (std::size_t i = 2; i < numbers.size(); ++i) {
    top.second = std::clamp(numbers[i], top.second, top.first);
    top.first = std::max(top.first, numbers[i]);
  }
  return top;
}

std::string_view bidder_name(int seat) {
  return kNames[static_cast<std::size_t>(seat)];
}

void Written::add_plan(std::string_view text) {
  const int words = words_of(text);
  plans += words > 0 ? 1 : 0;
  plan_words += words;
}

void Written::add_reflection(std::string_view text) {
  const int words = words_of(text);
  reflections += words > 0 ? 1 : 0;
  reflection_words += words;
}

std::vector<agon::SeatCard> seating(int bidders) {
  std::vector<agon::SeatCard> seats;
  for (int seat = 0; seat < bidders; ++seat)
    seats.push_back({.name = std::string(bidder_name(seat))});
  return seats;
}

std::string check(const Source& source, int bidders, int rounds) {
  if (source.model != ValueModel::independent && source.common[0] > source.common[1])
    return fmt::format("common_range says at least {} and at most {}: turn the two round",
                       source.common[0], source.common[1]);
  if (source.own[0] > source.own[1])
    return fmt::format("own_range says at least {} and at most {}: turn the two round",
                       source.own[0], source.own[1]);
  if (source.model == ValueModel::independent && source.own[0] < 0)
    return fmt::format("own_range begins at {}: a value is 0 or more", source.own[0]);
  if (source.model == ValueModel::affiliated && source.own[0] + source.common[0] < 0)
    return fmt::format("common_range and own_range can add up to {}: a value is 0 or more",
                       source.own[0] + source.common[0]);
  if (source.model == ValueModel::common && source.common[0] < 0)
    return fmt::format("common_range begins at {}: a value is 0 or more", source.common[0]);
  return check_given(source, bidders, rounds);
}

std::string_view currency_name(Currency currency) {
  for (const agon::Enumerator& e : agon::type_of<Currency>().enumerators)
    if (e.value == static_cast<std::int64_t>(currency)) return e.name;
  return {};
}

std::string_view currency_sign(Currency currency) {
  constexpr std::array<std::string_view, 5> kSigns{"$", "€", "₽", "¥", "₹"};
  return kSigns[static_cast<std::size_t>(currency)];
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
