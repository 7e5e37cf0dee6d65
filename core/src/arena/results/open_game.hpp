#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "results/clusters.hpp"
#include "results/results.hpp"

namespace agon::report {

/// One game while it is collected. Agents are numbers of agent rows until the end.
struct OpenGame {
  GameResults results;
  std::map<std::string, std::size_t> roles;
  std::map<std::string, std::size_t> bins;
  Clusters clusters;
  std::map<std::string, std::size_t> metric_places;  // "s:" or "m:" and the name
  std::map<std::array<std::size_t, 4>, ScoreUnit> scores;
  std::map<std::array<std::size_t, 4>, MetricUnit> metrics;
  std::map<std::array<std::size_t, 4>, PairUnit> pairs;
  std::map<std::array<std::size_t, 4>, PositionUnit> positions;
  std::map<std::size_t, RawMetrics> raw;  // by agent
  /// Who finished matches, and in which of results.treatments.
  std::map<std::size_t, std::set<std::size_t>> agents;
  std::vector<std::size_t> ranking_bins;
  std::vector<bool> item_metric;  // by metric: so far it repeats the cluster
  std::set<std::pair<std::int64_t, std::string>> versions;
  std::set<std::string> scenario_blocks;
  std::int64_t matches_ahead = 0;

  /// Place of a metric in results.metrics; added if it is new. `kind` keeps a seat's metrics apart
  /// from the match's.
  std::size_t metric_place(const std::string& kind, const archive::Metric& metric) {
    const auto [at, added] = metric_places.try_emplace(kind + metric.name, results.metrics.size());
    if (added) results.metrics.push_back(metric);
    return at->second;
  }

  /// Place of a role in results.roles; added if it is new.
  std::size_t role(const std::string& name) {
    const auto [at, added] = roles.try_emplace(name, roles.size());
    if (added) results.roles.push_back(name);
    return at->second;
  }
};

/// The game's results, with agents as places in Results::agents: `names` by number of the agent's
/// row, `places` by name.
[[nodiscard]] GameResults close(OpenGame& game, const std::map<std::size_t, std::string>& names,
                                const std::map<std::string, std::size_t>& places);

}  // namespace agon::report
