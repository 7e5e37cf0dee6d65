#include "suite/scenario/match_setup.hpp"

#include <memory>
#include <utility>

#include "branch/branches.hpp"
#include "design/plan.hpp"

namespace agon {

SeatSetup seat_setup(const AgentInGame& in, std::string_view scenario, std::uint64_t block,
                     std::uint64_t dice_key) {
  std::shared_ptr<const Agent> own = in.agent->in_block(scenario, block);
  const Agent* agent = own == nullptr ? in.agent.get() : own.get();
  return {agent, dice_key, {}, std::move(own)};
}

MatchSetup match_setup(const Game& game, const Settings& settings, const MatchDraws& draws,
                       const std::vector<const AgentInGame*>& agents) {
  MatchSetup setup = set_up_match(game, settings, draws.stream_key);
  setup.seats.resize(agents.size());
  for (std::size_t i = 0; i < agents.size(); ++i)
    if (agents[i] != nullptr)
      setup.seats[i] = seat_setup(*agents[i], draws.scenario, draws.block,
                                  dice_key(draws.stream_key, draws.repeat, agents[i]->digest, i));
  return setup;
}

MatchSetup match_setup(const Suite& suite, const Scenario& scenario,
                       const design::PlannedMatch& planned, std::uint64_t position,
                       const std::vector<std::string>& carried) {
  std::vector<const AgentInGame*> agents;
  for (const int agent : planned.agents)
    agents.push_back(suite.agents[static_cast<std::size_t>(agent)].in(scenario.game->id));
  MatchSetup setup = match_setup(
      *scenario.game, *scenario.treatments[planned.treatment].settings,
      {planned.branch ? scenario.branches->rng_key(*planned.branch)
                      : stream_key(suite.seed, scenario.draws(), planned.block, position),
       scenario.name, planned.block, planned.repeat},
      agents);
  setup.turn = planned.block + position;
  setup.position = position;
  setup.another_follows = position + 1 < scenario.sequence;
  setup.reasks = scenario.reasks;
  setup.answer_limit = suite.answer_limit;
  setup.probes = scenario.probes.get();
  for (std::size_t i = 0; i < agents.size(); ++i) {
    setup.seats[i].carried = carried[i];
    setup.seats[i].prompts = scenario.prompts_of(*agents[i]->agent);
  }
  if (planned.branch) scenario.branches->set_up(*planned.branch, setup);
  return setup;
}

}  // namespace agon
