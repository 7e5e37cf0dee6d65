#include <fmt/format.h>

#include <agon/analysis/game_theory.hpp>
#include <agon/analysis/statistics.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <map>

#include "classic/play.hpp"
#include "classic/prepared.hpp"
#include "classic/tables/tables.hpp"
#include "shared/tables.hpp"

// How often which action is chosen, beside the equilibria: the game's own tables.

namespace classic {
namespace {

/// More columns are no figure that can be read in lines.
constexpr std::size_t kMostEquilibria = 3;
constexpr std::size_t kMostAgents = 8;
/// More of them make a table that nobody reads.
constexpr std::size_t kMostScenarios = shared::MeanCurves::kMostHeadings;

/// The probability of every action of every player.
using Strategies = std::vector<std::vector<double>>;

std::vector<double> surely(std::size_t action, std::size_t actions) {
  std::vector<double> all(actions, 0);
  if (action < actions) all[action] = 1;
  return all;
}

/// Extreme equilibria of two players; of more, or where there are too many, the pure ones.
std::vector<Strategies> equilibria_of(const agon::theory::MatrixGame& game) {
  std::vector<Strategies> all;
  const bool small = game.players() == 2 &&
                     std::max(game.actions(0), game.actions(1)) <= agon::theory::kMostMixedActions;
  if (small) {
    try {
      for (const agon::theory::MixedEquilibrium& found : agon::theory::extreme_equilibria(game)) {
        Strategies& strategies = all.emplace_back(2);
        for (const agon::theory::Exact& weight : found.first) strategies[0].push_back(weight.value);
        for (const agon::theory::Exact& weight : found.second)
          strategies[1].push_back(weight.value);
      }
      return all;
    } catch (const agon::Error&) {
      all.clear();  // too many corners to look at
    }
  }
  for (const std::size_t profile : agon::theory::pure_equilibria(game)) {
    Strategies& strategies = all.emplace_back();
    const std::vector<std::size_t> actions = game.profile(profile);
    for (std::size_t p = 0; p < actions.size(); ++p)
      strategies.push_back(surely(actions[p], game.actions(p)));
  }
  return all;
}

/// What players choose from first, and what theory says of it.
struct Theory {
  std::vector<std::vector<std::string>> actions;  ///< by player; of a tree on the path of induction
  std::vector<Strategies> equilibria;
};

Theory theory_of(const Prepared& made) {
  Theory theory;
  if (made.matrix) {
    theory.actions = made.game.actions;
    theory.equilibria = equilibria_of(*made.matrix);
    return theory;
  }
  // A player who does not move on the path of backward induction has nothing there to be held to.
  theory.actions.resize(made.players());
  Strategies path(made.players());
  for (std::size_t step = 0; step < made.solution.path.size(); ++step) {
    const std::size_t node = made.solution.nodes[step];
    const std::size_t player = made.tree->nodes()[node].player;
    if (!path[player].empty()) continue;
    theory.actions[player] = made.options[node];
    path[player] = surely(made.solution.path[step], made.options[node].size());
  }
  theory.equilibria = {std::move(path)};
  return theory;
}

/// What matches of the same settings share.
struct Known {
  bool repeated = false;
  Prepared made;
  Theory theory;
};

std::optional<Known> known_of(const agon::PlayedMatch& match) {
  const auto settings = shared::settings_of<Settings>(match);
  if (!settings) return std::nullopt;
  Known known{settings->periods > 1, prepare(*settings), {}};
  known.theory = theory_of(known.made);
  return known;
}

/// What was played under one scenario and treatment.
struct ScenarioChoices {
  std::vector<std::string> players;
  Theory theory;
  /// By player, action and agent.
  std::vector<std::vector<std::map<std::string, agon::Sample>>> chosen;
};

/// What was played, by scenario and treatment, and how many choices each agent made.
struct AllChoices {
  std::map<std::string, ScenarioChoices> played;
  std::map<std::string, std::size_t> agents;
};

AllChoices collect_choices(const agon::PlayedMatches& matches) {
  AllChoices all;
  shared::KnownBySettings<Known> games;
  matches.each([&](const agon::PlayedMatch& match) {
    const Known* known = games.of(match, &known_of);
    if (known == nullptr || known->repeated) return;
    const std::string block = shared::block_of(match);
    const auto [found, added] = all.played.try_emplace(shared::scenario_of(match));
    ScenarioChoices& played = found->second;
    if (added) {
      played.players = known->made.game.players;
      played.theory = known->theory;
      for (const auto& actions : known->theory.actions) played.chosen.emplace_back(actions.size());
    }
    for (std::size_t s = 0; s < match.seats().size() && s < played.chosen.size(); ++s) {
      const agon::PlayedSeat& seat = match.seats()[s];
      const double choice = match.metric(seat, "choice");
      if (match.metric(seat, "forced") == 1 || !(choice >= 1)) continue;
      ++all.agents[std::string(seat.agent)];
      for (std::size_t a = 0; a < played.chosen[s].size(); ++a)
        played.chosen[s][a][std::string(seat.agent)].add(
            block, static_cast<std::size_t>(choice) == a + 1 ? 1 : 0);
    }
  });
  if (all.agents.empty()) throw agon::LacksData{"matches of a game that is played once"};
  return all;
}

/// Those with the most choices, by name.
std::vector<std::string> shown_agents(const std::map<std::string, std::size_t>& agents) {
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [agent, choices] : agents) order.emplace_back(choices, agent);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (order.size() > kMostAgents) order.resize(kMostAgents);
  std::vector<std::string> shown;
  for (const auto& [choices, agent] : order) shown.push_back(agent);
  std::sort(shown.begin(), shown.end());
  return shown;
}

/// A row for every action of every player.
void add_actions(agon::PaperTable& table, const ScenarioChoices& played,
                 const std::vector<std::string>& shown, std::size_t equilibria, double level) {
  for (std::size_t p = 0; p < played.chosen.size(); ++p)
    for (std::size_t a = 0; a < played.chosen[p].size(); ++a) {
      agon::TableRow& row = table.rows.emplace_back();
      row.label = fmt::format("  {}: {}", played.players[p], played.theory.actions[p][a]);
      for (const std::string& agent : shown) {
        const auto found = played.chosen[p][a].find(agent);
        row.cells.push_back(found == played.chosen[p][a].end()
                                ? agon::TableCell{}
                                : shared::cell(found->second.share(level), 2));
      }
      for (std::size_t e = 0; e < equilibria; ++e)
        row.cells.push_back(e < played.theory.equilibria.size() &&
                                    a < played.theory.equilibria[e][p].size()
                                ? shared::number(played.theory.equilibria[e][p][a], 2)
                                : agon::TableCell{});
    }
}

}  // namespace

agon::PaperTable action_frequencies(const agon::PlayedMatches& matches) {
  const AllChoices all = collect_choices(matches);
  const std::vector<std::string> shown = shown_agents(all.agents);
  std::size_t equilibria = 0;
  bool cut = false;
  for (const auto& [name, played] : all.played) {
    equilibria = std::max(equilibria, std::min(kMostEquilibria, played.theory.equilibria.size()));
    cut = cut || played.theory.equilibria.size() > kMostEquilibria;
  }
  agon::PaperTable table;
  table.corner = "player and action";
  table.columns = shown;
  table.units = {"share"};
  for (std::size_t e = 1; e <= equilibria; ++e)
    table.columns.push_back(equilibria == 1 ? "equilibrium" : fmt::format("equilibrium {}", e));
  std::size_t told = 0;
  for (const auto& [name, played] : all.played) {
    if (++told > kMostScenarios) break;
    shared::add_heading(table, name);
    add_actions(table, played, shown, equilibria, matches.level());
  }
  table.notes = {
      "Share of an agent's choices, by player; forced ones are left out. n: choices. In a tree a "
      "player's first choice, held to the path of backward induction; players that do not move on "
      "it are left out.",
      "Equilibria: the extreme ones of two players, mixed ones among them; the pure ones of more."};
  if (cut) table.notes.push_back(fmt::format("Of games with more, the first {}.", kMostEquilibria));
  if (all.played.size() > kMostScenarios)
    table.notes.push_back(fmt::format("Of {} scenarios and treatments the first {}.",
                                      all.played.size(), kMostScenarios));
  if (all.agents.size() > shown.size())
    table.notes.push_back(
        fmt::format("Of {} agents the {} with the most choices.", all.agents.size(), shown.size()));
  return table;
}

agon::PaperTable actions_by_period(const agon::PlayedMatches& matches) {
  shared::KnownBySettings<Known> games;
  shared::MeanCurves curves;
  matches.each([&](const agon::PlayedMatch& match) {
    const Known* known = games.of(match, &known_of);
    if (known == nullptr || !known->repeated || !known->made.matrix) return;
    const std::vector<std::vector<std::string>>& actions = known->theory.actions;
    // Who is called what matters only where players choose from different actions.
    const bool alike = std::all_of(actions.begin(), actions.end(),
                                   [&](const auto& own) { return own == actions.front(); });
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    agon::each_said<kPeriod>(match, [&](const PeriodPlayed& event) {
      const auto period = static_cast<std::size_t>(event.period) - 1;
      const std::size_t seats =
          std::min({match.seats().size(), actions.size(), event.actions.size()});
      for (std::size_t s = 0; s < seats; ++s) {
        const std::string& player = known->made.game.players[s];
        // The last of two says what the first does.
        const std::size_t told = actions[s].size() == 2 ? 1 : actions[s].size();
        for (std::size_t a = 0; a < told; ++a) {
          const std::string what = (alike ? ": " : " as " + player + ": ") + actions[s][a];
          curves.add(heading, std::string(match.seats()[s].agent) + what, period, block,
                     event.actions[s] == actions[s][a] ? 1 : 0);
          if (known->theory.equilibria.size() == 1)
            curves.add_theory(heading, "played once" + what, period,
                              known->theory.equilibria.front()[s][a]);
        }
      }
    });
  });
  if (curves.empty())
    throw agon::LacksData{
        "recorded matches of a game with a payoff table that is played again and "
        "again"};
  agon::PaperTable table = curves.table(
      {.x = "period", .y = "share of choices"}, {.decimals = 2, .share = true}, matches.level(),
      {"Share of choices by period; of two actions the first one. Played once: the equilibrium of "
       "the game in a single period, where it has only one. Where chance ends the game, later "
       "periods have fewer matches. n: choices."});
  table.units = {"share"};
  return table;
}

namespace {

/// Most periods that have a column.
constexpr std::size_t most_columns = 100;

/// A line of the table: what was played, and who chose against whom.
struct Line {
  std::string scenario;
  std::string who;
  auto operator<=>(const Line&) const = default;
};
using ByPeriod = std::vector<agon::Sample>;

/// Who a seat plays against.
std::string others_of(const agon::PlayedMatch& match, std::size_t seat) {
  std::string text;
  for (std::size_t s = 0; s < match.seats().size(); ++s)
    if (s != seat) text += (text.empty() ? "" : " and ") + std::string(match.seats()[s].agent);
  return text;
}

std::string scenario_of(const agon::PlayedMatch& match) {
  const std::string treatment(match.treatment());
  return std::string(match.scenario()) + (treatment.size() > 2 ? ", " + treatment : "");
}

void add_period(const Prepared& made, const agon::PlayedMatch& match, const PeriodPlayed& event,
                std::map<Line, ByPeriod>& lines) {
  const auto period = static_cast<std::size_t>(event.period);
  if (period < 1 || period > most_columns) return;
  for (std::size_t s = 0; s < match.seats().size() && s < event.actions.size(); ++s) {
    const auto& own = made.game.actions[s];
    const auto found = std::find(own.begin(), own.end(), event.actions[s]);
    if (found == own.end()) continue;
    ByPeriod& line = lines[{scenario_of(match),
                            std::string(match.seats()[s].agent) + " with " + others_of(match, s)}];
    if (line.size() < period) line.resize(period);
    const bool cooperates =
        made.cooperation->counts[s][static_cast<std::size_t>(found - own.begin())];
    line[period - 1].add(shared::block_of(match), cooperates ? 1 : 0);
  }
}

}  // namespace

agon::PaperTable cooperation_by_period(const agon::PlayedMatches& matches) {
  shared::KnownBySettings<Known> games;
  std::map<Line, ByPeriod> lines;
  matches.each([&](const agon::PlayedMatch& match) {
    const Known* known = games.of(match, &known_of);
    if (known == nullptr || !known->repeated || !known->made.counts_cooperation) return;
    agon::each_said<kPeriod>(
        match, [&](const PeriodPlayed& event) { add_period(known->made, match, event, lines); });
  });
  if (lines.empty())
    throw agon::LacksData{
        "recorded matches of a game with a payoff table that is played again and again, and whose "
        "data or payoffs say what cooperation is"};
  agon::PaperTable table;
  table.corner = "who chooses";
  std::size_t periods = 0;
  for (const auto& [line, samples] : lines) periods = std::max(periods, samples.size());
  for (std::size_t i = 1; i <= periods; ++i) table.columns.push_back(std::to_string(i));
  std::string heading;
  for (const auto& [line, samples] : lines) {
    if (line.scenario != heading) {
      heading = line.scenario;
      shared::add_heading(table, heading);
    }
    agon::TableRow row{"  " + line.who, {}};
    for (std::size_t i = 0; i < periods; ++i)
      row.cells.push_back(
          shared::cell(i < samples.size() ? samples[i].share(matches.level()) : agon::Figure{}, 2));
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Share of choices that cooperate, by period. An action counts as cooperation if it leaves "
      "everybody else, as long as they cooperate, no less than the fairest outcome does; where the "
      "game's data name an action, it alone does.",
      "Where chance ends the game, later periods have fewer matches."};
  if (periods == most_columns)
    table.notes.push_back(fmt::format("Periods after the {}th are left out.", most_columns));
  table.curves = {.x = "period", .y = "share that cooperates"};
  table.units = {"share"};
  return table;
}

}  // namespace classic
