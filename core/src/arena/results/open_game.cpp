#include "results/open_game.hpp"

#include <algorithm>

#include "stats/estimate.hpp"

namespace agon::report {
namespace {

/// Leaves out what is too large to be reckoned with; who finished above whom stays.
void drop_beyond(GameResults& r) {
  for (const std::size_t metric : r.beyond) {
    for (MetricUnit& unit : r.metric_units)
      if (metric < unit.metrics.size()) unit.metrics[metric] = {};
    for (RawMetrics& raw : r.raw)
      if (metric < raw.metrics.size()) raw.metrics[metric] = {};
  }
  if (r.matches_beyond == 0) return;
  r.seats_without_pie += r.seats_scored;
  r.seats_scored = 0;
  r.scores.clear();
  for (PairUnit& unit : r.pairs) unit.difference = {};
  for (PositionUnit& unit : r.positions) unit.gain = unit.pie = 0;
}

/// What missing matches may have been at the worst and at the best: as far as scores are declared
/// to go, or else as far as they were seen to.
void add_missing(GameResults& r) {
  const bool low = r.score_min && *r.score_min >= -stats::kFarthestRange;
  const bool high = r.score_max && *r.score_max <= stats::kFarthestRange;
  const double worst = low ? std::min(0.0, *r.score_min) : r.lowest_score;
  const double best = high ? std::max(1.0, *r.score_max) : r.highest_score;
  for (ScoreUnit& unit : r.scores) {
    unit.gain[static_cast<std::size_t>(Counting::worst)] += worst * unit.missing_pie;
    unit.gain[static_cast<std::size_t>(Counting::best)] += best * unit.missing_pie;
  }
}

}  // namespace

GameResults close(OpenGame& game, const std::map<std::size_t, std::string>& names,
                  const std::map<std::string, std::size_t>& places) {
  GameResults r = std::move(game.results);
  const auto agent = [&](std::size_t number) { return places.at(names.at(number)); };
  for (std::size_t b = 0; b < r.bins.size(); ++b) r.bins[b].cluster = game.clusters.name(b);
  for (auto& [key, unit] : game.scores) {
    unit.treatment = key[0], unit.bin = key[1], unit.role = key[2], unit.agent = agent(key[3]);
    r.scores.push_back(unit);
  }
  for (auto& [key, unit] : game.metrics) {
    unit.treatment = key[0], unit.bin = key[1], unit.role = key[2], unit.agent = agent(key[3]);
    r.metric_units.push_back(std::move(unit));
  }
  // Numbers of rows need not follow names.
  std::map<std::pair<std::size_t, std::size_t>, PairCounts> counts;
  for (const auto& [pair, c] : r.pair_counts) {
    const std::size_t a = agent(pair.first);
    const std::size_t b = agent(pair.second);
    counts[{std::min(a, b), std::max(a, b)}] = a < b ? c : PairCounts{c.losses, c.ties, c.wins};
  }
  r.pair_counts = std::move(counts);
  for (auto& [key, unit] : game.pairs) {
    const std::size_t a = agent(key[2]);
    const std::size_t b = agent(key[3]);
    unit.treatment = key[0], unit.bin = key[1];
    unit.first = std::min(a, b), unit.second = std::max(a, b);
    if (a > b) unit.difference.total = -unit.difference.total;
    r.pairs.push_back(unit);
  }
  for (auto& [key, unit] : game.positions) {
    unit.treatment = key[0], unit.bin = key[1], unit.agent = agent(key[2]), unit.position = key[3];
    r.positions.push_back(unit);
  }
  for (auto& [number, raw] : game.raw) {
    raw.agent = agent(number);
    r.raw.push_back(std::move(raw));
  }
  for (std::size_t i = 0; i < r.rankings.size(); ++i) {
    r.rankings[i].cluster = r.bins[game.ranking_bins[i]].cluster;
    for (auto& seat : r.rankings[i].seats) seat.agent = names.at(std::stoul(seat.agent));
  }
  for (std::size_t m = 0; m < r.metrics.size(); ++m)
    r.names_item.push_back(m >= r.seat_metrics && r.matches > 0 && game.item_metric[m]);
  // A range that does not hold says nothing.
  if (r.matches_out_of_range > 0) r.score_min = r.score_max = std::nullopt;
  add_missing(r);
  drop_beyond(r);
  r.several_versions = game.versions.size() > 1;
  return r;
}

}  // namespace agon::report
