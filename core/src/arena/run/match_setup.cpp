#include "run/match_setup.hpp"

namespace agon {

SeatSetup seat_setup(const AgentInGame& in, std::string_view scenario, std::uint64_t block,
                     std::uint64_t dice_key, std::string carried) {
  std::shared_ptr<const Agent> own = in.agent->in_block(scenario, block);
  const Agent* agent = own == nullptr ? in.agent.get() : own.get();
  return {agent, dice_key, std::move(carried), std::move(own)};
}

MatchSetup match_setup(const Suite& suite, const Scenario& scenario,
                       const design::PlannedMatch& planned, std::uint64_t position,
                       const std::vector<std::string>& carried) {
  const Treatment& t = scenario.treatments[planned.treatment];
  MatchSetup setup;
  setup.game = scenario.game;
  setup.settings = t.settings->get();
  setup.prepared = t.settings->prepared();
  setup.cards = t.settings->seating();
  setup.rules = t.settings->rules();
  setup.facts = t.settings->facts();
  setup.stream_key = stream_key(suite.seed, scenario.name, planned.block, position);
  setup.turn = planned.block + position;
  setup.position = position;
  setup.another_follows = position + 1 < scenario.sequence;
  setup.reasks = scenario.reasks;
  setup.answer_limit = suite.answer_limit;
  for (std::size_t i = 0; i < planned.agents.size(); ++i) {
    const AgentInGame* in =
        suite.agents[static_cast<std::size_t>(planned.agents[i])].in(scenario.game->id);
    setup.seats.push_back(seat_setup(*in, scenario.name, planned.block,
                                     dice_key(setup.stream_key, planned.repeat, in->digest, i),
                                     carried[i]));
    setup.seats.back().prompts = scenario.prompts_of(*in->agent);
  }
  return setup;
}

}  // namespace agon
