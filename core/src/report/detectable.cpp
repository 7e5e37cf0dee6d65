#include "report/detectable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <set>

#include "report/leaderboard.hpp"

namespace agon::report {
namespace {

/// The scores of one scenario, over its treatments.
stats::ScoreTable scores_of(const Study::Scenario& scenario, const Results& pilot) {
  std::vector<stats::ScoreRow> rows;
  for (const GameResults& game : pilot.games) {
    if (game.name != scenario.game) continue;
    append_rows(game, pilot, counting(pilot.policy), rows);
    std::set<std::string> own;  // what the roles of its treatments begin with
    for (std::size_t t = 0; t < game.treatments.size(); ++t)
      if (game.treatments[t].scenario == scenario.name) own.insert(fmt::format("{:04} ", t));
    std::erase_if(rows, [&](const auto& row) { return !own.contains(row.role.substr(0, 5)); });
  }
  return stats::ScoreTable(rows);
}

}  // namespace

Power detectable_effects(const Study& study, const Results& pilot) {
  Power power;
  if (study.against.empty()) {
    power.notes.emplace_back(
        "no effects are told, as the suite has no reference agent: see report.against");
    return power;
  }
  const boost::math::normal normal;
  const double z =
      boost::math::quantile(normal, 1 - (1 - study.level) / 2) + boost::math::quantile(normal, 0.8);
  for (const Study::Scenario& scenario : study.scenarios) {
    const stats::ScoreTable table = scores_of(scenario, pilot);
    const auto silent = [&](const std::string& agent, const std::string& why) {
      power.notes.push_back(fmt::format("scenario '{}': no effect is told of '{}' against '{}': {}",
                                        scenario.name, agent, study.against, why));
    };
    for (const std::string& agent : study.agents) {
      if (agent == study.against) continue;
      const auto& known = table.agents();
      if (!std::binary_search(known.begin(), known.end(), agent) ||
          !std::binary_search(known.begin(), known.end(), study.against)) {
        silent(agent, "the pilot has no scores of both");
        continue;
      }
      stats::BootstrapOptions once;
      once.resamples = 1;  // the standard error is linearised: resamples do not change it
      const stats::Estimate d =
          stats::paired_difference(table, scenario.game, agent, study.against, once);
      if (d.units < stats::fewest_units) {
        silent(agent, fmt::format("the pilot has {} independent blocks of both, and {} are needed",
                                  d.units, stats::fewest_units));
      } else if (!d.standard_error || d.note == stats::Note::no_variation) {
        silent(agent, "all blocks of the pilot say the same");
      } else {
        const double scale = static_cast<double>(d.blocks) / static_cast<double>(scenario.blocks);
        power.effects.push_back({scenario.name, agent, study.against,
                                 z * *d.standard_error * std::sqrt(scale), scenario.blocks,
                                 d.units});
      }
    }
  }
  return power;
}

}  // namespace agon::report
