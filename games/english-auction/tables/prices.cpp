// How prices rise, and what winners pay: the game's own tables.

#include <agon/json_reader.hpp>
#include <algorithm>
#include <map>

#include "english-auction/tables/tables.hpp"
#include "shared/mean_curves.hpp"
#include "shared/tables.hpp"

namespace english_auction {
namespace {

/// The bidding for one item that was sold, in dollars.
struct Lot {
  double start = 0;
  std::vector<double> rounds{};  ///< the leading bid after each
  double price = 0;
  double value = agon::kNothing;  ///< true value; not known where it is the winner's own
  std::string winner{};
};

/// The items of a match in the order of sale; unsold ones have no winner.
std::vector<Lot> lots_of(const agon::PlayedMatch& match) {
  using Kind = agon::JsonNode::Kind;
  std::vector<Lot> lots;
  for (const agon::PlayedEntry& entry : match.entries()) {
    if (entry.what != agon::PlayedEntry::What::event) continue;
    if (entry.name != "lot" && entry.name != "round" && entry.name != "hammer") continue;
    const agon::JsonDocument document(entry.json, "record");
    const agon::JsonNode event = document.root();
    if (entry.name == "lot") {
      lots.push_back({.start = event["price"].number()});
    } else if (lots.empty()) {
      continue;
    } else if (entry.name == "round") {
      const agon::JsonNode leading = event["leading_bid"];
      lots.back().rounds.push_back(leading.kind() == Kind::null ? agon::kNothing
                                                                : leading.number());
    } else if (event["winner"].kind() != Kind::null) {
      lots.back().winner = event["winner"].text();
      lots.back().price = event["price"].number();
      if (event["value"].kind() != Kind::null) lots.back().value = event["value"].number();
    }
  }
  return lots;
}

std::string agent_of(const agon::PlayedMatch& match, std::string_view bidder) {
  for (const agon::PlayedSeat& seat : match.seats())
    if (seat.name == bidder) return std::string(seat.agent);
  return std::string(bidder);
}

}  // namespace

agon::PaperTable price_paths(const agon::PlayedMatches& matches) {
  struct Path {
    std::string heading, curve, block;
    std::vector<double> prices;  ///< over the start price: at the start, then after each round
  };
  std::vector<Path> paths;
  std::size_t longest = 0;
  matches.each([&](const agon::PlayedMatch& match) {
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    const std::string curve = shared::agents_of(match);
    for (const Lot& lot : lots_of(match)) {
      if (lot.winner.empty() || !(lot.start > 0)) continue;
      Path path{heading, curve, block, {1}};
      for (const double bid : lot.rounds)
        // Until somebody bids, the price is what the bidding starts at.
        path.prices.push_back(bid >= 0 ? bid / lot.start : path.prices.back());
      path.prices.back() = lot.price / lot.start;
      longest = std::max(longest, path.prices.size());
      paths.push_back(std::move(path));
    }
  });
  if (paths.empty()) throw agon::LacksData{"recorded auctions in which something was sold"};
  longest = std::min(longest, shared::MeanCurves::kMostPlaces);
  shared::MeanCurves curves;
  std::vector<double> at;
  std::vector<std::string> columns;
  for (std::size_t place = 0; place < longest; ++place) {
    at.push_back(static_cast<double>(place));
    columns.push_back(place == 0 ? "start" : std::to_string(place));
    for (const Path& path : paths)
      curves.add(path.heading, path.curve, place, path.block,
                 path.prices[std::min(place, path.prices.size() - 1)]);
  }
  return curves.table({.x = "round of bidding", .y = "price over start price", .at = std::move(at)},
                      {.decimals = 2, .columns = std::move(columns)}, matches.level(),
                      {"Mean of the leading bid over the item's start price, of items that were "
                       "sold; an item that is sold stays at its hammer price. n: items."});
}

agon::PaperTable hammer_prices(const agon::PlayedMatches& matches) {
  shared::MeanCurves curves;
  matches.each([&](const agon::PlayedMatch& match) {
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    const std::vector<Lot> lots = lots_of(match);
    for (std::size_t l = 0; l < lots.size(); ++l)
      if (!lots[l].winner.empty() && lots[l].value > 0)
        curves.add(heading, agent_of(match, lots[l].winner), l, block,
                   lots[l].price / lots[l].value);
  });
  if (curves.empty())
    throw agon::LacksData{"recorded auctions in which something of a known value was sold"};
  return curves.table(
      {.x = "item, in the order of sale", .y = "hammer price over true value"}, {.decimals = 2},
      matches.level(),
      {"Mean of what winners paid over what the item is worth, by who won it; above "
       "1 the winner lost. n: items won. Items that are worth something else to "
       "everybody are left out."});
}

}  // namespace english_auction
