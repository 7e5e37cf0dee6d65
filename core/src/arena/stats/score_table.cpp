#include "stats/score_table.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "stats/contrasts.hpp"
#include "stats/statistics.hpp"
#include "text/words.hpp"

namespace agon::stats {
namespace {

std::size_t place(const std::vector<std::string>& sorted, std::string_view name) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), name);
  return static_cast<std::size_t>(found - sorted.begin());
}

std::size_t known(const std::vector<std::string>& sorted, std::string_view name,
                  const std::string& kind) {
  const std::size_t index = place(sorted, name);
  if (index < sorted.size() && sorted[index] == name) return index;
  throw Error(ErrorKind::not_found, "no results of the " + kind + " '" + std::string(name) + "'",
              "", "there are: " + text::joined(sorted));
}

std::vector<std::string> sorted_names(const std::set<std::string>& names) {
  return {names.begin(), names.end()};
}

void require_finite(const ScoreRow& row) {
  if (std::isfinite(row.x) && std::isfinite(row.disagreement) && std::isfinite(row.ideal)) return;
  throw Error(ErrorKind::failure, "a score is not a finite number",
              "game " + row.game + ", block " + row.block + ", agent " + row.agent,
              "leave the match out or fix the game's scale");
}

}  // namespace

ScoreTable::ScoreTable(std::span<const ScoreRow> rows) {
  std::set<std::string> games;
  std::set<std::string> agents;
  for (const auto& row : rows) {
    require_finite(row);
    games.insert(row.game);
    agents.insert(row.agent);
  }
  game_names_ = sorted_names(games);
  agent_names_ = sorted_names(agents);
  for (const auto& name : game_names_) {
    std::set<std::string> roles;
    std::map<std::string, std::string> cluster_of;
    std::set<std::string> clusters;
    for (const auto& row : rows) {
      if (row.game != name) continue;
      // A block of its own must not meet a named cluster that happens to be called the same.
      const std::string cluster =
          row.cluster.empty() ? "block " + row.block : "item " + row.cluster;
      roles.insert(row.role);
      clusters.insert(cluster);
      const auto [entry, added] = cluster_of.emplace(row.block, cluster);
      if (!added && entry->second != cluster) {
        throw Error(ErrorKind::failure, "a block is in two clusters",
                    "game " + name + ", block " + row.block,
                    "give every row of a block the same cluster");
      }
    }
    GameScores game;
    game.roles = sorted_names(roles);
    game.clusters = sorted_names(clusters);
    for (const auto& [block, cluster] : cluster_of) {
      game.blocks.push_back(block);
      game.cluster_of.push_back(place(game.clusters, cluster));
    }
    game.values.resize(agent_names_.size() * game.roles.size() * game.blocks.size());
    games_.push_back(std::move(game));
  }
  collect(rows);
}

void ScoreTable::collect(std::span<const ScoreRow> rows) {
  struct ScoreSums {
    double gain = 0;
    double pie = 0;
    double count = 0;
  };
  // game, agent, role, block, seat: seats of a role stand together
  std::map<std::tuple<std::size_t, std::size_t, int>, ScoreSums> seats;
  for (const auto& row : rows) {
    const std::size_t g = place(game_names_, row.game);
    const GameScores& game = games_[g];
    const std::size_t at =
        (place(agent_names_, row.agent) * game.roles.size() + place(game.roles, row.role)) *
            game.blocks.size() +
        place(game.blocks, row.block);
    ScoreSums& sum = seats[{g, at, row.seat}];
    sum.gain += row.x - row.disagreement;
    sum.pie += row.ideal - row.disagreement;
    sum.count += 1;
  }
  for (auto entry = seats.begin(); entry != seats.end();) {
    const auto [g, at, first_seat] = entry->first;
    double gain = 0;
    double pie = 0;
    double count = 0;
    for (;
         entry != seats.end() && std::get<0>(entry->first) == g && std::get<1>(entry->first) == at;
         ++entry) {
      gain += entry->second.gain / entry->second.count;
      pie += entry->second.pie / entry->second.count;
      count += 1;
    }
    games_[g].values[at] = {gain / count, pie / count, true};
  }
}

const ScoreTable::BlockScore& ScoreTable::value(const GameScores& game, std::size_t agent,
                                                std::size_t role, std::size_t block) const {
  return game.values[(agent * game.roles.size() + role) * game.blocks.size() + block];
}

std::size_t ScoreTable::agent_index(std::string_view name) const {
  return known(agent_names_, name, "agent");
}

std::size_t ScoreTable::game_index(std::string_view name) const {
  return known(game_names_, name, "game");
}

void ScoreTable::set_range(std::size_t game, const Interval& range) {
  games_[game].range = range;
}

void ScoreTable::set_role_names(std::size_t game, std::vector<std::string> names) {
  games_[game].role_names = std::move(names);
}

ScoreTable ScoreTable::made_alike(Aggregate how) const {
  ScoreTable table = *this;
  if (how == Aggregate::mean) return table;
  const bool ranks = how == Aggregate::ranks;
  for (GameScores& game : table.games_) {
    game.range = Interval{ranks ? 0.0 : -1.0, 1.0};
    const std::size_t cells = game.roles.size() * game.blocks.size();
    for (std::size_t at = 0; at < cells; ++at) {
      std::vector<BlockScore*> seen;
      for (std::size_t agent = 0; agent < agent_names_.size(); ++agent)
        if (BlockScore& value = game.values[agent * cells + at]; value.present)
          seen.push_back(&value);
      if (ranks)
        rank(seen);
      else
        for (BlockScore* value : seen) {
          const double most = std::max(0.0, value->pie);
          value->gain = std::clamp(value->gain, -most, most);
        }
    }
  }
  return table;
}

void ScoreTable::rank(const std::vector<BlockScore*>& seen) {
  std::vector<double> shares;
  for (const BlockScore* value : seen)
    shares.push_back(value->pie > 0 ? value->gain / value->pie : value->gain);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    double above = 0;
    for (std::size_t j = 0; j < seen.size(); ++j) {
      if (i == j) continue;
      // Means over seats and repeats of what is alike may differ in their last digits.
      const double slack = 1e-12 * std::max({1.0, std::abs(shares[i]), std::abs(shares[j])});
      above += std::abs(shares[i] - shares[j]) <= slack ? 0.5 : shares[i] > shares[j] ? 1 : 0;
    }
    const auto others = static_cast<double>(seen.size() - 1);
    *seen[i] = {others > 0 ? above / others : 0.5, 1, true};
  }
}

StratumCell ScoreTable::contrast_cell(std::size_t g, std::span<const std::size_t> agents,
                                      std::span<const double> weights) const {
  const GameScores& game = games_[g];
  StratumCell result;
  result.stratum = g;
  std::vector<bool> used(game.blocks.size(), false);
  double roles = 0;
  for (std::size_t role = 0; role < game.roles.size(); ++role) {
    std::vector<RatioTerm> terms(agents.size(), ratio_over(game.clusters.size()));
    bool any = false;
    for (std::size_t block = 0; block < game.blocks.size(); ++block) {
      bool all = true;
      for (const std::size_t agent : agents) all = all && value(game, agent, role, block).present;
      if (!all) continue;
      any = true;
      used[block] = true;
      for (std::size_t a = 0; a < agents.size(); ++a) {
        const BlockScore& seen = value(game, agents[a], role, block);
        terms[a].numerator[game.cluster_of[block]] += seen.gain;
        terms[a].denominator[game.cluster_of[block]] += seen.pie;
      }
    }
    if (!any) continue;
    roles += 1;
    for (std::size_t a = 0; a < agents.size(); ++a) {
      terms[a].weight = weights[a];
      terms[a].name = game.role_names.empty() ? game.roles[role] : game.role_names[role];
      result.terms.push_back(std::move(terms[a]));
    }
  }
  for (auto& term : result.terms) term.weight /= roles;
  std::set<std::size_t> units;
  for (std::size_t block = 0; block < used.size(); ++block) {
    if (!used[block]) continue;
    ++result.blocks;
    units.insert(game.cluster_of[block]);
  }
  result.units = units.size();
  double sum = 0;
  for (const double weight : weights) sum += weight;
  result.difference = std::abs(sum) < 1e-9;
  result.unit_names = game.clusters;
  if (game.range) {
    result.range = {0, 0};
    for (const double weight : weights) {
      result.range.low += weight * (weight > 0 ? game.range->low : game.range->high);
      result.range.high += weight * (weight > 0 ? game.range->high : game.range->low);
    }
  }
  return result;
}

StratumCell ScoreTable::score_cell(std::size_t game, std::size_t agent) const {
  const std::size_t agents[] = {agent};
  const double weights[] = {1};
  return contrast_cell(game, agents, weights);
}

StratumCell ScoreTable::difference_cell(std::size_t game, std::size_t agent,
                                        std::size_t reference) const {
  const std::size_t agents[] = {agent, reference};
  const double weights[] = {1, -1};
  return contrast_cell(game, agents, weights);
}

std::optional<double> ScoreTable::score(std::size_t game, std::size_t agent) const {
  const StratumCell all = score_cell(game, agent);
  if (all.terms.empty()) return std::nullopt;
  double total = 0;
  for (const auto& term : all.terms) {
    double gain = 0;
    double pie = 0;
    for (std::size_t i = 0; i < term.numerator.size(); ++i) {
      gain += term.numerator[i];
      pie += term.denominator[i];
    }
    if (!(pie > 0)) return std::nullopt;
    total += term.weight * (gain / pie);
  }
  return total;
}

namespace {

/// Ranks by the mean over games, as they are and with each game left out. values[agent][game].
std::vector<RankRange> rank_ranges(const std::vector<std::vector<double>>& values,
                                   std::size_t games) {
  std::vector<RankRange> ranges(values.size());
  const auto ranks_without = [&](std::size_t left_out) {
    std::vector<double> means;
    for (const auto& by_game : values) {
      double sum = 0;
      for (std::size_t g = 0; g < games; ++g) sum += g == left_out ? 0 : by_game[g];
      means.push_back(sum);  // the divisor is the same for everyone
    }
    return competition_ranks(means, RankOrder::highest_first);
  };
  const auto full = ranks_without(games);
  for (std::size_t a = 0; a < ranges.size(); ++a) ranges[a] = {full[a], full[a], full[a]};
  for (std::size_t g = 0; g < games && games > 1; ++g) {
    const auto ranks = ranks_without(g);
    for (std::size_t a = 0; a < ranges.size(); ++a) {
      ranges[a].best = std::min(ranges[a].best, ranks[a]);
      ranges[a].worst = std::max(ranges[a].worst, ranks[a]);
    }
  }
  return ranges;
}

/// Fills in ranks, from differences by row and game. The reference's are 0 in every game that it
/// played.
void add_ranks(Headline& result, const std::vector<std::vector<Estimate>>& differences,
               std::size_t games) {
  std::vector<std::vector<double>> values;
  std::vector<std::optional<RankRange>*> targets;
  bool reference_plays = true;
  for (const auto& score : result.reference_scores) {
    reference_plays = reference_plays && score.value.has_value();
  }
  if (reference_plays) {
    values.emplace_back(games, 0.0);
    targets.push_back(&result.reference_ranks);
  }
  for (std::size_t r = 0; r < result.rows.size(); ++r) {
    if (!result.rows[r].difference.value) continue;
    std::vector<double> by_game;
    for (const Estimate& game : differences[r]) by_game.push_back(*game.value);
    values.push_back(std::move(by_game));
    targets.push_back(&result.rows[r].ranks);
  }
  const auto ranges = rank_ranges(values, games);
  for (std::size_t a = 0; a < ranges.size(); ++a) *targets[a] = ranges[a];
}

}  // namespace

std::optional<WidestGame> widest_game(std::span<const Estimate> games) {
  if (games.size() < 2) return std::nullopt;
  double largest = 0;  // the scale of the squares
  for (const Estimate& game : games) largest = std::max(largest, game.standard_error.value_or(0));
  if (!(largest > 0)) return std::nullopt;
  WidestGame widest;
  double sum = 0;
  for (std::size_t g = 0; g < games.size(); ++g) {
    const double part = std::pow(games[g].standard_error.value_or(0) / largest, 2);
    sum += part;
    if (part > widest.share) widest = {g, part};
  }
  widest.share /= sum;
  return widest;
}

namespace {

/// The contrasts of a leaderboard, by number.
struct HeadlineContrasts {
  /// What is averaged over games, where it is not the scores: cells refer to it.
  std::optional<ScoreTable> alike;
  ContrastProblem problem;
  std::vector<std::vector<std::size_t>> scores;       ///< by agent and game
  std::vector<std::size_t> mean_scores;               ///< by agent
  std::vector<std::size_t> others;                    ///< all agents but the reference: the rows
  std::vector<std::vector<std::size_t>> differences;  ///< to the reference, by row and game
  std::vector<std::vector<std::size_t>> parts;        ///< of overall, by row and game
  std::vector<std::size_t> overall;                   ///< by row

  HeadlineContrasts(const ScoreTable& table, std::size_t base, Aggregate aggregate);
};

HeadlineContrasts::HeadlineContrasts(const ScoreTable& table, std::size_t base,
                                     Aggregate aggregate) {
  if (aggregate != Aggregate::mean) alike = table.made_alike(aggregate);
  const std::size_t games = table.games().size();
  const double share = 1.0 / static_cast<double>(games);
  for (std::size_t g = 0; g < games; ++g) problem.units.push_back(table.units(g));
  for (std::size_t a = 0; a < table.agents().size(); ++a) {
    scores.emplace_back();
    Contrast mean_over_games;
    for (std::size_t g = 0; g < games; ++g) {
      scores.back().push_back(problem.add(table.score_cell(g, a)));
      if (alike) problem.add(alike->score_cell(g, a));
      mean_over_games.push_back({problem.cells.size() - 1, share});
    }
    mean_scores.push_back(problem.add(std::move(mean_over_games)));
  }
  for (std::size_t a = 0; a < table.agents().size(); ++a) {
    if (a == base) continue;
    others.push_back(a);
    differences.emplace_back();
    parts.emplace_back();
    Contrast mean_over_games;
    for (std::size_t g = 0; g < games; ++g) {
      differences.back().push_back(problem.add(table.difference_cell(g, a, base)));
      parts.back().push_back(alike ? problem.add(alike->difference_cell(g, a, base))
                                   : differences.back().back());
      mean_over_games.push_back({problem.cells.size() - 1, share});
    }
    overall.push_back(problem.add(std::move(mean_over_games)));
  }
}

}  // namespace

Headline headline(const ScoreTable& table, std::string_view reference,
                  const IntervalOptions& options, Aggregate aggregate) {
  const std::size_t base = table.agent_index(reference);
  const std::size_t games = table.games().size();
  const HeadlineContrasts of(table, base, aggregate);
  const ContrastEstimates all(of.problem, options);
  const auto& estimates = all.estimates();
  Headline result;
  result.reference = std::string(reference);
  result.reference_score = estimates[of.mean_scores[base]];
  for (std::size_t g = 0; g < games; ++g) {
    result.reference_scores.push_back(estimates[of.scores[base][g]]);
  }
  const auto joint = all.jointly(of.overall);
  for (std::size_t r = 0; r < of.others.size(); ++r) {
    const std::size_t agent = of.others[r];
    HeadlineRow row;
    row.agent = table.agents()[agent];
    row.score = estimates[of.mean_scores[agent]];
    row.difference = estimates[of.overall[r]];
    row.simultaneous = joint[r].interval;
    row.simultaneous_p = joint[r].p_value;
    for (std::size_t g = 0; g < games; ++g) {
      row.games.push_back({table.games()[g], estimates[of.scores[agent][g]],
                           estimates[of.differences[r][g]], std::nullopt, std::nullopt});
    }
    result.rows.push_back(std::move(row));
  }
  for (std::size_t g = 0; g < games; ++g) {
    std::vector<std::size_t> family;
    for (const auto& by_game : of.differences) family.push_back(by_game[g]);
    const auto together = all.jointly(family);
    for (std::size_t r = 0; r < result.rows.size(); ++r) {
      result.rows[r].games[g].simultaneous = together[r].interval;
      result.rows[r].games[g].simultaneous_p = together[r].p_value;
    }
  }
  std::vector<std::vector<Estimate>> by_game;
  for (const auto& row : of.parts) {
    by_game.emplace_back();
    for (const std::size_t part : row) by_game.back().push_back(estimates[part]);
  }
  for (std::size_t r = 0; r < result.rows.size(); ++r)
    if (result.rows[r].difference.value) result.rows[r].widest = widest_game(by_game[r]);
  add_ranks(result, by_game, games);
  return result;
}

std::vector<std::optional<RankInterval>> rank_intervals(const ScoreTable& table,
                                                        const IntervalOptions& options) {
  const std::size_t games = table.games().size();
  std::vector<std::optional<RankInterval>> ranks(table.agents().size());
  std::vector<std::size_t> ranked;
  for (std::size_t a = 0; a < ranks.size(); ++a) {
    bool whole = games > 0;
    for (std::size_t g = 0; g < games && whole; ++g) whole = table.score(g, a).has_value();
    if (whole) ranked.push_back(a);
  }
  ContrastProblem problem;
  for (std::size_t g = 0; g < games; ++g) problem.units.push_back(table.units(g));
  std::vector<std::size_t> family;
  for (std::size_t i = 0; i < ranked.size(); ++i)
    for (std::size_t j = i + 1; j < ranked.size(); ++j) {
      Contrast mean_over_games;
      for (std::size_t g = 0; g < games; ++g) {
        problem.cells.push_back(table.difference_cell(g, ranked[i], ranked[j]));
        mean_over_games.push_back({problem.cells.size() - 1, 1.0 / static_cast<double>(games)});
      }
      family.push_back(problem.add(std::move(mean_over_games)));
    }
  for (const std::size_t a : ranked) ranks[a] = {1, ranked.size()};
  const std::vector<Joint> joint = ContrastEstimates(problem, options).jointly(family);
  auto pair = joint.begin();
  for (std::size_t i = 0; i < ranked.size(); ++i)
    for (std::size_t j = i + 1; j < ranked.size(); ++j, ++pair) {
      if (!pair->interval || (pair->interval->low <= 0 && pair->interval->high >= 0)) continue;
      const bool first_is_better = pair->interval->low > 0;
      ++ranks[ranked[first_is_better ? j : i]]->low;
      --ranks[ranked[first_is_better ? i : j]]->high;
    }
  return ranks;
}

}  // namespace agon::stats
