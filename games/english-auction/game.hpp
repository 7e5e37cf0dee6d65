#pragma once

#include <agon/game.hpp>
#include <agon/plugin.hpp>
#include <string>

#include "english-auction/play.hpp"
#include "english-auction/prepared.hpp"
#include "english-auction/settings.hpp"

namespace english_auction {

/// What everybody may know of the settings, for prompts.
struct Facts {
  int bidders = 0;
  int items = 0;
  int markup = 0;
  std::string discount;
  int most_rounds = 0;
  std::string phase = "hammer";
  std::string among;
  std::string auction;
  std::string account;
};
AGON_DESCRIBE(Facts, (bidders, "how many bid"), (items, "how many items are sold"),
              (markup, "the least raise as a share of the start price", agon::unit("percent")),
              (discount, "what happens to an item for which nobody bids"),
              (most_rounds, "rounds of bidding for one item at most"),
              (phase, "the event that ends the bidding for an item", agon::phase_event,
               agon::unit("item")),
              (among, "what stands between a seat's name and those of the others"),
              (auction, "what goes on, behind them"),
              (account, "what a bidder is to know of itself and the others after an item"))

/// The facts of these settings.
[[nodiscard]] Facts facts(const Settings& settings);

/// What all players are told, with the figures that are the same for all of them. Nothing that only
/// one bidder knows (budgets, desires, estimates) may appear here.
[[nodiscard]] std::string rules_text(const Settings& settings);

/// Plays one auction.
[[nodiscard]] agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared);

/// The game as the arena holds it.
[[nodiscard]] agon::Game game();

/// Adds the game and its strategies.
void enter(agon::Registry& registry);

}  // namespace english_auction
