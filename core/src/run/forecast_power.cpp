#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "run/forecast.hpp"
#include "stats/score_table.hpp"

namespace agon {

std::vector<Detectable> detectable_effects(const Suite& suite, const archive::Archive& pilot) {
  std::vector<Detectable> out;
  if (suite.against.empty()) return out;
  const auto scenarios = pilot.scenarios();
  const auto agents = pilot.agents();
  std::vector<stats::ScoreRow> rows;
  pilot.matches({}, [&](std::int64_t, const archive::MatchRow& m) {
    if (m.ended != "finished") return true;
    const archive::ScenarioRow& scenario = scenarios.at(m.key.scenario);
    for (std::size_t i = 0; i < m.seats.size(); ++i) {
      const archive::SeatRow& seat = m.seats[i];
      if (!std::isfinite(seat.score) || !std::isfinite(seat.zero) || !std::isfinite(seat.one))
        continue;
      // In a line-up about one agent, the scores of the others are not what is compared.
      if (m.focal && *m.focal != seat.agent) continue;
      rows.push_back({scenario.name, std::to_string(m.key.block) + " " + scenario.treatment,
                      m.cluster, seat.role, static_cast<int>(i), agents.at(seat.agent).name,
                      seat.score, seat.zero, seat.one});
    }
    return true;
  });
  if (rows.empty()) return out;
  const stats::ScoreTable table(rows);
  const boost::math::normal normal;
  const double z =
      boost::math::quantile(normal, 1 - (1 - suite.level) / 2) + boost::math::quantile(normal, 0.8);
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!has(table.agents(), suite.against)) return out;
  for (const Scenario& s : suite.scenarios) {
    if (!has(table.games(), s.name)) continue;
    for (const AgentSpec& agent : suite.agents) {
      if (agent.name() == suite.against || !has(table.agents(), agent.name())) continue;
      stats::BootstrapOptions options;
      options.resamples = 199;  // the standard error is linearised: resamples do not change it
      const stats::Estimate d =
          stats::paired_difference(table, s.name, agent.name(), suite.against, options);
      // Where every block says the same, the spread of others is not known.
      if (!d.standard_error || *d.standard_error <= 0 || d.units < 2 || d.blocks == 0) continue;
      const double blocks = static_cast<double>(s.blocks * s.treatments.size());
      const double error = *d.standard_error * std::sqrt(static_cast<double>(d.blocks) / blocks);
      out.push_back({s.name, agent.name(), suite.against, z * error, s.blocks, d.units});
    }
  }
  return out;
}

}  // namespace agon
