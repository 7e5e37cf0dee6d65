#include "classic/game.hpp"

#include <array>

#include "classic/answers.hpp"
#include "classic/facts.hpp"
#include "classic/metrics.hpp"
#include "classic/play.hpp"
#include "classic/solve/command.hpp"
#include "classic/strategies/level_k.hpp"
#include "classic/strategies/nash.hpp"
#include "classic/tables/tables.hpp"
#include "classic/views.hpp"
#include "classic/workflows/workflow.hpp"

namespace classic {
namespace {

std::vector<agon::SeatCard> seating(const Settings& settings) {
  std::vector<agon::SeatCard> seats;
  for (const std::string& name : settings.game.players) seats.push_back({name, ""});
  return seats;
}

}  // namespace

agon::Game game() {
  agon::GameCard card;
  card.title = "A game of choices";
  card.seats = {2, max_players};
  card.rules_for = agon::hook<&rules_text>;
  card.seating = agon::hook<&seating>;
  card.check = agon::hook<&check>;
  card.source =
      "Hua et al.: Game-theoretic LLM: Agent Workflow for Negotiation Games, 2024, sections 4 and "
      "6; for other games, whoever writes the data file";
  card.score = "the player's payoff, in the unit of the game's data";
  card.disagreement =
      "what the player's safest single action makes sure of (in a tree, its safest plan)";
  card.ideal =
      "the player's best outcome among those that give everybody else at least what they can make "
      "sure of; where that is no more than zero, there is no pie";
  // No score_range: payoffs are those of the data, and anybody may fall below the safe action or
  // gain by what the others give away.
  card.seat_metrics = &agon::type_of<SeatMetrics>();
  card.match_metrics = &agon::type_of<MatchMetrics>();
  card.presets = presets();
  card.facts = &agon::type_of<Facts>();
  card.facts_for = agon::facts<&facts>;
  card.reference = "nash";
  return agon::game<&play, &prepare>("classic", card);
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(Nash::card());
  registry.add(Nash::backward_induction_card());
  registry.add(LevelK::card());
  registry.add(best_response_workflow_card());
  registry.add(backward_induction_workflow_card());
  registry.add(workflow_card());
  registry.add(solve_command());
  add_result_tables(registry);
  add_figures(registry);
  registry.add(golden_balls_table());
}

}  // namespace classic
