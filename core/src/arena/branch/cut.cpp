#include "branch/cut.hpp"

#include <agon/error.hpp>
#include <map>
#include <optional>

#include "record/record.hpp"

namespace agon::branch {
namespace {

/// Notes which questions are asked at the same time.
class Together final : public AskedTogether {
 public:
  void asked(std::span<Question> questions) override {
    for (const Question& q : questions) last_[q.number()] = questions.back().number();
  }
  /// The last of those that are asked at the same time as this one.
  [[nodiscard]] std::uint32_t last(std::uint32_t number) const {
    const auto found = last_.find(number);
    return found == last_.end() ? number : found->second;
  }

 private:
  std::map<std::uint32_t, std::uint32_t> last_;
};

std::string why_no_cut(const record::Entry& e) {
  if (e.probe) return "is a probe, whose answer changes nothing in play";
  if (e.by_rules) return "leaves one legal answer";
  return {};
}

}  // namespace

std::vector<CutQuestion> questions_of(const MatchSetup& replay) {
  Together together;
  MatchSetup setup = replay;
  setup.together = &together;
  const MatchResult again = play_match(setup);
  if (again.record != replay.past)
    throw Error(ErrorKind::invalid, again.end == End::finished
                                        ? "the match comes out otherwise when it is replayed"
                                        : "the match cannot be replayed: " + again.problem);
  std::vector<CutQuestion> questions;
  record::each_entry(replay.past, [&](const record::Entry& e) {
    if (e.what == record::Entry::What::question)
      questions.push_back(
          {e.number, together.last(e.number), e.seat, std::string(e.name), why_no_cut(e)});
    return true;
  });
  return questions;
}

std::string why_not_accepted(const MatchSetup& replay, const CutQuestion& question,
                             const std::string& answer) {
  MatchSetup setup = replay;
  setup.cut = MatchCut{question.number, question.last, answer};
  const MatchResult played = play_match(setup);  // to the next question, which nobody answers
  std::optional<std::string> problem;
  record::each_entry(played.record, [&](const record::Entry& e) {
    if (e.what != record::Entry::What::question || e.number != question.number) return true;
    const record::Attempt& first = e.attempts.front();
    problem = first.fault == Fault::ok ? std::string() : first.complaint;
    return false;
  });
  return problem.value_or(played.problem);
}

}  // namespace agon::branch
