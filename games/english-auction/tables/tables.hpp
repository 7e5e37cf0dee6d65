#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "english-auction/settings.hpp"
#include "shared/published.hpp"

namespace english_auction {

/// A table of published.json.
[[nodiscard]] const shared::PublishedTable& published(std::string_view id);

/// Adds the tables and figures of AucArena.
void add_tables(agon::Registry& registry);

/// Each makes one of them.
agon::PaperTable plan_following(const agon::PlayedMatches& matches);  ///< table 1
agon::PaperTable plans_of_all(const agon::PlayedMatches& matches);    ///< the same of any auctions
agon::PaperTable failure_rates(const agon::PlayedMatches& matches);   ///< figure 2
agon::PaperTable planning_profits(const agon::PlayedMatches& matches);  ///< figure 3
agon::PaperTable priorities_10k(const agon::PlayedMatches& matches);    ///< figure 4
agon::PaperTable skills(const agon::PlayedMatches& matches);            ///< figure 5
agon::PaperTable ranks(const agon::PlayedMatches& matches);             ///< figure 6
agon::PaperTable desire_prices(const agon::PlayedMatches& matches);     ///< figure 7
agon::PaperTable priorities_20k(const agon::PlayedMatches& matches);    ///< figure 8
agon::PaperTable budgets_left(const agon::PlayedMatches& matches);      ///< figure 9
agon::PaperTable learner_ranks(const agon::PlayedMatches& matches);     ///< figure 10
agon::PaperTable laboratory(const agon::PlayedMatches& matches);        ///< of no figure
agon::PaperTable price_paths(const agon::PlayedMatches& matches);       ///< how prices rise
agon::PaperTable hammer_prices(const agon::PlayedMatches& matches);     ///< what winners pay

/// A match of the auction as tables see it: its settings, read.
struct PlayedAuction {
  const agon::PlayedMatch& match;
  Settings settings;
  std::vector<Bidder> bidders;  ///< by seat
  std::string block;            ///< what it shares its random numbers with

  /// The budget that all bidders have, "10000"; of different ones the range, "10000-20000".
  [[nodiscard]] std::string budget() const;
  /// True if all seats are played by one agent.
  [[nodiscard]] bool one_agent() const;
  /// True if no two of three bidders plan alike: the arena of none, static and adaptive planning.
  [[nodiscard]] bool has_all_plannings() const;
  /// Which of the named items come when: "Equipment E 1, Mechanism J 2"; empty: no order is set.
  [[nodiscard]] std::string fixed_places() const;
  /// The seat's name in events.
  [[nodiscard]] int seat_of(std::string_view bidder) const;
};

/// Calls `each` with every auction.
void each_auction(const agon::PlayedMatches& matches,
                  const std::function<void(const PlayedAuction&)>& each);

/// "none", "static" or "adaptive".
[[nodiscard]] std::string_view name_of(Planning planning);

/// A sale, as the hammer event tells it: money in dollars.
struct HammerFall {
  int winner = -1;  ///< seat; -1: unsold
  double price = 0;
};
/// The sales of a match in their order. The card must read records.
[[nodiscard]] std::vector<HammerFall> sales(const PlayedAuction& auction);

}  // namespace english_auction
