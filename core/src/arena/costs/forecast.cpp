#include "costs/forecast.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/model/model_agent.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "costs/call_sample.hpp"
#include "plugin/catalogue.hpp"
#include "table/contract.hpp"
#include "table/match.hpp"

namespace agon {
namespace {

/// What plays in the place of models: the game's reference, or nothing.
AgentSpec reference_of(const Catalogue& catalogue, const Game& game) {
  if (game.card.reference.empty()) return {};
  return AgentSpec::parse(
      {.catalogue = catalogue, .games = {std::string(game.id)}, .dry_run = true},
      game.card.reference, std::string(game.id), ErrorPlace("reference"));
}

/// What is counted of a match, such as its calls.
using MatchMeasure = std::function<double(const CallSample&)>;

MatchMeasure counter(std::int64_t CallSample::*member) {
  return [member](const CallSample& take) { return static_cast<double>(take.*member); };
}

/// Mean of a seat, and variance of a match around what its seats have by the mean. Seats of one
/// match share its fate: matches are what is drawn.
struct Moments {
  double mean = 0;
  double variance = 0;
  double seats = 0;  ///< of a match, in the mean
};

Moments moments(const std::vector<CallSample>& all, const MatchMeasure& count) {
  const double n = static_cast<double>(all.size());
  Moments found;
  double total = 0;
  for (const CallSample& take : all) {
    total += count(take);
    found.seats += static_cast<double>(take.seats) / n;
  }
  found.mean = total / (n * found.seats);
  if (all.size() > 1)
    for (const CallSample& take : all) {
      const double off = count(take) - found.mean * static_cast<double>(take.seats);
      found.variance += off * off / (n - 1);
    }
  return found;
}

/// A sum over `seats` seats to come, of which the matches of `all` are a sample: the mean's and the
/// sum's own chance, two standard errors to both sides.
ExpectedRange by_mean(const std::vector<CallSample>& all, const MatchMeasure& count,
                      std::uint64_t seats) {
  const auto [mean, variance, a_match] = moments(all, count);
  const double n = static_cast<double>(all.size());
  const double more = static_cast<double>(seats) / a_match;
  const double expected = mean * static_cast<double>(seats);
  const double off = 2 * std::sqrt(variance * more * (1 + more / n));
  return {std::max(0.0, expected - off), expected, expected + off};
}

std::int64_t seats_in(const std::vector<CallSample>& all) {
  std::int64_t seats = 0;
  for (const CallSample& take : all) seats += take.seats;
  return seats;
}

/// What the matches took of one model.
std::vector<CallSample> of_model(const std::vector<ModelSamples>& matches, std::size_t model) {
  std::vector<CallSample> all;
  for (const ModelSamples& match : matches) all.push_back(match.at(model));
  return all;
}

/// Whether two standard errors of what a match takes are no more than a tenth of it.
bool is_known_to_a_tenth(const std::vector<CallSample>& all, const MatchMeasure& count) {
  const auto [mean, variance, a_match] = moments(all, count);
  return 2 * std::sqrt(variance / static_cast<double>(all.size())) <= 0.1 * mean * a_match;
}

/// Whether so many matches tell enough. `sample`: so many seats do; 0: five matches, if their calls
/// and tokens are known to a tenth, and a hundred in any case.
bool is_enough(const std::vector<CallSample>& all, int sample) {
  constexpr std::size_t kFewest = 5;
  constexpr std::size_t kMost = 100;
  if (sample > 0) return seats_in(all) >= sample;
  if (all.size() < kFewest) return false;
  if (all.size() >= kMost) return true;
  const auto counts = {&CallSample::calls, &CallSample::input, &CallSample::output};
  return std::all_of(counts.begin(), counts.end(), [&](std::int64_t CallSample::*member) {
    return is_known_to_a_tenth(all, counter(member));
  });
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
  const bool is_listed = s.plan->is_listed();
  for (std::uint64_t i = 0; i < (is_listed ? s.plan->size() : s.plan->round_size()); ++i)
    for (const int a : s.plan->match(i).agents) ++seats[a];
  const std::uint64_t rounds = s.as_seated || is_listed ? 1 : s.blocks * s.repeats;
  for (auto& [agent, n] : seats) n *= rounds * s.sequence;
  return seats;
}

/// The effort that one of an agent's models is asked for; empty: none.
std::string effort_of(const std::string& spec, const std::string& purpose) {
  boost::system::error_code code;
  const boost::json::value* at = nullptr;
  const boost::json::value value = boost::json::parse(spec, code);
  if (!code)
    at = value.find_pointer(
        "/params/" + (purpose.empty() ? "model" : "models/" + purpose) + "/reasoning_effort", code);
  return at != nullptr && at->is_string() ? std::string(at->get_string()) : std::string();
}

/// What is known of the agents of a scenario.
struct ScenarioSample {
  std::map<int, std::vector<ModelSamples>> takes;  ///< by agent, an element a match
  std::set<int> wanted;                            ///< call models and are to be seen
  std::set<int> from_pilot;
  std::set<int> people;
  std::string trouble;          ///< why a match was not finished
  std::int64_t rounds = 0;      ///< of batches, in one match at most
  std::map<int, int> too_long;  ///< by agent: matches that no record has room for

  /// Whether such an agent plays no match that a record has room for, as far as was seen.
  [[nodiscard]] bool never_fits(int agent) const {
    const auto found = takes.find(agent);
    return too_long.contains(agent) && (found == takes.end() || found->second.empty());
  }
};

constexpr const char* kShorter = "play fewer rounds, or with agents that are shown and say less";

std::string of_record(const std::string& scenario, const std::string& agent) {
  return "scenario '" + scenario + "': a match with agent '" + agent + "' ";
}

/// Plays one match of the plan, and the second of its sequence: what is learned makes later prompts
/// longer.
void play_sequence(const Suite& suite, const Scenario& s, const AgentInGame* reference,
                   const design::PlannedMatch& planned, ScenarioSample& sample) {
  std::vector<std::string> carried(planned.agents.size());
  for (std::uint64_t position = 0; position < std::min<std::uint64_t>(2, s.sequence); ++position) {
    std::vector<ModelSamples> match;
    std::int64_t rounds = 0;
    MatchResult result = play_dry(suite, s, reference, planned, position, carried, match, rounds);
    sample.rounds = std::max(sample.rounds, rounds);
    if (result.is_too_long) {
      for (const int a : std::set<int>(planned.agents.begin(), planned.agents.end()))
        if (sample.wanted.contains(a)) ++sample.too_long[a];
      return;
    }
    if (result.end != End::finished) {
      if (sample.trouble.empty()) sample.trouble = result.problem;
      return;
    }
    carried = std::move(result.carried);
    std::map<int, ModelSamples> by_agent;
    for (std::size_t seat = 0; seat < planned.agents.size(); ++seat) {
      const auto [known, added] = by_agent.try_emplace(planned.agents[seat], match[seat]);
      if (!added) add_samples(known->second, match[seat]);
    }
    for (const auto& [a, take] : by_agent)
      if (sample.wanted.contains(a)) sample.takes[a].push_back(take);
  }
}

/// Plays matches spread over the plan, until every agent has been seen often enough.
void play_sample(const Suite& suite, const Scenario& s, const AgentInGame* reference, int seats,
                 ScenarioSample& sample) {
  const std::uint64_t size = s.plan->size();
  const std::uint64_t tries = std::min<std::uint64_t>(size, 5000);
  const std::uint64_t step = spread_step(size);
  for (std::uint64_t i = 0, at = 0; i < tries && !sample.wanted.empty(); ++i) {
    at = (at + step) % size;
    const design::PlannedMatch planned = s.plan->match(at);
    const auto has = [&](const std::set<int>& some) {
      return std::any_of(planned.agents.begin(), planned.agents.end(),
                         [&](int a) { return some.contains(a); });
    };
    if (!has(sample.wanted) || has(sample.people)) continue;
    play_sequence(suite, s, reference, planned, sample);
    for (const int a : planned.agents) {
      if (sample.wanted.contains(a) && is_enough(of_model(sample.takes[a], 0), seats))
        sample.wanted.erase(a);
      // Long matches take long to play: a few tell.
      constexpr int kFew = 5;
      if (sample.never_fits(a) && sample.too_long.at(a) >= kFew) sample.wanted.erase(a);
    }
    if (!sample.trouble.empty() && sample.takes.empty() && i > 20) return;
  }
}

/// How many batches a match takes one after the other, where its calls were taken from a pilot.
void play_for_rounds(const Suite& suite, const Scenario& s, const AgentInGame* reference,
                     ScenarioSample& sample) {
  constexpr std::uint64_t kMatches = 5;
  const std::uint64_t size = s.plan->size();
  const std::uint64_t step = spread_step(size);
  for (std::uint64_t i = 0, at = 0; i < std::min(kMatches, size); ++i) {
    at = (at + step) % size;
    const design::PlannedMatch planned = s.plan->match(at);
    if (std::none_of(planned.agents.begin(), planned.agents.end(),
                     [&](int a) { return sample.people.contains(a); }))
      play_sequence(suite, s, reference, planned, sample);
  }
}

/// What came from caches, and what was put into them, is in what calls cost. What a pilot's calls
/// cost is not what these cost where only the ones or the others go out in batches.
std::optional<ExpectedRange> cost_of(const std::vector<CallSample>& all, const AgentForecast& row,
                                     const std::optional<Price>& price, bool is_batched) {
  const bool in_batches =
      is_batched ||
      std::any_of(all.begin(), all.end(), [](const CallSample& take) { return take.is_batched; });
  if ((!in_batches || !price) &&
      std::all_of(all.begin(), all.end(), [](const CallSample& take) { return take.is_priced; })) {
    const ExpectedRange cost = by_mean(all, counter(&CallSample::cost), row.seats);
    return ExpectedRange{cost.low / 1e9, cost.expected / 1e9, cost.high / 1e9};
  }
  if (!price) return std::nullopt;
  const auto dollars = [&](double in, double written) {
    return (in * static_cast<double>(price->input) + written * static_cast<double>(price->output)) /
           1e12;
  };
  return ExpectedRange{dollars(row.input.low, row.output.low),
                       dollars(row.input.expected, row.output.expected),
                       dollars(row.input.high, row.output.high)};
}

/// `model`: which of the agent's, as ModelSamples has them.
AgentForecast forecast_of(const AgentSpec& agent, const Scenario& s, std::size_t model,
                          const std::vector<CallSample>& all, std::uint64_t seats, bool from_pilot,
                          const PriceList& prices) {
  const AgentInGame& in = *agent.in(s.game->id);
  const ModelAgent& caller = *in.agent->model_agent();
  AgentForecast row;
  ModelName name = caller.model();
  if (model > 0) {
    const PurposeModel other = caller.other_models().at(model - 1);
    name = other.model;
    row.purpose = other.purpose;
  }
  row.scenario = s.name;
  row.agent = agent.name();
  row.model = name.text();
  row.seats = seats;
  row.sampled = static_cast<std::size_t>(seats_in(all));
  row.effort = effort_of(in.spec, row.purpose);
  row.from_pilot = from_pilot;
  for (const CallSample& take : all)
    row.longest_prompt = std::max(row.longest_prompt, take.longest);
  row.calls = by_mean(all, counter(&CallSample::calls), seats);
  row.input = by_mean(all, counter(&CallSample::input), seats);
  row.output = by_mean(all, counter(&CallSample::output), seats);
  for (std::size_t p = 0; p < kOutputParts; ++p) {
    row.parts[p] = by_mean(
        all, [p](const CallSample& take) { return static_cast<double>(take.parts[p]); }, seats);
    if (from_pilot) continue;
    row.parts[p].low /= factor_of(static_cast<OutputPart>(p));
    row.parts[p].high *= factor_of(static_cast<OutputPart>(p));
  }
  if (!from_pilot) {
    row.output.low = by_mean(
                         all, [](const CallSample& take) { return take.least_output; }, seats)
                         .low;
    row.output.high = by_mean(
                          all, [](const CallSample& take) { return take.most_output; }, seats)
                          .high;
  }
  row.cost = cost_of(all, row, prices.of(name), name.is_batched);
  if (!name.is_batched || !row.cost) return row;
  const std::optional<Price> alone = prices.of(name.provider, name.model);
  if (const auto whole = alone ? cost_of(all, row, alone, true) : std::nullopt)
    row.saved = whole->expected - row.cost->expected;
  return row;
}

/// Says which agents of a scenario play matches that are too long for a record, or may be.
void note_long(const Suite& suite, const Scenario& s, const ScenarioSample& seen, Forecast& out) {
  for (const auto& [a, all] : seen.takes) {
    double bytes = 0;
    for (const ModelSamples& match : all)
      for (const CallSample& model : match) bytes = std::max(bytes, model.record);
    if (bytes <= static_cast<double>(kLargestRecord) && !seen.too_long.contains(a)) continue;
    if (seen.never_fits(a)) continue;
    out.perhaps_too_long.push_back(
        of_record(s.name, suite.agents[static_cast<std::size_t>(a)].name()) +
        fmt::format("may need a record of more than {} MiB, and would not be finished; {}",
                    kLargestRecord >> 20, kShorter));
    out.notes.push_back(out.perhaps_too_long.back());
  }
  for (const auto& [a, matches] : seen.too_long)
    if (seen.never_fits(a))
      out.too_long.push_back(
          of_record(s.name, suite.agents[static_cast<std::size_t>(a)].name()) +
          fmt::format("needs a record of more than {} MiB", kLargestRecord >> 20));
}

/// The purposes whose calls go to other models, of an agent in a scenario; empty where the suite
/// does not have them.
std::vector<std::string> purposes_in_suite(const Suite& suite, const std::string& scenario,
                                           const std::string& agent) {
  for (const Scenario& s : suite.scenarios)
    for (const AgentSpec& a : suite.agents)
      if (s.name == scenario && a.name() == agent)
        if (const AgentInGame* in = a.in(s.game->id)) return other_purposes(*in->agent);
  return {};
}

}  // namespace

void Forecast::refuse_too_long(const std::string& file) const {
  if (!too_long.empty())
    throw Error(ErrorKind::invalid, too_long.front() + ", and none has more room", file, kShorter);
}

Forecast forecast(const Suite& suite, const Catalogue& catalogue, const PriceList& prices,
                  int sample, const archive::Archive* pilot) {
  Forecast out;
  out.matches = suite.matches();
  std::map<std::pair<std::string, std::string>, std::vector<ModelSamples>> known;
  if (pilot != nullptr)
    known = pilot_takes(*pilot, catalogue, [&](const std::string& scenario, const std::string& a) {
      return purposes_in_suite(suite, scenario, a);
    });
  const auto agent_of = [&](int a) -> const AgentSpec& {
    return suite.agents[static_cast<std::size_t>(a)];
  };
  for (const Scenario& s : suite.scenarios) {
    const std::map<int, std::uint64_t> seats = seats_of(s);
    ScenarioSample seen;
    for (const auto& [a, n] : seats) {
      const Agent& in = *agent_of(a).in(s.game->id)->agent;
      if (in.is_costly()) seen.people.insert(a);
      if (in.model_agent() == nullptr) continue;
      const auto found = known.find({s.name, agent_of(a).name()});
      if (found != known.end()) seen.takes[a] = found->second;
      (found != known.end() ? seen.from_pilot : seen.wanted).insert(a);
    }
    if (!seen.wanted.empty()) {
      const AgentSpec reference = reference_of(catalogue, *s.game);
      play_sample(suite, s, reference.in(s.game->id), sample, seen);
    }
    const bool has_batches = std::any_of(seats.begin(), seats.end(), [&](const auto& seat) {
      return calls_in_batches(*agent_of(seat.first).in(s.game->id)->agent);
    });
    if (has_batches && seen.rounds == 0) {
      const AgentSpec reference = reference_of(catalogue, *s.game);
      play_for_rounds(suite, s, reference.in(s.game->id), seen);
    }
    if (has_batches)
      out.batches.push_back({s.name, seen.rounds * static_cast<std::int64_t>(s.sequence)});
    note_long(suite, s, seen, out);
    if (!seen.trouble.empty())
      out.notes.push_back("scenario '" + s.name +
                          "': a match of the dry run was not finished: " + seen.trouble);
    for (const auto& [a, all] : seen.takes)
      for (std::size_t m = 0; !all.empty() && m < all.front().size(); ++m)
        out.rows.push_back(forecast_of(agent_of(a), s, m, of_model(all, m), seats.at(a),
                                       seen.from_pilot.contains(a), prices));
    for (const int a : seen.wanted)
      if (seen.takes[a].empty() && !seen.too_long.contains(a))
        out.notes.push_back("scenario '" + s.name + "': nothing is known of agent '" +
                            agent_of(a).name() + "'");
  }
  return out;
}

}  // namespace agon
