// A common value: what winning costs as bidders get more.

#include <map>

#include "sealed-bid/tables/sums.hpp"
#include "sealed-bid/tables/tables.hpp"
#include "shared/auction-values/tables.hpp"
#include "shared/tables.hpp"

namespace sealed_bid {

agon::PaperTable common_values(const agon::PlayedMatches& matches) {
  std::map<std::pair<std::string, int>, Sums> all;
  matches.each([&](const agon::PlayedMatch& match) {
    const std::optional<Settings> played = settings_of(match);
    if (!played || played->payment != Payment::second_price ||
        played->values != auction_values::ValueModel::common)
      return;
    all[{auction_values::bidders_of(match), played->bidders}].add(match);
  });
  if (all.empty()) throw agon::LacksData{"matches of the second price with a common value"};
  const double level = matches.level();
  agon::PaperTable table;
  table.corner = "bidders";
  table.columns = {"winner's profit",        "won at a loss (%)", "bid - estimate",
                   "equilibrium - estimate", "SMAD (%)",          "revenue"};
  for (const auto& [key, sums] : all)
    table.rows.push_back({key.first + ": " + std::to_string(key.second),
                          {shared::cell(sums.winner_profit.mean(level), 2),
                           shared::percent(sums.lost_money.share(level), 1),
                           shared::cell(sums.over_estimate.mean(level), 2),
                           shared::cell(sums.should_be.mean(level), 2),
                           shared::percent(sums.off_equilibrium(level), 1),
                           shared::cell(sums.revenue.mean(level), 1)}});
  table.notes = {
      "The published figures of this experiment are drawn and not printed as numbers. Winner's "
      "curse: bids near the estimate lose money, the more bidders the more; the equilibrium bids "
      "what the item is worth on average if the highest rival sees the same.",
  };
  return table;
}

}  // namespace sealed_bid
