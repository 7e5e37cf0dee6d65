#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "shared/tables.hpp"
#include "water-allocation/game.hpp"
#include "water-allocation/play.hpp"
#include "water-allocation/tables/tables.hpp"

namespace water_allocation {

const std::array<PaperSetting, kPaperSettings> kPaperSettingList{{
    {"low supply, no persona", {10, 20}, false, 0.30},
    {"medium supply, no persona", {15, 25}, false, 0.40},
    {"high supply, no persona", {20, 30}, false, 0.50},
    {"low supply, persona", {10, 20}, true, 0.30},
    {"medium supply, persona", {15, 25}, true, 0.40},
    {"high supply, persona", {20, 30}, true, 0.50},
}};

std::optional<int> paper_setting(const agon::PlayedMatch& match) {
  const auto played = shared::settings_of<Settings>(match);
  const Settings paper;
  if (!played || played->days != paper.days || played->first_day != paper.first_day ||
      played->start_hp != paper.start_hp || played->max_hp != paper.max_hp ||
      played->drink_hp != paper.drink_hp || !played->supply_list.empty())
    return std::nullopt;
  const bool same_town =
      std::equal(played->residents.begin(), played->residents.end(), paper.residents.begin(),
                 paper.residents.end(), [](const Resident& a, const Resident& b) {
                   return a.name == b.name && a.need == b.need && a.salary == b.salary &&
                          a.balance == b.balance && a.hp == b.hp && a.no_drink == b.no_drink;
                 });
  if (!same_town) return std::nullopt;
  for (int s = 0; s < kPaperSettings; ++s) {
    const PaperSetting& setting = kPaperSettingList[static_cast<std::size_t>(s)];
    if (setting.supply == played->supply && setting.persona == played->persona) return s;
  }
  return std::nullopt;
}

std::string setting_label(int setting, const std::string& team) {
  std::string label = fmt::format("setting {} ({})", setting + 1,
                                  kPaperSettingList[static_cast<std::size_t>(setting)].words);
  if (team != kPaperModel) label += ", " + team;
  return label;
}

namespace {

constexpr std::size_t kPaperGames = 10;
/// More games than these are in the averages only.
constexpr std::size_t kMostColumns = 20;

/// How one game ended.
struct Ending {
  std::array<bool, kPlayers> alive{};
  double rsr_end = agon::kNothing;
};

/// One setting, played by one team.
struct Played {
  std::vector<Ending> games;  ///< in the order of the archive; no more than are shown
  std::array<agon::Sample, kPlayers> survived;
  agon::Sample survivors, rsr_end;
};

using AllPlayed = std::map<std::pair<int, std::string>, Played>;

AllPlayed collect_endings(const agon::PlayedMatches& matches) {
  AllPlayed all;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto setting = paper_setting(match);
    if (!setting || match.seats().size() != kPlayers) return;
    Played& played = all[{*setting, shared::agents_of(match)}];
    const std::string block = shared::block_of(match);
    Ending ending;
    for (std::size_t s = 0; s < kPlayers; ++s) {
      const double survived = match.metric(match.seats()[s], "survived");
      ending.alive[s] = survived == 1;
      played.survived[s].add(block, survived);
    }
    ending.rsr_end = match.metric("rsr_end");
    played.survivors.add(block, match.metric("survivors"));
    played.rsr_end.add(block, ending.rsr_end);
    if (played.games.size() < kMostColumns) played.games.push_back(ending);
  });
  if (all.empty()) throw agon::LacksData{kNoPaperSetting};
  add_printed(all);
  return all;
}

/// The settings that the archive lacks, for a note; empty: none.
std::string missing_settings(const AllPlayed& all) {
  std::set<int> there;
  for (const auto& [key, played] : all) there.insert(key.first);
  std::string list;
  for (int s = 0; s < kPaperSettings; ++s)
    if (!there.contains(s)) list += fmt::format("{}{}", list.empty() ? "" : ", ", s + 1);
  return list.empty() ? list : "Not in the archive: setting " + list + ".";
}

/// Who lived to the end, a row a resident and a column a game.
void add_residents(agon::PaperTable& table, const Played& played, std::size_t games, double level) {
  for (std::size_t p = 0; p < kPlayers; ++p) {
    agon::TableRow row{.label = std::string("  ") + kPaperPlayers[p], .cells = {}, .unit = "alive"};
    for (std::size_t g = 0; g < games; ++g) {
      agon::TableCell& tick = row.cells.emplace_back(agon::TableCell{.decimals = 0});
      if (g < played.games.size()) tick.ours.value = played.games[g].alive[p] ? 1 : 0;
    }
    row.cells.push_back({.ours = played.survived[p].share(level)});
    table.rows.push_back(std::move(row));
  }
}

/// How many lived, and with what water.
void add_endings(agon::PaperTable& table, const Played& played, std::size_t games, double level) {
  agon::TableRow count{.label = "  survivors", .cells = {}, .unit = "survivors"};
  agon::TableRow rsr{.label = "  RSR at the end", .cells = {}, .unit = "supply over needs"};
  for (std::size_t g = 0; g < games; ++g) {
    agon::TableCell n{.decimals = 0}, rate;
    if (g < played.games.size()) {
      n.ours.value = static_cast<double>(
          std::count(played.games[g].alive.begin(), played.games[g].alive.end(), true));
      rate.ours.value = played.games[g].rsr_end;
      if (n.ours.value == 0) rate.text = "none";
    }
    count.cells.push_back(n);
    rsr.cells.push_back(rate);
  }
  count.cells.push_back({.ours = played.survivors.mean(level), .decimals = 1});
  rsr.cells.push_back({.ours = played.rsr_end.mean(level)});
  table.rows.push_back(std::move(count));
  table.rows.push_back(std::move(rsr));
}

agon::PaperTable survivors_table(const agon::PlayedMatches& matches) {
  const AllPlayed all = collect_endings(matches);
  std::size_t games = 0;
  bool paper_model = false;
  for (const auto& [key, played] : all) {
    games = std::max(games, played.games.size());
    paper_model = paper_model || key.second == kPaperModel;
  }
  if (paper_model) games = std::max(games, kPaperGames);
  agon::PaperTable table;
  table.corner = "alive at the end, by game";
  for (std::size_t g = 0; g < games; ++g) table.columns.push_back(std::to_string(g + 1));
  table.columns.emplace_back("Avg");
  for (const auto& [key, played] : all) {
    const auto& [s, who] = key;
    const auto setting = static_cast<std::size_t>(s);
    shared::add_heading(table, setting_label(s, who));
    agon::TableRow start{"  RSR at the start", std::vector<agon::TableCell>(games + 1)};
    start.cells.back().ours.value = kPaperSettingList[setting].rsr_start;
    start.unit = "supply over needs";
    table.rows.push_back(std::move(start));
    add_residents(table, played, games, matches.level());
    add_endings(table, played, games, matches.level());
  }
  published("alympics/table-2").fill(table);
  table.notes = {
      "1: alive after day 20. RSR: expected supply over the needs of those alive; there is none "
      "where nobody is, and the mean leaves such games out.",
      "Games are numbered in the order of the archive; the paper's games had other draws of "
      "supply, "
      "so that only averages can be compared.",
  };
  if (paper_model) {
    table.notes.emplace_back(
        "Published ticks are as printed. In setting 1, game 10, the paper ticks Bob, although its "
        "own average of Alex (.10) and RSR at the end (.79 = 15 / 19) say that Alex and David "
        "lived.");
    table.notes.emplace_back(
        "Published RSR at the end does not fit the survivors in setting 2, games 5 to 7 (.49, .48, "
        ".67; by the survivors .69, .67, .51), and in setting 3, games 8 to 10 (.53, .54, .55, "
        "where all five lived: .50).");
  }
  if (const std::string missing = missing_settings(all); !missing.empty())
    table.notes.push_back(missing);
  return table;
}

agon::PaperTable survival_rates(const agon::PlayedMatches& matches) {
  const AllPlayed all = collect_endings(matches);
  agon::PaperTable table;
  table.corner = "survival rate";
  table.units = {"share"};
  for (const char* player : kPaperPlayers) table.columns.emplace_back(player);
  table.columns.emplace_back("all five");
  for (const auto& [key, played] : all) {
    const auto& [s, who] = key;
    agon::TableRow row{setting_label(s, who), {}};
    for (std::size_t p = 0; p < kPlayers; ++p)
      row.cells.push_back(
          {.ours = played.survived[p].share(matches.level()),
           .published = published("alympics/table-2")
                            .at(fmt::format("{}: {}", row.label, kPaperPlayers[p]), "Avg")});
    agon::TableCell mean{.ours = played.survivors.mean(matches.level())};
    for (double* number : {&mean.ours.value, &mean.ours.low, &mean.ours.high})
      *number /= static_cast<double>(kPlayers);
    row.cells.push_back(mean);
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Games in which the resident is alive after day 20, over games (Wilson's interval "
      "where every game has its own draw of supply).",
      "The paper prints rates by resident and none of all five."};
  if (const std::string missing = missing_settings(all); !missing.empty())
    table.notes.push_back(missing);
  return table;
}

}  // namespace

void add_tables(agon::Registry& registry) {
  static constexpr const char* kTable2 = "papers/alympics/table-2.json";
  static constexpr const char* kPrices = "Mao et al., Alympics, figure of the lowest winning bids";
  shared::add_paper_tables(
      registry, "water-allocation",
      {
          {"alympics/table-2", "who survives, and the resource satisfaction rate",
           "Mao et al., Alympics, table 2", kTable2, &survivors_table},
          {"alympics/survival-rates", "survival rates by resident and setting",
           "Mao et al., Alympics, table 2, averages", kTable2, &survival_rates},
          {"alympics/lowest-winning-bids", "lowest winning bid of each day: data of the box plots",
           kPrices, kTable2, &daily_prices, true},
          {"alympics/median-bids", "mean over days of the median lowest winning bid", kPrices,
           kTable2, &mean_of_medians, true},
          {"alympics/figure-7", "bids by day", "Mao et al., Alympics, figure 7", kTable2,
           &daily_bids, true},
          {"alympics/figure-8", "health by day", "Mao et al., Alympics, figure 8", kTable2,
           &daily_health, true},
          {"alympics/figure-9", "money by day", "Mao et al., Alympics, figure 9", kTable2,
           &daily_balance, true},
          {"alympics/supply-ratio", "resource satisfaction ratio by day, of figures 7 to 9",
           "Mao et al., Alympics, figures 7 to 9", kTable2, &supply_ratio, true},
          {"alympics/persona", "what personas change, under the same supplies",
           "after Mao et al., Alympics, settings 4 to 6", "papers/alympics/persona.json",
           &persona_contrast, true},
      });
  add_judges_tables(registry);
  shared::drought::add_day_tables<kDay, Settings>(
      registry, "water-allocation", "water-allocation/survival", "water-allocation/balances");
}

}  // namespace water_allocation
