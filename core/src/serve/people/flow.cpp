#include "people/flow.hpp"

#include <agon/conversion.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <utility>

#include "describe/value.hpp"
#include "people/payment/payment.hpp"
#include "run/planned_match.hpp"

namespace agon::serve {

namespace {

enum class FormOutcome : std::uint8_t { open, passed, failed };

/// What became of the form of their stage.
FormOutcome outcome_of_form(const Participant& who) {
  const PeopleStage& stage = *who.stage;
  const std::int64_t attempts = who.attempts_at(who.row.stage);
  if (attempts == 0) return FormOutcome::open;
  if (stage.kind == StageKind::questionnaire) return FormOutcome::passed;
  const bool all_right = std::all_of(
      stage.questions.begin(), stage.questions.end(), [&](const suite_file::FormQuestion& asked) {
        const FormAnswerRow* answer = who.answer_at(who.row.stage, attempts, asked.name);
        return answer != nullptr && answer->mark == QuizMark::right;
      });
  if (all_right) return FormOutcome::passed;
  const auto limit = static_cast<std::int64_t>(stage.attempts);
  return limit != 0 && attempts >= limit ? FormOutcome::failed : FormOutcome::open;
}

}  // namespace

void StudyFlow::place_in_stages(Participant& who) const {
  ParticipantRow& row = who.row;
  const std::int64_t play = session_.study.first_stage(StageKind::play);
  const bool asks_consent = !session_.study.consent_digest.empty();
  if (row.stage == 0 && row.began != 0 && (row.consented != 0 || !asks_consent))
    row.stage = row.instructed != 0 ? play : 1;
  for (SeatedRow& seat : who.seated)
    if (seat.stage == 0) seat.stage = play;
  who.stage = session_.study.stage(row.stage);
}

void StudyFlow::resume(Participant& who) {
  place_in_stages(who);
  const ParticipantRow& row = who.row;
  const SeatedRow* last = who.seated.empty() ? nullptr : &who.seated.back();
  const std::int64_t rules = session_.study.first_stage(StageKind::rules);
  if (rules != 0 && row.stage > rules) who.read.insert(session_.study.announced());
  who.step_since = archive::now();
  if (row.ended != 0)
    who.step = Step::ended;
  else if (last != nullptr && !last->outcome && !matchmaker_.is_given_up(last->match))
    who.step = Step::playing;
  else if (last != nullptr && !last->seen)
    who.step = Step::result;
  else if (row.stage != 0)
    enter_stage(who);
  else if (row.began != 0)
    who.step = Step::consent;
}

bool StudyFlow::act(Participant& who, ParticipantAction action) {
  switch (action) {
    case ParticipantAction::begin:
      if (who.step != Step::welcome || session_.takes_nobody()) return false;
      who.row.began = archive::now();
      if (session_.study.consent_digest.empty())
        next_stage(who);
      else
        session_.move(who, Step::consent);
      return true;
    case ParticipantAction::agree:
      if (who.step != Step::consent) return false;
      who.row.consented = archive::now();
      next_stage(who);
      return true;
    case ParticipantAction::decline:
      if (who.step != Step::consent) return false;
      end(who, EndReason::declined);
      return true;
    case ParticipantAction::understood:
      if (who.step == Step::instructions) who.read.insert(session_.study.announced());
      if (who.step == Step::instructions || who.step == Step::reading) {
        next_stage(who);
        return true;
      }
      if (who.step != Step::playing || who.sitting == nullptr || who.sitting->rules_read)
        return false;
      questionnaire_.begin(who);
      return true;
    case ParticipantAction::trial:
      if (who.step != Step::instructions || !session_.study.people.trial || who.tried) return false;
      who.read.insert(session_.study.announced());
      start_trial(who);
      return true;
    case ParticipantAction::next:
      if (who.step != Step::result) return false;
      leave_result(who);
      return true;
    case ParticipantAction::leave:
      if (who.has_ended()) return false;
      leave(who, EndReason::left);
      return true;
    case ParticipantAction::here:
    case ParticipantAction::close:
      return true;
  }
  return false;
}

std::string StudyFlow::advance(Participant& who) {
  const std::string& label = who.row.label;
  switch (who.step) {
    case Step::welcome:
      return label + " has not begun; only they can";
    case Step::consent:
      return label + " has to agree or decline themselves";
    case Step::instructions:
      who.read.insert(session_.study.announced());
      next_stage(who);
      return {};
    case Step::reading:
    case Step::form:
      next_stage(who);
      return {};
    case Step::waiting:
      // They did not play all; what they have earned is theirs.
      if (session_.study.stage(who.row.stage + 1) == nullptr)
        end(who, EndReason::no_match);
      else
        next_stage(who);
      session_.waiting_room_changed = true;
      return {};
    case Step::playing:
      if (who.sitting == nullptr) return label + " takes a seat just now";
      if (!who.sitting->rules_read)
        questionnaire_.begin(who);
      else if (who.sitting->open() != nullptr)
        questionnaire_.pass_over(who);
      else
        return label + " is not asked anything; those are whom the match waits for";
      return {};
    case Step::result:
      leave_result(who);
      return {};
    case Step::ended:
      return "the study is over for " + label;
  }
  return {};
}

std::string StudyFlow::move_to_stage(Participant& who, std::int64_t number) {
  const std::string& label = who.row.label;
  const PeopleStage* stage = session_.study.stage(number);
  if (stage == nullptr) return "there is no stage " + std::to_string(number);
  if (who.step == Step::welcome || who.step == Step::consent)
    return label + " has not begun, or not agreed yet";
  if (who.step == Step::playing) return label + " is in a match; replace them there first";
  if (who.has_ended()) return "the study is over for " + label;
  if (number == who.row.stage) return label + " is at that stage";
  const auto at_stage = [&](const SeatedRow& seat) {
    return seat.stage == number && seat.outcome.has_value();
  };
  const bool played = stage->kind == StageKind::play &&
                      std::count_if(who.seated.begin(), who.seated.end(), at_stage) >=
                          static_cast<std::ptrdiff_t>(stage->matches);
  if (played || (stage->kind != StageKind::play && who.attempts_at(number) > 0))
    return label + " has done that stage";
  if (who.step == Step::result) leave_result(who);
  if (who.has_ended()) return "the study is over for " + label;
  who.row.stage = number;
  enter_stage(who);
  session_.waiting_room_changed = true;
  return {};
}

std::string StudyFlow::move_to_scenario(Participant& who, const std::string& scenario) {
  const std::string& label = who.row.label;
  if (who.step != Step::waiting) return label + " does not wait for a match";
  if (std::string why = matchmaker_.want(who, scenario); !why.empty()) return why;
  session_.move(who, Step::waiting);
  matchmaker_.match_up();
  session_.waiting_room_changed = true;
  return {};
}

std::string StudyFlow::replace(Participant& before, Participant& after) {
  std::string why = matchmaker_.replace(before, after);
  if (!why.empty()) return why;
  questionnaire_.hand_seat(after);
  session_.record.write(after.row.id, session_.study.texts.say("server.took_over"));
  end(before, EndReason::dropped);
  session_.show(after);
  session_.waiting_room_changed = true;
  return {};
}

// ---- stages ----

void StudyFlow::next_stage(Participant& who) {
  ++who.row.stage;
  enter_stage(who);
}

void StudyFlow::enter_stage(Participant& who) {
  who.sitting.reset();
  if (who.has_ended()) return;
  who.stage = session_.study.stage(who.row.stage);
  if (who.stage == nullptr) return end(who, EndReason::done);
  if (session_.ended) return end(who, session_ended_);
  // A survey has no rules to read before it.
  if (!session_.study.plays() && who.row.instructed == 0) who.row.instructed = archive::now();
  switch (who.stage->kind) {
    case StageKind::rules:
      return session_.move(who, Step::instructions);
    case StageKind::instructions:
      return session_.move(who, Step::reading);
    case StageKind::questionnaire:
    case StageKind::quiz:
      switch (outcome_of_form(who)) {
        case FormOutcome::open:
          return session_.move(who, Step::form);
        case FormOutcome::passed:
          return next_stage(who);
        case FormOutcome::failed:
          return end(who, EndReason::screened_out);
      }
      return;
    case StageKind::play:
      if (who.row.instructed == 0) who.row.instructed = archive::now();
      return go_on(who);
  }
}

void StudyFlow::form_kept(Participant& who) {
  if (who.step != Step::form) return;
  enter_stage(who);
  session_.roster.save(who);
  session_.show(who);
}

void StudyFlow::leave_result(Participant& who) {
  if (who.sitting != nullptr && !who.sitting->match) return next_stage(who);
  if (!who.seated.empty()) {
    who.seated.back().seen = true;
    session_.store->save(who.seated.back());
  }
  go_on(who);
}

void StudyFlow::go_on(Participant& who) {
  who.sitting.reset();
  if (who.has_ended()) return;
  if (who.stage == nullptr || who.matches_of_stage() >= who.stage->matches) return next_stage(who);
  if (session_.ended) return end(who, session_ended_);
  if (session_.run_is_over) return end(who, EndReason::no_match);
  matchmaker_.begin_stage(who);
  session_.move(who, Step::waiting);
  who.waiting_since = session_.clock.now();
  who.arrived = ++arrivals_;
  matchmaker_.match_up();
  session_.show(who);
  session_.waiting_room_changed = true;
}

void StudyFlow::end(Participant& who, EndReason why) {
  if (who.has_ended()) return;
  if (why == EndReason::declined) session_.record.forget(who.row.id);
  who.row.ended = archive::now();
  who.row.end = why;
  const PaymentAccount paid = account(session_.study, who);
  who.row.paid = paid.total.cents;
  who.row.account = write_json(paid);
  session_.move(who, Step::ended);
  // Nobody is told what they are paid before that is kept.
  who.end_is_kept = false;
  session_.roster.save(who, [this, id = who.row.id](const std::string& /*problem*/) {
    const std::lock_guard lock(session_.mutex);
    Participant& whose = *session_.roster.find(id);
    whose.end_is_kept = true;
    session_.show(whose);
  });
  session_.note(who.row.label + ": " + std::string(name_of(why)));
  end_if_over();
}

bool StudyFlow::goes_on_without_matches(const Participant& who) const {
  if (who.has_ended()) return false;
  if (!session_.study.plays()) return true;
  if (who.stage == nullptr) return false;
  const auto& stages = session_.study.stages();
  auto next = stages.begin() + (who.row.stage - 1);
  const auto plays = [](const PeopleStage& stage) { return stage.kind == StageKind::play; };
  if (plays(*next)) {
    if (who.matches_of_stage() < next->matches) return false;
    ++next;
  }
  return next != stages.end() && std::none_of(next, stages.end(), plays);
}

void StudyFlow::end_if_over() {
  const auto& all = session_.roster.all();
  const bool may_come =
      session_.study.panel && session_.roster.has_places() && !session_.takes_nobody();
  if (!may_come && std::all_of(all.begin(), all.end(), [&](const Participant* p) {
        return p->has_ended() || (session_.run_is_over && !goes_on_without_matches(*p));
      }))
    end_session(EndReason::no_match);
}

void StudyFlow::leave(Participant& who, EndReason why) {
  if (who.has_ended()) return;
  // Before what the match is told: what is kept of both is never that they played on.
  matchmaker_.settle(who,
                     session_.study.people.substitute ? SeatEnding::substituted : SeatEnding::left);
  if (const auto sitting = who.sitting; sitting != nullptr && !sitting->over) {
    sitting->gone = true;
    questionnaire_.withdraw(sitting);
  }
  end(who, why);
}

void StudyFlow::show_results(const std::vector<std::shared_ptr<Sitting>>& sittings) {
  for (const auto& sitting : sittings) {
    Participant& who = *session_.roster.find(sitting->participant);
    if (who.sitting != sitting || who.has_ended()) continue;
    session_.move(who, Step::result);
    session_.show(who);
  }
}

void StudyFlow::end_session(EndReason why) {
  if (session_.ended) return;
  session_.ended = true;
  session_ended_ = why;
  session_.clock.go_on();
  session_.store->end_session();
  session_.note("the session has ended");
  // Everybody at a table leaves it; nothing more is asked.
  const auto& all = session_.roster.all();
  for (const Participant* p : all)
    if (const auto sitting = p->sitting; sitting != nullptr && !sitting->over) {
      sitting->early_end = session_.study.texts.say("server.stopped");
      questionnaire_.withdraw(sitting);
    }
  for (Participant* p : all)
    if (p->step != Step::playing && p->step != Step::result) end(*p, why);
  matchmaker_.close();
  for (Participant* p : all) session_.show(*p);
}

void StudyFlow::run_over() {
  for (Participant* p : session_.roster.all()) {
    if (p->step == Step::playing && p->sitting == nullptr) {
      matchmaker_.settle(*p, SeatEnding::unfinished);
      session_.move(*p, Step::result);
    }
    if (p->step == Step::waiting) end(*p, EndReason::no_match);
  }
  // Nothing more will be played: those who begin now are told so. Stages after the last match go
  // on.
  session_.run_is_over = true;
  for (Participant* p : session_.roster.all())
    if (p->step != Step::playing && p->step != Step::result && !goes_on_without_matches(*p))
      end(*p, EndReason::no_match);
  end_if_over();
}

// ---- time ----

void StudyFlow::hear(Participant& who) {
  who.heard = archive::now();
  who.heard_in_session = session_.clock.now();
  if (!std::exchange(who.silent, false)) return;
  session_.researchers_outdated = true;
  if (who.step != Step::waiting) return;
  matchmaker_.match_up();
  session_.waiting_room_changed = true;
}

bool StudyFlow::is_away_for_good(const Participant& who) const {
  if (who.is_here() || who.unanswered_since < 0 || !who.sitting->match ||
      who.sitting->asked.empty())
    return false;
  const std::int64_t since = std::max(who.gone_since, who.unanswered_since);
  return session_.clock.now() - since >= session_.study.people.said.drop_out.seconds * 1000;
}

void StudyFlow::tick() {
  // What could not be kept when somebody left or the session ended is tried again.
  for (const auto& [match, table] : matchmaker_.tables())
    for (const auto& sitting : table.sittings)
      if (sitting->gone || session_.ended) questionnaire_.withdraw(sitting);
  matchmaker_.tick();
  if (session_.clock.is_paused() || session_.ended) return;
  const std::int64_t now = session_.clock.now();
  const auto& longest = session_.study.people.said.waiting.seconds;
  for (Participant* p : session_.roster.all()) {
    if (const auto sitting = p->sitting; sitting != nullptr && !sitting->over) {
      if (!sitting->rules_read && sitting->read_by != 0 && now >= sitting->read_by) {
        questionnaire_.begin(*p);
        session_.show(*p);
      }
      questionnaire_.expire(*p);
      if (!sitting->gone && is_away_for_good(*p)) leave(*p, EndReason::gone);
    }
    if (p->step == Step::waiting && longest && now - p->waiting_since >= *longest * 1000)
      end(*p, EndReason::waited);
  }
}

// ---- trials ----

void StudyFlow::start_trial(Participant& who) {
  who.tried = true;
  if (who.trial.joinable()) who.trial.join();  // one that was over long ago
  session_.move(who, Step::playing);           // nothing else begins meanwhile
  who.trial = std::jthread([this, &who](const std::stop_token& stop) { play_trial(who, stop); });
}

void StudyFlow::stop_trials() {
  for (Participant* p : session_.roster.all()) p->trial.request_stop();
  for (Participant* p : session_.roster.all())
    if (p->trial.joinable()) p->trial.join();
}

void StudyFlow::play_trial(Participant& who, const std::stop_token& stop) {
  const Study& study = session_.study;
  const Scenario& scenario = study.suite.scenarios[study.trial_scenario];
  const design::PlannedMatch planned = scenario.plan->match(study.trial_match);
  MatchSetup setup = match_setup(study.suite, scenario, planned, 0,
                                 std::vector<std::string>(planned.agents.size()));
  setup.cancel = stop;
  std::shared_ptr<Sitting> sitting;
  {
    const std::lock_guard lock(session_.mutex);
    if (who.step != Step::playing || who.sitting != nullptr) return;  // they left meanwhile
    if (session_.ended) return end(who, EndReason::closed);
    sitting = seat_trial(who, planned, setup);
    sitting->pages = &scenario.pages;
    session_.show(who);
  }
  const MatchResult result = play_match(setup);
  const std::lock_guard lock(session_.mutex);
  sitting->over = true;
  sitting->counts = result.end == End::finished;
  if (result.end != End::stopped) show_results({sitting});
}

std::shared_ptr<Sitting> StudyFlow::seat_trial(Participant& who,
                                               const design::PlannedMatch& planned,
                                               MatchSetup& setup) {
  const Study& study = session_.study;
  const Scenario& scenario = study.suite.scenarios[study.trial_scenario];
  // Chance of its own, so that nothing is seen of what is played for good.
  setup.stream_key = combine(combine(mix(study.suite.seed), hash_of("trial match")),
                             static_cast<std::uint64_t>(who.row.place));
  setup.turn = setup.stream_key;
  setup.another_follows = false;
  setup.record = false;
  setup.label = "trial";
  const AgentInGame& other = *study.people.trial->in(scenario.game->id);
  std::shared_ptr<Sitting> sitting;
  for (std::size_t i = 0; i < setup.seats.size(); ++i) {
    SeatSetup& at = setup.seats[i];
    const bool probes = at.agent->answers_probes();
    const std::uint64_t dice = combine(setup.stream_key, i + 1);
    if (sitting == nullptr && is_person(*at.agent)) {
      sitting = matchmaker_.sit_down(who, scenario.name, setup, static_cast<int>(i));
      sitting->key = "trial-" + who.row.id;
      auto own = std::make_shared<BrowserAgent>(questionnaire_, sitting, probes, nullptr);
      const auto prompts = at.prompts;
      at = {.agent = own.get(), .dice_key = dice, .carried = {}, .own = own};
      at.prompts = prompts;
      continue;
    }
    at = seat_setup(other, scenario.name, planned.block, dice);
    at.prompts = scenario.prompts_of(*at.agent);
  }
  return sitting;
}

}  // namespace agon::serve
