#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "shared/tables.hpp"
#include "water-allocation/game.hpp"
#include "water-allocation/play.hpp"
#include "water-allocation/tables/tables.hpp"

namespace water_allocation {
namespace {

/// One day of a setting, over its games.
struct DaySamples {
  std::array<agon::Sample, kPlayers> residents;
  // Over the needs of those alive that morning:
  agon::Sample expected;  ///< the supply that the setting lets expect: the paper's RSR
  agon::Sample drawn;     ///< the supply that was drawn for the day
};

/// What a figure shows of a resident's day.
using Shown = std::optional<double> (*)(const ResidentDay& resident);

std::optional<double> bid_of(const ResidentDay& resident) {
  return resident.bid ? std::optional(agon::to_double(*resident.bid)) : std::nullopt;
}

std::size_t number_of(const Day& day) {
  if (day.day < 1 || day.day > kMaxDays)
    throw agon::Error(agon::ErrorKind::failure, fmt::format("there is no day {}", day.day),
                      "record");
  return static_cast<std::size_t>(day.day);
}

struct Days {
  std::vector<DaySamples> days;
  int games = 0;

  void add(const agon::PlayedMatch& match, Shown shown, const std::array<int, 2>& supply) {
    const std::string block = shared::block_of(match);
    const Settings paper;
    ++games;
    agon::each_said<kDay>(match, [&](const Day& day) {
      const std::size_t number = number_of(day);
      if (days.size() < number) days.resize(number);
      DaySamples& samples = days[number - 1];
      int needs = 0;
      for (const ResidentDay& resident : day.residents) {
        const auto at = std::find(kPaperPlayers.begin(), kPaperPlayers.end(), resident.name);
        if (at == kPaperPlayers.end()) continue;
        const auto player = static_cast<std::size_t>(at - kPaperPlayers.begin());
        needs += paper.residents[player].need;
        if (const auto value = shown(resident)) samples.residents[player].add(block, *value);
      }
      samples.expected.add(block, (supply[0] + supply[1]) / 2.0 / needs);
      samples.drawn.add(block, static_cast<double>(day.supply) / needs);
    });
  }
};

/// The games of a setting and team: all of them, and the first, which the paper's figures show.
struct PlayedDays {
  Days all, first;
};

/// By setting and team.
using AllDays = std::map<std::pair<int, std::string>, PlayedDays>;

AllDays collect_days(const agon::PlayedMatches& matches, Shown shown, std::size_t& most) {
  AllDays all;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto setting = paper_setting(match);
    if (!setting || match.seats().size() != kPlayers) return;
    PlayedDays& played = all[{*setting, shared::agents_of(match)}];
    const auto& supply = kPaperSettingList[static_cast<std::size_t>(*setting)].supply;
    if (played.all.games == 0) played.first.add(match, shown, supply);
    played.all.add(match, shown, supply);
    most = std::max(most, played.all.days.size());
  });
  if (all.empty()) throw agon::LacksData{kNoPaperSetting};
  for (auto& [key, played] : all)
    for (Days* days : {&played.all, &played.first}) days->days.resize(most);
  return all;
}

agon::PaperTable curves(const char* y, const char* unit, std::size_t days, std::string note) {
  agon::PaperTable table;
  table.corner = y;
  table.curves = {.x = "day", .y = y, .unit = unit};
  for (std::size_t day = 1; day <= days; ++day) table.columns.push_back(fmt::format("day {}", day));
  table.notes = {std::move(note),
                 "n: games. The paper's figures show the first game of each setting, as curves "
                 "without numbers; that of ours stands below the means, where there are several "
                 "games."};
  return table;
}

agon::TableCell figure(const agon::Sample& sample, double level, int decimals) {
  return sample.empty() ? agon::TableCell{} : shared::cell(sample.mean(level), decimals);
}

/// Labels of rows, and what they have of a day.
using DayRows =
    std::vector<std::pair<std::string, std::function<const agon::Sample&(const DaySamples&)>>>;

/// Adds these rows for all games of each setting and, where there are several, for the first one.
void add_days(agon::PaperTable& table, const AllDays& all, const DayRows& rows, double level,
              int decimals) {
  const auto add = [&](const std::string& heading, const Days& played, bool single) {
    shared::add_heading(table, heading);
    for (const auto& [label, sample_of] : rows) {
      agon::TableRow& row = table.rows.emplace_back();
      row.label = "  " + label;
      for (const DaySamples& day : played.days) {
        row.cells.push_back(figure(sample_of(day), level, decimals));
        if (single) row.cells.back().ours = {.value = row.cells.back().ours.value};
      }
    }
  };
  for (const auto& [key, played] : all) {
    const std::string label = setting_label(key.first, key.second);
    add(label, played.all, false);
    if (played.all.games > 1) add("first game of " + label, played.first, true);
  }
}

agon::PaperTable by_day(const agon::PlayedMatches& matches, Shown shown, const char* y,
                        const char* unit, int decimals, std::string note) {
  std::size_t most = 0;
  const AllDays all = collect_days(matches, shown, most);
  agon::PaperTable table = curves(y, unit, most, std::move(note));
  DayRows residents;
  for (std::size_t p = 0; p < kPlayers; ++p)
    residents.emplace_back(kPaperPlayers[p], [p](const DaySamples& day) -> const agon::Sample& {
      return day.residents[p];
    });
  add_days(table, all, residents, matches.level(), decimals);
  table.notes.emplace_back(
      "The paper draws the resource satisfaction ratio (RSR) of these days into the figure, as a "
      "grey line: alympics/supply-ratio has it.");
  return table;
}

/// A game, as the contrast sees it.
struct Game {
  std::vector<std::int64_t> supply;  ///< by day, until nobody was left
  std::array<double, kPlayers> survived{};
  double survivors = 0, rsr_end = 0, price = 0;
};

Game game_of(const agon::PlayedMatch& match) {
  Game game;
  agon::each_said<kDay>(match, [&](const Day& day) { game.supply.push_back(day.supply); });
  for (std::size_t p = 0; p < kPlayers; ++p)
    game.survived[p] = match.metric(match.seats()[p], "survived");
  game.survivors = match.metric("survivors");
  game.rsr_end = match.metric("rsr_end");
  game.price = match.metric("price_mean");
  return game;
}

/// True if one of them is how the other begins.
bool same_supply(const Game& a, const Game& b) {
  const std::size_t days = std::min(a.supply.size(), b.supply.size());
  return std::equal(a.supply.begin(), a.supply.begin() + static_cast<std::ptrdiff_t>(days),
                    b.supply.begin());
}

/// Measures of games without persona, with persona, and the differences within pairs.
struct Contrast {
  static constexpr std::size_t kMeasures = kPlayers + 3;
  std::array<std::array<agon::Sample, 3>, kMeasures> measures;

  void add(const std::string& block, const Game& none, const Game& persona) {
    const auto measure = [&](std::size_t at, double without, double with) {
      // What one of the two does not have is no pair.
      if (std::isnan(without) || std::isnan(with)) return;
      measures[at][0].add(block, without);
      measures[at][1].add(block, with);
      measures[at][2].add(block, with - without);
    };
    for (std::size_t p = 0; p < kPlayers; ++p) measure(p, none.survived[p], persona.survived[p]);
    measure(kPlayers, none.survivors, persona.survivors);
    measure(kPlayers + 1, none.rsr_end, persona.rsr_end);
    measure(kPlayers + 2, none.price, persona.price);
  }
};

/// By supply and team.
struct Contrasts {
  std::map<std::pair<int, std::string>, Contrast> all;
  int other_supply = 0;  ///< pairs that do not share their supply, and are left out
};

Contrasts collect_contrasts(const agon::PlayedMatches& matches) {
  Contrasts contrasts;
  using Key = std::pair<std::string, std::int64_t>;                    // block, repeat
  std::map<std::pair<int, std::string>, std::map<Key, Game>> without;  // by supply and team
  const auto each = [&](bool persona, const auto& found) {
    matches.each([&](const agon::PlayedMatch& match) {
      const auto setting = paper_setting(match);
      if (!setting || match.seats().size() != kPlayers) return;
      if (kPaperSettingList[static_cast<std::size_t>(*setting)].persona != persona) return;
      found(std::pair(*setting % 3, shared::agents_of(match)),
            Key(shared::block_of(match), match.repeat()), game_of(match));
    });
  };
  each(false,
       [&](const auto& who, const Key& key, Game game) { without[who][key] = std::move(game); });
  each(true, [&](const auto& who, const Key& key, const Game& game) {
    const auto found = without[who].find(key);
    if (found == without[who].end()) return;
    if (same_supply(found->second, game))
      contrasts.all[who].add(key.first, found->second, game);
    else
      ++contrasts.other_supply;
  });
  if (contrasts.all.empty())
    throw agon::LacksData{
        "pairs of games under the paper's settings with and without personas and with the same "
        "supply of each day (one scenario with both as a treatment)"};
  return contrasts;
}

}  // namespace

agon::PaperTable daily_bids(const agon::PlayedMatches& matches) {
  return by_day(
      matches, &bid_of, "mean bid", "dollars", 0,
      "Mean bid of the day, in dollars, over the games in which the resident was alive and bid.");
}

agon::PaperTable daily_health(const agon::PlayedMatches& matches) {
  return by_day(
      matches, [](const ResidentDay& r) { return std::optional<double>(r.hp); }, "mean health",
      "health points", 1,
      "Mean health in the evening, over the games in which the resident was alive in the morning: "
      "0 or less on the day of a death, and none after it.");
}

agon::PaperTable daily_balance(const agon::PlayedMatches& matches) {
  return by_day(
      matches, [](const ResidentDay& r) { return std::optional(agon::to_double(r.balance)); },
      "mean balance", "dollars", 0,
      "Mean money in the evening, in dollars, over the games in which the resident was alive in "
      "the morning; who dies has none.");
}

agon::PaperTable supply_ratio(const agon::PlayedMatches& matches) {
  std::size_t most = 0;
  const AllDays all = collect_days(matches, &bid_of, most);
  agon::PaperTable table =
      curves("supply over needs", "", most,
             "RSR, the resource satisfaction ratio of the paper's equation 2 and figures 7 to 9: "
             "expected supply, (least + most) / 2, over the needs of those alive that morning. It "
             "follows from who is alive, and only rises.");
  table.notes.insert(table.notes.begin() + 1,
                     "Drawn supply: what the day brought, over the same needs. The paper has no "
                     "such line.");
  const DayRows rows{{"RSR", &DaySamples::expected}, {"drawn supply", &DaySamples::drawn}};
  add_days(table, all, rows, matches.level(), 2);
  return table;
}

agon::PaperTable persona_contrast(const agon::PlayedMatches& matches) {
  const auto [all, other_supply] = collect_contrasts(matches);
  constexpr std::array<const char*, 3> kSupply{"low supply", "medium supply", "high supply"};
  constexpr std::array<const char*, 3> kSides{"none", "persona", "persona minus none"};
  agon::PaperTable table;
  table.corner = "measure";
  for (const auto& [key, contrast] : all)
    for (const char* side : kSides) {
      std::string heading = kSupply[static_cast<std::size_t>(key.first)];
      if (key.second != kPaperModel) heading += ", " + key.second;
      table.columns.push_back(heading + ": " + side);
    }
  for (std::size_t m = 0; m < Contrast::kMeasures; ++m) {
    agon::TableRow& row = table.rows.emplace_back();
    row.label = m < kPlayers        ? fmt::format("survival of {}", kPaperPlayers[m])
                : m == kPlayers     ? "survivors"
                : m == kPlayers + 1 ? "RSR at the end"
                                    : "mean lowest winning bid, dollars";
    row.unit = m < kPlayers        ? "share"
               : m == kPlayers     ? "survivors"
               : m == kPlayers + 1 ? "supply over needs"
                                   : "dollars";
    for (const auto& [key, contrast] : all)
      for (const agon::Sample& sample : contrast.measures[m]) {
        const bool is_share = m < kPlayers && &sample != &contrast.measures[m].back();
        row.cells.push_back(shared::cell(
            is_share ? sample.share(matches.level()) : sample.mean(matches.level()), 2));
      }
  }
  table.notes = {
      "Games with personas and without them, in pairs that have the same supply on every day that "
      "both played; the difference is taken within each pair. n: pairs in which both have the "
      "figure.",
      "The paper's games had draws of their own, so that no number of its stands beside ours."};
  if (other_supply > 0)
    table.notes.push_back(fmt::format(
        "Left out: {} pairs whose supply differs, as settings were changed.", other_supply));
  return table;
}

namespace {

/// The lowest winning bids of one setting and team, by day, in dollars.
using DayPrices = std::map<std::int64_t, std::vector<double>>;
using AllPrices = std::map<std::pair<int, std::string>, DayPrices>;

AllPrices collect_prices(const agon::PlayedMatches& matches) {
  AllPrices all;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto setting = paper_setting(match);
    if (!setting) return;
    DayPrices& days = all[{*setting, shared::agents_of(match)}];
    agon::each_said<kDay>(match, [&](const Day& day) {
      std::vector<double>& prices = days[day.day];
      if (day.price) prices.push_back(agon::to_double(*day.price));
    });
  });
  if (all.empty()) throw agon::LacksData{kNoPaperSetting};
  return all;
}

}  // namespace

agon::PaperTable daily_prices(const agon::PlayedMatches& matches) {
  agon::PaperTable table;
  table.corner = "day";
  table.columns = {"games", "low", "lower quartile", "median", "upper quartile", "high", "mean"};
  table.units.assign(table.columns.size(), "dollars");
  table.units.front() = "games";
  table.plots = {
      {.how = agon::TablePlot::How::boxes, .columns = {1, 2, 3, 4, 5, 6}, .apart = true}};
  for (const auto& [key, days] : collect_prices(matches)) {
    shared::add_heading(table, setting_label(key.first, key.second));
    for (const auto& [day, prices] : days) {
      const agon::Spread s = agon::spread(prices);
      agon::TableRow row{fmt::format("  day {}", day), {}};
      row.cells = {shared::number(s.n, 0)};
      for (const double value :
           {s.low, s.lower_quartile, s.median, s.upper_quartile, s.high, s.mean})
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
  table.units = {"dollars", "dollars", "dollars", "days"};
  table.plots = {{.columns = {0, 1, 2}}};
  AllPrices all = collect_prices(matches);
  add_printed(all);
  for (const auto& [key, days] : all) {
    std::vector<double> medians;
    for (const auto& [day, prices] : days)
      if (!prices.empty()) medians.push_back(agon::spread(prices).median);
    const agon::Spread s = agon::spread(medians);
    agon::TableRow row{setting_label(key.first, key.second), {}};
    row.cells = {shared::number(s.mean, 1), shared::number(s.low, 1), shared::number(s.high, 1),
                 shared::number(s.n, 0)};
    table.rows.push_back(std::move(row));
  }
  published("alympics/median-bids").fill(table);
  table.notes = {
      "Of each day the median over the games of the lowest winning bid, in dollars; of "
      "these the mean, the least and the most over the days with a winner.",
      "Published here are values recomputed from the authors' published runs (ten games "
      "a setting); the paper shows them as a curve."};
  return table;
}

}  // namespace water_allocation
