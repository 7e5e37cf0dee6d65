#pragma once

#include "deal-or-no-deal/settings.hpp"

namespace deal_or_no_deal {

/// What both sides may know of the settings, for prompts.
struct Facts {
  std::string items;
  std::string total;
  std::string objective;
  int max_rounds = 0;
  int max_turns = 0;
  std::string deal;
  std::string discount;
};
AGON_DESCRIBE(Facts, (items, "names of the item types, in the order in which answers count them"),
              (total, "what everything is worth to either side; empty: that differs"),
              (objective, "what counts in the end"),
              (max_rounds, "negotiation: rounds of one message each"),
              (max_turns, "alternating offers: the offer with this number ends the game"),
              (deal, "negotiation: when two takes are a deal"),
              (discount, "alternating offers: what time costs; empty: nothing"))

/// The facts of these settings.
[[nodiscard]] Facts facts(const Settings& settings);

}  // namespace deal_or_no_deal
