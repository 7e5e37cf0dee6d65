#pragma once

#include <agon/game.hpp>
#include <array>

/// Small games, each with one bug that games of others have had, and the same game without it:
/// `agon check` has to name the first and to let the second pass.
namespace planted {

// Each registers a game with the bug, "leak", and one without, "leak-sound".
void add_leak(agon::Registry& registry);
void add_leaking_view(agon::Registry& registry);
void add_favoured_seat(agon::Registry& registry);
void add_probe_with_effect(agon::Registry& registry);
void add_coerced_answer(agon::Registry& registry);
void add_wrong_bound(agon::Registry& registry);
void add_wrong_sum(agon::Registry& registry);
void add_luck_by_position(agon::Registry& registry);
void add_score_beyond_one(agon::Registry& registry);
void add_illegal_fallback(agon::Registry& registry);
void add_missing_stage(agon::Registry& registry);
void add_hidden_state(agon::Registry& registry);
void add_own_dice(agon::Registry& registry);
void add_broken_books(agon::Registry& registry);
void add_long_match(agon::Registry& registry);
void add_broken_telling(agon::Registry& registry);
void add_forgotten_view(agon::Registry& registry);
/// Several, at the borders of checks; those that end in "-sound" are.
void add_borders(agon::Registry& registry);

/// The seats of every planted game.
inline constexpr std::array<int, 2> kBoth{0, 1};

/// Settings of games that have none.
struct Nothing {};
AGON_DESCRIBE(Nothing)

/// An amount of ten.
struct Bid {
  int bid = 0;
};
AGON_DESCRIBE(Bid, (bid, "what you bid", agon::unit("coins"), agon::range(0, 10)))

/// How a round came out.
struct Result {
  int winner = 0;
  int price = 0;
};
AGON_DESCRIBE(Result, (winner, "who bid more", agon::seat_number),
              (price, "what was paid", agon::unit("coins")))

/// A card of two seats without roles.
inline agon::GameCard card(std::string_view rules) {
  agon::GameCard card;
  card.title = "A planted game";
  card.rules = rules;
  card.score = "coins";
  card.disagreement = "0";
  card.ideal = "10 coins";
  return card;
}

}  // namespace planted
