#pragma once

#include <agon/describe.hpp>
#include <cstdint>
#include <stop_token>

#include "people/context.hpp"
#include "people/forms/questionnaire.hpp"
#include "people/matching/matchmaker.hpp"

namespace agon::serve {

/// What participants do on their pages, beside answering.
enum class ParticipantAction : std::uint8_t {
  begin,
  agree,
  decline,
  understood,
  trial,
  next,
  leave,
  here,
  close,
};
AGON_DESCRIBE_ENUM(ParticipantAction, (begin, "leaves the welcome page"),
                   (agree, "to the consent text"), (decline, "the consent text"),
                   (understood, "the instructions or the rules of a match"),
                   (trial, "plays a trial match"), (next, "leaves the result"),
                   (leave, "leaves the study"), (here, "the page is open"),
                   (close, "a message of the researcher"))

/// Leads participants from one step of the study to the next. Used with the session's mutex held,
/// which trials take on threads of their own.
class StudyFlow {
 public:
  StudyFlow(SessionContext& session, Questionnaire& questionnaire, Matchmaker& matchmaker)
      : session_(session), questionnaire_(questionnaire), matchmaker_(matchmaker) {}

  /// The step of somebody who was there before this process began.
  void resume(Participant& who);
  /// False if it is not to be done where they are.
  bool act(Participant& who, ParticipantAction action);
  /// The researcher takes them past the page where they are. Returns why it cannot be; empty: done.
  std::string advance(Participant& who);
  /// Takes them to another stage. Returns why it cannot be; empty: done.
  std::string move_to_stage(Participant& who, std::int64_t number);
  /// Lets somebody who waits wait for a match of another scenario. Returns why it cannot be; empty:
  /// done.
  std::string move_to_scenario(Participant& who, const std::string& scenario);
  /// Gives the seat of somebody, who leaves the study, to somebody else, who waits. Returns why it
  /// cannot be; empty: done.
  std::string replace(Participant& before, Participant& after);
  /// What they answered to the form of their stage is kept: they go on, or are asked again.
  void form_kept(Participant& who);
  /// Something came from their page.
  void hear(Participant& who);
  /// They take no further part; where they sit, the substitute or the end of the match comes.
  void leave(Participant& who, EndReason why);
  /// The match is over for those who sat there.
  void show_results(const std::vector<std::shared_ptr<Sitting>>& sittings);
  /// `why`: what those who have not played all are told: closed or no_match.
  void end_session(EndReason why);
  /// No match will be played any more.
  void run_over();
  /// Ends what has had its time.
  void tick();
  /// Ends the trials. Not with the mutex held.
  void stop_trials();

 private:
  /// To the stage after theirs, or to the end.
  void next_stage(Participant& who);
  /// What their stage is done with: nothing that they have to do in it is left out.
  void enter_stage(Participant& who);
  /// Where somebody goes in a stage that plays: to the next match, or to the stage after it.
  void go_on(Participant& who);
  void end(Participant& who, EndReason why);
  /// What an older version kept is given the stages that there were then.
  void place_in_stages(Participant& who) const;
  /// True if they go on when no match will be played any more.
  [[nodiscard]] bool goes_on_without_matches(const Participant& who) const;
  /// Ends the session where nobody goes on.
  void end_if_over();
  void leave_result(Participant& who);
  void start_trial(Participant& who);
  /// The trial match: it counts nothing, and nothing of it is kept.
  void play_trial(Participant& who, const std::stop_token& stop);
  /// Makes a planned match one person's trial; null if there is no seat for them.
  std::shared_ptr<Sitting> seat_trial(Participant& who, const design::PlannedMatch& planned,
                                      MatchSetup& setup);
  [[nodiscard]] bool is_away_for_good(const Participant& who) const;

  SessionContext& session_;
  Questionnaire& questionnaire_;
  Matchmaker& matchmaker_;
  EndReason session_ended_ = EndReason::closed;
  std::uint64_t arrivals_ = 0;
};

}  // namespace agon::serve
