#pragma once

#include <agon/game.hpp>

#include "ebay/settings.hpp"

namespace ebay {

/// What everybody may know of the settings, for prompts. Whether there is a reserve is known, never
/// how high it is.
struct Facts {
  int days = 0;
  int bidders = 0;
  std::string worth;
  std::string closing;
  std::string reserve;
  std::string objective;
  std::string phase = "day";
};
AGON_DESCRIBE(Facts, (days, "days that the auction runs unless its end is put off"),
              (bidders, "how many bid"), (worth, "how values come about"),
              (closing, "when the auction ends"), (reserve, "whether there is a hidden reserve"),
              (objective, "what counts in the end"),
              (phase, "the event that begins a day", agon::phase_event, agon::unit("day")))

/// The facts of these settings.
[[nodiscard]] Facts facts(const Settings& settings);

/// The rules as players are told them.
[[nodiscard]] std::string rules_text(const Settings& settings);

/// One item in an online auction with proxy bidding over several days, with or without a soft close
/// and a hidden reserve (Learning from Synthetic Labs, arXiv:2507.09083).
agon::Game game();

/// Adds the tables of this game.
void add_tables(agon::Registry& registry);

/// Adds the game, its strategies and its tables.
void enter(agon::Registry& registry);

}  // namespace ebay
