#pragma once

#include <string>
#include <string_view>

#include "shared/auction-values/values.hpp"

namespace auction_values {

/// The money that bids are made in. It changes words only.
enum class Currency : std::uint8_t { dollars, euros, roubles, yen, rupees };
AGON_DESCRIBE_ENUM(Currency, (dollars, "dollars"), (euros, "euros"), (roubles, "roubles"),
                   (yen, "yen"), (rupees, "rupees"))

[[nodiscard]] std::string_view currency_name(Currency currency);

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
