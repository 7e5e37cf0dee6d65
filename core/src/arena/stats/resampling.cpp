#include "stats/resampling.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace agon::stats {

MatchUnits::MatchUnits(std::span<const MatchRanking> matches) {
  struct Gathered {
    std::string cluster;
    std::vector<std::size_t> matches;
  };
  std::map<std::string, std::map<std::string, Gathered>> by_game;
  std::set<std::string> agents;
  for (std::size_t m = 0; m < matches.size(); ++m) {
    const MatchRanking& match = matches[m];
    const std::string where = "game " + match.game + ", block " + match.block;
    for (const auto& seat : match.seats) {
      agents.insert(seat.agent);
      if (!std::isfinite(seat.score)) {
        throw Error(ErrorKind::failure, "a score is not a finite number",
                    where + ", agent " + seat.agent, "leave the match out");
      }
    }
    const std::string cluster =
        match.cluster.empty() ? "block " + match.block : "item " + match.cluster;
    auto& gathered = by_game[match.game][match.block];
    if (gathered.matches.empty()) gathered.cluster = cluster;
    if (gathered.cluster != cluster) {
      throw Error(ErrorKind::failure, "a block is in two clusters", where,
                  "give every match of a block the same cluster");
    }
    gathered.matches.push_back(m);
  }
  agents_.assign(agents.begin(), agents.end());
  for (const auto& [game, named_blocks] : by_game) {
    first_unit_.push_back(units_.size());
    std::map<std::string, std::size_t> unit_of;
    for (const auto& [block, gathered] : named_blocks) {
      const auto [unit, added] = unit_of.emplace(gathered.cluster, units_.size());
      if (added) units_.emplace_back();
      units_[unit->second].blocks.push_back(blocks_.size());
      blocks_.push_back({games_.size(), unit->second, gathered.matches});
    }
    games_.push_back(game);
  }
  first_unit_.push_back(units_.size());
  count_agents(matches);
  link_agents(matches);
}

void MatchUnits::count_agents(std::span<const MatchRanking> matches) {
  presence_.assign(agents_.size(), {});
  for (std::size_t g = 0; g < games_.size(); ++g) {
    std::vector<std::size_t> here(agents_.size(), 0);  // units of this game
    for (std::size_t u = first_unit_[g]; u < first_unit_[g + 1]; ++u) {
      std::set<std::size_t> in_unit;
      for (const std::size_t b : units_[u].blocks) {
        std::set<std::size_t> in_block;
        for (const std::size_t m : blocks_[b].matches)
          for (const auto& seat : matches[m].seats) in_block.insert(agent_index(seat.agent));
        for (const std::size_t agent : in_block) ++presence_[agent].blocks;
        in_unit.merge(in_block);
      }
      for (const std::size_t agent : in_unit) ++here[agent];
    }
    for (std::size_t a = 0; a < agents_.size(); ++a) {
      if (here[a] == 0) continue;
      Presence& of = presence_[a];
      of.fewest = of.units == 0 ? here[a] : std::min(of.fewest, here[a]);
      of.units += here[a];
    }
  }
}

void MatchUnits::link_agents(std::span<const MatchRanking> matches) {
  std::vector<std::size_t> parent(agents_.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t at) {
    while (parent[at] != at) at = parent[at] = parent[parent[at]];
    return at;
  };
  for (const auto& match : matches) {
    for (const auto& seat : match.seats) {
      const std::size_t a = root(agent_index(match.seats.front().agent));
      const std::size_t b = root(agent_index(seat.agent));
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  std::size_t next = 0;
  for (std::size_t a = 0; a < agents_.size(); ++a)
    presence_[a].component = root(a) == a ? next++ : presence_[root(a)].component;
}

std::size_t MatchUnits::components() const {
  std::size_t count = 0;
  for (const Presence& of : presence_) count = std::max(count, of.component + 1);
  return count;
}

std::size_t MatchUnits::agent_index(const std::string& name) const {
  const auto found = std::lower_bound(agents_.begin(), agents_.end(), name);
  if (found == agents_.end() || *found != name)
    throw Error(ErrorKind::not_found, "the reference '" + name + "' has no match", "",
                "name an agent that played against others");
  return static_cast<std::size_t>(found - agents_.begin());
}

void MatchUnits::draw(ResamplingDice& dice, std::vector<std::size_t>& times) const {
  times.assign(units_.size(), 0);
  for (std::size_t g = 0; g < games_.size(); ++g) {
    const std::size_t first = first_unit_[g];
    const std::size_t count = first_unit_[g + 1] - first;
    for (std::size_t i = 0; i < count; ++i) {
      ++times[first + static_cast<std::size_t>(dice.below(count))];
    }
  }
}

Groups finishing_groups(const MatchRanking& match, const MatchUnits& sorted) {
  std::vector<std::size_t> order(match.seats.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return match.seats[a].score > match.seats[b].score;
  });
  Groups groups;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || match.seats[order[i]].score != match.seats[order[i - 1]].score) {
      groups.emplace_back();
    }
    groups.back().push_back(sorted.agent_index(match.seats[order[i]].agent));
  }
  return groups;
}

bool one_agent_only(const MatchRanking& match) {
  return std::ranges::all_of(
      match.seats, [&](const SeatResult& seat) { return seat.agent == match.seats.front().agent; });
}

}  // namespace agon::stats
