#include "people/forms/questionnaire.hpp"

#include <algorithm>
#include <utility>

namespace agon::serve {

OpenQuestion* Sitting::open() {
  const auto at =
      std::find_if(asked.begin(), asked.end(), [](const OpenQuestion& one) { return !one.given; });
  return at == asked.end() ? nullptr : &*at;
}

OpenQuestion* Sitting::open(std::int64_t number, std::int64_t attempt) {
  const auto at = std::find_if(asked.begin(), asked.end(), [&](const OpenQuestion& one) {
    return !one.given && one.question->number == number && one.question->attempt == attempt;
  });
  return at == asked.end() ? nullptr : &*at;
}

void Questionnaire::load(std::vector<SaidRow> said) {
  for (SaidRow& row : said) keep(std::move(row));
}

void Questionnaire::keep(SaidRow said) {
  said_at_[{said.match, said.seat, said.question, said.attempt}] = said_.size();
  said_.push_back(std::move(said));
}

const SaidRow* Questionnaire::find(const archive::MatchId& match, int seat, std::uint32_t question,
                                   int attempt) const {
  const auto at = said_at_.find({match, seat, question, attempt});
  return at == said_at_.end() ? nullptr : &said_[at->second];
}

bool Questionnaire::has_said(const archive::MatchId& match, int seat) const {
  const auto at = said_at_.lower_bound({match, seat, 0, 0});
  return at != said_at_.end() && std::get<0>(at->first) == match && std::get<1>(at->first) == seat;
}

bool Questionnaire::was_accepted(const Sitting& sitting, std::uint32_t question, int attempt,
                                 const std::string& typed) const {
  const auto at = sitting.accepted.find({question, attempt});
  if (at != sitting.accepted.end() && at->second == typed) return true;
  // What the record had when the process ended was not asked for again.
  const SaidRow* said =
      sitting.match ? find(*sitting.match, sitting.seat, question, attempt) : nullptr;
  return said != nullptr && said->typed == typed;
}

// ---- from the matches ----

void Questionnaire::ask(const std::shared_ptr<Sitting>& sitting, OwnedQuestion question,
                        Completion done) {
  const std::lock_guard lock(session_.mutex);
  Participant& who = *session_.roster.find(sitting->participant);
  OpenQuestion open{std::make_shared<const OwnedQuestion>(std::move(question)), std::move(done)};
  const OwnedQuestion& q = *open.question;
  sitting->history = q.history;
  sitting->unseen_from = q.unseen_from;
  sitting->answered.reset();
  sitting->has_asked = true;
  sitting->last_question = q.number;
  sitting->title = q.title;
  sitting->role = q.role;
  sitting->rules = q.rules;
  sitting->persona = q.persona;
  // What was said before the process ended is said again, and not asked.
  if (const SaidRow* said =
          sitting->match ? find(*sitting->match, sitting->seat, q.number, q.attempt) : nullptr) {
    sitting->last_typed = said->typed;
    sitting->accepted[{q.number, q.attempt}] = said->typed;
    return open.done(reply_of(session_.roster.who_said(*said, who), *said));
  }
  const std::int64_t now = session_.clock.now();
  if (const auto limit = session_.study.suite.answer_limit.count();
      limit > 0 && sitting->rules_read)
    open.deadline = now + limit;
  if (q.attempt > 0) open.typed = sitting->last_typed;
  if (who.unanswered_since < 0) who.unanswered_since = now;
  sitting->asked.push_back(std::move(open));
  if (session_.ended || sitting->gone) withdraw(sitting);
  session_.researchers_outdated = true;
  session_.show(who);
}

void Questionnaire::end_match(Sitting& sitting, const MatchEnding& ending) {
  const std::lock_guard lock(session_.mutex);
  sitting.history = ending.history;
  sitting.unseen_from = ending.unseen_from;
  sitting.answered.reset();
  sitting.score_told = ending.score_told;
  sitting.counts = ending.finished;
}

void Questionnaire::forget_questions(Sitting& sitting) {
  const std::lock_guard lock(session_.mutex);
  sitting.asked.clear();
}

// ---- from the people ----

void Questionnaire::begin(Participant& who) {
  Sitting& sitting = *who.sitting;
  sitting.rules_read = true;
  who.read.insert(sitting.announced);
  // The time for an answer begins when the question is seen.
  const auto limit = session_.study.suite.answer_limit.count();
  for (OpenQuestion& open : sitting.asked) {
    who.unanswered_since = session_.clock.now();
    if (limit > 0) open.deadline = who.unanswered_since + limit;
  }
  session_.researchers_outdated = true;
}

void Questionnaire::answer(Participant& who, OpenQuestion& open, SaidRow said, std::string words,
                           PeopleStore::Done told) {
  Sitting& sitting = *who.sitting;
  const OwnedQuestion& q = *open.question;
  sitting.last_typed = said.typed;
  sitting.accepted[{q.number, q.attempt}] = said.kind == SaidKind::skip ? "skip" : said.typed;
  if (said.kind == SaidKind::answer) sitting.answered = {q.stage, std::move(words), q.number};
  const bool others_open =
      std::any_of(sitting.asked.begin(), sitting.asked.end(),
                  [&](const OpenQuestion& a) { return !a.given && &a != &open; });
  who.unanswered_since = others_open ? session_.clock.now() : -1;
  hand_on(who.sitting, open, std::move(said), std::move(told));
}

SaidKind Questionnaire::withdrawn(const Sitting& sitting) const {
  return sitting.gone && !session_.ended && session_.study.people.substitute && sitting.match
             ? SaidKind::handed_over
             : SaidKind::quit;
}

void Questionnaire::withdraw(const std::shared_ptr<Sitting>& sitting) {
  for (OpenQuestion& open : sitting->asked)
    if (!open.given) hand_on(sitting, open, {.kind = withdrawn(*sitting)});
}

void Questionnaire::pass_over(Participant& who) {
  if (OpenQuestion* open = who.sitting->open(); open != nullptr)
    hand_on(who.sitting, *open, {.kind = SaidKind::advanced});
  who.unanswered_since = who.sitting->open() == nullptr ? -1 : session_.clock.now();
}

void Questionnaire::hand_seat(Participant& after) {
  Sitting& sitting = *after.sitting;
  const std::int64_t now = session_.clock.now();
  const auto limit = session_.study.suite.answer_limit.count();
  for (OpenQuestion& open : sitting.asked) {
    if (open.given) continue;
    open.typed.clear();
    open.shown = 0;
    open.deadline = limit > 0 && sitting.rules_read ? now + limit : 0;
    after.unanswered_since = now;
  }
}

void Questionnaire::expire(Participant& who) {
  for (OpenQuestion& open : who.sitting->asked) {
    if (open.given || open.deadline == 0 || session_.clock.now() < open.deadline) continue;
    hand_on(who.sitting, open, {.kind = SaidKind::late});
    // Who is here was waited for, and is not away with the next question.
    if (who.is_here()) who.unanswered_since = -1;
  }
}

// ---- to the matches ----

void Questionnaire::hand_on(const std::shared_ptr<Sitting>& sitting, OpenQuestion& open,
                            SaidRow said, PeopleStore::Done told) {
  open.given = true;
  if (sitting->match) said.match = *sitting->match;
  said.seat = sitting->seat;
  said.question = open.question->number;
  said.attempt = open.question->attempt;
  if (said.timing.shown == 0) said.timing.shown = open.shown;
  PeopleStore::Done kept = [this, sitting, said,
                            told = std::move(told)](const std::string& problem) {
    deliver(sitting, said, problem);
    if (told) told(problem);
  };
  // A trial is not kept. Not delivered from here: the mutex is held.
  if (sitting->match)
    session_.store->save(std::move(said), std::move(kept));
  else
    session_.store->save_nothing(std::move(kept));
}

void Questionnaire::deliver(const std::shared_ptr<Sitting>& sitting, const SaidRow& said,
                            const std::string& problem) {
  const std::lock_guard lock(session_.mutex);
  const auto at =
      std::find_if(sitting->asked.begin(), sitting->asked.end(), [&](const OpenQuestion& a) {
        return a.question->number == said.question && a.question->attempt == said.attempt;
      });
  const bool is_open = at != sitting->asked.end();
  Participant& who = *session_.roster.find(sitting->participant);
  if (!problem.empty()) {
    // It is as if nothing had been said.
    sitting->accepted.erase({said.question, said.attempt});
    sitting->answered.reset();
    if (is_open) {
      at->given = false;
      if (who.unanswered_since < 0) who.unanswered_since = session_.clock.now();
      session_.show(who);
    }
    return session_.note("not saved: " + problem);
  }
  if (sitting->match) keep(said);
  if (!is_open) return;  // the match was stopped: it is asked again then
  const Completion done = std::move(at->done);
  sitting->asked.erase(at);
  done(reply_of(session_.roster.who_said(said, who), said));
  session_.researchers_outdated = true;
  session_.show(who);
}

Reply Questionnaire::reply_of(const Participant& who, const SaidRow& said) const {
  Reply reply;
  reply.quit = said.kind == SaidKind::quit;
  reply.hands_over = said.kind == SaidKind::handed_over;
  if (reply.quit) return reply;
  reply.person = session_.roster.person(who);
  if (reply.hands_over) {  // the seat was theirs, although they may have answered nothing there
    reply.timing.shown = said.timing.shown;
    return reply;
  }
  reply.declined = said.kind == SaidKind::skip;
  if (said.kind == SaidKind::advanced) {
    reply.status = Fault::timed_out;
    reply.problem = "the researcher went on without an answer";
  }
  if (said.kind == SaidKind::late) {
    reply.status = Fault::timed_out;
    reply.problem = "no answer in time";
  }
  reply.json = said.json;
  reply.thought = said.thought;
  reply.timing = said.timing;
  return reply;
}

}  // namespace agon::serve
