#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "report/estimates.hpp"
#include "results/results.hpp"
#include "stats/contrasts.hpp"
#include "text/words.hpp"

namespace agon::report {

Units units_of(const GameResults& game, const std::set<std::size_t>* among) {
  const auto name = [](const Bin& bin) {
    return bin.cluster.empty() ? "block " + bin.name : "item " + bin.cluster;
  };
  std::map<std::string, std::size_t> places;
  for (std::size_t bin = 0; bin < game.bins.size(); ++bin)
    if (among == nullptr || among->contains(bin)) places.try_emplace(name(game.bins[bin]), 0);
  Units units;
  for (auto& [unit, place] : places) place = units.count++;
  for (const Bin& bin : game.bins) {
    const auto found = places.find(name(bin));
    units.of_bin.push_back(found == places.end() ? units.count : found->second);
  }
  return units;
}

namespace {

stats::Estimate mirrored(stats::Estimate estimate) {
  if (estimate.value) estimate.value = 0 - *estimate.value;
  if (estimate.interval)
    estimate.interval = stats::Interval{-estimate.interval->high, -estimate.interval->low};
  if (estimate.units_won) std::swap(estimate.units_won->won, estimate.units_won->lost);
  return estimate;
}

std::size_t different_agents(const stats::MatchRanking& match) {
  std::set<std::string> agents;
  for (const auto& seat : match.seats) agents.insert(seat.agent);
  return agents.size();
}

/// The reference if it is among the agents, else the first of them.
std::string base_of(const std::set<std::string>& agents, const std::string& reference) {
  return agents.contains(reference) ? reference : *agents.begin();
}

std::string part_note(const GameResults& game, std::size_t used) {
  if (used >= static_cast<std::size_t>(game.matches)) return {};
  return fmt::format("from {} of {} matches: those of the leading blocks", used, game.matches);
}

}  // namespace

std::vector<stats::Estimate> estimates_of(std::size_t units, std::vector<stats::StratumCell> cells,
                                          const stats::IntervalOptions& options) {
  stats::ContrastProblem problem;
  problem.units = {units};
  for (stats::StratumCell& cell : cells) problem.add(std::move(cell));
  return stats::ContrastEstimates(problem, options).estimates();
}

std::vector<MetricRow> make_metrics(const Results& results, const GameResults& game,
                                    const ReportOptions& options) {
  using MetricKey = std::tuple<std::size_t, std::size_t, std::size_t>;  // metric, role, agent
  const Units units = units_of(game);
  std::map<MetricKey, MeanCell> cells;
  for (const MetricUnit& unit : game.metric_units) {
    for (std::size_t m = 0; m < unit.metrics.size(); ++m) {
      if (game.names_item[m] || unit.metrics[m].count <= 0) continue;
      cells.try_emplace(MetricKey{m, unit.role, unit.agent}, units)
          .first->second.add(unit.treatment, unit.bin, unit.metrics[m]);
    }
  }
  std::vector<stats::StratumCell> list;
  for (const auto& [key, cell] : cells) {
    list.push_back(cell.cell());
    list.back().range = range_of(game.metrics[std::get<0>(key)]);
    list.back().yes_or_no = yes_or_no(game.metrics[std::get<0>(key)]);
  }
  const auto estimates =
      estimates_of(units.count, std::move(list), options.intervals(options.metric_resamples));
  std::vector<MetricRow> rows;
  std::size_t next = 0;
  std::pair<std::size_t, std::size_t> last{static_cast<std::size_t>(-1), 0};
  for (const auto& [key, cell] : cells) {
    const auto& [metric, role, agent] = key;
    if (last != std::pair{metric, role}) {
      last = {metric, role};
      rows.push_back({game.metrics[metric], metric >= game.seat_metrics, game.roles[role], {}});
    }
    rows.back().agents[results.agents[agent]] = estimates[next++];
  }
  return rows;
}

std::vector<PairwiseRow> make_pairs(const Results& results, const GameResults& game,
                                    const ReportOptions& options) {
  const Units units = units_of(game);
  std::map<std::pair<std::size_t, std::size_t>, MeanCell> cells;
  for (const PairUnit& unit : game.pairs)
    cells.try_emplace(std::pair{unit.first, unit.second}, units)
        .first->second.add(unit.treatment, unit.bin, unit.difference);
  std::vector<stats::StratumCell> list;
  for (const auto& [pair, cell] : cells) {
    list.push_back(cell.cell());
    list.back().difference = true;
  }
  const auto estimates =
      estimates_of(units.count, std::move(list), options.intervals(options.metric_resamples));
  std::map<std::pair<std::size_t, std::size_t>, PairwiseRow> rows;
  std::size_t next = 0;
  for (const auto& [pair, cell] : cells) {
    const auto& [i, j] = pair;
    const PairCounts& counts = game.pair_counts.at(pair);
    PairwiseRow row;
    row.agent = results.agents[i];
    row.opponent = results.agents[j];
    row.wins = static_cast<std::size_t>(counts.wins);
    row.ties = static_cast<std::size_t>(counts.ties);
    row.losses = static_cast<std::size_t>(counts.losses);
    row.meetings = row.wins + row.ties + row.losses;
    row.difference = estimates[next++];
    PairwiseRow other = row;
    std::swap(other.agent, other.opponent);
    std::swap(other.wins, other.losses);
    other.difference = mirrored(row.difference);
    rows[{i, j}] = std::move(row);
    rows[{j, i}] = std::move(other);
  }
  std::vector<PairwiseRow> table;
  for (auto& [pair, row] : rows) table.push_back(std::move(row));
  return table;
}

void make_strengths(const GameResults& game, const ReportOptions& options, GameReport& out) {
  std::vector<stats::MatchRanking> used;
  std::set<std::string> agents;
  for (const auto& match : game.rankings) {
    if (match.seats.size() < 2 || match.seats.size() > 12) continue;
    used.push_back(match);
    if (different_agents(match) < 2) continue;
    for (const auto& seat : match.seats) agents.insert(seat.agent);
  }
  if (agents.empty()) {
    out.strengths_note = game.most_seats > 12 ? "no strengths: more than 12 seats"
                         : game.rankings.empty() && every_block_forced(game)
                             ? "no strengths: an answer was forced in every block"
                             : "no strengths: no two agents met";
    return;
  }
  const bool two =
      std::ranges::all_of(used, [](const auto& match) { return match.seats.size() == 2; });
  out.strengths_model = two ? "Bradley-Terry" : "Plackett-Luce";
  out.strengths_reference = base_of(agents, options.reference);
  out.strengths_note = part_note(game, used.size());
  const stats::StrengthOptions how{.bootstrap = options.intervals(options.strength_resamples)};
  out.strengths = two ? stats::bradley_terry(used, out.strengths_reference, how)
                      : stats::plackett_luce(used, out.strengths_reference, how);
  out.fit = stats::model_fit(used, {.flips = options.strength_resamples, .seed = options.seed});
}

void make_trueskill(const GameResults& game, const ReportOptions& options, GameReport& out) {
  std::vector<stats::MatchRanking> used;
  std::set<std::string> agents;
  std::size_t largest = 2;
  for (const auto& match : game.rankings) {
    if (match.seats.size() < 2 || different_agents(match) < match.seats.size()) continue;
    used.push_back(match);
    largest = std::max(largest, match.seats.size());
    for (const auto& seat : match.seats) agents.insert(seat.agent);
  }
  if (used.empty()) {
    out.trueskill_note = game.rankings.empty()
                             ? "no TrueSkill: no match has a finishing order"
                             : "no TrueSkill: one agent fills several seats in every match";
    return;
  }
  // Each of several hundred replays rates every match; more seats take longer to settle.
  const std::size_t most = largest == 2 ? 5'000 : 4'000 / largest;
  const std::size_t comparable = used.size();
  if (used.size() > most) {
    // Whole blocks, as many as fit.
    std::map<std::string, std::size_t> by_block;
    for (const auto& match : used) ++by_block[match.block];
    std::set<std::string> kept;
    std::size_t total = 0;
    for (const auto& [block, matches] : by_block) {
      if (total > 0 && total + matches > most) break;
      total += matches;
      kept.insert(block);
    }
    std::erase_if(used, [&](const auto& match) { return !kept.contains(match.block); });
    agents.clear();
    for (const auto& match : used)
      for (const auto& seat : match.seats) agents.insert(seat.agent);
  }
  stats::TrueSkillOverBlocksOptions how;
  how.orders = largest == 2 ? 100 : 30;
  how.orders_in_resample = largest == 2 ? 2 : 1;
  how.bootstrap =
      options.intervals(largest == 2 ? options.trueskill_resamples
                                     : std::min<std::size_t>(options.trueskill_resamples, 119));
  out.trueskill_resamples = how.bootstrap.resamples;
  out.trueskill_orders = how.orders;
  out.trueskill = stats::trueskill_over_blocks(used, base_of(agents, options.reference), how);
  const auto several =
      static_cast<std::size_t>(std::ranges::count_if(game.rankings, [](const auto& match) {
        return different_agents(match) < match.seats.size();
      }));
  out.trueskill->left_out = several;
  if (several > 0)
    out.trueskill_note =
        text::counted(several, "match in which one agent fills several seats is left out",
                      "matches in which one agent fills several seats are left out");
  if (used.size() < comparable || game.rankings.size() < static_cast<std::size_t>(game.matches))
    out.trueskill_note += fmt::format("{}from {}: those of the leading blocks",
                                      out.trueskill_note.empty() ? "" : "; ",
                                      text::counted(used.size(), "match", "matches"));
}

}  // namespace agon::report
