#include <fmt/format.h>

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

}  // namespace auction_values
