#pragma once

#include <agon/money.hpp>
#include <optional>
#include <span>

namespace survival_auction {

/// What one of the living says, and what it owns.
struct Offer {
  agon::Money bid{};
  agon::Money balance{};
};

/// Whose the day's water is, as a place in the list: of those with the highest bid the one who can
/// pay it, if there is just one. None otherwise, and the next lower bid is not looked at.
[[nodiscard]] std::optional<std::size_t> winner_of(std::span<const Offer> offers);

}  // namespace survival_auction
