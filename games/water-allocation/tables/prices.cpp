#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <agon/json_reader.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "water-allocation/tables/setting.hpp"
#include "water-allocation/tables/tables.hpp"

namespace water_allocation {
namespace {

/// Means of the twenty daily medians, recomputed from the authors' published runs.
constexpr std::array<double, kPaperSettings> kMeanOfMedians{185.7, 131.6, 113.8,
                                                            177.2, 139.4, 108.8};

/// The lowest winning bids of one setting and team, by day, in dollars.
using DayPrices = std::map<std::int64_t, std::vector<double>>;
using AllPrices = std::map<std::pair<int, std::string>, DayPrices>;

AllPrices collect_prices(const agon::PlayedMatches& matches) {
  AllPrices all;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto setting = paper_setting(match);
    if (!setting) return;
    DayPrices& days = all[{*setting, team(match)}];
    for (const agon::PlayedEntry& entry : match.entries()) {
      if (entry.what != agon::PlayedEntry::What::event || entry.name != "day") continue;
      const agon::JsonDocument day(entry.json, "record");
      const agon::JsonNode price = day.root()["price"];
      std::vector<double>& prices = days[day.root()["day"].whole()];
      if (price.kind() != agon::JsonNode::Kind::null) prices.push_back(price.number());
    }
  });
  if (all.empty()) throw agon::LacksData{kNoPaperSetting};
  return all;
}

agon::TableCell dollars(double value) {
  agon::TableCell cell;
  cell.ours.value = value;
  return cell;
}

agon::PaperTable daily_prices(const agon::PlayedMatches& matches) {
  agon::PaperTable table;
  table.corner = "day";
  table.columns = {"games", "low", "lower quartile", "median", "upper quartile", "high"};
  for (const auto& [key, days] : collect_prices(matches)) {
    table.rows.push_back(
        {setting_label(key.first, key.second), std::vector<agon::TableCell>(table.columns.size())});
    for (const auto& [day, prices] : days) {
      const agon::Spread s = agon::spread(prices);
      agon::TableRow row{fmt::format("  day {}", day), {}};
      agon::TableCell games = dollars(s.n);
      games.decimals = 0;
      row.cells = {games,
                   dollars(s.low),
                   dollars(s.lower_quartile),
                   dollars(s.median),
                   dollars(s.upper_quartile),
                   dollars(s.high)};
      table.rows.push_back(std::move(row));
    }
  }
  table.notes = {
      "The lowest bid that won water on a day, in dollars, over the games in which "
      "somebody won that day. Quartiles interpolate between values; the paper's figure "
      "shows boxes without printed numbers."};
  return table;
}

agon::PaperTable mean_of_medians(const agon::PlayedMatches& matches) {
  agon::PaperTable table;
  table.corner = "setting";
  table.columns = {"mean of the daily medians", "least", "most", "days"};
  for (const auto& [key, days] : collect_prices(matches)) {
    std::vector<double> medians;
    for (const auto& [day, prices] : days)
      if (!prices.empty()) medians.push_back(agon::spread(prices).median);
    const agon::Spread s = agon::spread(medians);
    agon::TableRow row{setting_label(key.first, key.second), {}};
    row.cells = {dollars(s.mean), dollars(s.low), dollars(s.high), dollars(s.n)};
    if (key.second == kPaperModel)
      row.cells[0].published = kMeanOfMedians[static_cast<std::size_t>(key.first)];
    for (agon::TableCell& cell : row.cells) cell.decimals = 1;
    row.cells.back().decimals = 0;
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Of each day the median over the games of the lowest winning bid, in dollars; of "
      "these the mean, the least and the most over the days with a winner.",
      "Published here are values recomputed from the authors' published runs (ten games "
      "a setting); the paper shows them as a curve."};
  return table;
}

}  // namespace

void enter_price_tables(agon::Registry& registry) {
  registry.add(agon::TableCard{.id = "alympics/lowest-winning-bids",
                               .title = "lowest winning bid of each day: data of the box plots",
                               .source = "Mao et al., Alympics, figure of the lowest winning bids",
                               .scenario = "papers/alympics/table-2.json",
                               .game = "water-allocation",
                               .reads_records = true,
                               .make = &daily_prices});
  registry.add(agon::TableCard{.id = "alympics/median-bids",
                               .title = "mean over days of the median lowest winning bid",
                               .source = "Mao et al., Alympics, figure of the lowest winning bids",
                               .scenario = "papers/alympics/table-2.json",
                               .game = "water-allocation",
                               .reads_records = true,
                               .make = &mean_of_medians});
}

}  // namespace water_allocation
