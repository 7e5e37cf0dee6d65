#include <agon/error.hpp>
#include <agon/model/call_ledger.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <tuple>

#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "run/match_setup.hpp"
#include "run/replay.hpp"
#include "suite/prompts.hpp"
#include "text/utf8.hpp"
#include "trust/accesses.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

using Calls = std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, ModelCall>;

/// The recorded calls of an attempt, and no others.
class ClosedLedger final : public CallLedger {
 public:
  ClosedLedger(std::shared_ptr<const Calls> calls, std::uint32_t question, int attempt)
      : calls_(std::move(calls)), question_(question), attempt_(attempt) {}
  std::optional<ModelCall> find(int index) override {
    const auto found = calls_->find({question_, attempt_, index});
    return found == calls_->end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] bool is_closed() const override { return true; }
  Halt admit(const CallEstimate&) override { return Halt::configuration; }
  void keep(int, const ModelCall&) override {}
  void give_back(int, const ModelCall&) override {}

 private:
  const std::shared_ptr<const Calls> calls_;
  const std::int64_t question_;
  const std::int64_t attempt_;
};

/// Answers as somebody did who cannot be asked again: a person, another program.
class Recorded final : public WaitingAgent {
 public:
  struct Answer {
    std::string stage;
    bool declined = false;
    bool forced = false;
    std::string json;
  };
  explicit Recorded(std::map<std::uint32_t, Answer> answers) : answers_(std::move(answers)) {}
  void ask(OwnedQuestion q, Completion done) const override {
    const auto found = answers_.find(q.number);
    if (found == answers_.end() && q.probe) return done({.declined = true});
    if (found == answers_.end() || found->second.stage != q.stage)
      return done({.status = Fault::provider_failed,
                   .problem = "the record has no answer of seat " + std::to_string(q.seat) +
                              " to what the game asks now"});
    const Answer& a = found->second;
    if (a.declined) return done({.declined = true});
    if (a.forced) return done({.status = Fault::timed_out, .problem = "forced, as recorded"});
    done({.json = a.json});
  }

 private:
  const std::map<std::uint32_t, Answer> answers_;
};

/// Counts the first attempt at a question that comes out in another class: those after it were
/// answers to something else.
void note_change(const std::vector<record::Attempt>& recorded,
                 const std::vector<record::Attempt>& now, const std::string& place,
                 std::vector<ClassChange>& changes) {
  for (std::size_t i = 0; i < std::min(recorded.size(), now.size()); ++i) {
    if (recorded[i].fault == now[i].fault) continue;
    const auto same = [&](const ClassChange& c) {
      return c.recorded == recorded[i].fault && c.now == now[i].fault;
    };
    auto change = std::find_if(changes.begin(), changes.end(), same);
    if (change == changes.end())
      change = changes.insert(change, {recorded[i].fault, now[i].fault, 0, place});
    ++change->attempts;
    return;
  }
}

}  // namespace

const AgentInGame& Replayer::agent_of(std::int64_t number, const Game& game) {
  const auto key = std::pair(number, std::string(game.id));
  if (const auto known = made_.find(key); known != made_.end()) return known->second;
  const archive::AgentRow& row = archive_.row(agents_, number);
  const std::string place = archive_.path().string() + " (agent " + row.name + ")";
  const bj::value spec = json::parse(row.spec, place);
  // By game, as an agent may be called like a key of specs: 'rule' is a bidder.
  const bj::object* said = spec.if_object();
  const bj::value* id = said == nullptr ? nullptr : said->if_contains("agent");
  const bj::value* params = said == nullptr ? nullptr : said->if_contains("params");
  if (id == nullptr || !id->is_string() || params == nullptr)
    archive_.damaged("the spec of an agent is not as a run stores it");
  InOrder<JsonText> entry;
  entry["rule"].text = json::write(bj::object{{game.id, bj::object{{id->get_string(), *params}}}});
  // Somebody else may have made the archive: nothing is started or sent, and no file is read.
  Accesses outside("/dev/null");
  const SpecContext context{
      .catalogue = catalogue_, .games = {key.second}, .dry_run = true, .accesses = &outside};
  std::vector<AgentSpec> made = AgentSpec::read(context, row.name, entry, place);
  if (outside.left_files_out())
    throw Error(ErrorKind::invalid, "a recorded agent names a file, and records name none", place);
  if (made.empty() || made.front().in(game.id) == nullptr)
    archive_.damaged("the spec of an agent does not say who plays");
  AgentInGame in = *made.front().in(game.id);
  // Its dice are those of the spec as it was.
  in.digest = recorded_digest(catalogue_, row.spec, game.id);
  return made_.emplace(key, std::move(in)).first->second;
}

std::optional<Reparsed> Replayer::reparse(const archive::MatchRow& match) {
  auto calls = std::make_shared<Calls>();
  std::uint32_t with_models = 0;
  archive_.calls(&match.key.id, [&](const archive::CallRow& row) {
    with_models |= 1U << row.seat;
    if (row.answered) calls->insert_or_assign({row.question, row.attempt, row.place}, row.call);
  });
  if (calls->empty()) return std::nullopt;

  const Stage& stage = stage_of(match.key.scenario);
  const record::History recorded = record::read(archive_.record_of(match));
  MatchSetup setup;
  prepare(match, stage, match.record, setup);
  setup.ledger = [&](int, std::uint32_t number, int attempt) {
    return std::make_shared<ClosedLedger>(calls, number, attempt);
  };
  std::vector<std::unique_ptr<Agent>> stand_ins;
  for (std::size_t i = 0; i < match.seats.size(); ++i) {
    const AgentInGame& in = agent_of(match.seats[i].agent, *stage.game);
    std::shared_ptr<const PromptSet> prompts = std::move(setup.seats[i].prompts);
    setup.seats[i] =
        seat_setup(in, archive_.row(scenarios_, match.key.scenario).name,
                   static_cast<std::uint64_t>(match.key.block),
                   dice_key(match.luck, static_cast<std::uint64_t>(match.key.repeat), in.digest, i),
                   std::move(setup.seats[i].carried));
    setup.seats[i].prompts = std::move(prompts);
    if (!in.agent->waits() || (with_models >> i & 1U) != 0) continue;
    std::map<std::uint32_t, Recorded::Answer> answers;
    for (const record::Entry& e : recorded.entries) {
      if (e.what != record::Entry::What::question || e.seat != static_cast<int>(i)) continue;
      answers[e.number] = {std::string(e.name), e.declined, e.forced,
                           recorded_.json(e.shape, e.payload).value_or("")};
    }
    stand_ins.push_back(std::make_unique<Recorded>(std::move(answers)));
    setup.seats[i].agent = stand_ins.back().get();
  }
  const MatchResult again = play_match(setup);

  Reparsed out;
  if (again.end != End::finished) out.problem = again.problem;
  const record::History replayed = record::read(again.record);
  std::map<std::uint32_t, const record::Entry*> now;
  for (const record::Entry& e : replayed.entries)
    if (e.what == record::Entry::What::question) now[e.number] = &e;
  record::TranscriptOptions options;
  for (const SeatCard& card : setup.cards) options.seat_names.push_back(card.name);
  for (const record::Entry& e : recorded.entries) {
    if (e.what != record::Entry::What::question || (with_models >> e.seat & 1U) == 0 ||
        static_cast<std::size_t>(e.seat) >= match.seats.size())
      continue;
    ++out.answers;
    const auto found = now.find(e.number);
    const record::Entry* n = found == now.end() ? nullptr : found->second;
    const bool is_left = n == nullptr && again.left_at == e.number && !again.left.empty();
    // After a flip the words are answers to something else.
    if ((n == nullptr && !is_left) || out.flipped > 0) {
      ++out.unknown;
      continue;
    }
    const std::string place = "question " + std::to_string(e.number) + ", seat " +
                              options.seat_names[static_cast<std::size_t>(e.seat)] + ", stage " +
                              std::string(e.name);
    note_change(e.attempts, is_left ? again.left : n->attempts, place, out.changes);
    if (!is_left && n->seat == e.seat && n->name == e.name && n->payload == e.payload &&
        n->declined == e.declined && n->forced == e.forced)
      continue;
    ++out.flipped;
    out.first = {place, record::entry_line(e, recorded_, options),
                 is_left ? "  turned down: " + text::printable(again.left.back().complaint)
                         : record::entry_line(*n, recorded_, options)};
  }
  if (again.end == End::finished)
    for (int i = 0; i < again.outcome.seats(); ++i)
      out.result_flips = out.result_flips ||
                         again.outcome[i].score != match.seats[static_cast<std::size_t>(i)].score;
  return out;
}

}  // namespace agon
