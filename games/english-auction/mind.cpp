#include "english-auction/mind.hpp"

namespace english_auction {

void restate(Mind& mind, std::span<const std::string_view> bidders) {
  mind.standings.clear();
  for (const std::string_view bidder : bidders) {
    Standing& standing = mind.standings.emplace_back();
    standing.bidder = bidder;
    const std::string name(bidder);
    if (const auto at = mind.belief.total_profits.find(name); at != mind.belief.total_profits.end())
      standing.profit = at->second;
    if (const auto at = mind.belief.winning_bids.find(name); at != mind.belief.winning_bids.end())
      standing.won = at->second;
  }
}

}  // namespace english_auction
