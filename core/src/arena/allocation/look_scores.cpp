#include "allocation/look_scores.hpp"

#include <algorithm>
#include <set>

#include "results/block_tally.hpp"
#include "table/contract.hpp"

namespace agon {
namespace {

std::vector<std::string_view> games_of(const Suite& suite) {
  std::vector<std::string_view> games;
  for (const Scenario& s : suite.scenarios)
    if (std::find(games.begin(), games.end(), s.game->id) == games.end())
      games.push_back(s.game->id);
  return games;
}

std::vector<std::optional<stats::Interval>> bounds_of(const Suite& suite) {
  std::vector<std::optional<stats::Interval>> bounds;
  for (const std::string_view game : games_of(suite)) bounds.push_back(score_bounds(suite, game));
  return bounds;
}

}  // namespace

LookScores::LookScores(const Suite& suite)
    : suite_(suite), looks_(suite.agents.size(), bounds_of(suite)) {
  const auto games = games_of(suite);
  games_.resize(games.size());
  for (const Scenario& s : suite.scenarios)
    game_of_.push_back(static_cast<std::size_t>(std::find(games.begin(), games.end(), s.game->id) -
                                                games.begin()));
}

void LookScores::add(std::vector<Played> look) {
  std::sort(look.begin(), look.end(),
            [](const Played& a, const Played& b) { return a.task < b.task; });
  std::vector<stats::LookRow> rows;
  const auto block_of = [&](const Played& played) {
    const design::MatchPlan& plan = *suite_.scenarios[played.task.scenario].plan;
    return std::pair(played.task.scenario,
                     played.task.match / (plan.repeats() * plan.round_size()));
  };
  for (auto at = look.cbegin(); at != look.cend();) {
    const auto end = std::find_if(
        at, look.cend(), [&](const Played& other) { return block_of(other) != block_of(*at); });
    add_block(at->task.scenario, at, end, rows);
    at = end;
  }
  for (std::size_t g = 0; g < games_.size(); ++g) {
    Game& game = games_[g];
    if (!game.clustered) continue;
    auto units = report::shared_units(
        game.bins, [&](std::size_t bin) { return std::string(game.clusters.name(bin)); });
    if (!units.empty()) looks_.share(g, std::move(units));
  }
  looks_.add(rows);
}

void LookScores::add_block(std::size_t scenario, std::vector<Played>::const_iterator begin,
                           std::vector<Played>::const_iterator end,
                           std::vector<stats::LookRow>& rows) {
  const Scenario& s = suite_.scenarios[scenario];
  Game& game = games_[game_of_[scenario]];
  const std::size_t bin = game.bins++;
  static const std::vector<std::size_t> none;
  for (std::size_t t = 0; t < s.treatments.size(); ++t) {
    report::BlockTally tally(suite_.policy, 0);
    std::set<std::string> items;
    for (auto at = begin; at != end; ++at) {
      const design::PlannedMatch planned = s.plan->match(at->task.match);
      if (planned.treatment != t) continue;
      for (const archive::MatchRow& match : at->matches) {
        if (!match.cluster.empty()) items.insert(match.cluster);
        if (match.ended != "finished") continue;
        report::NumberedMatch numbered;
        numbered.row = &match;
        numbered.stake = stake_of(s.game->card, match.metrics);
        numbered.seat_metrics = &none;
        numbered.match_metrics = &none;
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat) {
          const std::string& role = match.seats[seat].role;
          const auto known = std::find(game.roles.begin(), game.roles.end(), role);
          const auto place = static_cast<std::size_t>(known - game.roles.begin());
          if (known == game.roles.end()) game.roles.push_back(role);
          numbered.seats.push_back({static_cast<std::size_t>(planned.agents[seat]), place,
                                    planned.focal < 0 || planned.agents[seat] == planned.focal});
        }
        tally.add(numbered);
      }
    }
    // A sequence over several items is a unit by itself.
    if (items.size() == 1) {
      game.clusters.link(bin, *items.begin());
      game.clustered = true;
    }
    const auto counting = static_cast<std::size_t>(report::counting(suite_.policy));
    for (const report::ScoreUnit& unit : tally.scores()) {
      if (!unit.present[counting]) continue;
      const std::size_t cell =
          cells_.try_emplace({scenario, t, unit.role}, cells_.size()).first->second;
      rows.push_back(
          {game_of_[scenario], cell, bin, unit.agent, unit.gain[counting], unit.pie[counting]});
    }
  }
}

}  // namespace agon
