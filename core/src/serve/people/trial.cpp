// The trial match: it counts nothing, and nothing of it is kept.
#include <agon/random.hpp>

#include "people/chair.hpp"
#include "people/session.hpp"
#include "run/match_setup.hpp"

namespace agon::serve {

void Session::start_trial(Participant& who) {
  who.tried = true;
  if (who.trial.joinable()) who.trial.join();  // one that was over long ago
  step_to(who, Step::playing);                 // nothing else begins meanwhile
  who.trial = std::jthread([this, &who](const std::stop_token& stop) { play_trial(who, stop); });
}

void Session::play_trial(Participant& who, const std::stop_token& stop) {
  const Scenario& scenario = suite_.scenarios[trial_->first];
  const design::PlannedMatch planned = scenario.plan->match(trial_->second);
  MatchSetup setup =
      match_setup(suite_, scenario, planned, 0, std::vector<std::string>(planned.agents.size()));
  std::shared_ptr<Sitting> sitting;
  {
    const Lock lock(mutex_);
    if (who.step != Step::playing || who.sitting != nullptr) return;  // they left meanwhile
    if (state_ == State::ended) return end(who, "closed");
    // Chance of its own, so that nothing is seen of what is played for good.
    setup.stream_key = combine(combine(mix(suite_.seed), hash_of("trial match")),
                               static_cast<std::uint64_t>(who.row.place));
    setup.turn = setup.stream_key;
    setup.another_follows = false;
    setup.record = false;
    setup.label = "trial";
    setup.cancel = stop;
    const AgentInGame& other = *people_.trial->in(scenario.game->id);
    for (std::size_t i = 0; i < setup.seats.size(); ++i) {
      SeatSetup& at = setup.seats[i];
      const bool probes = at.agent->answers_probes();
      const std::uint64_t dice = combine(setup.stream_key, i + 1);
      if (sitting == nullptr && is_person(*at.agent)) {
        sitting = sit_down(who, setup, static_cast<int>(i), setup.label);
        sitting->key = "trial-" + who.row.id;
        auto own = std::make_shared<Chair>(*this, sitting, probes, nullptr);
        const auto prompts = at.prompts;
        at = {.agent = own.get(), .dice_key = dice, .carried = {}, .own = own};
        at.prompts = prompts;
        continue;
      }
      at = seat_setup(other, scenario.name, planned.block, dice, {});
      at.prompts = scenario.prompts_of(*at.agent);
    }
    show(who);
  }
  const MatchResult result = play_match(setup);
  const Lock lock(mutex_);
  sitting->over = true;
  sitting->counts = result.end == End::finished;
  if (who.sitting != sitting || who.has_ended() || result.end == End::stopped) return;
  step_to(who, Step::result);
  show(who);
}

}  // namespace agon::serve
