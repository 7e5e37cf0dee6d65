#pragma once

#include <string>

#include "english-auction/settings.hpp"

namespace english_auction {

/// What all players are told, with the figures that are the same for all of them. Nothing that only
/// one bidder knows (budgets, desires, estimates) may appear here.
[[nodiscard]] std::string rules_text(const Settings& settings);

}  // namespace english_auction
