#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "classic/settings.hpp"
#include "classic/tables/tables.hpp"
#include "shared/tables.hpp"

// Equilibrium play over the size of a change of payoffs that keeps equilibria.

namespace classic {
namespace {

/// By how much payoffs were changed, and of which game.
struct ChangeOfGame {
  std::string game;
  double size = 0;
};

std::optional<ChangeOfGame> change_of(const agon::PlayedMatch& match) {
  const auto settings = shared::settings_of<Settings>(match);
  if (!settings || settings->periods > 1) return std::nullopt;
  return ChangeOfGame{settings->game.name, settings->payoff_change.value_or(0)};
}

}  // namespace

agon::PaperTable play_by_change(const agon::PlayedMatches& matches) {
  struct PlayedUnderChange {
    std::string label, agent, block;
    bool nash;
  };
  std::vector<PlayedUnderChange> played;
  std::map<std::string, std::set<double>> sizes;  // by game
  shared::KnownBySettings<ChangeOfGame> changes;
  matches.each([&](const agon::PlayedMatch& match) {
    const ChangeOfGame* change = changes.of(match, &change_of);
    const double nash = match.metric("nash");
    if (change == nullptr || !(nash >= 0)) return;
    sizes[change->game].insert(change->size);
    std::set<std::string> agents;
    for (const agon::PlayedSeat& seat : match.seats()) agents.emplace(seat.agent);
    for (const std::string& agent : agents)
      played.push_back({fmt::format("{}: {}", change->game, change->size), agent,
                        shared::block_of(match), nash == 1});
  });
  std::erase_if(sizes, [](const auto& one) { return one.second.size() < 2; });
  RateTable table("game and size of the change", {});
  std::set<std::string> rows;
  for (const auto& [game, all] : sizes)
    for (const double size : all) {
      const std::string label = fmt::format("{}: {}", game, size);
      table.row(label);
      rows.insert(label);
    }
  for (const PlayedUnderChange& one : played)
    if (rows.contains(one.label)) table.add(one.label, one.agent, one.block, one.nash);
  return table.make(matches.level(),
                    "matches of a payoff table with several values of payoff_change",
                    {"Share of matches that ended in a pure equilibrium, by how far payoffs were "
                     "moved, in ranges of a player's payoffs. All have the same equilibria: who "
                     "reads the payoffs plays alike in all of them. n: matches."});
}

}  // namespace classic
