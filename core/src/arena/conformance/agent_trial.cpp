#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "conformance/checks.hpp"
#include "conformance/matches.hpp"
#include "record/record.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::conformance {
namespace {

/// Questions of a match that the agent may leave to the fallback by breaking or by silence, which
/// can take as long as an answer may.
constexpr int kMostGivenUp = 3;
/// Characters of an answer that a message repeats.
constexpr std::size_t kMostSaid = 200;

/// The agent under trial on all seats of a match. It keeps how the first match begins and ends for
/// a seat, and stops a match in which the agent breaks or is silent again and again.
class OnTrial final : public WaitingAgent {
 public:
  OnTrial(const WaitingAgent& agent, AgentTrial& trial) : agent_(agent), trial_(trial) {}

  void ask(OwnedQuestion question, Completion done) const override {
    Last& last = last_[question.seat];
    if (question.attempt == 0) {
      length_.asks();
      given_up_ += was_given_up(last, question.history) ? 1 : 0;
    }
    if (is_given_up()) return length_.stop();
    last = {true, question.number, question.attempt == 0 || question.tries > 1};
    if (!trial_.question) trial_.question = question;
    agent_.ask(std::move(question), std::move(done));
  }
  void match_ended(MatchEnding ending) const override {
    if (trial_.question && !trial_.ending && ending.seat == trial_.question->seat &&
        ending.table == trial_.question->table)
      trial_.ending = ending;
    agent_.match_ended(std::move(ending));
  }
  void match_over(const void* table) const noexcept override { agent_.match_over(table); }
  [[nodiscard]] bool answers_probes() const override { return agent_.answers_probes(); }

  [[nodiscard]] std::stop_token token() const { return length_.token(); }
  [[nodiscard]] bool is_given_up() const { return given_up_ >= kMostGivenUp; }

 private:
  /// What a seat was asked last.
  struct Last {
    bool is_asked = false;
    std::uint32_t number = 0;
    bool had_attempts_left = false;  ///< or was never to have more than one
  };

  /// True if the fallback was played though the seat could have been asked again.
  static bool was_given_up(const Last& last, const SeatHistory& history) {
    if (!last.is_asked || !last.had_attempts_left) return false;
    for (std::size_t i = history.size(); i > 0; --i) {
      const Delivery& d = history[i - 1];
      if (d.what == Delivery::What::answer)
        return d.number == last.number && d.by == Delivery::By::fallback;
    }
    return false;
  }

  const WaitingAgent& agent_;
  AgentTrial& trial_;
  mutable LongMatch length_;
  mutable std::map<int, Last> last_;
  mutable int given_up_ = 0;
};

std::string refusal_of(const record::Entry& question) {
  const record::Attempt& first = question.attempts.front();
  std::string text = fmt::format("question {}, seat {}: {}", question.number, question.seat,
                                 record::why_turned_down(first));
  if (first.form == record::Form::json)
    text += "; it said " + text::shorten(first.payload, kMostSaid);
  return text::printable(text);
}

/// Adds the questions of a match to the stages of its preset.
void count(const record::History& history, std::span<StageTrial> stages) {
  for (const record::Entry& entry : history.entries) {
    if (entry.what != record::Entry::What::question) continue;
    for (StageTrial& stage : stages) {
      if (stage.stage != entry.name) continue;
      ++stage.questions;
      const Fault first = entry.attempts.empty() ? Fault::ok : entry.attempts.front().fault;
      const bool legal = is_played(first);
      // What is against the limits of the moment, or the rules, may be what no schema can say.
      const bool failed = entry.forced || (!legal && first != Fault::illegal);
      if (!legal && (stage.refusal.empty() || (failed && stage.failed == 0)))
        stage.refusal = refusal_of(entry);
      stage.legal_at_once += legal ? 1 : 0;
      stage.failed += failed ? 1 : 0;
    }
  }
}

/// True if the agent broke at a question, or was silent.
bool breaks(const record::History& history) {
  return std::any_of(history.entries.begin(), history.entries.end(), [](const record::Entry& e) {
    if (e.what != record::Entry::What::question || e.attempts.empty()) return false;
    const Fault last = e.attempts.back().fault;
    return last == Fault::crashed || last == Fault::timed_out;
  });
}

/// Why a match did not come to its end; empty if it did, or is long.
std::string why_stopped(const MatchResult& result, const OnTrial& seats) {
  if (seats.is_given_up())
    return fmt::format(
        "the match was stopped after {} that broke the agent or that it left unanswered",
        text::counted(kMostGivenUp, "question"));
  if (result.end == End::game_fault) return "the game broke: " + result.problem;
  return result.end == End::unfinished ? result.problem : "";
}

}  // namespace

AgentTrial try_agent(const GameUnderTest& subject, const WaitingAgent& agent) {
  AgentTrial trial;
  const Game& game = subject.game();
  for (std::size_t s = 0; s < subject.presets(); ++s) {
    const std::string& preset = subject.situations()[s].preset;
    const std::size_t begin = trial.stages.size();
    for (const StageCard& stage : game.stages)
      trial.stages.push_back({.preset = preset, .stage = std::string(stage.name)});
    bool broke = false;
    const auto play = [&](MatchSetup match) {
      const OnTrial seats(agent, trial);
      for (SeatSetup& seat : match.seats) seat.agent = &seats;
      match.label = preset;
      match.cancel = seats.token();
      MatchResult result = play_match(match);
      const record::History history = record::read(result.record);
      count(history, std::span(trial.stages).subspan(begin));
      const std::string why = why_stopped(result, seats);
      if (!why.empty()) trial.stopped.emplace_back(preset, text::printable(why));
      broke = broke || !why.empty() || breaks(history);
      return result;
    };
    for (int m = 0; m < subject.effort().matches && !broke; ++m) {
      const Casting casting{s, subject.effort().seed + static_cast<std::uint64_t>(m),
                            seated({"random"}, subject.seats(s))};
      const MatchResult first = play(subject.setup(casting));
      if (carries(first) && !broke) (void)play(subject.next_setup(casting, first));
    }
  }
  return trial;
}

}  // namespace agon::conformance
