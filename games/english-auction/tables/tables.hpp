#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>

namespace english_auction {

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

}  // namespace english_auction
