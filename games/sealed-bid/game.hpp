#pragma once

#include <agon/game.hpp>

#include "sealed-bid/settings.hpp"

namespace sealed_bid {

/// What everybody may know of the settings, for prompts.
struct Facts {
  int bidders = 0;
  int rounds = 0;
  int highest_bid = 0;
  std::string currency;
  std::string values;
  std::string seen;
  std::string objective;
  std::string phase = "outcome";
};
AGON_DESCRIBE(Facts, (bidders, "how many bid"), (rounds, "how many rounds there are"),
              (highest_bid, "the most that may be bid"), (currency, "what money is called"),
              (values, "how values come about"),
              (seen, "what a bidder is given before it bids: a value or an estimate"),
              (objective, "what counts in the end"),
              (phase, "the event that ends a round", agon::phase_event, agon::unit("round")))

/// The facts of these settings.
[[nodiscard]] Facts facts(const Settings& settings);

/// What players are told.
[[nodiscard]] std::string rules_text(const Settings& settings);

/// Sealed-bid auctions of one item: first, second and third price and all-pay, with independent,
/// affiliated and common values (arXiv:2507.09083).
agon::Game game();

/// Adds the game, its strategies and tables.
void enter(agon::Registry& registry);

}  // namespace sealed_bid
