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

/// What counts, over one round or over many.
[[nodiscard]] std::string goal_text(ValueModel model, int rounds);

}  // namespace auction_values
