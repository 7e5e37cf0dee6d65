#include "classic/game.hpp"

#include "classic/answers.hpp"
#include "classic/facts.hpp"
#include "classic/importer.hpp"
#include "classic/metrics.hpp"
#include "classic/play.hpp"
#include "classic/solve/command.hpp"
#include "classic/strategies/fictitious_play.hpp"
#include "classic/strategies/level_k.hpp"
#include "classic/strategies/nash.hpp"
#include "classic/strategies/reciprocity.hpp"
#include "classic/tables/tables.hpp"
#include "classic/views.hpp"
#include "classic/workflows/workflow.hpp"
#include "shared/names.hpp"

namespace classic {
namespace {

std::vector<agon::SeatCard> seating(const Settings& settings) {
  return shared::seats_named(settings.game.players);
}

}  // namespace

agon::Game game() {
  return agon::game<&play, &prepare>(
      "classic",
      {
          .title = "A game of choices",
          .seats = {2, kMaxPlayers},
          .rules_for = agon::hook<&rules_text>,
          .seating = agon::hook<&seating>,
          .check = agon::hook<&check>,
          .source = "Hua et al.: Game-theoretic LLM: Agent Workflow for Negotiation Games, 2024, "
                    "sections 4 and "
                    "6; for other games, whoever writes the data file",
          .score = "the player's payoff, in the unit of the game's data; in repeated play of all "
                   "periods together, or on average",
          .disagreement =
              "what the player's safest single action makes sure of (in a tree, its safest plan), "
              "in every period",
          .ideal = "the player's best outcome among those that give everybody else at least what "
                   "they can make "
                   "sure of, in every period; where that is no more than zero, there is no pie",
          // No score_range: payoffs are those of the data, and anybody may fall below the safe
          // action or gain by what the others give away.
          .seat_metrics = &agon::type_of<SeatMetrics>(),
          .match_metrics = &agon::type_of<MatchMetrics>(),
          .presets = presets(),
          .version = 3,
          .facts = &agon::type_of<Facts>(),
          .facts_for = agon::facts<&facts>,
          .reference = "nash",
      });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(Nash::card());
  registry.add(Nash::backward_induction_card());
  registry.add(LevelK::card());
  registry.add(Reciprocal<Reciprocity::grim>::card());
  registry.add(Reciprocal<Reciprocity::tit_for_tat>::card());
  registry.add(Reciprocal<Reciprocity::win_stay_lose_shift>::card());
  registry.add(FictitiousPlay::card());
  registry.add(best_response_workflow_card());
  registry.add(backward_induction_workflow_card());
  registry.add(workflow_card());
  registry.add(meta_strategy_card());
  registry.add(solve_command());
  registry.add(golden_balls_importer());
  add_tables(registry);
}

}  // namespace classic
