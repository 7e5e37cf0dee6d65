#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "english-auction/tables/auction.hpp"
#include "english-auction/tables/tables.hpp"

namespace english_auction {

agon::PaperTable desire_prices(const agon::PlayedMatches& matches) {
  using Prices = std::array<std::vector<double>, 2>;              // profit, items
  std::map<std::pair<std::size_t, std::string>, Prices> budgets;  // by length first: 5000 < 10000
  each_auction(matches, [&](const PlayedAuction& auction) {
    std::set<Desire> desires;
    for (const Bidder& bidder : auction.bidders) desires.insert(bidder.desire);
    if (desires != std::set<Desire>{Desire::profit, Desire::items}) return;
    const std::string budget = auction.budget();
    Prices& prices = budgets[{budget.size(), budget}];
    for (const HammerFall& fall : sales(auction)) {
      if (fall.winner < 0) continue;
      const Desire desire = auction.bidders[static_cast<std::size_t>(fall.winner)].desire;
      prices[desire == Desire::profit ? 0 : 1].push_back(fall.price);
    }
  });
  if (budgets.empty())
    throw agon::LacksData{"auctions of bidders after profit against bidders after items"};
  agon::PaperTable table;
  table.corner = "winning bid";
  table.columns = {"profit: wins", "profit: density", "items: wins", "items: density"};
  for (const auto& [key, prices] : budgets) {
    double high = 0;
    for (const auto& list : prices)
      for (const double price : list) high = std::max(high, price);
    // Parts of 500 dollars, or of a multiple if these were more than 40.
    constexpr double kMostParts = 40;
    const double width = 500 * std::max(1.0, std::ceil(high / (500 * kMostParts)));
    const int parts = std::max(1, static_cast<int>(std::floor(high / width)) + 1);
    std::vector<double> centres;
    for (int i = 0; i < parts; ++i) centres.push_back((i + 0.5) * width);
    std::array<std::vector<double>, 2> counts, curves;
    for (std::size_t d = 0; d < prices.size(); ++d) {
      counts[d] = agon::histogram(prices[d], 0, parts * width, parts);
      curves[d] = agon::density(prices[d], centres);
    }
    table.rows.push_back(
        {"budget " + key.second, std::vector<agon::TableCell>(table.columns.size())});
    for (std::size_t i = 0; i < centres.size(); ++i) {
      agon::TableRow row{
          fmt::format("  {:.0f} to {:.0f}", centres[i] - width / 2, centres[i] + width / 2), {}};
      for (std::size_t d = 0; d < prices.size(); ++d) {
        agon::TableCell wins{.decimals = 0}, curve{.decimals = 4};
        wins.ours.value = counts[d][i];
        curve.ours.value = curves[d][i] * 1000;
        row.cells.push_back(wins);
        row.cells.push_back(curve);
      }
      table.rows.push_back(std::move(row));
    }
  }
  table.notes = {
      "Items won for a price within the part (its lower end counts, its upper one does not), by "
      "what the winner was after; density: Gaussian kernel with Scott's bandwidth, per 1000 "
      "dollars, in the middle of the part.",
      "The paper's figure has histograms and curves without printed numbers."};
  return table;
}

}  // namespace english_auction
