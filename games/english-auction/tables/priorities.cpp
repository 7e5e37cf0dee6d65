#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <agon/json_reader.hpp>
#include <map>

#include "english-auction/tables/auction.hpp"
#include "english-auction/tables/tables.hpp"

namespace english_auction {
namespace {

/// Mean priorities of one bidder and order: by item, then by plan.
using Heat = std::map<std::string, std::vector<agon::Sample>>;

void add_plans(const PlayedAuction& auction, int seat, Heat& heat, std::size_t& most) {
  std::size_t plan = 0;
  for (const agon::PlayedEntry& entry : auction.match.entries()) {
    if (entry.what != agon::PlayedEntry::What::answer || entry.seat != seat) continue;
    if (entry.name != "plan" && entry.name != "replan") continue;
    // A plan is made before the first item, another after each; one that was declined is a gap.
    const std::size_t at = plan++;
    if (entry.declined || entry.forced) continue;
    const agon::JsonDocument document(entry.json, "record");
    const agon::JsonNode priorities = document.root()["priorities"];
    for (std::size_t i = 0; i < priorities.member_count(); ++i) {
      auto& plans = heat[std::string(priorities.name(i))];
      if (plans.size() <= at) plans.resize(at + 1);
      plans[at].add(auction.block, priorities.member(i).number());
      most = std::max(most, at + 1);
    }
  }
}

agon::PaperTable heat_map(const agon::PlayedMatches& matches, const std::string& budget) {
  std::map<std::pair<std::string, std::string>, Heat> heats;  // agent, order
  std::size_t most = 0;
  each_auction(matches, [&](const PlayedAuction& auction) {
    const std::string places = auction.fixed_places();
    if (places.empty() || !auction.has_all_plannings() || auction.budget() != budget) return;
    for (std::size_t s = 0; s < auction.bidders.size(); ++s) {
      if (auction.bidders[s].planning != Planning::adaptive) continue;
      Heat& heat = heats[{std::string(auction.match.seats()[s].agent), places}];
      add_plans(auction, static_cast<int>(s), heat, most);
    }
  });
  std::erase_if(heats, [](const auto& h) { return h.second.empty(); });
  if (heats.empty())
    throw agon::LacksData{
        fmt::format("auctions with a budget of {}, items at fixed places, and bidders that plan "
                    "not at all, once and adaptively, with plans made",
                    budget)};
  agon::PaperTable table;
  table.corner = "item";
  table.curves = {.x = "plan", .y = "mean priority"};
  for (std::size_t i = 0; i < most; ++i) table.columns.push_back(fmt::format("plan {}", i + 1));
  for (auto& [key, heat] : heats) {
    table.rows.push_back({key.first + ": " + key.second, std::vector<agon::TableCell>(most)});
    for (auto& [item, plans] : heat) {
      plans.resize(most);
      agon::TableRow row{"  " + item, {}};
      for (const agon::Sample& sample : plans) {
        agon::TableCell cell;
        cell.ours = sample.mean(matches.level());
        if (sample.empty()) cell.ours = {};
        row.cells.push_back(cell);
      }
      table.rows.push_back(std::move(row));
    }
  }
  table.notes = {
      "Mean priority (1 to 3) of the items still to come in each plan of the bidder that plans "
      "adaptively: plan 1 is made before the first item, plan k after item k - 1. Items other than "
      "those at fixed places come in an order drawn anew for each auction. n: auctions.",
      "The paper's figure is a heat map without printed numbers."};
  return table;
}

}  // namespace

agon::PaperTable priorities_10k(const agon::PlayedMatches& matches) {
  return heat_map(matches, "10000");
}

agon::PaperTable priorities_20k(const agon::PlayedMatches& matches) {
  return heat_map(matches, "20000");
}

}  // namespace english_auction
