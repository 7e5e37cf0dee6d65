#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <agon/json_reader.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "shared/tables.hpp"
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
    DayPrices& days = all[{*setting, shared::agents_of(match)}];
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

}  // namespace

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
      row.cells = {shared::number(s.n, 0)};
      for (const double value : {s.low, s.lower_quartile, s.median, s.upper_quartile, s.high})
        row.cells.push_back(shared::number(value, 2));
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
  AllPrices all = collect_prices(matches);
  add_printed(all);
  for (const auto& [key, days] : all) {
    std::vector<double> medians;
    for (const auto& [day, prices] : days)
      if (!prices.empty()) medians.push_back(agon::spread(prices).median);
    const agon::Spread s = agon::spread(medians);
    agon::TableRow row{setting_label(key.first, key.second), {}};
    const double published = key.second == kPaperModel
                                 ? kMeanOfMedians[static_cast<std::size_t>(key.first)]
                                 : agon::kNothing;
    row.cells = {shared::number(s.mean, 1, published), shared::number(s.low, 1),
                 shared::number(s.high, 1), shared::number(s.n, 0)};
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Of each day the median over the games of the lowest winning bid, in dollars; of "
      "these the mean, the least and the most over the days with a winner.",
      "Published here are values recomputed from the authors' published runs (ten games "
      "a setting); the paper shows them as a curve."};
  return table;
}

}  // namespace water_allocation
