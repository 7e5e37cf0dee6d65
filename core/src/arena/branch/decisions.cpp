#include "branch/decisions.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "branch/line_up.hpp"
#include "branch/rollouts.hpp"
#include "plugin/catalogue.hpp"
#include "run/play/jobs.hpp"
#include "text/words.hpp"

namespace agon::branch {
namespace {

/// Values the decisions of matches, one at a time.
class DecisionValuer {
 public:
  DecisionValuer(const archive::Archive& archive, const Catalogue& catalogue,
                 const DecisionRequest& request)
      : archive_(archive),
        request_(request),
        replayer_(archive, catalogue),
        references_(catalogue) {}

  ValuedDecisions value(std::int64_t number);

 private:
  std::vector<const AgentInGame*> who_plays_on(const archive::MatchRow& match, const Game& game,
                                               const AgentInGame& reference, std::size_t seat);
  void value(const archive::MatchRow& match, Rollouts& rollouts, const RecordedDecision& decision,
             ValuedDecisions& out);
  [[nodiscard]] std::optional<std::vector<double>> scores_of(Rollouts& rollouts,
                                                             const RecordedDecision& decision,
                                                             const std::string& answer,
                                                             ValuedDecisions& out) const;

  const archive::Archive& archive_;
  const DecisionRequest& request_;
  Replayer replayer_;
  ReferenceAgents references_;
};

ValuedDecisions DecisionValuer::value(std::int64_t number) {
  ValuedDecisions out;
  const archive::MatchRow match = archive_.matches().at(number);
  if (match.status != archive::MatchStatus::finished) return out;
  if (match.record.empty()) {
    out.unrecorded = 1;
    return out;
  }
  out.matches = 1;
  const Game& game = *replayer_.stage_of(match.key.scenario).game;
  const AgentInGame& reference = references_.made(request_.reference, game, "--reference");
  for (const archive::SeatRow& seat : match.seats)
    if (!reference.plays(seat.role))
      throw Error(ErrorKind::usage,
                  "'" + request_.reference + "' does not play the role '" + seat.role + "'",
                  "--reference", "name an agent that plays all roles of " + std::string(game.id));
  // Who plays on may depend on the seat.
  std::map<std::size_t, std::unique_ptr<Rollouts>> by_seat;
  const auto rollouts_of = [&](std::size_t seat) -> Rollouts& {
    auto& known = by_seat[request_.others ? seat : 0];
    if (known == nullptr)
      known = std::make_unique<Rollouts>(replayer_, archive_, match,
                                         who_plays_on(match, game, reference, seat));
    return *known;
  };
  for (const RecordedDecision& decision : rollouts_of(0).decisions()) {
    const auto seat = static_cast<std::size_t>(decision.seat);
    if (decision.forced || seat >= match.seats.size() ||
        (!request_.seat.empty() && match.seats[seat].name != request_.seat))
      continue;
    value(match, rollouts_of(seat), decision, out);
  }
  return out;
}

std::vector<const AgentInGame*> DecisionValuer::who_plays_on(const archive::MatchRow& match,
                                                             const Game& game,
                                                             const AgentInGame& reference,
                                                             std::size_t seat) {
  std::vector<const AgentInGame*> agents(match.seats.size(), &reference);
  for (std::size_t i = 0; i < agents.size() && request_.others; ++i)
    if (i != seat && is_free(replayer_.agent_of(match.seats[i].agent, game)))
      agents[i] = &replayer_.agent_of(match.seats[i].agent, game);
  return agents;
}

/// Nothing where the answer is not legal there.
std::optional<std::vector<double>> DecisionValuer::scores_of(Rollouts& rollouts,
                                                             const RecordedDecision& decision,
                                                             const std::string& answer,
                                                             ValuedDecisions& out) const {
  std::vector<double> scores;
  for (std::uint64_t repeat = 0; repeat < request_.repeats; ++repeat) {
    const auto got = rollouts.play(decision.question, answer, repeat);
    ++out.continuations;
    if (!got) return std::nullopt;
    scores.push_back((*got)[static_cast<std::size_t>(decision.seat)]);
  }
  return scores;
}

void DecisionValuer::value(const archive::MatchRow& match, Rollouts& rollouts,
                           const RecordedDecision& decision, ValuedDecisions& out) {
  const std::string by_reference = rollouts.answer_of_reference(decision.question);
  AnswerChoices choices = rollouts.choices(decision.question, request_.alternatives);
  std::set<std::string> answers(choices.answers.begin(), choices.answers.end());
  answers.insert(decision.answer);
  if (!by_reference.empty()) answers.insert(by_reference);
  std::vector<archive::DecisionRow> rows;
  for (const std::string& answer : answers) {
    auto scores = scores_of(rollouts, decision, answer, out);
    if (!scores) continue;
    rows.push_back({.match = match.key.id,
                    .question = decision.question,
                    .seat = decision.seat,
                    .stage = decision.stage,
                    .reference = request_.reference,
                    .others = request_.others,
                    .answer = answer,
                    .chosen = answer == decision.answer,
                    .by_reference = answer == by_reference,
                    .complete = choices.all,
                    .scores = std::move(*scores)});
  }
  const bool has_chosen =
      std::ranges::any_of(rows, [](const archive::DecisionRow& row) { return row.chosen; });
  if (rows.size() < 2 || !has_chosen) return;
  ++out.decisions;
  std::ranges::move(rows, std::back_inserter(out.rows));
}

void append(ValuedDecisions& to, ValuedDecisions&& more) {
  std::ranges::move(more.rows, std::back_inserter(to.rows));
  to.matches += more.matches;
  to.unrecorded += more.unrecorded;
  to.decisions += more.decisions;
  to.continuations += more.continuations;
}

}  // namespace

ValuedDecisions value_decisions(const archive::Archive& archive, const Catalogue& catalogue,
                                const DecisionRequest& request,
                                const std::function<void(std::size_t, std::size_t)>& told) {
  std::vector<std::int64_t> numbers = request.matches;
  if (numbers.empty()) {
    archive.matches().numbers([&](std::int64_t number) { numbers.push_back(number); });
    std::ranges::sort(numbers);
  }
  std::vector<ValuedDecisions> parts(numbers.size());
  std::mutex mutex;
  std::size_t next = 0, done = 0;
  const auto work = [&](int) {
    try {
      const archive::Archive own = archive.again();
      DecisionValuer valuer(own, catalogue, request);
      for (;;) {
        std::size_t at = 0;
        {
          const std::lock_guard lock(mutex);
          if (next == numbers.size()) return;
          at = next++;
        }
        parts[at] = valuer.value(numbers[at]);
        const std::lock_guard lock(mutex);
        ++done;
        if (told) told(done, numbers.size());
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      next = numbers.size();  // nothing is left for the others
      throw;
    }
  };
  const std::size_t threads =
      request.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : request.threads;
  Jobs pool(static_cast<int>(std::clamp<std::size_t>(numbers.size(), 1, threads)), work);
  pool.finish();
  ValuedDecisions all;
  for (ValuedDecisions& part : parts) append(all, std::move(part));
  return all;
}

}  // namespace agon::branch
