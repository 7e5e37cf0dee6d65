#pragma once

#include <agon/game.hpp>
#include <optional>

#include "deal-or-no-deal/beliefs.hpp"
#include "deal-or-no-deal/cases.hpp"
#include "deal-or-no-deal/rules.hpp"
#include "deal-or-no-deal/settings.hpp"
#include "deal-or-no-deal/stages.hpp"

namespace deal_or_no_deal {

/// One match: what is on the table, and who has which side of it.
struct Match {
  const Settings& settings;
  const Prepared& prepared;
  const Case& game;
  bool swapped = false;
  std::optional<int> position;  ///< of the instance in the list

  [[nodiscard]] std::size_t side(int seat) const {
    return static_cast<std::size_t>(swapped ? 1 - seat : seat);
  }
  [[nodiscard]] const Amounts& values(int seat) const { return game.values[side(seat)]; }
  /// What is on the table, with this seat's own values.
  [[nodiscard]] Piles piles(int seat) const;
};

/// What both seats stated of their values; nothing where a seat stated nothing.
using Claims = std::array<std::optional<ItemCounts>, 2>;

/// Has both seats state their values, if the settings have claims.
[[nodiscard]] Claims hear_claims(Table table, const Match& match);

/// How talks ended.
struct Finish {
  Claims claims;
  std::optional<Deal> deal;
  double factor = 1;
  int turns = 0;
  bool out_of_time = false;
  bool broken_down = false;
  bool misfit = false;
  bool walked_away = false;
  std::array<int, 2> proposals{};
};

/// Plays alternating offers over a match.
[[nodiscard]] agon::Outcome play_offers(Table table, const Match& match);

/// Plays a negotiation over a match.
[[nodiscard]] agon::Outcome play_talks(Table table, const Match& match);

/// Scores, anchors and metrics.
[[nodiscard]] agon::Outcome settle(const Match& match, const Finish& finish,
                                   const BeliefBook& beliefs);

/// The whole game.
[[nodiscard]] agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared);

}  // namespace deal_or_no_deal
