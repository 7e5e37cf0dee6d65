#pragma once

#include <agon/game.hpp>

#include "clock-auction/settings.hpp"

namespace clock_auction {

/// What everybody may know of the settings, for prompts.
struct Facts {
  int bidders = 0;
  int rounds = 0;
  int step = 0;
  int ceiling = 0;
  std::string currency;
  std::string values;
  std::string objective;
  std::string act;
  std::string otherwise;
  std::string phase = "outcome";
  std::string apart;
};
AGON_DESCRIBE(Facts, (bidders, "how many bid"), (rounds, "how many rounds there are"),
              (step, "by how much the price moves"),
              (ceiling, "price at which a rising clock stops and a falling one starts"),
              (currency, "what money is called"), (values, "how values come about"),
              (objective, "what counts in the end"),
              (act, "what a bidder does in the end: leave, or take the item"),
              (otherwise, "what a bidder might have done instead in a round"),
              (phase, "the event that ends a round", agon::phase_event, agon::unit("round")),
              (apart, "round, where rounds know nothing of each other", agon::apart_by))

/// The facts of these settings.
[[nodiscard]] Facts facts(const Settings& settings);

/// What players are told.
[[nodiscard]] std::string rules_text(const Settings& settings);

/// Auctions with a price clock: rising, with or without word of who leaves, and falling (the
/// experiments with language-model bidders that follow Li 2017).
agon::Game game();

/// Adds the tables of this game.
void add_tables(agon::Registry& registry);

/// Adds the game, its strategies and tables.
void enter(agon::Registry& registry);

}  // namespace clock_auction
