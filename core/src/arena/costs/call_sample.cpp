#include "costs/call_sample.hpp"

#include <agon/model/model_agent.hpp>
#include <agon/model/tool.hpp>
#include <agon/purpose.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "costs/costs.hpp"
#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "suite/scenario/match_setup.hpp"

namespace agon {
namespace {

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

/// How many batches a match takes one after the other, of the calls in batches that each question
/// took: questions that are put at the same time are answered by the same batches.
std::int64_t rounds_in(const std::string& record,
                       const std::map<std::uint32_t, std::int64_t>& calls) {
  std::int64_t rounds = 0;
  std::int64_t most = 0;  // of the questions that are put at the same time
  std::set<int> seats;    // that these are put to
  const auto end_group = [&] {
    rounds += std::exchange(most, 0);
    seats.clear();
  };
  record::each_entry(record, [&](const record::Entry& entry) {
    const bool is_question = entry.what == record::Entry::What::question;
    if (!is_question || seats.contains(entry.seat)) end_group();
    if (!is_question) return true;
    seats.insert(entry.seat);
    const auto found = calls.find(entry.number);
    if (found != calls.end()) most = std::max(most, found->second);
    return true;
  });
  end_group();
  return rounds;
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

void add_call(CallSample& take, const CountedCall& counted, Purpose asked) {
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
  // A text to embed is no prompt of the model that answers.
  if (call.purpose != "embed") take.longest = std::max(take.longest, counted.longest);
}

/// Which of an agent's models a call of this purpose goes to.
std::size_t model_for(const std::vector<std::string>& others, std::string_view purpose) {
  const auto found = std::find(others.begin(), others.end(), purpose);
  return found == others.end() ? 0 : static_cast<std::size_t>(found - others.begin()) + 1;
}

/// What the calls of a seat cost, of its models together.
struct SeatCost {
  std::int64_t cost = 0;
  std::int64_t unpriced = 0;  ///< calls whose cost is not known

  [[nodiscard]] bool is_known() const { return unpriced == 0 && cost > 0; }
};

/// Adds what an answer from a cache costs a run without one.
void add_cached(CallSample& seat, SeatCost& all, const ModelCall& call) {
  const std::int64_t cost = std::max<std::int64_t>(0, call.provider_cost);
  seat.cost += cost;
  all.cost += cost;
  all.unpriced += call.provider_cost < 0 ? 1 : 0;
}

/// Says how long a record would be in which models had said what they are taken to write.
void note_record(double bytes, std::vector<ModelSamples>& takes) {
  constexpr double kBytesOfToken = 4;
  for (const ModelSamples& seat : takes)
    for (const CallSample& model : seat) bytes += kBytesOfToken * model.most_output;
  for (ModelSamples& seat : takes)
    for (CallSample& model : seat) model.record = bytes;
}

bool can_play(const AgentInGame& agent, const void* settings, const std::string& role) {
  return (agent.roles.empty() ||
          std::find(agent.roles.begin(), agent.roles.end(), role) != agent.roles.end()) &&
         (agent.check == nullptr || agent.check(settings).empty());
}

}  // namespace

void add_samples(ModelSamples& to, const ModelSamples& more) {
  for (std::size_t m = 0; m < to.size(); ++m) to[m].add(more.at(m));
}

std::vector<std::string> other_purposes(const Agent& agent) {
  std::vector<std::string> purposes;
  if (const ModelAgent* model = agent.model_agent())
    for (const PurposeModel& other : model->other_models()) purposes.push_back(other.purpose);
  return purposes;
}

MatchResult play_dry(const Suite& suite, const Scenario& s, const AgentInGame* reference,
                     const design::PlannedMatch& planned, std::uint64_t position,
                     const std::vector<std::string>& carried, std::vector<ModelSamples>& takes,
                     std::int64_t& rounds) {
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
  takes.clear();
  std::vector<std::vector<std::string>> others;
  for (const auto& seat : setup.seats)
    takes.emplace_back(others.emplace_back(other_purposes(*seat.agent)).size() + 1);
  std::map<std::uint32_t, std::int64_t> in_batches;
  for (const CountedCall& call : *counted) {
    const ModelAgent& caller = *setup.seats[call.seat].agent->model_agent();
    const std::size_t model = model_for(others[call.seat], call.call.purpose);
    const bool is_batched = model == 0 ? caller.model().is_batched
                                       : caller.other_models().at(model - 1).model.is_batched;
    if (is_batched && call.call.purpose != "embed") ++in_batches[call.question];
    const auto asked = purposes.find({static_cast<int>(call.seat), call.question});
    add_call(takes[call.seat][model], call, asked == purposes.end() ? Purpose::act : asked->second);
  }
  rounds = in_batches.empty() ? 0 : rounds_in(result.record, in_batches);
  note_record(static_cast<double>(result.record.size()), takes);
  return result;
}

namespace {

/// What a seat of the pilot took, of its models together.
CallSample sample_of(const archive::SeatRow& seat) {
  return {.calls = seat.calls,
          .input = seat.input_tokens,
          .output = seat.output_tokens,
          .longest = seat.calls > 0 ? seat.input_tokens / seat.calls : 0,
          .cost = seat.cost};
}

/// What a call cost when it was paid, also one that was answered from a cache of answers.
std::int64_t paid(const archive::CallRow& row) {
  return row.is_from_cache() ? std::max<std::int64_t>(0, row.call.provider_cost)
                             : row.cost.value_or(0);
}

/// Moves a call of another model out of what the seat took in all.
void move_call(CallSample& all, CallSample& other, const archive::CallRow& row) {
  const std::int64_t input = std::max<std::int64_t>(0, row.call.usage.input);
  const std::int64_t output = std::max<std::int64_t>(0, row.call.usage.output);
  const std::int64_t cost = paid(row);
  for (const auto& [member, n] :
       {std::pair{&CallSample::calls, std::int64_t{1}}, std::pair{&CallSample::input, input},
        std::pair{&CallSample::output, output}, std::pair{&CallSample::cost, cost}}) {
    all.*member -= n;
    other.*member += n;
  }
  other.longest = std::max(other.longest, input);
}

}  // namespace

std::map<std::pair<std::string, std::string>, std::vector<ModelSamples>> pilot_takes(
    const archive::Archive& pilot, const Catalogue& catalogue, const OtherPurposes& others) {
  std::map<std::pair<std::string, std::string>, std::vector<ModelSamples>> takes;
  const auto scenarios = pilot.scenarios();
  const auto agents = pilot.agents();
  const auto games = pilot.games();
  pilot.matches().each({}, [&](std::int64_t number, const archive::MatchRow& m) {
    const archive::ScenarioRow& scenario = pilot.row(scenarios, m.key.scenario);
    std::vector<ModelSamples> by_seat;
    std::vector<std::vector<std::string>> purposes_of_seats;
    std::vector<SeatCost> costs;
    bool any = false;
    for (const archive::SeatRow& seat : m.seats) {
      any = any || seat.calls > 0;
      costs.push_back({seat.cost, seat.unpriced});
      purposes_of_seats.push_back(others(scenario.name, pilot.row(agents, seat.agent).name));
      by_seat.emplace_back(purposes_of_seats.back().size() + 1).front() = sample_of(seat);
    }
    if (!any) return true;
    const std::string& game = pilot.row(games, scenario.game).name;
    std::map<std::pair<int, std::uint32_t>, Purpose> purposes;
    if (catalogue.find<Game>(game))
      purposes =
          purposes_in(catalogue.game(game), pilot.matches().record_of(pilot.matches().at(number)));
    pilot.calls().each(&m.key.id, [&](const archive::CallRow& row) {
      const auto seat = static_cast<std::size_t>(row.seat);
      if (seat >= by_seat.size()) return;
      if (row.is_from_cache()) add_cached(by_seat[seat].front(), costs[seat], row.call);
      const auto asked = purposes.find({row.seat, static_cast<std::uint32_t>(row.question)});
      const auto parts = parts_of(row.call, asked == purposes.end() ? Purpose::act : asked->second);
      ModelSamples& models = by_seat[seat];
      const std::size_t model = model_for(purposes_of_seats[seat], row.call.purpose);
      if (model > 0 && row.answered) move_call(models.front(), models[model], row);
      for (std::size_t p = 0; p < kOutputParts; ++p) models[model].parts[p] += parts[p];
      models[model].is_batched = models[model].is_batched || is_batched(row.call);
    });
    // Also of a model that was not called in this match: it cost nothing, and that is known.
    for (std::size_t s = 0; s < by_seat.size(); ++s)
      for (CallSample& model : by_seat[s]) model.is_priced = costs[s].is_known();
    std::map<std::string, ModelSamples> by_agent;
    for (std::size_t s = 0; s < m.seats.size(); ++s) {
      if (m.seats[s].calls == 0) continue;
      const auto [at, added] =
          by_agent.try_emplace(pilot.row(agents, m.seats[s].agent).name, by_seat[s]);
      if (!added) add_samples(at->second, by_seat[s]);
    }
    for (const auto& [agent, take] : by_agent) takes[{scenario.name, agent}].push_back(take);
    return true;
  });
  return takes;
}

}  // namespace agon
