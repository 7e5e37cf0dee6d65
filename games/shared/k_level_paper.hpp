#pragma once

#include <fmt/format.h>

#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the tables of K-Level Reasoning have in common: one player meets opponents who are all of
/// one kind, a row a kind of opponent, a column a player. Shared by guess-average and
/// survival-auction, which are plugins of their own: so it is all in this header.
namespace k_level_paper {

/// The layout of a table, and what the paper prints in it.
struct Layout {
  std::span<const std::string_view> players;    ///< columns
  std::span<const std::string_view> opponents;  ///< rows
  std::span<const double> published{};          ///< row by row; NaN where nothing is printed
  std::span<const double> averages{};           ///< the last row; empty: the table has none
  /// Opponents that have a table of their own and make no further rows here.
  std::span<const std::string_view> elsewhere{};
  int decimals = 2;
  std::string_view lacks;  ///< what was not played, if nothing was: "rounds of ..."
};

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
    std::vector<std::string> players(layout.players.begin(), layout.players.end());
    std::vector<std::string> opponents(layout.opponents.begin(), layout.opponents.end());
    add_further(layout, players, opponents);
    agon::PaperTable table;
    table.corner = "opponents";
    table.columns = players;
    bool any = false;
    for (std::size_t row = 0; row < opponents.size(); ++row) {
      agon::TableRow made{opponents[row], {}};
      for (std::size_t column = 0; column < players.size(); ++column) {
        agon::TableCell cell{.ours = at(opponents[row], players[column], level),
                             .decimals = layout.decimals};
        any = any || !std::isnan(cell.ours.value);
        if (row < layout.opponents.size() && column < layout.players.size() &&
            !layout.published.empty())
          cell.published = layout.published[row * layout.players.size() + column];
        made.cells.push_back(cell);
      }
      table.rows.push_back(std::move(made));
    }
    if (!any) throw agon::LacksData{std::string(layout.lacks)};
    if (!layout.averages.empty()) table.rows.push_back(average_row(layout, table.rows));
    return table;
  }

 private:
  static bool has(std::span<const std::string_view> names, std::string_view name) {
    for (const std::string_view one : names)
      if (one == name) return true;
    return false;
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
  static agon::TableRow average_row(const Layout& layout, const std::vector<agon::TableRow>& rows) {
    agon::TableRow row{"Average", {}};
    for (std::size_t column = 0; column < rows[0].cells.size(); ++column) {
      double sum = 0;
      for (std::size_t r = 0; r < layout.opponents.size(); ++r)
        sum += rows[r].cells[column].ours.value;
      const auto n = static_cast<double>(layout.opponents.size());
      agon::TableCell cell{.ours = {.value = sum / n, .n = n}, .decimals = layout.decimals};
      if (std::isnan(sum)) cell.ours = {};
      if (column < layout.averages.size()) cell.published = layout.averages[column];
      row.cells.push_back(cell);
    }
    return row;
  }

  std::map<std::string, std::map<std::string, agon::Sample>> values_;
};

/// The table of a metric in these matches.
[[nodiscard]] inline agon::PaperTable table_of(const agon::PlayedMatches& matches,
                                               std::string_view metric, const Layout& layout,
                                               std::vector<std::string> notes) {
  Meetings meetings;
  matches.each([&](const agon::PlayedMatch& match) { meetings.add(match, metric); });
  agon::PaperTable table = meetings.table(layout, matches.level());
  table.notes = std::move(notes);
  return table;
}

/// Seven ways of reasoning, as players and as opponents.
inline constexpr std::string_view kMethods[] = {"Direct", "CoT",  "Persona", "Reflect",
                                                "Refine", "PCoT", "K-R"};

/// The programs of the guessing game.
inline constexpr std::string_view kPrograms[] = {"0-Level (Fix)",   "0-Level (Var)",
                                                 "MonoTrend (Fix)", "MonoTrend (Var)",
                                                 "LastBids (Fix)",  "LastBids (Var)"};

/// Players and opponents of table 8.
inline constexpr std::string_view kDepthPlayers[] = {"Direct", "K-R", "K-R (k=3)"};
inline constexpr std::string_view kDepthOpponents[] = {"Direct", "K-R"};

}  // namespace k_level_paper
