#pragma once

#include <agon/table.hpp>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace auction_values {

/// Fewest and most bidders of one auction, and most rounds of a match.
inline constexpr int kMinBidders = 2;
inline constexpr int kMaxBidders = 10;
inline constexpr int kMaxRounds = 1000;
/// Largest value that can be set.
inline constexpr int kMaxValue = 100'000;

/// One number a bidder.
using PerBidder = agon::InlineList<int, kMaxBidders>;

/// How bidders come by what the item is worth to them. The word `private` belongs to C++.
enum class ValueModel : std::uint8_t { independent, affiliated, common };
AGON_DESCRIBE_ENUM(
    ValueModel, (independent, "private values: each bidder's is drawn on its own"),
    (affiliated, "each bidder's value is a part common to all, drawn once, plus a part of its own"),
    (common,
     "the item is worth the same to all; each bidder sees that worth plus an error of its own"))

/// Values of one round, given instead of drawn.
struct GivenRound {
  std::vector<int> values;
  std::optional<int> common;
  std::optional<std::string> tie_winner;
};
AGON_DESCRIBE(GivenRound,
              (values,
               "what each bidder sees, in the order of the seats: its value, or with "
               "common values its signal; within the ranges that bidders are told",
               agon::range(-kMaxValue, kMaxValue), agon::length(kMinBidders, kMaxBidders),
               agon::unit("currency")),
              (common,
               "with common values: what the item is worth to its winner; with affiliated "
               "ones the part that all share, or null",
               agon::range(0, kMaxValue), agon::unit("currency")),
              (tie_winner, "who wins if this round ends in a tie that it is part of; null: drawn"))

/// Least and most of a whole number, both included.
using Span = std::array<int, 2>;

/// Where the values of a match come from.
struct Source {
  ValueModel model = ValueModel::independent;
  Span common{};  ///< of the common part, or of the common value
  Span own{};     ///< of the bidder's value, of its own part, or of its error
  std::span<const GivenRound> given;
};

/// The published ranges where none are set: values 0 to 99; two parts of 0 to 20 each; a common
/// value of 20 to 79 with errors of -20 to 20 (arXiv:2507.09083, and its program for common
/// values).
[[nodiscard]] Source source(ValueModel model, std::optional<Span> common, std::optional<Span> own,
                            std::span<const GivenRound> given);

/// What was drawn for one round.
struct RoundValues {
  std::optional<int> common;  ///< the common part or value, where there is one and it was drawn
  PerBidder seen;             ///< what each bidder sees, by seat
  bool same_worth = false;

  /// What the item is worth to the bidder, whatever it sees.
  [[nodiscard]] int worth(std::size_t bidder) const { return same_worth ? *common : seen[bidder]; }
};

/// The values of a round (from 0), given or drawn.
[[nodiscard]] RoundValues values_of_round(agon::AnyTable& table, const Source& source, int round);

/// Least and most that a bidder can see.
[[nodiscard]] Span seen_range(const Source& source);

/// Who of the tied wins: the one that the round names, else one drawn evenly.
[[nodiscard]] int tie_winner(agon::AnyTable& table, const Source& source, int round,
                             std::span<const int> tied);

/// The two highest numbers of at least two.
struct TwoHighest {
  int first = 0;
  int second = 0;
};
[[nodiscard]] TwoHighest two_highest(const PerBidder& numbers);

/// "Bidder Andy", "Bidder Betty", ... for the seats in order.
[[nodiscard]] std::string_view bidder_name(int seat);

/// Why the source makes no sense with so many bidders and rounds; empty if it does.
[[nodiscard]] std::string check(const Source& source, int bidders, int rounds);

/// The money that bids are made in. It changes words only.
enum class Currency : std::uint8_t { dollars, euros, roubles, yen, rupees };
AGON_DESCRIBE_ENUM(Currency, (dollars, "dollars"), (euros, "euros"), (roubles, "roubles"),
                   (yen, "yen"), (rupees, "rupees"))

[[nodiscard]] std::string_view currency_name(Currency currency);
/// What stands before amounts: "$".
[[nodiscard]] std::string_view currency_sign(Currency currency);

/// How values come about, for players: a few sentences with the figures.
[[nodiscard]] std::string values_text(const Source& source, int rounds, std::string_view currency);

/// "1 dollar", "5 dollars", "1 yen", "1,000 euros".
[[nodiscard]] std::string amount_text(int amount, Currency currency);

/// "gained 5 dollars", "lost 1 dollar", "gained nothing".
[[nodiscard]] std::string gain_text(int profit, Currency currency);

/// "Bidder Andy 23, Bidder Betty 30": a number for each of the first seats.
[[nodiscard]] std::string by_bidder(std::span<const std::string_view> seats,
                                    const PerBidder& numbers);

/// What counts, over one round or over many; with `all_pay` those pay too who do not win.
[[nodiscard]] std::string goal_text(ValueModel model, int rounds, bool all_pay = false);

}  // namespace auction_values
