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
  int rivals = 0;
  std::string sign;
  Payment payment = Payment::second_price;
  auction_values::ValueModel value_model = auction_values::ValueModel::independent;
  int common_low = 0;
  int common_high = 0;
  int own_low = 0;
  int own_high = 0;
  int highest_value = 0;
  Intervention intervention = Intervention::none;
  bool plans = false;
};
AGON_DESCRIBE(Facts, (bidders, "how many bid"), (rounds, "how many rounds there are"),
              (highest_bid, "the most that may be bid"), (currency, "what money is called"),
              (values, "how values come about"),
              (seen, "what a bidder is given before it bids: a value or an estimate"),
              (objective, "what counts in the end"),
              (phase, "the event that ends a round", agon::phase_event, agon::unit("round")),
              (rivals, "how many bid beside the reader"), (sign, "what stands before amounts: $"),
              (payment, "who pays what"), (value_model, "what the item is worth to whom"),
              (common_low, "least of what is drawn once for all"), (common_high, "most of it"),
              (own_low, "least of what is drawn for each bidder alone"), (own_high, "most of it"),
              (highest_value, "the most that a bidder can see"),
              (intervention, "what bidders are told beside the bare rules"),
              (plans, "a plan is asked for before each round"))

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
