#include <array>

#include "ebay/tables/groups.hpp"
#include "ebay/tables/tables.hpp"

namespace ebay {

namespace {

/// A row of the table: a value of each auction.
struct Measure {
  const char* label;
  double Auction::*value;
  bool share;
};

constexpr std::array<Measure, 8> kMeasures{{
    {"price at the close, $", &Auction::price, false},
    {"revenue, $", &Auction::revenue, false},
    {"sold", &Auction::sold, true},
    {"sold to a highest value", &Auction::efficient, true},
    {"share of the surplus", &Auction::surplus_share, false},
    {"day of the final winning bid", &Auction::final_bid_day, false},
    {"days, with extensions", &Auction::days, false},
    {"last day's share of the raises", &Auction::last_day_share, false},
}};

}  // namespace

agon::PaperTable revenue(const agon::PlayedMatches& matches) {
  const std::vector<Group> groups = groups_of(matches);
  agon::PaperTable table;
  table.corner = "mean of";
  for (const Group& group : groups) table.columns.push_back(group.label(differ_in_bidders(groups)));
  for (const Measure& measure : kMeasures) {
    agon::TableRow row{measure.label, {}};
    for (const Group& group : groups)
      row.cells.push_back({.ours = estimate(
                               group, [&](const Auction& a) { return a.*measure.value; },
                               matches.level(), measure.share)});
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "The paper calls the final price revenue, also where the reserve was not met; the row "
      "'revenue' counts such auctions as 0.",
      "T1 proxy bidding, T2 with soft close, T3 with a hidden reserve r, T4 with both.",
  };
  return table;
}

}  // namespace ebay
