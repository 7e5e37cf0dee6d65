#pragma once

#include <fmt/format.h>

#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/published.hpp"

/// What the tables of K-Level Reasoning have in common: one player meets opponents who are all of
/// one kind, a row a kind of opponent, a column a player. Shared by guess-average and
/// survival-auction, which are plugins of their own: so it is all in this header.
namespace k_level_paper {

/// What a table is about.
struct Layout {
  std::vector<std::string> players;    ///< columns
  std::vector<std::string> opponents;  ///< rows
  std::string_view lacks;              ///< what was not played, if nothing was: "rounds of ..."
  /// Opponents that have a table of their own and make no further rows here.
  std::vector<std::string> elsewhere{};
  const shared::PublishedTable* published = nullptr;  ///< what the paper prints; null: nothing
};

/// The row with the means of the columns, where the paper has one.
inline constexpr std::string_view kAverage = "Average";

/// The opponents of a printed table.
[[nodiscard]] inline std::vector<std::string> opponents_of(const shared::PublishedTable& table) {
  std::vector<std::string> rows = table.rows();
  std::erase(rows, kAverage);
  return rows;
}

/// The layout of a printed table.
[[nodiscard]] inline Layout layout_of(const shared::PublishedTable& table, std::string_view lacks,
                                      std::vector<std::string> elsewhere = {}) {
  return {table.columns(), opponents_of(table), lacks, std::move(elsewhere), &table};
}

/// Values of a metric by opponent and player.
class Meetings {
 public:
  /// Takes a match in which all seats but one are played by the same agent, or all by one: then
  /// every seat is a player that meets its own kind.
  void add(const agon::PlayedMatch& match, std::string_view metric) {
    const std::string block = fmt::format("{}:{}", match.scenario(), match.block());
    const auto seats = match.seats();
    for (std::size_t player = 0; player < seats.size(); ++player) {
      const std::string_view opponent = seats[player == 0 ? 1 : 0].agent;
      bool alike = true;
      for (std::size_t other = 0; other < seats.size(); ++other)
        alike = alike && (other == player || seats[other].agent == opponent);
      if (!alike) continue;
      const double value = match.metric(seats[player], metric);
      if (std::isnan(value)) continue;
      values_[std::string(opponent)][std::string(seats[player].agent)].add(block, value);
    }
  }

  /// The table: the paper's rows and columns first, then what else was played.
  [[nodiscard]] agon::PaperTable table(const Layout& layout, double level) const {
    std::vector<std::string> players = layout.players, opponents = layout.opponents;
    add_further(layout, players, opponents);
    agon::PaperTable table;
    table.corner = "opponents";
    table.columns = players;
    bool any = false;
    for (std::size_t row = 0; row < opponents.size(); ++row) {
      agon::TableRow made{opponents[row], {}};
      for (std::size_t column = 0; column < players.size(); ++column) {
        agon::TableCell cell{.ours = at(opponents[row], players[column], level)};
        any = any || !std::isnan(cell.ours.value);
        if (layout.published != nullptr && row < layout.opponents.size())
          cell.published = layout.published->at(opponents[row], players[column]);
        made.cells.push_back(cell);
      }
      table.rows.push_back(std::move(made));
    }
    if (!any) throw agon::LacksData{std::string(layout.lacks)};
    if (layout.published != nullptr && layout.published->has_row(kAverage))
      table.rows.push_back(average_row(layout, table));
    return table;
  }

 private:
  static bool has(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  void add_further(const Layout& layout, std::vector<std::string>& players,
                   std::vector<std::string>& opponents) const {
    std::set<std::string> more;
    for (const auto& [opponent, by_player] : values_) {
      const bool is_row = has(layout.opponents, opponent);
      if (has(layout.elsewhere, opponent)) continue;
      if (!is_row) opponents.push_back(opponent);
      for (const auto& [player, sample] : by_player)
        if (!has(layout.players, player) && !has(layout.elsewhere, player)) more.insert(player);
    }
    players.insert(players.end(), more.begin(), more.end());
  }

  [[nodiscard]] agon::Figure at(const std::string& opponent, const std::string& player,
                                double level) const {
    const auto row = values_.find(opponent);
    if (row == values_.end()) return {};
    const auto cell = row->second.find(player);
    return cell == row->second.end() ? agon::Figure{} : cell->second.mean(level);
  }

  /// Mean of a column over the paper's opponents, where all were met.
  static agon::TableRow average_row(const Layout& layout, const agon::PaperTable& table) {
    agon::TableRow row{std::string(kAverage), {}};
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      double sum = 0;
      for (std::size_t r = 0; r < layout.opponents.size(); ++r)
        sum += table.rows[r].cells[column].ours.value;
      const auto n = static_cast<double>(layout.opponents.size());
      agon::TableCell cell{.ours = {.value = sum / n, .n = n},
                           .published = layout.published->at(kAverage, table.columns[column])};
      if (std::isnan(sum)) cell.ours = {};
      row.cells.push_back(cell);
    }
    return row;
  }

  std::map<std::string, std::map<std::string, agon::Sample>> values_;
};

/// The table of a metric in these matches. All tables of this paper are squares of players and
/// opponents: fields of one colour scale.
[[nodiscard]] inline agon::PaperTable table_of(const agon::PlayedMatches& matches,
                                               std::string_view metric, const Layout& layout,
                                               const char* unit, std::vector<std::string> notes) {
  Meetings meetings;
  matches.each([&](const agon::PlayedMatch& match) { meetings.add(match, metric); });
  agon::PaperTable table = meetings.table(layout, matches.level());
  table.units = {unit};
  table.plots = {{.how = agon::TablePlot::How::heat_map}};
  table.notes = std::move(notes);
  return table;
}

}  // namespace k_level_paper
