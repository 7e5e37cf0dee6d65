#pragma once

#include <agon/game.hpp>
#include <string>

#include "deal-or-no-deal/settings.hpp"

namespace deal_or_no_deal {

/// What players are told, with the figures of the settings.
[[nodiscard]] std::string rules_text(const Settings& settings);

/// Deal or No Deal: two sides share items that each values differently, and privately.
[[nodiscard]] agon::Game game();

/// Adds the game, its strategies and its importer.
void enter(agon::Registry& registry);

}  // namespace deal_or_no_deal
