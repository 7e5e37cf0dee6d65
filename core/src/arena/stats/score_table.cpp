#include "stats/score_table.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace agon::stats {
namespace {

std::size_t place(const std::vector<std::string>& sorted, std::string_view name) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), name);
  return static_cast<std::size_t>(found - sorted.begin());
}

std::size_t known(const std::vector<std::string>& sorted, std::string_view name,
                  const std::string& kind) {
  const std::size_t index = place(sorted, name);
  if (index < sorted.size() && sorted[index] == name) return index;
  std::string list;
  for (const auto& other : sorted) list += (list.empty() ? "" : ", ") + other;
  throw Error(ErrorKind::not_found, "no results of the " + kind + " '" + std::string(name) + "'",
              "", "there are: " + list);
}

std::vector<std::string> sorted_names(const std::set<std::string>& names) {
  return {names.begin(), names.end()};
}

void require_finite(const ScoreRow& row) {
  if (std::isfinite(row.x) && std::isfinite(row.zero) && std::isfinite(row.one)) return;
  throw Error(ErrorKind::failure, "a score is not a finite number",
              "game " + row.game + ", block " + row.block + ", agent " + row.agent,
              "leave the match out or mend the game's scale");
}

}  // namespace

ScoreTable::ScoreTable(std::span<const ScoreRow> rows) {
  std::set<std::string> games;
  std::set<std::string> agents;
  for (const auto& row : rows) {
    require_finite(row);
    games.insert(row.game);
    agents.insert(row.agent);
  }
  game_names_ = sorted_names(games);
  agent_names_ = sorted_names(agents);
  for (const auto& name : game_names_) {
    std::set<std::string> roles;
    std::map<std::string, std::string> cluster_of;
    std::set<std::string> clusters;
    for (const auto& row : rows) {
      if (row.game != name) continue;
      // A block of its own must not meet a named cluster that happens to be called the same.
      const std::string cluster =
          row.cluster.empty() ? "block " + row.block : "item " + row.cluster;
      roles.insert(row.role);
      clusters.insert(cluster);
      const auto [entry, added] = cluster_of.emplace(row.block, cluster);
      if (!added && entry->second != cluster) {
        throw Error(ErrorKind::failure, "a block is in two clusters",
                    "game " + name + ", block " + row.block,
                    "give every row of a block the same cluster");
      }
    }
    Game game;
    game.roles = sorted_names(roles);
    game.clusters = sorted_names(clusters);
    for (const auto& [block, cluster] : cluster_of) {
      game.blocks.push_back(block);
      game.cluster_of.push_back(place(game.clusters, cluster));
    }
    game.values.resize(agent_names_.size() * game.roles.size() * game.blocks.size());
    games_.push_back(std::move(game));
  }
  collect(rows);
}

void ScoreTable::collect(std::span<const ScoreRow> rows) {
  struct Sum {
    double gain = 0;
    double pie = 0;
    double count = 0;
  };
  // game, agent, role, block, seat: seats of a role stand together
  std::map<std::tuple<std::size_t, std::size_t, int>, Sum> seats;
  for (const auto& row : rows) {
    const std::size_t g = place(game_names_, row.game);
    const Game& game = games_[g];
    const std::size_t at =
        (place(agent_names_, row.agent) * game.roles.size() + place(game.roles, row.role)) *
            game.blocks.size() +
        place(game.blocks, row.block);
    Sum& sum = seats[{g, at, row.seat}];
    sum.gain += row.x - row.zero;
    sum.pie += row.one - row.zero;
    sum.count += 1;
  }
  for (auto entry = seats.begin(); entry != seats.end();) {
    const auto [g, at, first_seat] = entry->first;
    double gain = 0;
    double pie = 0;
    double count = 0;
    for (;
         entry != seats.end() && std::get<0>(entry->first) == g && std::get<1>(entry->first) == at;
         ++entry) {
      gain += entry->second.gain / entry->second.count;
      pie += entry->second.pie / entry->second.count;
      count += 1;
    }
    games_[g].values[at] = {gain / count, pie / count, true};
  }
}

const ScoreTable::Value& ScoreTable::value(const Game& game, std::size_t agent, std::size_t role,
                                           std::size_t block) const {
  return game.values[(agent * game.roles.size() + role) * game.blocks.size() + block];
}

std::size_t ScoreTable::agent_index(std::string_view name) const {
  return known(agent_names_, name, "agent");
}

std::size_t ScoreTable::game_index(std::string_view name) const {
  return known(game_names_, name, "game");
}

void ScoreTable::set_range(std::size_t game, const Interval& range) {
  games_[game].range = range;
}

void ScoreTable::set_role_names(std::size_t game, std::vector<std::string> names) {
  games_[game].role_names = std::move(names);
}

ScoreTable ScoreTable::made_alike(Aggregate how) const {
  ScoreTable table = *this;
  if (how == Aggregate::mean) return table;
  const bool ranks = how == Aggregate::ranks;
  for (Game& game : table.games_) {
    game.range = Interval{ranks ? 0.0 : -1.0, 1.0};
    const std::size_t cells = game.roles.size() * game.blocks.size();
    for (std::size_t at = 0; at < cells; ++at) {
      std::vector<Value*> seen;
      for (std::size_t agent = 0; agent < agent_names_.size(); ++agent)
        if (Value& value = game.values[agent * cells + at]; value.present) seen.push_back(&value);
      if (ranks)
        rank(seen);
      else
        for (Value* value : seen) {
          const double most = std::max(0.0, value->pie);
          value->gain = std::clamp(value->gain, -most, most);
        }
    }
  }
  return table;
}

void ScoreTable::rank(const std::vector<Value*>& seen) {
  std::vector<double> shares;
  for (const Value* value : seen)
    shares.push_back(value->pie > 0 ? value->gain / value->pie : value->gain);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    double above = 0;
    for (std::size_t j = 0; j < seen.size(); ++j) {
      if (i == j) continue;
      // Means over seats and repeats of what is alike may differ in their last digits.
      const double slack = 1e-12 * std::max({1.0, std::abs(shares[i]), std::abs(shares[j])});
      above += std::abs(shares[i] - shares[j]) <= slack ? 0.5 : shares[i] > shares[j] ? 1 : 0;
    }
    const auto others = static_cast<double>(seen.size() - 1);
    *seen[i] = {others > 0 ? above / others : 0.5, 1, true};
  }
}

Cell ScoreTable::contrast_cell(std::size_t g, std::span<const std::size_t> agents,
                               std::span<const double> weights, std::size_t stratum) const {
  const Game& game = games_[g];
  Cell result;
  result.stratum = stratum;
  std::vector<bool> used(game.blocks.size(), false);
  double roles = 0;
  for (std::size_t role = 0; role < game.roles.size(); ++role) {
    std::vector<RatioTerm> terms(agents.size());
    for (auto& term : terms) {
      term.numerator.assign(game.clusters.size(), 0.0);
      term.denominator.assign(game.clusters.size(), 0.0);
    }
    bool any = false;
    for (std::size_t block = 0; block < game.blocks.size(); ++block) {
      bool all = true;
      for (const std::size_t agent : agents) all = all && value(game, agent, role, block).present;
      if (!all) continue;
      any = true;
      used[block] = true;
      for (std::size_t a = 0; a < agents.size(); ++a) {
        const Value& seen = value(game, agents[a], role, block);
        terms[a].numerator[game.cluster_of[block]] += seen.gain;
        terms[a].denominator[game.cluster_of[block]] += seen.pie;
      }
    }
    if (!any) continue;
    roles += 1;
    for (std::size_t a = 0; a < agents.size(); ++a) {
      terms[a].weight = weights[a];
      terms[a].name = game.role_names.empty() ? game.roles[role] : game.role_names[role];
      result.terms.push_back(std::move(terms[a]));
    }
  }
  for (auto& term : result.terms) term.weight /= roles;
  std::set<std::size_t> units;
  for (std::size_t block = 0; block < used.size(); ++block) {
    if (!used[block]) continue;
    ++result.blocks;
    units.insert(game.cluster_of[block]);
  }
  result.units = units.size();
  double sum = 0;
  for (const double weight : weights) sum += weight;
  result.difference = std::abs(sum) < 1e-9;
  result.unit_names = game.clusters;
  if (game.range) {
    result.range = {0, 0};
    for (const double weight : weights) {
      result.range.low += weight * (weight > 0 ? game.range->low : game.range->high);
      result.range.high += weight * (weight > 0 ? game.range->high : game.range->low);
    }
  }
  return result;
}

Cell ScoreTable::score_cell(std::size_t game, std::size_t agent, std::size_t stratum) const {
  const std::size_t agents[] = {agent};
  const double weights[] = {1};
  return contrast_cell(game, agents, weights, stratum);
}

Cell ScoreTable::difference_cell(std::size_t game, std::size_t agent, std::size_t reference,
                                 std::size_t stratum) const {
  const std::size_t agents[] = {agent, reference};
  const double weights[] = {1, -1};
  return contrast_cell(game, agents, weights, stratum);
}

std::optional<double> ScoreTable::score(std::size_t game, std::size_t agent) const {
  const Cell all = score_cell(game, agent, 0);
  if (all.terms.empty()) return std::nullopt;
  double total = 0;
  for (const auto& term : all.terms) {
    double gain = 0;
    double pie = 0;
    for (std::size_t i = 0; i < term.numerator.size(); ++i) {
      gain += term.numerator[i];
      pie += term.denominator[i];
    }
    if (!(pie > 0)) return std::nullopt;
    total += term.weight * (gain / pie);
  }
  return total;
}

}  // namespace agon::stats
