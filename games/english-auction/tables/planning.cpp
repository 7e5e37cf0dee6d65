#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <array>
#include <map>
#include <tuple>

#include "english-auction/tables/auction.hpp"
#include "english-auction/tables/tables.hpp"

namespace english_auction {
namespace {

constexpr const char* kThreePlannings =
    "auctions of three bidders that plan not at all, once and adaptively";
constexpr std::array<Planning, 3> kPlannings{Planning::none, Planning::once, Planning::adaptive};

std::size_t place(Planning planning) {
  return static_cast<std::size_t>(planning);
}

}  // namespace

agon::PaperTable planning_profits(const agon::PlayedMatches& matches) {
  struct Row {
    std::array<agon::Sample, 3> profit, items;
  };
  std::map<std::pair<std::string, std::string>, Row> rows;  // agent, budget
  each_auction(matches, [&](const PlayedAuction& auction) {
    // Auctions with items at fixed places are those of figures 4, 8 and 9.
    if (!auction.has_all_plannings() || !auction.fixed_places().empty()) return;
    for (std::size_t s = 0; s < auction.bidders.size(); ++s) {
      const agon::PlayedSeat& seat = auction.match.seats()[s];
      Row& row = rows[{std::string(seat.agent), auction.budget()}];
      const std::size_t p = place(auction.bidders[s].planning);
      row.profit[p].add(auction.block, auction.match.metric(seat, "profit") / 100);
      row.items[p].add(auction.block, auction.match.metric(seat, "items_won"));
    }
  });
  if (rows.empty())
    throw agon::LacksData{std::string(kThreePlannings) + ", with items in a drawn order"};
  agon::PaperTable table;
  table.corner = "bidder, budget";
  for (const char* what : {"profit", "items"})
    for (const Planning planning : kPlannings)
      table.columns.push_back(fmt::format("{}, {}", what, name_of(planning)));
  for (const auto& [key, samples] : rows) {
    agon::TableRow row{key.first + ", " + key.second, {}};
    for (const agon::Sample& sample : samples.profit)
      row.cells.push_back({.ours = sample.mean(matches.level()), .decimals = 0});
    for (const agon::Sample& sample : samples.items)
      row.cells.push_back({.ours = sample.mean(matches.level())});
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Mean profit in dollars and mean number of items won, by how the seat is asked to "
      "plan: not at all, once (static), or after every item too (adaptive).",
      "The paper's figure has bars without printed numbers; it shows profits only."};
  return table;
}

agon::PaperTable budgets_left(const agon::PlayedMatches& matches) {
  using ByPlanning = std::array<std::vector<agon::Sample>, 3>;  // by item
  // Agent, budget by length first (5000 < 10000), order of the items.
  std::map<std::tuple<std::string, std::size_t, std::string, std::string>, ByPlanning> curves;
  std::size_t most = 0;
  each_auction(matches, [&](const PlayedAuction& auction) {
    const std::string order = auction.fixed_places();
    if (order.empty() || !auction.has_all_plannings() || !auction.one_agent()) return;
    const std::string budget = auction.budget();
    ByPlanning& left =
        curves[{std::string(auction.match.seats()[0].agent), budget.size(), budget, order}];
    const auto all = sales(auction);
    most = std::max(most, all.size());
    for (std::size_t s = 0; s < auction.bidders.size(); ++s) {
      const Bidder& bidder = auction.bidders[s];
      auto& items = left[place(bidder.planning)];
      if (items.size() < all.size()) items.resize(all.size());
      double money = static_cast<double>(bidder.budget.cents) / 100;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].winner == static_cast<int>(s)) money -= all[i].price;
        items[i].add(auction.block, money);
      }
    }
  });
  if (curves.empty())
    throw agon::LacksData{std::string(kThreePlannings) + ", with items at fixed places"};
  agon::PaperTable table;
  table.corner = "money left";
  table.curves = {.x = "item", .y = "money left", .unit = "dollars"};
  for (std::size_t i = 0; i < most; ++i) table.columns.push_back(fmt::format("item {}", i + 1));
  for (auto& [key, left] : curves) {
    const auto& [agent, length, budget, order] = key;
    table.rows.push_back({fmt::format("{}, {}: {}", agent, budget, order),
                          std::vector<agon::TableCell>(table.columns.size())});
    for (const Planning planning : kPlannings) {
      auto& samples = left[place(planning)];
      samples.resize(most);
      agon::TableRow row{"  " + std::string(name_of(planning)), {}};
      for (const agon::Sample& sample : samples)
        row.cells.push_back({.ours = sample.mean(matches.level()), .decimals = 0});
      table.rows.push_back(std::move(row));
    }
  }
  table.notes = {
      "Mean money left, in dollars, after the item with this number was sold or not, for each "
      "order in which the expensive items come: their names and places stand in the heading. The "
      "other items come in an order drawn anew for each auction.",
      "The paper's figure has curves without printed numbers."};
  return table;
}

}  // namespace english_auction
