#pragma once

#include "shared/strategy.hpp"
#include "survival-auction/messages.hpp"

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
void bid_last(const LastParams& params, const Morning& morning, Bid& bid);
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

/// Bids by how urgently it needs water: nothing while it can live to the end without; what beats
/// all that any rival owns if it dies otherwise today, or all it has; else just above what it
/// expects of rivals who bid the same share of their money as the day before, up to a multiple of
/// an even share of its future money.
void bid_adaptive(const AdaptiveParams& params, const Morning& morning, Bid& bid,
                  agon::Question& question);
using Adaptive = shared::Strategy<&bid_adaptive>;

}  // namespace survival_auction
