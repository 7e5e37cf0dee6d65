#include "learner/learner_seat.hpp"

#include <agon/error.hpp>
#include <agon/nearest.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <utility>
#include <vector>

#include "design/plan.hpp"

namespace agon::serve {
namespace {

/// The seats that are called so; adds to `known` what seats are called.
std::vector<int> seats_called(const Settings& settings, const std::string& name,
                              std::vector<std::string>& known) {
  const std::vector<SeatCard>& cards = settings.seating();
  std::vector<int> found;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const std::string number = std::to_string(i);
    if (name == number || name == cards[i].name || name == cards[i].role)
      found.push_back(static_cast<int>(i));
    for (const std::string& other : {number, cards[i].name, cards[i].role})
      if (!other.empty() && std::find(known.begin(), known.end(), other) == known.end())
        known.push_back(other);
  }
  return found;
}

int seat_in(const Scenario& scenario, const Settings& settings, const std::string& name) {
  std::vector<std::string> known;
  const std::vector<int> found = seats_called(settings, name, known);
  if (found.empty())
    throw Error(
        ErrorKind::usage,
        "scenario '" + scenario.name + "' has no seat '" + name + "'" + did_you_mean(name, known),
        "--learner", "pass the number, name or role of a seat; numbers count from 0");
  if (found.size() > 1) {
    std::string numbers;
    for (const int seat : found) numbers += (numbers.empty() ? "" : ", ") + std::to_string(seat);
    throw Error(ErrorKind::usage,
                "scenario '" + scenario.name + "' has several seats '" + name + "'", "--learner",
                "pass one of their numbers: " + numbers);
  }
  return found.front();
}

}  // namespace

LearnerSeat::LearnerSeat(const Suite& suite, std::string seat)
    : suite_(suite), seat_(std::move(seat)) {
  for (const Scenario& s : suite.scenarios) {
    for (const Treatment& t : s.treatments) (void)seat_in(s, *t.settings, seat_);
    for (const int agent : s.players()) {
      const AgentSpec& spec = suite.agents[static_cast<std::size_t>(agent)];
      const AgentInGame* in = spec.in(s.game->id);
      if (in != nullptr && is_person(*in->agent))
        throw Error(ErrorKind::usage,
                    "a person plays scenario '" + s.name + "' as '" + spec.name() + "'", suite.file,
                    "leave that agent out of the design, or replace it with --agent " +
                        spec.name() + "=SPEC");
    }
  }
}

LearnerSeat::Drawn LearnerSeat::draw(std::uint64_t seed, std::string_view scenario) const {
  constexpr std::uint64_t kScenario = 1;
  constexpr std::uint64_t kMatch = 2;
  const auto& all = suite_.scenarios;
  auto found = all.begin();
  if (scenario.empty()) {
    found += static_cast<std::ptrdiff_t>(mix(combine(seed, kScenario)) % all.size());
  } else {
    found =
        std::find_if(all.begin(), all.end(), [&](const Scenario& s) { return s.name == scenario; });
    if (found == all.end()) {
      std::vector<std::string> names;
      for (const Scenario& s : all) names.push_back(s.name);
      throw Error(ErrorKind::not_found,
                  "the suite has no scenario '" + std::string(scenario) + "'" +
                      did_you_mean(scenario, names),
                  "scenario");
    }
  }
  const Scenario& s = *found;
  const design::PlannedMatch planned = s.plan->match(mix(combine(seed, kMatch)) % s.plan->size());
  const Settings& settings = *s.treatments[planned.treatment].settings;
  std::vector<const AgentInGame*> agents;
  for (const int agent : planned.agents)
    agents.push_back(suite_.agents[static_cast<std::size_t>(agent)].in(s.game->id));
  std::vector<std::string> known;
  Drawn drawn{seed, &s, seats_called(settings, seat_, known).front(), {}};
  agents[static_cast<std::size_t>(drawn.seat)] = nullptr;
  drawn.setup = match_setup(
      *s.game, settings,
      {stream_key(seed, s.draws(), planned.block, 0), s.name, planned.block, planned.repeat},
      agents);
  drawn.setup.turn = planned.block;
  drawn.setup.reasks = s.reasks;
  drawn.setup.answer_limit = suite_.answer_limit;
  drawn.setup.label = "episode";
  for (std::size_t i = 0; i < agents.size(); ++i)
    if (agents[i] != nullptr) drawn.setup.seats[i].prompts = s.prompts_of(*agents[i]->agent);
  return drawn;
}

}  // namespace agon::serve
