#include "stats/pairwise.hpp"

#include <map>
#include <utility>

#include "stats/contrast_estimates.hpp"
#include "stats/match_units.hpp"

namespace agon::stats {
namespace {

using Pair = std::pair<std::size_t, std::size_t>;  // the first is the smaller

/// What a block says of a pair.
struct Meetings {
  double difference = 0;
  std::size_t wins = 0;
  std::size_t ties = 0;
  std::size_t losses = 0;

  [[nodiscard]] std::size_t count() const { return wins + ties + losses; }
};

Meetings& operator+=(Meetings& total, const Meetings& other) {
  total.difference += other.difference;
  total.wins += other.wins;
  total.ties += other.ties;
  total.losses += other.losses;
  return total;
}

std::map<Pair, Meetings> meetings_of(const MatchUnits::Block& block,
                                     std::span<const MatchResult> matches,
                                     const MatchUnits& sorted) {
  std::map<Pair, Meetings> met;
  for (const std::size_t m : block.matches) {
    const auto& seats = matches[m].seats;
    for (const auto& one : seats) {
      const std::size_t i = sorted.agent_index(one.agent);
      for (const auto& other : seats) {
        const std::size_t j = sorted.agent_index(other.agent);
        if (i >= j) continue;
        Meetings& pair = met[{i, j}];
        pair.difference += one.score - other.score;
        pair.wins += one.score > other.score ? 1 : 0;
        pair.ties += one.score == other.score ? 1 : 0;
        pair.losses += one.score < other.score ? 1 : 0;
      }
    }
  }
  return met;
}

/// One pair over all games: a cell for each game in which they met.
struct PairData {
  Meetings total;
  std::map<std::size_t, Cell> cells;
};

/// The same seen from the other side.
Estimate mirrored(Estimate estimate) {
  if (estimate.value) estimate.value = -*estimate.value;
  if (estimate.interval) estimate.interval = {-estimate.interval->high, -estimate.interval->low};
  return estimate;
}

}  // namespace

std::vector<PairwiseRow> pairwise_table(std::span<const MatchResult> matches,
                                        const BootstrapOptions& options) {
  const MatchUnits sorted(matches);
  std::map<Pair, PairData> pairs;
  for (const auto& block : sorted.blocks()) {
    const std::size_t first = sorted.first_unit(block.game);
    const std::size_t units = sorted.first_unit(block.game + 1) - first;
    for (const auto& [pair, met] : meetings_of(block, matches, sorted)) {
      PairData& data = pairs[pair];
      data.total += met;
      Cell& cell = data.cells[block.game];
      if (cell.terms.empty()) {
        cell.stratum = block.game;
        cell.terms.resize(1);
        cell.terms[0].numerator.assign(units, 0.0);
        cell.terms[0].denominator.assign(units, 0.0);
      }
      double& denominator = cell.terms[0].denominator[block.unit - first];
      cell.units += denominator == 0 ? 1 : 0;
      cell.blocks += 1;
      denominator += 1;
      cell.terms[0].numerator[block.unit - first] +=
          met.difference / static_cast<double>(met.count());
    }
  }

  ContrastProblem problem;
  for (std::size_t g = 0; g < sorted.games().size(); ++g) {
    problem.units.push_back(sorted.first_unit(g + 1) - sorted.first_unit(g));
  }
  for (auto& [pair, data] : pairs) {
    Contrast mean_over_games;
    for (auto& [game, cell] : data.cells) {
      mean_over_games.push_back(
          {problem.cells.size(), 1.0 / static_cast<double>(data.cells.size())});
      problem.cells.push_back(std::move(cell));
    }
    problem.contrasts.push_back(std::move(mean_over_games));
  }
  const ContrastEstimates all(problem, options);

  std::map<Pair, PairwiseRow> rows;
  std::size_t k = 0;
  for (const auto& [pair, data] : pairs) {
    const auto& [i, j] = pair;
    const Meetings& met = data.total;
    const Estimate& estimate = all.estimates()[k++];
    rows[{i, j}] = {sorted.agents()[i], sorted.agents()[j], met.count(), met.wins,
                    met.ties,           met.losses,         estimate};
    rows[{j, i}] = {sorted.agents()[j], sorted.agents()[i], met.count(),       met.losses,
                    met.ties,           met.wins,           mirrored(estimate)};
  }
  std::vector<PairwiseRow> table;
  for (auto& [pair, row] : rows) table.push_back(std::move(row));
  return table;
}

}  // namespace agon::stats
