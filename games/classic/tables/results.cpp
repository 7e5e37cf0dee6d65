#include <array>

#include "classic/tables/rate_table.hpp"
#include "classic/tables/tables.hpp"

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
      {"trigame", {0, 0, .1, 1}}}}};
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
      {"trigame", {.2, .5, .6, 1}}}}};
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
      {"trigame", {.6, .9, .7, 1}}}}};
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
      {"trigame", {.3, .8, .9, 1}}}}};

/// The label of the row with the equilibria that no other equilibrium dominates.
std::string best_of(const std::string& game) {
  return title_of(game) + ", Pareto-best";
}

agon::PaperTable result_table(const agon::PlayedMatches& matches, const Experiment& experiment) {
  RateTable table("game", paper_models());
  for (const Published& p : experiment.published) {
    const std::string game(p.game);
    table.row(title_of(game));
    table.publish(title_of(game), {p.rates.begin(), p.rates.end()});
    // Only here can the two rates differ.
    if (game == "stag-hunt" || game == "duopoly") table.row(best_of(game));
  }
  std::vector<std::string> notes{
      "A trial counts if the joint action is a pure equilibrium, in a tree if the whole path is "
      "that of backward induction. Trials without a legal action stay in the denominator.",
      "Pareto-best: an equilibrium that no other pure equilibrium Pareto-dominates. In all games "
      "but the Stag Hunt this is the same."};
  if (!experiment.workflow && experiment.rounds == 0) {
    table.publish(best_of("stag-hunt"), {.3, .4, 0, .1});
    table.publish(best_of("duopoly"), {.2, .2, .1, .7});
    notes.emplace_back(
        "Duopoly has one equilibrium, so that .3 and .2 for Claude-3.5 Sonnet cannot both be "
        "right: a misprint of the paper.");
  }
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
  });
  return table.make(matches.level(), std::string(experiment.lacks), std::move(notes));
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
}

}  // namespace classic
