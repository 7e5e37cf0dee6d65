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

/// Health and what the next dry day costs.
struct Health {
  int hp = 0;
  int no_drink = 1;
};

/// A day with water.
[[nodiscard]] Health drunk(Health before, int drink_hp, int max_hp);
/// A day without: it costs as much as the dry day before and one more.
[[nodiscard]] Health dry(Health before);

}  // namespace survival_auction
