#pragma once

#include <agon/agent.hpp>
#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "people/context.hpp"

namespace agon::serve {

/// A question that waits for a person's answer.
struct OpenQuestion {
  std::shared_ptr<const OwnedQuestion> question;
  Completion done;
  std::int64_t shown = 0;     ///< since 1970: when it was first sent to a page; 0: not yet
  std::int64_t deadline = 0;  ///< session clock; 0: none
  std::string typed{};        ///< JSON: what was typed in the attempt that was turned down
  bool given = false;         ///< the answer is on its way
};

/// A person at a seat of a match, from taking the seat to leaving the result.
struct Sitting {
  std::string key;                        ///< of the match in addresses: its id, or one of a trial
  std::optional<archive::MatchId> match;  ///< none: a trial
  int seat = 0;
  std::string participant;  ///< id
  std::string label;
  std::string title;
  std::string you;
  std::string role;
  std::vector<std::string> seats;  ///< names of all
  std::string persona;
  std::string rules;
  const Language* words = &Language::english();  ///< what the match is told in
  std::optional<std::size_t> reading;            ///< instructions above the rules
  /// What is read before the first question: the rules, and which instructions.
  std::string announced;
  bool rules_read = false;   ///< they have been; nothing is asked before
  std::int64_t read_by = 0;  ///< session clock: then they count as read; 0: no hurry

  std::vector<OpenQuestion> asked;  ///< in order
  SeatHistory history;
  std::size_t unseen_from = 0;
  /// What was answered last, until the history has it: name of the stage, text, number.
  struct LastAnswer {
    std::string name;
    std::string text;
    std::uint32_t number = 0;
  };
  std::optional<LastAnswer> answered;
  std::string last_typed;           ///< JSON
  bool has_asked = false;           ///< a question was put; not yet where the match is resumed
  std::int64_t last_question = -1;  ///< that was put; -1: none yet
  /// What was accepted, by question and attempt: the same once more is accepted too.
  std::map<std::pair<std::uint32_t, int>, std::string> accepted;

  bool gone = false;  ///< nothing more is asked of the person: away for too long, or left
  bool over = false;
  bool counts = true;  ///< false: it ended without a score
  /// Pages of HTML in which stages are answered, by stage; null: there is none.
  const std::map<std::string, std::string>* pages = nullptr;
  std::string early_end;  ///< what people are told of why, where it does not count
  std::string score_told;

  /// The first question that no answer is on its way to; null: there is none.
  [[nodiscard]] OpenQuestion* open();
  /// The same, of this number and attempt.
  [[nodiscard]] OpenQuestion* open(std::int64_t number, std::int64_t attempt);
};

/// What is asked of people and what they answer. An answer is kept before it is given to the match.
class Questionnaire {
 public:
  explicit Questionnaire(SessionContext& session) : session_(session) {}

  // From the threads of the matches, without the session's mutex.

  void ask(const std::shared_ptr<Sitting>& sitting, OwnedQuestion question, Completion done);
  void end_match(Sitting& sitting, const MatchEnding& ending);
  void forget_questions(Sitting& sitting);

  // With the mutex held.

  /// Takes over what was said before this process began.
  void load(std::vector<SaidRow> said);
  /// The rules of their match were read, or the time for it is over: the first question comes.
  void begin(Participant& who);
  /// Takes what a person says to an open question of theirs: `said` has what they typed, `words`
  /// tell it to them. `told`: how it went, called without the mutex.
  void answer(Participant& who, OpenQuestion& open, SaidRow said, std::string words,
              PeopleStore::Done told);
  /// Nothing more is asked of the person: answers what is open in their place.
  void withdraw(const std::shared_ptr<Sitting>& sitting);
  /// The researcher goes on without an answer to the question that is open: the fallback plays.
  void pass_over(Participant& who);
  /// Somebody else has the seat now, and is asked what is open there.
  void hand_seat(Participant& after);
  /// Answers what is overdue in the place of those who did not.
  void expire(Participant& who);

  /// True if this was accepted as the answer to that attempt at a question.
  [[nodiscard]] bool was_accepted(const Sitting& sitting, std::uint32_t question, int attempt,
                                  const std::string& typed) const;
  /// What was said to an attempt at a question and is kept; null: nothing.
  [[nodiscard]] const SaidRow* find(const archive::MatchId& match, int seat, std::uint32_t question,
                                    int attempt) const;
  /// True if something that was said at the seat is kept.
  [[nodiscard]] bool has_said(const archive::MatchId& match, int seat) const;
  /// All that was said and is kept.
  [[nodiscard]] const std::vector<SaidRow>& said() const { return said_; }

 private:
  /// Keeps what was said, and then gives it to the match.
  void hand_on(const std::shared_ptr<Sitting>& sitting, OpenQuestion& open, SaidRow said,
               PeopleStore::Done told = {});
  /// Called on the thread that writes.
  void deliver(const std::shared_ptr<Sitting>& sitting, const SaidRow& said,
               const std::string& problem);
  void keep(SaidRow said);
  [[nodiscard]] Reply reply_of(const Participant& who, const SaidRow& said) const;
  /// What becomes of a question to somebody who does not answer it any more.
  [[nodiscard]] SaidKind withdrawn(const Sitting& sitting) const;

  SessionContext& session_;
  std::vector<SaidRow> said_;
  /// Match, seat, question, attempt.
  std::map<std::tuple<archive::MatchId, int, std::uint32_t, int>, std::size_t> said_at_;
};

/// The agent of one person at one seat of one match: what is asked of the seat goes to the person's
/// page.
class BrowserAgent final : public WaitingAgent {
 public:
  /// The questionnaire must outlive the match. `substitute`: kept as long as this.
  BrowserAgent(Questionnaire& questionnaire, std::shared_ptr<Sitting> sitting, bool probes,
               std::shared_ptr<const Agent> substitute)
      : questionnaire_(questionnaire),
        sitting_(std::move(sitting)),
        probes_(probes),
        substitute_(std::move(substitute)) {}

  void ask(OwnedQuestion question, Completion done) const override {
    done.hold();  // the session minds the time: it can be paused
    questionnaire_.ask(sitting_, std::move(question), std::move(done));
  }
  void match_ended(MatchEnding ending) const override {
    questionnaire_.end_match(*sitting_, ending);
  }
  void match_over(const void* /*table*/) const noexcept override {
    questionnaire_.forget_questions(*sitting_);
  }
  [[nodiscard]] bool is_costly() const override { return true; }
  [[nodiscard]] bool answers_probes() const override { return probes_; }

 private:
  Questionnaire& questionnaire_;
  std::shared_ptr<Sitting> sitting_;
  bool probes_;
  std::shared_ptr<const Agent> substitute_;
};

}  // namespace agon::serve
