#include "run/forecast.hpp"

#include <agon/model/model_agent.hpp>
#include <agon/model/tool.hpp>
#include <agon/purpose.hpp>
#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <functional>
#include <mutex>
#include <numeric>
#include <set>

#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "run/planned_match.hpp"
#include "table/match.hpp"

namespace agon {
namespace {

/// Models differ by so much, both ways, in how many tokens they write of a part.
constexpr double factor_of(OutputPart part) {
  return part == OutputPart::thinking ? 3 : part == OutputPart::answers ? 1.5 : 2.5;
}

/// What the seats of one agent took in one match.
struct Take {
  std::int64_t seats = 1;
  std::int64_t calls = 0;
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::array<std::int64_t, kOutputParts> parts{};  ///< of output
  double least_output = 0;                         ///< of models that say little
  double most_output = 0;                          ///< of models that say much, up to their limit
  std::int64_t longest = 0;
  std::int64_t cost = 0;  ///< billionths of a US dollar
  bool is_priced = false;

  void add(const Take& other) {
    seats += other.seats;
    calls += other.calls;
    input += other.input;
    output += other.output;
    for (std::size_t p = 0; p < kOutputParts; ++p) parts[p] += other.parts[p];
    least_output += other.least_output;
    most_output += other.most_output;
    longest = std::max(longest, other.longest);
    cost += other.cost;
    is_priced = is_priced && other.is_priced;
  }
};

/// Tokens of the reasons that an answer has in its first member.
std::int64_t tokens_of_reasons(const std::string& answer) {
  const std::size_t from = answer.find('{');
  const std::size_t to = answer.rfind('}');
  if (from == std::string::npos || to == std::string::npos || to < from) return 0;
  boost::system::error_code code;
  const boost::json::value value =
      boost::json::parse(std::string_view(answer).substr(from, to - from + 1), code);
  const boost::json::value* thought =
      !code && value.is_object() ? value.get_object().if_contains("thought") : nullptr;
  return thought != nullptr && thought->is_string()
             ? archive::tokens_in(thought->get_string().size())
             : 0;
}

/// What a call of a question of this purpose wrote.
std::array<std::int64_t, kOutputParts> parts_of(const ModelCall& call, Purpose asked) {
  std::array<std::int64_t, kOutputParts> parts{};
  const auto part = [&](OutputPart which) -> std::int64_t& {
    return parts[static_cast<std::size_t>(which)];
  };
  const std::int64_t written = std::max<std::int64_t>(0, call.usage.output);
  const std::int64_t thought = std::clamp<std::int64_t>(call.usage.thought, 0, written);
  part(OutputPart::thinking) = thought;
  const bool is_answer = call.purpose == "answer" || call.purpose == "reconsider";
  if (call.purpose == "plan" ||
      (is_answer && (asked == Purpose::plan || asked == Purpose::replan))) {
    part(OutputPart::plans) = written - thought;
  } else if (call.purpose == "beliefs" || (is_answer && asked == Purpose::belief)) {
    part(OutputPart::beliefs) = written - thought;
  } else if (call.purpose == "notebook" || (is_answer && asked == Purpose::learn)) {
    part(OutputPart::notes) = written - thought;
  } else if (is_answer && call.finish != kToolCalls) {
    const std::int64_t reasons = std::min(tokens_of_reasons(call.text), written - thought);
    part(OutputPart::reasons) = reasons;
    part(OutputPart::answers) = written - thought - reasons;
  } else {
    part(call.purpose == "extract" ? OutputPart::answers : OutputPart::reasons) = written - thought;
  }
  return parts;
}

/// What the questions of a match were for, by seat and number.
std::map<std::pair<int, std::uint32_t>, Purpose> purposes_in(const Game& game,
                                                             const std::string& record) {
  std::map<std::pair<int, std::uint32_t>, Purpose> purposes;
  for (const record::Entry& entry : record::read(record).entries) {
    if (entry.what != record::Entry::What::question) continue;
    for (const StageCard& stage : game.stages)
      if (stage.name == entry.name) purposes[{entry.seat, entry.number}] = stage.purpose;
  }
  return purposes;
}

/// A call that was counted, and for which question.
struct CountedCall {
  std::size_t seat = 0;
  std::uint32_t question = 0;
  std::int64_t limit = 0;    ///< most tokens that it might write; 0: not known
  std::int64_t longest = 0;  ///< tokens of the prompt
  ModelCall call{};
};

/// Lets every call through and keeps what it took.
class CountingLedger final : public CallLedger {
 public:
  CountingLedger(std::shared_ptr<std::mutex> mutex, std::shared_ptr<std::vector<CountedCall>> calls,
                 int seat, std::uint32_t question)
      : mutex_(std::move(mutex)),
        calls_(std::move(calls)),
        seat_(static_cast<std::size_t>(seat)),
        question_(question) {}

  std::optional<ModelCall> find(int) override { return std::nullopt; }
  Halt admit(const CallEstimate& estimate) override {
    const std::lock_guard lock(*mutex_);
    longest_ = estimate.input;
    limit_ = estimate.output;
    return Halt::no;
  }
  void keep(int, const ModelCall& call) override { count(call); }
  void give_back(int, const ModelCall& call) override { count(call); }

 private:
  void count(const ModelCall& call) {
    const std::lock_guard lock(*mutex_);
    CountedCall& counted =
        calls_->emplace_back(CountedCall{seat_, question_, limit_, longest_, {}});
    counted.call.purpose = call.purpose;
    counted.call.text = call.text;
    counted.call.finish = call.finish;
    counted.call.usage = call.usage;
  }

  const std::shared_ptr<std::mutex> mutex_;
  const std::shared_ptr<std::vector<CountedCall>> calls_;
  const std::size_t seat_;
  const std::uint32_t question_;
  std::int64_t longest_ = 0;
  std::int64_t limit_ = 0;
};

void add_call(Take& take, const CountedCall& counted, Purpose asked) {
  const ModelCall& call = counted.call;
  const auto parts = parts_of(call, asked);
  double least = 0;
  double most = 0;
  for (std::size_t p = 0; p < kOutputParts; ++p) {
    const double factor = factor_of(static_cast<OutputPart>(p));
    least += static_cast<double>(parts[p]) / factor;
    most += static_cast<double>(parts[p]) * factor;
    take.parts[p] += parts[p];
  }
  const std::int64_t written = std::max<std::int64_t>(0, call.usage.output);
  if (counted.limit > 0)
    most = std::min(most, static_cast<double>(std::max(counted.limit, written)));
  ++take.calls;
  take.input += std::max<std::int64_t>(0, call.usage.input);
  take.output += written;
  take.least_output += least;
  take.most_output += most;
  take.longest = std::max(take.longest, counted.longest);
}

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
  auto counted = std::make_shared<std::vector<CountedCall>>();
  setup.ledger = [&](int seat, std::uint32_t number, int) {
    return std::make_shared<CountingLedger>(mutex, counted, seat, number);
  };
  MatchResult result = play_match(setup);
  const auto purposes = purposes_in(*setup.game, result.record);
  const std::lock_guard lock(*mutex);
  takes.assign(planned.agents.size(), {});
  for (const CountedCall& call : *counted) {
    const auto asked = purposes.find({static_cast<int>(call.seat), call.question});
    add_call(takes[call.seat], call, asked == purposes.end() ? Purpose::act : asked->second);
  }
  return result;
}

/// What is counted of a match, such as its calls.
using MatchMeasure = std::function<double(const Take&)>;

MatchMeasure counter(std::int64_t Take::*member) {
  return [member](const Take& take) { return static_cast<double>(take.*member); };
}

/// Mean of a seat, and variance of a match around what its seats have by the mean. Seats of one
/// match share its fate: matches are what is drawn.
struct Moments {
  double mean = 0;
  double variance = 0;
  double seats = 0;  ///< of a match, in the mean
};

Moments moments(const std::vector<Take>& all, const MatchMeasure& count) {
  const double n = static_cast<double>(all.size());
  Moments found;
  double total = 0;
  for (const Take& take : all) {
    total += count(take);
    found.seats += static_cast<double>(take.seats) / n;
  }
  found.mean = total / (n * found.seats);
  if (all.size() > 1)
    for (const Take& take : all) {
      const double off = count(take) - found.mean * static_cast<double>(take.seats);
      found.variance += off * off / (n - 1);
    }
  return found;
}

/// A sum over `seats` seats to come, of which the matches of `all` are a sample: the mean's and the
/// sum's own chance, two standard errors to both sides.
Span by_mean(const std::vector<Take>& all, const MatchMeasure& count, std::uint64_t seats) {
  const auto [mean, variance, a_match] = moments(all, count);
  const double n = static_cast<double>(all.size());
  const double more = static_cast<double>(seats) / a_match;
  const double expected = mean * static_cast<double>(seats);
  const double off = 2 * std::sqrt(variance * more * (1 + more / n));
  return {std::max(0.0, expected - off), expected, expected + off};
}

std::int64_t seats_in(const std::vector<Take>& all) {
  std::int64_t seats = 0;
  for (const Take& take : all) seats += take.seats;
  return seats;
}

/// Whether so many matches tell enough. `sample`: so many seats do; 0: five matches, if their calls
/// are known to a tenth, and sixty seats of no fewer matches in any case.
bool is_enough(const std::vector<Take>& all, int sample) {
  if (sample > 0) return seats_in(all) >= sample;
  if (all.size() < 5) return false;
  const auto [mean, variance, a_match] = moments(all, counter(&Take::calls));
  return seats_in(all) >= 60 ||
         2 * std::sqrt(variance / static_cast<double>(all.size())) <= 0.1 * mean * a_match;
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

/// What the pilot has of agents by name: one Take an agent and match, by scenario and agent.
std::map<std::pair<std::string, std::string>, std::vector<Take>> pilot_takes(
    const archive::Archive& pilot, const Catalogue& catalogue) {
  std::map<std::pair<std::string, std::string>, std::vector<Take>> takes;
  const auto scenarios = pilot.scenarios();
  const auto agents = pilot.agents();
  const auto games = pilot.games();
  pilot.matches({}, [&](std::int64_t number, const archive::MatchRow& m) {
    const archive::ScenarioRow& scenario = pilot.row(scenarios, m.key.scenario);
    std::vector<Take> by_seat;
    bool any = false;
    for (const archive::SeatRow& seat : m.seats) {
      any = any || seat.calls > 0;
      by_seat.push_back({.calls = seat.calls,
                         .input = seat.input_tokens,
                         .output = seat.output_tokens,
                         .longest = seat.calls > 0 ? seat.input_tokens / seat.calls : 0,
                         .cost = seat.cost,
                         .is_priced = seat.unpriced == 0 && seat.cost > 0});
    }
    if (!any) return true;
    const std::string& game = pilot.row(games, scenario.game).name;
    std::map<std::pair<int, std::uint32_t>, Purpose> purposes;
    if (catalogue.has_game(game))
      purposes = purposes_in(catalogue.game(game), pilot.record_of(pilot.match(number)));
    pilot.calls(&m.key.id, [&](const archive::CallRow& row) {
      if (static_cast<std::size_t>(row.seat) >= by_seat.size()) return;
      const auto asked = purposes.find({row.seat, static_cast<std::uint32_t>(row.question)});
      const auto parts = parts_of(row.call, asked == purposes.end() ? Purpose::act : asked->second);
      for (std::size_t p = 0; p < kOutputParts; ++p)
        by_seat[static_cast<std::size_t>(row.seat)].parts[p] += parts[p];
    });
    std::map<std::string, Take> by_agent;
    for (std::size_t s = 0; s < m.seats.size(); ++s) {
      if (by_seat[s].calls == 0) continue;
      const auto [at, added] =
          by_agent.try_emplace(pilot.row(agents, m.seats[s].agent).name, by_seat[s]);
      if (!added) at->second.add(by_seat[s]);
    }
    for (const auto& [agent, take] : by_agent) takes[{scenario.name, agent}].push_back(take);
    return true;
  });
  return takes;
}

/// The effort that an agent's model is asked for; empty: none.
std::string effort_of(const std::string& spec) {
  boost::system::error_code code;
  const boost::json::value* at = nullptr;
  const boost::json::value value = boost::json::parse(spec, code);
  if (!code) at = value.find_pointer("/params/model/reasoning_effort", code);
  return at != nullptr && at->is_string() ? std::string(at->get_string()) : std::string();
}

}  // namespace

Forecast forecast(const Suite& suite, const Catalogue& catalogue, const PriceList& prices,
                  int sample, const archive::Archive* pilot) {
  Forecast out;
  out.matches = suite.matches();
  std::map<std::pair<std::string, std::string>, std::vector<Take>> known;
  if (pilot != nullptr) known = pilot_takes(*pilot, catalogue);
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
        std::map<int, Take> by_agent;
        for (std::size_t seat = 0; seat < planned.agents.size(); ++seat) {
          const auto [known_take, added] = by_agent.try_emplace(planned.agents[seat], match[seat]);
          if (!added) known_take->second.add(match[seat]);
        }
        for (const auto& [a, take] : by_agent)
          if (wanted.contains(a)) takes[a].push_back(take);
      }
      for (const int a : planned.agents)
        if (wanted.contains(a) && is_enough(takes[a], sample)) wanted.erase(a);
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
      row.sampled = static_cast<std::size_t>(seats_in(all));
      row.effort = effort_of(agent.in(s.game->id)->spec);
      row.from_pilot = from_pilot.contains(a);
      for (const Take& take : all) row.longest_prompt = std::max(row.longest_prompt, take.longest);
      row.calls = by_mean(all, counter(&Take::calls), row.seats);
      row.input = by_mean(all, counter(&Take::input), row.seats);
      row.output = by_mean(all, counter(&Take::output), row.seats);
      for (std::size_t p = 0; p < kOutputParts; ++p) {
        row.parts[p] = by_mean(
            all, [p](const Take& take) { return static_cast<double>(take.parts[p]); }, row.seats);
        if (row.from_pilot) continue;
        row.parts[p].low /= factor_of(static_cast<OutputPart>(p));
        row.parts[p].high *= factor_of(static_cast<OutputPart>(p));
      }
      if (!row.from_pilot) {
        row.output.low = by_mean(
                             all, [](const Take& take) { return take.least_output; }, row.seats)
                             .low;
        row.output.high = by_mean(
                              all, [](const Take& take) { return take.most_output; }, row.seats)
                              .high;
      }
      // What came from caches, and what was put into them, is in what calls cost.
      if (std::all_of(all.begin(), all.end(), [](const Take& take) { return take.is_priced; })) {
        const Span cost = by_mean(all, counter(&Take::cost), row.seats);
        row.cost = Span{cost.low / 1e9, cost.expected / 1e9, cost.high / 1e9};
      } else if (const std::optional<Price> price = prices.of(name)) {
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
