#pragma once

#include <agon/game.hpp>
#include <string>

#include "deal-or-no-deal/settings.hpp"

namespace deal_or_no_deal {

/// What both sides may know of the settings, for prompts.
struct Facts {
  int total_value = 0;
  std::string speaking;
  std::string secrecy;
  int max_rounds = 0;
  int max_turns = 0;
  std::string deal;
  std::string discount;
};
AGON_DESCRIBE(Facts,
              (total_value, "what everything is worth to either side; 0: that differs",
               agon::unit("points")),
              (speaking, "negotiation: what a message is"),
              (secrecy,
               "what is not to be told; empty: nobody can say anything, or "
               "both state their values"),
              (max_rounds, "negotiation: rounds of one message each"),
              (max_turns, "alternating offers: the offer with this number ends the game"),
              (deal, "negotiation: when two takes are a deal"),
              (discount, "alternating offers: what time costs; empty: nothing"))

/// The facts of these settings.
[[nodiscard]] Facts facts(const Settings& settings);

/// What players are told, with the figures of the settings.
[[nodiscard]] std::string rules_text(const Settings& settings);

/// Deal or No Deal: two sides share items that each values differently, and privately.
[[nodiscard]] agon::Game game();

/// Adds the game and its strategies.
void enter(agon::Registry& registry);

}  // namespace deal_or_no_deal
