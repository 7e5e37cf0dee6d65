#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <agon/plugin.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "sealed-bid/settings.hpp"
#include "shared/published.hpp"

namespace sealed_bid {

/// A table of published.json.
[[nodiscard]] const shared::PublishedTable& published(std::string_view id);

// One table of arXiv:2507.09083 a function; add_tables() registers them all.

/// Bids and revenue by payment.
[[nodiscard]] agon::PaperTable formats(const agon::PlayedMatches& matches);
/// The same of everything that was varied as a check.
[[nodiscard]] agon::PaperTable robustness(const agon::PlayedMatches& matches);
/// The second price under seven ways to tell it.
[[nodiscard]] agon::PaperTable interventions(const agon::PlayedMatches& matches);
/// The winner's curse.
[[nodiscard]] agon::PaperTable common_values(const agon::PlayedMatches& matches);
/// Revenue and efficiency of clocks and sealed bids.
[[nodiscard]] agon::PaperTable revenues(const agon::PlayedMatches& matches);
/// Planning and reflecting against fields of rule bidders.
[[nodiscard]] agon::PaperTable by_field(const agon::PlayedMatches& matches);

/// Bids by value beside the equilibrium, in any rounds.
[[nodiscard]] agon::PaperTable bids_by_value(const agon::PlayedMatches& matches);

/// Adds the tables of this game.
void add_tables(agon::Registry& registry);

/// What all seats of the matches of one kind add up to.
struct Sums {
  double n = 0;  ///< bids
  double bids = 0, bid_squares = 0;
  double squares_above = 0, squares_below = 0;
  agon::Sample revenue, efficiency, profit;  ///< a round
  agon::Sample exact, near, above, below;    ///< of bids
  agon::Sample error;                        ///< |bid - value|
  agon::Sample smad;                         ///< |bid - equilibrium bid| / equilibrium bid
  agon::Sample winner_profit, lost_money;    ///< a round
  agon::Sample over_estimate, should_be;     ///< bid, equilibrium bid, minus what was seen

  void add(const agon::PlayedMatch& match);
  /// Mean distance from the equilibrium bid as a share of the mean equilibrium bid.
  [[nodiscard]] agon::Figure off_equilibrium(double level) const;
  /// By the definition of the intervention table, over all bids; NaN without spread.
  [[nodiscard]] double r_squared() const;
  /// Share of the squared errors that lies above the value; NaN without errors.
  [[nodiscard]] double share_above() const;
};

/// Agent and format of a printed row: "gpt-4o: SPSB".
[[nodiscard]] std::pair<std::string, std::string> row_key(const std::string& label);

/// "FPSB", "SPSB", "TPSB", "all-pay".
[[nodiscard]] std::string short_name(Payment payment);

}  // namespace sealed_bid
