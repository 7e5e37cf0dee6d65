#pragma once

#include <agon/analysis/paper_table.hpp>
#include <compare>
#include <functional>
#include <string>
#include <vector>

namespace ebay {

/// What one auction contributes to the tables. Money in dollars.
struct Auction {
  std::string block;  ///< what shares its random numbers
  double price = 0;
  double revenue = 0;
  double sold = 0;
  double efficient = agon::kNothing;  ///< 0 or 1; undefined without a sale
  double surplus_share = agon::kNothing;
  double final_bid_day = agon::kNothing;  ///< undefined without a bid
  double days = 0;
  double last_day_share = agon::kNothing;
};

/// The auctions of one treatment between the same agents.
struct Group {
  int number = 0;       ///< treatment, 1 to 4
  double reserve = 0;   ///< dollars; 0: none
  std::string bidders;  ///< the agent, or all that took part
  std::vector<Auction> auctions;
  /// "T3 r=40", with the bidders if the table has several.
  [[nodiscard]] std::string label(bool with_bidders) const;
};

/// The groups of an archive by treatment, reserve and bidders. Takes the auctions of three bidders
/// over ten days; throws LacksData if there are none.
[[nodiscard]] std::vector<Group> groups_of(const agon::PlayedMatches& matches);

/// True if they are not all between the same bidders.
[[nodiscard]] bool differ_in_bidders(const std::vector<Group>& groups);

/// Mean of a value over the auctions, with an interval; or, with `share`, a share of ones.
[[nodiscard]] agon::Figure estimate(const Group& group,
                                    const std::function<double(const Auction&)>& value,
                                    double level, bool share);

}  // namespace ebay
