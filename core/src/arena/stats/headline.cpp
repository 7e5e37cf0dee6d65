#include "stats/headline.hpp"

#include <algorithm>
#include <cmath>

#include "stats/contrast_estimates.hpp"
#include "stats/descriptive.hpp"

namespace agon::stats {
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

Headline headline(const ScoreTable& table, std::string_view reference,
                  const IntervalOptions& options, Aggregate aggregate) {
  std::optional<ScoreTable> alike;  // what is averaged over games, where it is not the scores
  if (aggregate != Aggregate::mean) alike = table.made_alike(aggregate);
  const std::size_t base = table.agent_index(reference);
  const std::size_t games = table.games().size();
  ContrastProblem problem;
  for (std::size_t g = 0; g < games; ++g) problem.units.push_back(table.units(g));
  const auto add_cell = [&](Cell cell) {
    problem.cells.push_back(std::move(cell));
    problem.contrasts.push_back({{problem.cells.size() - 1, 1.0}});
    return problem.contrasts.size() - 1;
  };

  // Contrast numbers: scores[agent][game], mean_scores[agent], differences[row][game],
  // parts[row][game] of overall[row].
  std::vector<std::vector<std::size_t>> scores;
  std::vector<std::size_t> mean_scores;
  for (std::size_t a = 0; a < table.agents().size(); ++a) {
    scores.emplace_back();
    Contrast mean_over_games;
    for (std::size_t g = 0; g < games; ++g) {
      scores.back().push_back(add_cell(table.score_cell(g, a, g)));
      if (alike) add_cell(alike->score_cell(g, a, g));
      mean_over_games.push_back({problem.cells.size() - 1, 1.0 / static_cast<double>(games)});
    }
    problem.contrasts.push_back(std::move(mean_over_games));
    mean_scores.push_back(problem.contrasts.size() - 1);
  }
  std::vector<std::size_t> others;
  std::vector<std::vector<std::size_t>> differences;
  std::vector<std::vector<std::size_t>> parts;
  std::vector<std::size_t> overall;
  for (std::size_t a = 0; a < table.agents().size(); ++a) {
    if (a == base) continue;
    others.push_back(a);
    differences.emplace_back();
    parts.emplace_back();
    Contrast mean_over_games;
    for (std::size_t g = 0; g < games; ++g) {
      differences.back().push_back(add_cell(table.difference_cell(g, a, base, g)));
      parts.back().push_back(alike ? add_cell(alike->difference_cell(g, a, base, g))
                                   : differences.back().back());
      mean_over_games.push_back({problem.cells.size() - 1, 1.0 / static_cast<double>(games)});
    }
    problem.contrasts.push_back(std::move(mean_over_games));
    overall.push_back(problem.contrasts.size() - 1);
  }

  const ContrastEstimates all(problem, options);
  const auto& estimates = all.estimates();
  Headline result;
  result.reference = std::string(reference);
  result.reference_score = estimates[mean_scores[base]];
  for (std::size_t g = 0; g < games; ++g) {
    result.reference_scores.push_back(estimates[scores[base][g]]);
  }
  const auto joint = all.jointly(overall);
  for (std::size_t r = 0; r < others.size(); ++r) {
    HeadlineRow row;
    row.agent = table.agents()[others[r]];
    row.score = estimates[mean_scores[others[r]]];
    row.difference = estimates[overall[r]];
    row.simultaneous = joint[r].interval;
    row.simultaneous_p = joint[r].p_value;
    for (std::size_t g = 0; g < games; ++g) {
      row.games.push_back({table.games()[g], estimates[scores[others[r]][g]],
                           estimates[differences[r][g]], std::nullopt, std::nullopt});
    }
    result.rows.push_back(std::move(row));
  }
  for (std::size_t g = 0; g < games; ++g) {
    std::vector<std::size_t> family;
    for (const auto& by_game : differences) family.push_back(by_game[g]);
    const auto together = all.jointly(family);
    for (std::size_t r = 0; r < others.size(); ++r) {
      result.rows[r].games[g].simultaneous = together[r].interval;
      result.rows[r].games[g].simultaneous_p = together[r].p_value;
    }
  }
  std::vector<std::vector<Estimate>> by_game;
  for (const auto& row : parts) {
    by_game.emplace_back();
    for (const std::size_t part : row) by_game.back().push_back(estimates[part]);
  }
  for (std::size_t r = 0; r < result.rows.size(); ++r)
    if (result.rows[r].difference.value) result.rows[r].widest = widest_game(by_game[r]);
  add_ranks(result, by_game, games);
  return result;
}

}  // namespace agon::stats
