#pragma once

#include "sealed-bid/settings.hpp"
#include "sealed-bid/stages.hpp"

namespace sealed_bid {

/// What follows from the settings alone and is shared by all their matches.
struct Prepared {
  auction_values::Span seen{};    ///< least and most that a bidder can see
  std::vector<double> benchmark;  ///< equilibrium bid at each of these; empty: none is known
  int highest_bid = 0;
};

Prepared prepare(const Settings& settings);

/// Plays one match.
agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared);

}  // namespace sealed_bid
