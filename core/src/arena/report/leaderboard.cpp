#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "report/estimates.hpp"
#include "results/results.hpp"
#include "results/tally.hpp"
#include "stats/sequential/confidence_sequence.hpp"

namespace agon::report {

bool has(const std::vector<std::string>& sorted, const std::string& name) {
  return std::binary_search(sorted.begin(), sorted.end(), name);
}

std::string base_of(const stats::ScoreTable& table, const std::string& reference) {
  return has(table.agents(), reference) ? reference : table.agents().front();
}

namespace {

stats::ScoreRow row_of(const GameResults& game, const Results& results, const ScoreUnit& unit,
                       Counting counting) {
  const auto c = static_cast<std::size_t>(counting);
  return {.game = game.name,
          .block = game.bins[unit.bin].name,
          .cluster = game.bins[unit.bin].cluster,
          .role = fmt::format("{:04} {}", unit.treatment, game.roles[unit.role]),
          .agent = results.agents[unit.agent],
          .x = unit.gain[c],
          .ideal = unit.pie[c]};
}

/// What a role of the table is: the treatment, the role, or both.
std::string role_words(const GameResults& game, const std::string& role) {
  const std::size_t space = role.find(' ');
  const std::size_t treatment = std::strtoul(role.c_str(), nullptr, 10);
  // Without a number in front it is a role of a table with one treatment.
  if (space != 4 || treatment >= game.treatments.size()) return role;
  const std::string own = role.substr(space + 1);
  const std::string& label = game.treatments[treatment].label;
  if (own.empty()) return label;
  return game.treatments.size() < 2 ? own : label + ", " + own;
}

/// Roles of treatments whose pies add up to nothing: they have no scale, and say nothing.
std::set<std::pair<std::size_t, std::size_t>> without_scale(const GameResults& game,
                                                            Counting counting) {
  const auto c = static_cast<std::size_t>(counting);
  std::map<std::pair<std::size_t, std::size_t>, double> pies;
  for (const ScoreUnit& unit : game.scores)
    if (unit.present[c]) pies[{unit.treatment, unit.role}] += unit.pie[c];
  std::set<std::pair<std::size_t, std::size_t>> without;
  for (const auto& [key, pie] : pies)
    if (!(pie > 0)) without.insert(key);
  return without;
}

/// Why a game has no score.
std::string why_without(const GameResults& game, FaultPolicy policy) {
  if (game.matches_beyond > 0) return "its scores are too large or too small to be reckoned with";
  if (game.seats_scored == 0) return "no counted seat has a scale";
  if (policy == FaultPolicy::exclude && every_block_forced(game))
    return "an answer was forced in every block, and such blocks are left out";
  return "its pies add up to nothing";
}

/// What an agent gets under one treatment minus what it gets under another, on the same blocks and
/// in the same roles.
stats::Estimate contrast(const Results& results, const GameResults& game, std::size_t agent,
                         std::size_t treatment, std::size_t first, const ReportOptions& options) {
  const Counting chosen = counting(results.policy);
  const auto without = without_scale(game, chosen);
  std::vector<stats::ScoreRow> rows;
  for (const ScoreUnit& unit : game.scores) {
    if (unit.agent != agent || (unit.treatment != treatment && unit.treatment != first)) continue;
    if (!unit.present[static_cast<std::size_t>(chosen)] ||
        without.contains({unit.treatment, unit.role}))
      continue;
    stats::ScoreRow row = row_of(game, results, unit, chosen);
    row.role = game.roles[unit.role];
    // As two agents they are paired as agents are.
    row.agent = unit.treatment == first ? "first" : "other";
    rows.push_back(std::move(row));
  }
  stats::ScoreTable table(rows);
  if (table.agents().size() < 2) return {};
  describe_games(table, {&game, 1});
  // There may be many.
  return stats::headline(table, "first", options.intervals(options.metric_resamples))
      .rows.front()
      .difference;
}

}  // namespace

void describe_games(stats::ScoreTable& table, std::span<const GameResults> games) {
  for (const GameResults& game : games) {
    const auto range = score_range(game.score_min, game.score_max);
    if (!has(table.games(), game.name)) continue;
    const std::size_t at = table.game_index(game.name);
    if (range) table.set_range(at, *range);
    std::vector<std::string> names;
    for (const std::string& role : table.roles(at)) names.push_back(role_words(game, role));
    table.set_role_names(at, std::move(names));
  }
}

void append_rows(const GameResults& game, const Results& results, Counting counting,
                 std::vector<stats::ScoreRow>& rows) {
  const auto without = without_scale(game, counting);
  for (const ScoreUnit& unit : game.scores)
    if (unit.present[static_cast<std::size_t>(counting)] &&
        !without.contains({unit.treatment, unit.role}))
      rows.push_back(row_of(game, results, unit, counting));
}

stats::ScoreTable score_table(const Results& results, Counting counting, ScoreScope whose) {
  std::vector<stats::ScoreRow> rows;
  for (const GameResults& game : results.games) append_rows(game, results, counting, rows);
  if (whose == ScoreScope::compared)
    std::erase_if(rows,
                  [&](const auto& row) { return results.against_others.contains(row.agent); });
  stats::ScoreTable table(rows);
  describe_games(table, results.games);
  return table;
}

std::vector<stats::HeadlineRow> all_rows(const stats::Headline& headline, bool scored) {
  std::vector<stats::HeadlineRow> rows(1);
  rows[0].agent = headline.reference;
  rows[0].score = headline.reference_score;
  rows[0].ranks = headline.reference_ranks;
  for (const stats::Estimate& score : headline.reference_scores)
    rows[0].games.emplace_back().score = score;
  for (const stats::HeadlineRow& row : headline.rows) {
    rows.push_back(row);
    if (scored) continue;
    stats::HeadlineRow& alone = rows.back() = {};
    alone.agent = row.agent;
    alone.score = row.score;
    alone.ranks = row.ranks;
    for (const stats::HeadlineGame& game : row.games) alone.games.emplace_back().score = game.score;
  }
  return rows;
}

Leaderboard make_leaderboard(const Results& results, const ReportOptions& options) {
  Leaderboard board;
  const stats::ScoreTable table =
      score_table(results, counting(results.policy), ScoreScope::compared);
  const stats::ScoreTable whole =
      results.against_others.empty() ? table : score_table(results, counting(results.policy));
  board.games = table.agents().empty() ? whole.games() : table.games();
  for (const GameResults& game : results.games) {
    if (!has(board.games, game.name))
      board.without.push_back(
          {game.name, has(whole.games(), game.name)
                          ? "its agents met no background agent in common on the same blocks"
                          : why_without(game, results.policy)});
    else
      board.depends_on_field = board.depends_on_field || game.focal_matches < game.matches;
  }
  const auto headline = [&](const stats::ScoreTable& of, const std::string& base) {
    return stats::headline(of, base, options.intervals(options.resamples), options.aggregate);
  };
  // Rows that are compared with no other: their scores alone.
  if (!results.against_others.empty() && !whole.agents().empty())
    for (stats::HeadlineRow& row : all_rows(headline(whole, whole.agents().front()), false)) {
      if (!results.against_others.contains(row.agent)) continue;
      LeaderRow& out = board.rows.emplace_back();
      out.agent = row.agent;
      out.against_others = true;
      // Ranks within a block would be among agents that met others.
      if (options.aggregate != stats::Aggregate::ranks) out.score = row.score;
      for (const std::string& game : board.games)
        out.games.push_back(row.games[whole.game_index(game)]);
    }
  if (table.agents().empty()) return board;
  board.reference_scored = has(table.agents(), options.reference);
  for (stats::HeadlineRow& row :
       all_rows(headline(table, base_of(table, options.reference)), board.reference_scored))
    board.rows.push_back({std::move(row)});
  // There are many pairs.
  const auto intervals = stats::rank_intervals(table.made_alike(options.aggregate),
                                               options.intervals(options.metric_resamples));
  for (LeaderRow& row : board.rows) {
    if (row.against_others) continue;
    row.rank_interval = intervals[table.agent_index(row.agent)];
    if (!row.ranks || !row.rank_interval) {
      row.rank_interval.reset();
      continue;
    }
    // Pairs may share other blocks than each does with the reference.
    row.rank_interval->low = std::min(row.rank_interval->low, row.ranks->rank);
    row.rank_interval->high = std::max(row.rank_interval->high, row.ranks->rank);
  }
  std::ranges::sort(board.rows, [](const LeaderRow& a, const LeaderRow& b) {
    const std::size_t rank_a = a.ranks ? a.ranks->rank : static_cast<std::size_t>(-1);
    const std::size_t rank_b = b.ranks ? b.ranks->rank : static_cast<std::size_t>(-1);
    return rank_a != rank_b ? rank_a < rank_b : a.agent < b.agent;
  });
  return board;
}

TreatmentTable make_treatment(const Results& results, const GameResults& game,
                              std::size_t treatment, const ReportOptions& options) {
  TreatmentTable out;
  out.game = game.name;
  out.facts = game.treatments[treatment];
  const Counting chosen = counting(results.policy);
  std::vector<stats::ScoreRow> rows;
  append_rows(game, results, chosen, rows);
  const std::string prefix = fmt::format("{:04} ", treatment);
  std::erase_if(rows, [&](const auto& row) { return !row.role.starts_with(prefix); });
  stats::ScoreTable table(rows);
  if (table.agents().empty()) return out;
  describe_games(table, {&game, 1});
  const bool scored = has(table.agents(), options.reference);
  for (const stats::HeadlineRow& row :
       all_rows(stats::headline(table, base_of(table, options.reference),
                                options.intervals(options.resamples)),
                scored))
    out.rows.push_back(
        {row.agent, row.score,
         results.against_others.contains(row.agent) ? stats::Estimate{} : row.difference});
  std::ranges::sort(out.rows,
                    [](const TreatmentRow& a, const TreatmentRow& b) { return a.agent < b.agent; });
  const auto first =
      static_cast<std::size_t>(std::ranges::find_if(game.treatments,
                                                    [&](const TreatmentFacts& t) {
                                                      return t.scenario == out.facts.scenario;
                                                    }) -
                               game.treatments.begin());
  if (first == treatment) return out;
  out.first = game.treatments[first].label;
  for (TreatmentRow& row : out.rows) {
    const auto agent = static_cast<std::size_t>(std::ranges::find(results.agents, row.agent) -
                                                results.agents.begin());
    row.contrast = contrast(results, game, agent, treatment, first, options);
  }
  return out;
}

}  // namespace agon::report
