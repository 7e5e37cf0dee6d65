#include "branch/rollouts.hpp"

#include <agon/conversion.hpp>
#include <agon/detail/typed_answer.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "describe/value.hpp"
#include "design/plan.hpp"
#include "record/record.hpp"
#include "table/contract.hpp"
#include "table/untyped_table.hpp"

namespace agon::branch {
namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

}  // namespace

/// What is answered up to the cut, and there.
struct Rollouts::Script {
  /// An answer, read once.
  struct ScriptedAnswer {
    std::string json;
    std::optional<Value> value{};  ///< none: it was not read yet, or cannot be

    void give(Question& question) {
      const Type& asked = question.answer_type();
      if (!value || &value->type() != &asked) {
        value.emplace(asked);
        if (read_json(asked, value->get(), json)) value.reset();
      }
      if (value)
        reset_value(asked, UntypedQuestion::place_of_answer(question), value->get());
      else
        question.answer_json(json);  // the table says what is wrong with it
    }
  };
  /// What an agent asked to be handed back at a recorded question.
  struct RolloutAnswer {
    bool is_known = false;
    std::optional<std::string> memo{};
  };

  std::map<std::uint32_t, ScriptedAnswer> recorded;
  /// By repeat and question: it is the same whatever is answered later.
  std::map<std::uint64_t, std::vector<RolloutAnswer>> remembered;
  std::vector<RolloutAnswer>* now = nullptr;  ///< of the repeat that is played
  std::uint32_t cut = kNever;
  ScriptedAnswer answer;       ///< empty: what the reference says
  const Type* type = nullptr;  ///< of the answer at the cut
  OwnedLimits limits{};        ///< at the cut
  bool refused = false;        ///< the answer was asked for again
};

/// Answers as recorded up to the cut, as told at it, and as an agent does afterwards.
class Rollouts::Follower final : public Agent {
 public:
  Follower(Script& script, const Agent& after) : script_(script), after_(after) {}
  [[nodiscard]] bool answers_probes() const override { return true; }

  void answer(Question& question) const override {
    const std::uint32_t number = question.number();
    if (question.is_probe() && !after_.answers_probes()) {
      if (number >= script_.cut || !give_recorded(question)) question.decline();
      return;
    }
    if (number < script_.cut) return follow(question);
    after_.answer(question);
    if (number > script_.cut) return;
    script_.type = &question.answer_type();
    script_.limits = OwnedLimits(question.limits());
    script_.refused = script_.refused || question.attempt() > 0;
    if (!script_.answer.json.empty()) script_.answer.give(question);
  }

 private:
  /// Answers as recorded, and remembers what the agent would; it is asked once for all of that.
  void follow(Question& question) const {
    std::vector<Script::RolloutAnswer>& known = *script_.now;
    if (known.size() <= question.number()) known.resize(question.number() + 1);
    Script::RolloutAnswer& here = known[question.number()];
    if (!here.is_known) {
      after_.answer(question);
      here.is_known = true;
      if (const std::string* memo = UntypedQuestion::remembered(question)) here.memo = *memo;
    } else if (here.memo) {
      question.remember(*here.memo);
    }
    if (!give_recorded(question)) question.decline();
  }
  bool give_recorded(Question& question) const {
    const auto known = script_.recorded.find(question.number());
    if (known == script_.recorded.end()) return false;
    known->second.give(question);
    return true;
  }

  Script& script_;
  const Agent& after_;
};

Rollouts::Rollouts(Replayer& replayer, const archive::Archive& archive,
                   const archive::MatchRow& match, std::vector<const AgentInGame*> after)
    : after_(std::move(after)), script_(std::make_unique<Script>()), dice_(after_.size()) {
  const std::string& record = archive.matches().record_of(match);
  const record::RecordedTypes types(
      [&](const hash::Digest& digest) { return archive.content(digest); });
  record::each_entry(record, [&](const record::Entry& entry) {
    if (entry.what == record::Entry::What::draw && entry.given)
      throw Error(ErrorKind::usage, "an imported match has no branches: its chance is its log's",
                  archive.path().string(), "name matches that were played by Agon");
    if (entry.what != record::Entry::What::question || entry.declined) return true;
    const std::string answer = types.json(entry.shape, entry.payload).value_or("");
    script_->recorded[entry.number].json = answer;
    if (!entry.probe && !entry.by_rules)
      decisions_.push_back(
          {entry.number, entry.seat, std::string(entry.name), answer, entry.forced});
    return true;
  });
  setup_ = replayer.replaying(match);
  setup_.past = {};
  setup_.strict_replay = false;
  setup_.record = false;
  if (after_.size() != setup_.seats.size())
    throw Error(ErrorKind::failure, "a match has other seats than its game",
                archive.path().string(), "replay it with 'agon replay'");
  for (std::size_t i = 0; i < after_.size(); ++i) {
    followers_.push_back(std::make_unique<Follower>(*script_, *after_[i]->agent));
    setup_.seats[i].agent = followers_.back().get();
  }
  table_ = std::make_unique<MatchTable>(setup_);
}

Rollouts::~Rollouts() = default;

const MatchResult& Rollouts::run(std::uint64_t repeat) {
  for (std::size_t i = 0; i < dice_.size(); ++i)
    dice_[i] = dice_key(setup_.stream_key, repeat, after_[i]->digest, i);
  script_->refused = false;
  script_->now = &script_->remembered[repeat];
  return table_->play_next(setup_.stream_key, dice_);
}

AnswerChoices Rollouts::choices(std::uint32_t question, std::size_t most) {
  script_->cut = question;
  script_->answer = {};
  script_->type = nullptr;
  (void)run(0);
  AnswerChoices out;
  if (script_->type == nullptr) return out;
  const Type& type = *script_->type;
  const OwnedLimits limits = script_->limits;
  const std::uint64_t count = detail::count_values(type, nullptr, 0, limits.get());
  out.all = count <= most;
  const std::size_t wanted = out.all ? static_cast<std::size_t>(count) : most;
  // Draws find the last of n values after about n log n of them.
  const std::size_t tries = 40 * (wanted + 1);
  std::set<std::string> seen;
  Dice dice(setup_.stream_key, question);
  Value value(type);
  for (std::size_t i = 0; i < tries && seen.size() < wanted; ++i) {
    detail::draw_value(type, nullptr, value.get(), 0, limits.get(), dice);
    std::string text = write_json(type, value.get());
    if (seen.insert(text).second) out.answers.push_back(std::move(text));
  }
  out.all = out.all && seen.size() == wanted;
  if (out.all) std::ranges::sort(out.answers);
  return out;
}

std::string Rollouts::answer_of_reference(std::uint32_t question) {
  script_->cut = question;
  script_->answer = {};
  script_->refused = false;
  script_->now = &script_->remembered[0];
  MatchSetup setup = setup_;
  setup.record = true;
  setup.shapes = std::make_shared<record::Shapes>();
  for (std::size_t i = 0; i < after_.size(); ++i)
    setup.seats[i].dice_key = dice_key(setup_.stream_key, 0, after_[i]->digest, i);
  const MatchResult result = play_match(setup);
  const record::RecordedTypes types(
      [&](const hash::Digest& digest) { return setup.shapes->notation(digest); });
  std::string answer;
  record::each_entry(result.record, [&](const record::Entry& entry) {
    if (entry.what != record::Entry::What::question || entry.number != question) return true;
    answer = types.json(entry.shape, entry.payload).value_or("");
    return false;
  });
  return answer;
}

std::optional<std::vector<double>> Rollouts::play(std::uint32_t question, const std::string& answer,
                                                  std::uint64_t repeat) {
  script_->cut = question;
  if (script_->answer.json != answer) script_->answer = {answer};
  const MatchResult& result = run(repeat);
  if (result.end != End::finished || script_->refused) return std::nullopt;
  std::vector<double> scores;
  for (int i = 0; i < result.outcome.seats(); ++i) {
    const SeatOutcome& seat = result.outcome[i];
    const double score = normalized(seat);
    scores.push_back(std::isfinite(score) ? score : seat.score);
  }
  return scores;
}

}  // namespace agon::branch
