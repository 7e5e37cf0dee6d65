#include "people/participant.hpp"

#include <agon/random.hpp>
#include <algorithm>
#include <set>
#include <utility>

#include "people/session.hpp"
#include "run/planned_match.hpp"

namespace agon::serve {
namespace {

bool has_sat_at(const Participant& who, const WaitingTable& table) {
  return std::any_of(who.seated.begin(), who.seated.end(),
                     [&](const SeatedRow& row) { return row.match == table.table->match; });
}

bool has_met(const Participant& who, std::uint64_t luck) {
  return std::any_of(who.seated.begin(), who.seated.end(),
                     [&](const SeatedRow& row) { return row.rng_key == luck; });
}

/// How often they took part in a scenario; a sequence of matches is one time.
std::size_t times_in(const Participant& who, const std::string& scenario) {
  std::set<archive::MatchId> first;
  for (const SeatedRow& row : who.seated)
    if (row.label == scenario) first.insert(row.first);
  return first.size();
}

/// Who came first has no seat by that: the luck of the match deals them.
void deal(WaitingTable& table, const std::vector<Participant*>& people) {
  std::vector<std::pair<std::uint64_t, Participant*>> dealt;
  for (std::size_t i = 0; i < people.size(); ++i)
    dealt.emplace_back(mix(combine(table.luck, i + 1)), people[i]);
  std::sort(dealt.begin(), dealt.end());
  for (const auto& [key, who] : dealt) table.who.push_back(who);
}

}  // namespace

const WaitingTable* waits_for(const Participant& who, const WaitingTables& waiting) {
  const WaitingTable* found = nullptr;
  std::size_t least = 0;
  for (auto at = waiting.begin(); at != waiting.end();) {
    const WaitingTable* table = *at;
    if (!table->who.empty() || has_sat_at(who, *table)) {
      ++at;
      continue;
    }
    const std::size_t times = times_in(who, table->table->scenario.name);
    if (found == nullptr || times < least) found = table, least = times;
    // On to the next scenario.
    at = std::upper_bound(
        at, waiting.end(), table->table->place,
        [](std::size_t place, const WaitingTable* other) { return place < other->table->place; });
  }
  return found;
}

bool seat_people(const WaitingTables& waiting, const std::vector<Participant*>& all) {
  // Who waits here, in the order of their coming, with the scenario that they wait for.
  std::vector<std::pair<Participant*, std::size_t>> here;
  for (Participant* p : all)
    if (p->step == Step::waiting && p->is_here())
      if (const WaitingTable* next = waits_for(*p, waiting))
        here.emplace_back(p, next->table->place);
  std::sort(here.begin(), here.end(),
            [](const auto& a, const auto& b) { return a.first->arrived < b.first->arrived; });
  bool any = false;
  std::set<Participant*> kept;  // for a match to which others are still to come
  for (const bool same_luck : {false, true})
    for (WaitingTable* table : waiting) {
      if (here.empty()) return any;
      if (!table->who.empty()) continue;
      std::vector<Participant*> able, found;  // who may sit here, and whom it would be new to
      for (const auto& [p, place] : here) {
        if (place != table->table->place || kept.contains(p) || has_sat_at(*p, *table)) continue;
        able.push_back(p);
        if (found.size() < table->needed && (same_luck || !has_met(*p, table->luck)))
          found.push_back(p);
      }
      if (able.size() < table->needed) {
        kept.insert(able.begin(), able.end());
      } else if (found.size() == table->needed) {
        std::erase_if(here, [&](const auto& one) {
          return std::find(found.begin(), found.end(), one.first) != found.end();
        });
        deal(*table, found);
        any = true;
      }
    }
  return any;
}

Chair::Chair(Session& session, std::shared_ptr<Sitting> sitting, bool probes,
             std::shared_ptr<const Agent> substitute)
    : session_(session),
      sitting_(std::move(sitting)),
      probes_(probes),
      substitute_(std::move(substitute)) {}

void Chair::ask(OwnedQuestion question, Completion done) const {
  done.hold();  // the session minds the time: it can be paused
  session_.ask(sitting_, std::move(question), std::move(done));
}

void Chair::match_ended(MatchEnding ending) const {
  session_.match_ended(sitting_, std::move(ending));
}

void Chair::match_over(const void* /*table*/) const noexcept {
  session_.match_over(sitting_);
}

}  // namespace agon::serve

// The trial match: it counts nothing, and nothing of it is kept.

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
