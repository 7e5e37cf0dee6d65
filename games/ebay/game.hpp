#pragma once

#include <agon/describe.hpp>
#include <agon/game.hpp>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ebay {

/// Most bidders, and most days with all extensions, that a match has room for.
inline constexpr int kMaxBidders = 16;
inline constexpr int kMaxDays = 40;

/// What makes a soft close put the end off by a day.
enum class CloseRule { new_leader, any_bid };
AGON_DESCRIBE_ENUM(
    CloseRule,
    (new_leader, "on the last day somebody took the lead, alone or level with who had it"),
    (any_bid, "looked at one day before the last: anybody bid since the end was last put off"))

/// When a hidden reserve is met.
enum class ReserveTest { highest_bid, price };
AGON_DESCRIBE_ENUM(ReserveTest, (highest_bid, "the highest maximum is above the reserve"),
                   (price, "the price that is shown is at least the reserve"))

/// Who wins if several have the highest maximum.
enum class TieRule { random, first_seat };
AGON_DESCRIBE_ENUM(TieRule, (random, "one of them, drawn at the close"),
                   (first_seat, "the one in the lowest seat"))

/// What becomes of an auction in which nobody bid.
enum class NoBids { no_sale, first_seat };
AGON_DESCRIBE_ENUM(NoBids, (no_sale, "nothing is sold"),
                   (first_seat, "the first seat wins at the start price"))

/// Their names.
std::vector<std::string> three_bidders();

/// Settings of a match: one item, bid for by proxy over some days.
struct Settings {
  std::vector<std::string> bidders = three_bidders();
  std::array<int, 2> values{0, 99};
  std::vector<agon::Money> value_list;
  int days = 10;
  int max_days = 20;
  agon::Money start_price{};
  agon::Money step = agon::major(1);
  agon::Money highest_bid = agon::major(200);
  bool soft_close = false;
  CloseRule close_rule = CloseRule::new_leader;
  std::optional<agon::Money> reserve;
  ReserveTest reserve_test = ReserveTest::highest_bid;
  TieRule tie = TieRule::random;
  NoBids no_bids = NoBids::no_sale;
  std::vector<std::vector<int>> orders;
  std::vector<int> tie_order;
};
AGON_DESCRIBE(
    Settings,
    (bidders, "names, one seat each, in the order of the seats", agon::length(2, kMaxBidders),
     agon::source("Shah et al., 3 bidders")),
    (values,
     "least and most that the item is worth to a bidder; each value is drawn uniformly from the "
     "whole dollars between, both included",
     agon::range(0, 1e6), agon::unit("dollars"), agon::source("Shah et al.: 0 to 99")),
    (value_list, "instead of the draws: the value of each bidder, in the order of the seats",
     agon::range(0, 1e8), agon::length(0, kMaxBidders), agon::unit("dollars")),
    (days, "how many days the auction runs unless its end is put off", agon::range(1, kMaxDays),
     agon::unit("days"), agon::source("Shah et al.: 10")),
    (max_days, "the end is never put off beyond this day", agon::range(1, kMaxDays),
     agon::unit("days"), agon::source("Shah et al., published code: 20")),
    (start_price, "price before there are two bids", agon::range(0, 1e8), agon::unit("dollars"),
     agon::source("Shah et al.: 0")),
    (step, "how far the price stands above the second highest maximum at most", agon::range(1, 1e8),
     agon::unit("dollars"), agon::source("Shah et al.: 1")),
    (highest_bid, "no maximum may be higher; ours, so that forms and random bids have a range",
     agon::range(1, 1e9), agon::unit("dollars")),
    (soft_close, "the end is put off as long as bidding goes on, see `close_rule`",
     agon::source("Shah et al., treatments 2 and 4")),
    (close_rule, "what puts the end off",
     agon::source("Shah et al.: the text has new_leader, the published code any_bid")),
    (reserve, "hidden reserve that has to be met for a sale; null: none", agon::range(0, 1e8),
     agon::unit("dollars"), agon::source("Shah et al., treatments 3 and 4: 40, 50 or 60")),
    (reserve_test, "when the reserve is met",
     agon::source("Shah et al.: the text has highest_bid, the published code price")),
    (tie, "who wins if several have the highest maximum",
     agon::source("Shah et al.: the text has random, the published code first_seat")),
    (no_bids, "what happens if nobody bids",
     agon::source("Shah et al., published code: first_seat")),
    (orders,
     "instead of the draws: for day 1, 2, ... the seats (from 0) in the order in which they are "
     "asked; days beyond the list are drawn",
     agon::length(0, kMaxDays)),
    (tie_order,
     "instead of the draw: all seats (from 0); of bidders that tie, the one named first wins",
     agon::length(0, kMaxBidders)))

/// Why the settings make no sense together; empty if they do.
std::string check(const Settings& settings);

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
  int rivals = 0;
  int lowest_value = 0;
  int highest_value = 0;
  agon::Money start_price{};
  bool soft_close = false;
  CloseRule close_rule = CloseRule::new_leader;
  bool has_reserve = false;
};
AGON_DESCRIBE(Facts, (days, "days that the auction runs unless its end is put off"),
              (bidders, "how many bid"), (worth, "how values come about"),
              (closing, "when the auction ends"), (reserve, "whether there is a hidden reserve"),
              (objective, "what counts in the end"),
              (phase, "the event that begins a day", agon::phase_event, agon::unit("day")),
              (rivals, "how many bid beside the reader"),
              (lowest_value, "least that the item can be worth to a bidder"),
              (highest_value, "most that it can be"),
              (start_price, "price before there are two bids"),
              (soft_close, "the end is put off as long as bidding goes on"),
              (close_rule, "what puts the end off"),
              (has_reserve, "whether there is a hidden reserve"))

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
