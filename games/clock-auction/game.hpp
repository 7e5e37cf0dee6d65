#pragma once

#include <agon/game.hpp>

#include "shared/auction-values/rounds.hpp"
#include "shared/auction-values/values.hpp"

namespace clock_auction {

/// How the price moves, and what bidders learn on the way. It begins with the published one.
enum class Clock : std::uint8_t { ascending, ascending_blind, dutch };
AGON_DESCRIBE_ENUM(Clock,
                   (ascending,
                    "the price rises, bidders leave, and all are told how many left at each price"),
                   (ascending_blind,
                    "the price rises and bidders leave, and nobody is told of others who left"),
                   (dutch, "the price falls, and the first who takes it has the item"))

/// Which rivals a bidder is named while the clock runs.
enum class Named : std::uint8_t { all, remaining };
AGON_DESCRIBE_ENUM(Named, (all, "all of them, whether they have left or not"),
                   (remaining, "those who have not left: a blind clock is blind no more"))

/// Settings of a match.
struct Settings {
  Clock clock = Clock::ascending;
  int bidders = 3;
  int rounds = 10;
  auction_values::ValueModel values = auction_values::ValueModel::affiliated;
  std::optional<auction_values::Span> common_range;
  std::optional<auction_values::Span> own_range;
  std::vector<auction_values::GivenRound> given;
  int start = 0;
  int step = 1;
  std::optional<int> ceiling;
  Named opponents = Named::all;
  bool plan = true;
  bool reflect = true;
  bool history = true;
  bool written = false;
  auction_values::Currency currency = auction_values::Currency::dollars;
};
AGON_DESCRIBE(
    Settings, (clock, "how the price moves, and what bidders learn on the way"),
    (bidders, "how many bid", agon::range(auction_values::kMinBidders, auction_values::kMaxBidders),
     agon::source("arXiv:2507.09083: 3")),
    (rounds, "auctions in a match, each with values of its own",
     agon::range(1, auction_values::kMaxRounds), agon::unit("rounds"),
     agon::source("arXiv:2507.09083: 10 by their appendix and logs, 15 by section 3.2.3")),
    (values, "what the item is worth to whom; `common` is no model of the clock"),
    (common_range, "least and most of the part of a value that all share; null: 0 to 20",
     agon::range(-auction_values::kMaxValue, auction_values::kMaxValue), agon::unit("currency")),
    (own_range,
     "least and most of a bidder's own part, or of its whole value where values are independent; "
     "null: 0 to 20, or 0 to 99",
     agon::range(-auction_values::kMaxValue, auction_values::kMaxValue), agon::unit("currency")),
    (given,
     "values given instead of drawn, one entry a round; entries beyond the rounds are not "
     "used",
     agon::length(0, auction_values::kMaxRounds)),
    (start, "price at which a rising clock starts, and below which a falling one never goes",
     agon::range(0, auction_values::kMaxValue), agon::unit("currency")),
    (step, "by how much the price moves", agon::range(1, auction_values::kMaxValue),
     agon::unit("currency")),
    (ceiling,
     "price at which a rising clock stops and a falling one starts; null: the highest value that "
     "a bidder can have",
     agon::range(0, auction_values::kMaxValue), agon::unit("currency")),
    (opponents, "which rivals a bidder is named while the clock runs"),
    (plan, "ask for a plan before each round, before the value is known"),
    (reflect, "ask after each round but the last what there is to learn from it"),
    (history,
     "tell how a round ended, and show earlier rounds; false: rounds know nothing of each other, "
     "but for what `reflect` shows of the last one"),
    (written,
     "ask for a plan and a reflection with every action at the clock, as two fields of the answer; "
     "false: for the action alone",
     agon::source("arXiv:2507.09083's code: true")),
    (currency, "what money is called; amounts are whole numbers of it"))

/// The price at which a rising clock stops and a falling one starts.
[[nodiscard]] int ceiling(const Settings& settings);

/// Why the settings make no sense together; empty if they do.
[[nodiscard]] std::string check(const Settings& settings);

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
  int rivals = 0;
  int auctions = 0;
  int start = 0;
  Clock clock = Clock::ascending;
  auction_values::ValueModel value_model = auction_values::ValueModel::affiliated;
  int common_low = 0;
  int common_high = 0;
  int own_low = 0;
  int own_high = 0;
};
AGON_DESCRIBE(Facts, (bidders, "how many bid"), (rounds, "how many rounds there are"),
              (step, "by how much the price moves"),
              (ceiling, "price at which a rising clock stops and a falling one starts"),
              (currency, "what money is called"), (values, "how values come about"),
              (objective, "what counts in the end"),
              (act, "what a bidder does in the end: leave, or take the item"),
              (otherwise, "what a bidder might have done instead in a round"),
              (phase, "the event that ends a round", agon::phase_event, agon::unit("round")),
              (apart, "round, where rounds know nothing of each other", agon::apart_by),
              (rivals, "how many bid beside the reader"),
              (auctions, "how many rounds are played, also where they know nothing of each other"),
              (start, "price at which a rising clock starts"), (clock, "how the price moves"),
              (value_model, "what the item is worth to whom"),
              (common_low, "least of what is drawn once for all"), (common_high, "most of it"),
              (own_low, "least of what is drawn for each bidder alone"), (own_high, "most of it"))

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
