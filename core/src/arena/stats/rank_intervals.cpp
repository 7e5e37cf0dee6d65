#include "stats/rank_intervals.hpp"

#include "stats/contrast_estimates.hpp"

namespace agon::stats {

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
        problem.cells.push_back(table.difference_cell(g, ranked[i], ranked[j], g));
        mean_over_games.push_back({problem.cells.size() - 1, 1.0 / static_cast<double>(games)});
      }
      family.push_back(problem.contrasts.size());
      problem.contrasts.push_back(std::move(mean_over_games));
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
