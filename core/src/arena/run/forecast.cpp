#include "run/forecast.hpp"

#include <agon/model/model_agent.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>
#include <set>

#include "run/match_setup.hpp"
#include "table/match.hpp"

namespace agon {
namespace {

/// Models differ by so much, both ways, in how many tokens they write for the same answer.
constexpr std::int64_t kWrittenFactor = 3;

/// What one seat took in one match.
struct Take {
  std::int64_t calls = 0;
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t least_output = 0;  ///< of models that say little
  std::int64_t most_output = 0;   ///< of models that say much, up to their limit
  std::int64_t longest = 0;
};

/// Lets every call through and counts it.
class CountingLedger final : public CallLedger {
 public:
  CountingLedger(std::shared_ptr<std::mutex> mutex, std::shared_ptr<std::vector<Take>> takes,
                 int seat)
      : mutex_(std::move(mutex)), takes_(std::move(takes)), seat_(static_cast<std::size_t>(seat)) {}

  std::optional<ModelCall> find(int) override { return std::nullopt; }
  Halt admit(const CallEstimate& estimate) override {
    const std::lock_guard lock(*mutex_);
    Take& take = (*takes_)[seat_];
    take.longest = std::max(take.longest, estimate.input);
    limit_ = estimate.output;
    return Halt::no;
  }
  void keep(int, const ModelCall& call) override { count(call); }
  void give_back(int, const ModelCall& call) override { count(call); }

 private:
  void count(const ModelCall& call) {
    const std::lock_guard lock(*mutex_);
    Take& take = (*takes_)[seat_];
    const std::int64_t written = std::max<std::int64_t>(0, call.usage.output);
    ++take.calls;
    take.input += std::max<std::int64_t>(0, call.usage.input);
    take.output += written;
    take.least_output += written / kWrittenFactor;
    const std::int64_t much = written * kWrittenFactor;
    take.most_output += limit_ > 0 ? std::clamp(much, written, std::max(limit_, written)) : much;
  }

  const std::shared_ptr<std::mutex> mutex_;
  const std::shared_ptr<std::vector<Take>> takes_;
  const std::size_t seat_;
  std::int64_t limit_ = 0;
};

/// What plays in the place of models: the game's reference, or nothing.
AgentSpec reference_of(const Catalogue& catalogue, const Game& game) {
  if (game.card.reference.empty()) return {};
  return AgentSpec::parse(
      {.catalogue = catalogue, .games = {std::string(game.id)}, .dry_run = true},
      game.card.reference, std::string(game.id), ErrorPlace("reference"));
}

bool can_play(const AgentInGame& agent, const void* settings, const std::string& role) {
  return (agent.roles.empty() ||
          std::find(agent.roles.begin(), agent.roles.end(), role) != agent.roles.end()) &&
         (agent.check == nullptr || agent.check(settings).empty());
}

/// One match of a scenario as the runner would play it, but for records and the archive.
MatchResult play_dry(const Suite& suite, const Scenario& s, const AgentInGame* reference,
                     const design::PlannedMatch& planned, std::uint64_t position,
                     const std::vector<std::string>& carried, std::vector<Take>& takes) {
  MatchSetup setup = match_setup(suite, s, planned, position, carried);
  setup.label = "plan";
  for (std::size_t i = 0; i < planned.agents.size(); ++i)
    if (reference != nullptr && setup.seats[i].agent->model_agent() != nullptr &&
        can_play(*reference, setup.settings, setup.cards[i].role))
      setup.seats[i].stand_in = reference->agent.get();
  // Agents may hold a ledger after the match: what it counts then is nobody's.
  auto mutex = std::make_shared<std::mutex>();
  auto counted = std::make_shared<std::vector<Take>>(planned.agents.size());
  setup.ledger = [&](int seat, std::uint32_t, int) {
    return std::make_shared<CountingLedger>(mutex, counted, seat);
  };
  MatchResult result = play_match(setup);
  const std::lock_guard lock(*mutex);
  takes = *counted;
  return result;
}

using Count = std::int64_t Take::*;

/// Mean and variance over seats.
struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments moments(const std::vector<Take>& all, Count count) {
  const double n = static_cast<double>(all.size());
  Moments found;
  for (const Take& take : all) found.mean += static_cast<double>(take.*count) / n;
  if (all.size() > 1)
    for (const Take& take : all) {
      const double off = static_cast<double>(take.*count) - found.mean;
      found.variance += off * off / (n - 1);
    }
  return found;
}

/// A sum over `seats` seats to come, of which `all` are a sample: the mean's and the sum's own
/// chance, two standard errors to both sides.
Span by_mean(const std::vector<Take>& all, Count count, std::uint64_t seats) {
  const double n = static_cast<double>(all.size()), more = static_cast<double>(seats);
  const auto [mean, variance] = moments(all, count);
  const double off = 2 * std::sqrt(variance * more * (1 + more / n));
  return {std::max(0.0, more * mean - off), more * mean, more * mean + off};
}

/// Whether so many seats tell enough. `sample`: that many do; 0: five, if their calls are known to
/// a tenth, and sixty in any case.
bool is_enough(const std::vector<Take>& all, int sample) {
  if (sample > 0) return all.size() >= static_cast<std::size_t>(sample);
  if (all.size() < 5) return false;
  const auto [mean, variance] = moments(all, &Take::calls);
  return all.size() >= 60 ||
         2 * std::sqrt(variance / static_cast<double>(all.size())) <= 0.1 * mean;
}

/// The smallest step from 0.618 of `size` on by which all of its numbers are met, and soon from
/// everywhere.
std::uint64_t spread_step(std::uint64_t size) {
  auto step = static_cast<std::uint64_t>(0.618 * static_cast<double>(size)) + 1;
  while (std::gcd(step, size) != 1) ++step;
  return step;
}

/// Per agent of a scenario: how many seats it takes over all matches.
std::map<int, std::uint64_t> seats_of(const Scenario& s) {
  std::map<int, std::uint64_t> seats;
  for (std::uint64_t i = 0; i < s.plan->round_size(); ++i)
    for (const int a : s.plan->match(i).agents) ++seats[a];
  const std::uint64_t rounds = s.as_seated ? 1 : s.blocks * s.repeats;
  for (auto& [agent, n] : seats) n *= rounds * s.sequence;
  return seats;
}

/// What the pilot has of agents by name: one Take a seat and match, by scenario and agent.
std::map<std::pair<std::string, std::string>, std::vector<Take>> pilot_takes(
    const archive::Archive& pilot) {
  std::map<std::pair<std::string, std::string>, std::vector<Take>> takes;
  const auto scenarios = pilot.scenarios();
  const auto agents = pilot.agents();
  pilot.matches({}, [&](std::int64_t, const archive::MatchRow& m) {
    for (const archive::SeatRow& seat : m.seats)
      if (seat.calls > 0)
        takes[{pilot.row(scenarios, m.key.scenario).name, pilot.row(agents, seat.agent).name}]
            .push_back({.calls = seat.calls,
                        .input = seat.tokens_in,
                        .output = seat.tokens_out,
                        .longest = seat.tokens_in / seat.calls});
    return true;
  });
  return takes;
}

}  // namespace

Forecast forecast(const Suite& suite, const Catalogue& catalogue, const Prices& prices, int sample,
                  const archive::Archive* pilot) {
  Forecast out;
  out.matches = suite.matches();
  std::map<std::pair<std::string, std::string>, std::vector<Take>> known;
  if (pilot != nullptr) known = pilot_takes(*pilot);
  for (const Scenario& s : suite.scenarios) {
    const std::map<int, std::uint64_t> seats = seats_of(s);
    std::map<int, std::vector<Take>> takes;
    std::set<int> wanted, from_pilot, people;
    for (const auto& [a, n] : seats) {
      const AgentSpec& agent = suite.agents[static_cast<std::size_t>(a)];
      const Agent& in = *agent.in(s.game->id)->agent;
      if (in.is_costly()) people.insert(a);
      if (in.model_agent() == nullptr) continue;
      const auto found = known.find({s.name, agent.name()});
      if (found != known.end()) {
        takes[a] = found->second;
        from_pilot.insert(a);
      } else {
        wanted.insert(a);
      }
    }
    const AgentSpec reference = wanted.empty() ? AgentSpec() : reference_of(catalogue, *s.game);
    // Matches spread over the plan, until every agent has been seen often enough.
    std::string trouble;
    const std::uint64_t size = s.plan->size();
    const std::uint64_t tries = std::min<std::uint64_t>(size, 5000);
    const std::uint64_t step = spread_step(size);
    for (std::uint64_t i = 0, at = 0; i < tries && !wanted.empty(); ++i) {
      at = (at + step) % size;
      const design::PlannedMatch planned = s.plan->match(at);
      bool useful = false, possible = true;
      for (const int a : planned.agents) {
        useful = useful || wanted.contains(a);
        possible = possible && !people.contains(a);
      }
      if (!useful || !possible) continue;
      std::vector<std::string> carried(planned.agents.size());
      // What is learned makes later prompts longer: the second match shows it.
      for (std::uint64_t position = 0; position < std::min<std::uint64_t>(2, s.sequence);
           ++position) {
        std::vector<Take> match;
        MatchResult result =
            play_dry(suite, s, reference.in(s.game->id), planned, position, carried, match);
        if (result.end != End::finished) {
          if (trouble.empty()) trouble = result.problem;
          break;
        }
        carried = std::move(result.carried);
        for (std::size_t seat = 0; seat < planned.agents.size(); ++seat)
          if (wanted.contains(planned.agents[seat]))
            takes[planned.agents[seat]].push_back(match[seat]);
      }
      for (const int a : planned.agents)
        if (is_enough(takes[a], sample)) wanted.erase(a);
      if (!trouble.empty() && takes.empty() && i > 20) break;
    }
    if (!trouble.empty())
      out.notes.push_back("scenario '" + s.name +
                          "': a match of the dry run was not finished: " + trouble);
    for (const auto& [a, all] : takes) {
      if (all.empty()) continue;
      const AgentSpec& agent = suite.agents[static_cast<std::size_t>(a)];
      const ModelName name = agent.in(s.game->id)->agent->model_agent()->model();
      AgentForecast row;
      row.scenario = s.name;
      row.agent = agent.name();
      row.model = name.provider + (name.model.empty() ? "" : "/") + name.model;
      row.seats = seats.at(a);
      row.sampled = all.size();
      row.from_pilot = from_pilot.contains(a);
      for (const Take& take : all) row.longest_prompt = std::max(row.longest_prompt, take.longest);
      row.calls = by_mean(all, &Take::calls, row.seats);
      row.input = by_mean(all, &Take::input, row.seats);
      row.output = by_mean(all, &Take::output, row.seats);
      if (!row.from_pilot) {
        row.output.low = by_mean(all, &Take::least_output, row.seats).low;
        row.output.high = by_mean(all, &Take::most_output, row.seats).high;
      }
      if (const std::optional<Price> price = prices.of(name)) {
        const auto dollars = [&](double in, double written) {
          return (in * static_cast<double>(price->input) +
                  written * static_cast<double>(price->output)) /
                 1e12;
        };
        row.cost = Span{dollars(row.input.low, row.output.low),
                        dollars(row.input.expected, row.output.expected),
                        dollars(row.input.high, row.output.high)};
      }
      out.rows.push_back(std::move(row));
    }
    for (const int a : wanted)
      if (takes[a].empty())
        out.notes.push_back("scenario '" + s.name + "': nothing is known of agent '" +
                            suite.agents[static_cast<std::size_t>(a)].name() + "'");
  }
  return out;
}

}  // namespace agon
