#include "report/anytime.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "results/clusters.hpp"
#include "stats/paired_looks.hpp"

namespace agon::report {
namespace {

/// A game as the sequence sees it: its bins in looks, each scenario at the same rate.
struct Ordered {
  std::map<std::string, std::vector<std::size_t>> of_scenario;  // bins, by name

  explicit Ordered(const GameResults& game) {
    std::map<std::string, std::set<std::pair<std::string, std::size_t>>> met;
    for (const ScoreUnit& unit : game.scores)
      met[game.treatments[unit.treatment].scenario].insert({game.bins[unit.bin].name, unit.bin});
    for (const auto& [scenario, bins] : met)
      for (const auto& [name, bin] : bins) of_scenario[scenario].push_back(bin);
  }
};

/// No more places on a curve than people can tell apart.
constexpr std::size_t kMostPlaces = 50;

/// What comes in look by look. Without bounds: intervals by betting hold where every bet was made
/// before its block was played, and a report does not know in which order blocks were.
struct Looks {
  stats::PairedLooks seen;
  std::vector<std::vector<stats::LookRow>> to_come;
};

Looks looks_of(const Results& results) {
  std::vector<Ordered> games;
  std::size_t looks = 0;
  for (const GameResults& game : results.games) {
    for (const auto& [scenario, bins] : games.emplace_back(game).of_scenario)
      looks = looks == 0 ? bins.size() : std::min(looks, bins.size());
  }
  stats::PairedLooks all(results.agents.size(), {results.games.size(), std::nullopt});
  std::vector<std::vector<stats::LookRow>> rows(looks);
  std::size_t cells = 0;
  const auto counted = static_cast<std::size_t>(counting(results.policy));
  for (std::size_t g = 0; g < results.games.size(); ++g) {
    const GameResults& game = results.games[g];
    std::vector<std::size_t> look_of(game.bins.size());
    for (const auto& [scenario, bins] : games[g].of_scenario)
      for (std::size_t i = 0; i < bins.size(); ++i) look_of[bins[i]] = i * looks / bins.size();
    for (const ScoreUnit& unit : game.scores) {
      if (!unit.present[counted]) continue;
      rows[look_of[unit.bin]].push_back({g, cells + unit.treatment * game.roles.size() + unit.role,
                                         unit.bin, unit.agent, unit.gain[counted],
                                         unit.pie[counted]});
    }
    cells += game.treatments.size() * game.roles.size();
    auto units =
        shared_units(game.bins.size(), [&](std::size_t bin) { return game.bins[bin].cluster; });
    if (!units.empty()) all.share(g, std::move(units));
  }
  return {std::move(all), std::move(rows)};
}

}  // namespace

std::vector<AnytimeRow> make_anytime(const Results& results, const ReportOptions& options) {
  std::vector<AnytimeRow> list;
  const auto reference = std::find(results.agents.begin(), results.agents.end(), options.reference);
  if (reference == results.agents.end() || results.against_others.contains(*reference)) return list;
  const auto base = static_cast<std::size_t>(reference - results.agents.begin());
  for (const std::string& agent : results.agents) list.push_back({agent, {}});
  Looks looks = looks_of(results);
  const std::size_t most = looks.to_come.size();
  for (std::size_t look = 1; look <= most; ++look) {
    looks.seen.add(looks.to_come[look - 1]);
    // Evenly spread over the looks, the last among them.
    if (look * kMostPlaces / most == (look - 1) * kMostPlaces / most) continue;
    for (std::size_t a = 0; a < list.size(); ++a)
      if (a != base && !results.against_others.contains(list[a].agent))
        list[a].course.push_back({look, looks.seen.difference(a, base, options.level)});
  }
  for (AnytimeRow& row : list)
    if (!row.course.empty()) row.difference = row.course.back().difference;
  std::erase_if(list, [](const AnytimeRow& row) { return !row.difference.value; });
  return list;
}

}  // namespace agon::report
