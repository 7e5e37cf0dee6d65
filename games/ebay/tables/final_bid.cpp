#include <algorithm>
#include <cmath>
#include <string>

#include "ebay/tables/groups.hpp"
#include "ebay/tables/tables.hpp"

namespace ebay {

namespace {

agon::PaperTable final_bid(const agon::PlayedMatches& matches, bool added_up) {
  const std::vector<Group> groups = groups_of(matches);
  agon::PaperTable table;
  table.corner = "day";
  table.curves = {
      .x = "day", .y = added_up ? "share up to the day" : "share of the day", .down = true};
  int last = 10;
  double without = 0;
  for (const Group& group : groups) {
    table.columns.push_back(group.label(differ_in_bidders(groups)));
    for (const Auction& a : group.auctions) {
      last = std::max(last, static_cast<int>(a.days));
      without += std::isnan(a.final_bid_day) ? 1 : 0;
    }
  }
  for (int day = 1; day <= last; ++day) {
    agon::TableRow row{std::to_string(day), {}};
    for (const Group& group : groups) {
      const auto value = [&](const Auction& a) {
        if (std::isnan(a.final_bid_day)) return agon::kNothing;
        return (added_up ? a.final_bid_day <= day : a.final_bid_day == day) ? 1.0 : 0.0;
      };
      row.cells.push_back({.ours = estimate(group, value, matches.level(), true)});
    }
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Final winning bid: the last day on which the bidder who led at the close raised the "
      "maximum, "
      "whether or not the item was sold.",
      "T1 proxy bidding, T2 with soft close, T3 with a hidden reserve r, T4 with both. The paper "
      "shows this as a figure, from which no numbers are taken here.",
  };
  if (without > 0)
    table.notes.push_back(std::to_string(static_cast<int>(without)) +
                          " auctions without any bid are left out.");
  return table;
}

}  // namespace

agon::PaperTable final_bid_histogram(const agon::PlayedMatches& matches) {
  return final_bid(matches, false);
}

agon::PaperTable final_bid_distribution(const agon::PlayedMatches& matches) {
  return final_bid(matches, true);
}

}  // namespace ebay
