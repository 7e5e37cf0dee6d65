#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "classic/tables/rate_table.hpp"
#include "classic/tables/tables.hpp"
#include "shared/tables.hpp"

namespace classic {
namespace {

/// The models of the paper, in the order of its tables and of the numbers below.
const std::vector<std::string>& paper_models() {
  static const std::vector<std::string> names{"claude-3.5-sonnet", "gpt-4o", "claude-3-opus", "o1"};
  return names;
}

struct Published {
  std::string_view game;
  std::array<double, 4> rates;
};

/// One of the four tables.
struct Experiment {
  bool workflow;
  int rounds;
  std::string_view lacks;
  std::array<Published, 10> published;
  std::array<double, 4> averages;  ///< as printed; NaN: not at hand
  std::string_view misprint{};     ///< of the averages
};

constexpr Experiment kTable5{
    false,
    0,
    "matches of an agent with itself without a workflow and without negotiation",
    {{{"prisoners-dilemma", {1, .9, .9, 1}},
      {"stag-hunt", {.6, .8, .9, .4}},
      {"battle-of-sexes", {.3, .2, .6, .5}},
      {"wait-go", {.4, .5, .7, .3}},
      {"duopoly", {.3, .2, .1, .7}},
      {"escalation", {0, .2, .2, 1}},
      {"monopoly", {1, .4, 1, 1}},
      {"hot-cold", {.9, .1, .7, 1}},
      {"draco", {.3, 0, .7, .9}},
      {"trigame", {0, 0, .1, 1}}}},
    {.45, .32, .59, .78},
    "The printed averages .45 of Claude-3.5 Sonnet and .32 of GPT-4o do not fit the printed rates, "
    "whose means are .48 and .33: a misprint of the paper."};
constexpr Experiment kTable6{
    false,
    4,
    "matches of an agent with itself without a workflow and with 4 rounds of negotiation",
    {{{"prisoners-dilemma", {0, .1, 0, .9}},
      {"stag-hunt", {1, .9, 1, .9}},
      {"battle-of-sexes", {.7, .9, .7, .8}},
      {"wait-go", {1, .8, .4, .8}},
      {"duopoly", {.1, .1, 0, .5}},
      {"escalation", {.6, .4, .6, 1}},
      {"monopoly", {1, .9, 1, 1}},
      {"hot-cold", {.7, .2, .7, .4}},
      {"draco", {1, .8, 1, 1}},
      {"trigame", {.2, .5, .6, 1}}}},
    {.63, .56, .64, .83}};
constexpr Experiment kTable7{
    true,
    0,
    "matches of an agent with itself with a workflow (a label workflow: use, or a factor "
    "reasoning) and without negotiation",
    {{{"prisoners-dilemma", {1, 1, 1, 1}},
      {"stag-hunt", {1, 1, 1, 1}},
      {"battle-of-sexes", {.3, .3, .4, .5}},
      {"wait-go", {.2, .6, .1, .3}},
      {"duopoly", {1, .5, .6, .3}},
      {"escalation", {.5, .2, .3, 1}},
      {"monopoly", {1, 1, 1, 1}},
      {"hot-cold", {1, 1, 1, 1}},
      {"draco", {1, 1, 1, 1}},
      {"trigame", {.6, .9, .7, 1}}}},
    {agon::kNothing, agon::kNothing, agon::kNothing, agon::kNothing}};
constexpr Experiment kTable8{
    true,
    4,
    "matches of an agent with itself with a workflow (a label workflow: use, or a factor "
    "reasoning) and with 4 rounds of negotiation",
    {{{"prisoners-dilemma", {1, .9, .9, 1}},
      {"stag-hunt", {1, 1, 1, 1}},
      {"battle-of-sexes", {.7, .8, 1, .8}},
      {"wait-go", {.9, .7, .6, .7}},
      {"duopoly", {.6, .7, .6, .3}},
      {"escalation", {.3, .2, .4, 1}},
      {"monopoly", {1, 1, 1, 1}},
      {"hot-cold", {.7, .8, 1, 1}},
      {"draco", {.8, 1, .9, 1}},
      {"trigame", {.3, .8, .9, 1}}}},
    {.73, .78, .83, .88},
    "The printed average .78 of GPT-4o does not fit the printed rates, whose mean is .79: a "
    "misprint of the paper."};

/// The label of the row with the equilibria that no other equilibrium dominates.
std::string best_of(const std::string& game) {
  return title_of(game) + ", Pareto-best";
}

constexpr std::size_t kDuopolyChoices = 6;
/// How often each choice was taken in the duopoly, by agent.
using Choices = std::map<std::string, std::array<int, kDuopolyChoices>>;

/// A row for each choice, out of all choices of both players.
void add_choice_rows(agon::PaperTable& table, const Choices& choices,
                     const std::map<std::string, int>& players) {
  for (std::size_t c = 0; c < kDuopolyChoices; ++c) {
    agon::TableRow row{fmt::format("Duopoly, times choice_{}", c + 1), {}};
    for (const std::string& agent : table.columns) {
      agon::TableCell& cell = row.cells.emplace_back();
      cell.decimals = 0;
      if (const auto found = choices.find(agent); found != choices.end())
        cell.ours = {.value = static_cast<double>(found->second[c]),
                     .n = static_cast<double>(players.at(agent))};
    }
    table.rows.push_back(std::move(row));
  }
}

/// The mean of the rows `labels`, where a column has them all. `printed`: what the paper prints of
/// its models.
void add_average(agon::PaperTable& table, const std::set<std::string>& labels,
                 const std::array<double, 4>& printed) {
  agon::TableRow row{"Average", {}};
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    double ours = 0, n = 0;
    for (const agon::TableRow& from : table.rows) {
      if (!labels.contains(from.label)) continue;
      ours += from.cells[c].ours.value;
      n += from.cells[c].ours.n;
    }
    const auto games = static_cast<double>(labels.size());
    // What is missing is NaN, and so is the mean with it.
    row.cells.push_back({.ours = {.value = ours / games, .n = n}});
    const auto model = std::find(paper_models().begin(), paper_models().end(), table.columns[c]);
    if (model != paper_models().end())
      row.cells.back().published =
          printed[static_cast<std::size_t>(model - paper_models().begin())];
  }
  table.rows.push_back(std::move(row));
}

agon::PaperTable result_table(const agon::PlayedMatches& matches, const Experiment& experiment) {
  RateTable table("game", paper_models());
  std::set<std::string> games;
  for (const Published& p : experiment.published) {
    const std::string game(p.game);
    games.insert(title_of(game));
    table.row(title_of(game));
    table.publish(title_of(game), {p.rates.begin(), p.rates.end()});
    // Only here can the two rates differ.
    if (game == "stag-hunt" || game == "duopoly") table.row(best_of(game));
  }
  std::vector<std::string> notes{
      "A trial counts if the joint action is a pure equilibrium, in a tree if the whole path is "
      "that of backward induction. Trials without a legal action stay in the denominator.",
      "Pareto-best: an equilibrium that no other pure equilibrium Pareto-dominates. In all games "
      "but the Stag Hunt this is the same.",
      "Average: of the rates of the ten games, those of Pareto-best equilibria apart."};
  if (!experiment.misprint.empty()) notes.emplace_back(experiment.misprint);
  if (std::isnan(experiment.averages.front()))
    notes.emplace_back("The averages that the paper prints were not at hand.");
  if (!experiment.workflow && experiment.rounds == 0) {
    table.publish(best_of("stag-hunt"), {.3, .4, 0, .1});
    table.publish(best_of("duopoly"), {.2, .2, .1, .7});
    notes.emplace_back(
        "Duopoly has one equilibrium, so that .3 and .2 for Claude-3.5 Sonnet cannot both be "
        "right: a misprint of the paper.");
  }
  Choices choices;
  std::map<std::string, int> players;
  each_trial(matches, [&](const Trial& t) {
    if (t.workflow != experiment.workflow || t.rounds != experiment.rounds || t.prompt != 0 ||
        t.scale != 1 || (!t.personality.empty() && t.personality != "rational"))
      return;
    for (const Published& p : experiment.published) {
      if (p.game != t.game) continue;
      table.add(title_of(t.game), t.agent, t.block, t.nash);
      if (t.game == "stag-hunt" || t.game == "duopoly")
        table.add(best_of(t.game), t.agent, t.block, t.best_nash);
    }
    if (t.game != "duopoly") return;
    for (const int choice : t.choices) {
      ++players[t.agent];
      if (choice > 0 && choice <= static_cast<int>(kDuopolyChoices))
        ++choices[t.agent].at(static_cast<std::size_t>(choice) - 1);
    }
  });
  // The paper counts choices where no workflow makes them.
  if (!experiment.workflow)
    notes.emplace_back(
        "Times choice_k: how often it was taken by either player, of all their choices; forced "
        "ones "
        "count for none.");
  agon::PaperTable made =
      table.make(matches.level(), std::string(experiment.lacks), std::move(notes));
  add_average(made, games, experiment.averages);
  if (!experiment.workflow) add_choice_rows(made, choices, players);
  return made;
}

template <const Experiment& experiment>
agon::PaperTable make(const agon::PlayedMatches& matches) {
  return result_table(matches, experiment);
}

template <const Experiment& experiment>
agon::TableCard result_card(std::string_view id, std::string_view title, std::string_view source,
                            std::string_view scenario) {
  return {.id = id,
          .title = title,
          .source = source,
          .scenario = scenario,
          .game = "classic",
          .make = &make<experiment>};
}

}  // namespace

void add_tables(agon::Registry& registry) {
  registry.add(result_card<kTable5>(
      "game-theory/table-5", "rate of equilibria in ten games, raw, no negotiation",
      "Hua et al. 2024, Game-theoretic LLM, table 5", "papers/game-theory/table-5.json"));
  registry.add(result_card<kTable6>(
      "game-theory/table-6", "rate of equilibria in ten games, raw, 4 rounds",
      "Hua et al. 2024, Game-theoretic LLM, table 6", "papers/game-theory/table-6.json"));
  registry.add(result_card<kTable7>(
      "game-theory/table-7", "rate of equilibria in ten games, workflow, no negotiation",
      "Hua et al. 2024, Game-theoretic LLM, table 7", "papers/game-theory/table-7.json"));
  registry.add(result_card<kTable8>(
      "game-theory/table-8", "rate of equilibria in ten games, workflow, 4 rounds",
      "Hua et al. 2024, Game-theoretic LLM, table 8", "papers/game-theory/table-8.json"));
  add_figures(registry);
  registry.add(golden_balls_table());
  registry.add(figure_12_table());
  registry.add(cooperation_by_period_table());
  registry.add(shared::own_table("classic/actions", "how often which action, and the equilibria",
                                 "classic", &action_frequencies, false));
  registry.add(shared::own_table("classic/periods", "repeated play: which action, period by period",
                                 "classic", &actions_by_period));
}

}  // namespace classic
