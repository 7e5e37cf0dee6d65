#pragma once

#include <algorithm>

#include "shared/strategy.hpp"
#include "survival-auction/play.hpp"

namespace survival_auction {

using Fraction = shared::Strategy<&shared::drought::bid_fraction<Morning, Bid>>;

/// Parameters of `last`.
struct LastParams {
  double first = 0.5;
  agon::Money raise = agon::major(1);
};
AGON_DESCRIBE(LastParams,
              (first, "share of its balance that it bids on the first day", agon::range(0, 1)),
              (raise, "how much more than the highest bid of the others on the day before",
               agon::range(0, 1e9), agon::unit("dollars")))

/// Bids a little more than the highest bid of the others on the day before, or all its money if
/// that is less.
inline void bid_last(const LastParams& params, const Morning& m, Bid& answer) {
  agon::Money bid = shared::drought::part(m.balance, params.first);
  if (!m.history.empty()) {
    agon::Money highest{};
    for (const ResidentDay& line : m.history.back().residents)
      if (line.name != m.name) highest = std::max(highest, line.bid);
    bid = highest + params.raise;
  }
  answer.bid = std::min(bid, m.balance);
}
using Last = shared::Strategy<&bid_last>;

/// Parameters of `adaptive`.
struct AdaptiveParams {
  double first_guess = 0.5;
  agon::Money margin = agon::major(1);
  double thrift = 1.5;
  agon::Money spread = agon::major(5);
};
AGON_DESCRIBE(
    AdaptiveParams,
    (first_guess,
     "share of a rival's balance that it expects to be bid, until it has seen the rival bid",
     agon::range(0, 1)),
    (margin, "raise above the bid that it expects to be the highest", agon::range(0, 1e9),
     agon::unit("dollars")),
    (thrift,
     "most it pays while its life does not hang on today, as a multiple of an even share: its "
     "money and coming salaries over the days on which it has to drink",
     agon::range(0, 10)),
    (spread,
     "its bid is drawn from so wide a stretch, so that those of its kind do not all say the same "
     "and go dry",
     agon::range(0, 1e9), agon::unit("dollars")))

/// On how many of the days, today the first, it has to drink if it drinks as late as it can.
inline int least_drinks(const Morning& m) {
  shared::drought::Health health = shared::drought::health_of(m);
  int drinks = 0;
  for (int day = 0; day <= m.days_left; ++day) {
    const bool drinks_now = shared::drought::is_critical(health);
    drinks += drinks_now;
    health = drinks_now ? shared::drought::drunk(health, {m.max_hp, m.drink_hp})
                        : shared::drought::dry(health);
  }
  return drinks;
}

/// The bid or a little more; or a little less than the balance, if that is all there is.
inline agon::Money draw_near(agon::Money bid, agon::Money balance, agon::Money spread,
                             agon::Dice dice) {
  const agon::Money drawn{
      static_cast<std::int64_t>(dice.below(static_cast<std::uint64_t>(spread.cents) + 1))};
  // A bid that takes all it has can only go down, but not below 0.
  if (bid + drawn <= balance) return bid + drawn;
  return std::max(agon::Money{}, std::min(bid, balance) - drawn);
}

/// Bids by how urgently it needs water: nothing while it can live to the end without; what beats
/// all that any rival owns if it dies otherwise today, or all it has; else just above what it
/// expects of rivals who bid the same share of their money as the day before, up to a multiple of
/// an even share of its future money.
inline void bid_adaptive(const AdaptiveParams& params, const Morning& m, Bid& answer,
                         agon::Question& question) {
  answer.bid = {};
  const int drinks = least_drinks(m);
  if (drinks == 0) return;
  const bool critical = shared::drought::is_critical(m);
  agon::Money expected{};
  bool anybody = false;
  for (const Neighbour& n : m.town) {
    if (!n.alive || n.name == m.name) continue;
    anybody = true;
    expected = std::max(
        expected,
        critical ? n.balance : shared::drought::likely_bid(n, m.history, params.first_guess));
  }
  if (!anybody) return;
  agon::Money wanted = expected + (critical ? agon::Money{1} : params.margin);
  if (!critical) wanted = std::min(wanted, shared::drought::even_share(m, drinks, params.thrift));
  answer.bid = draw_near(wanted, m.balance, params.spread, question.dice());
}
using Adaptive = shared::Strategy<&bid_adaptive>;

}  // namespace survival_auction
