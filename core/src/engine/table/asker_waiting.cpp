// Questions to agents that wait, and their replies.
#include <agon/form.hpp>
#include <algorithm>
#include <utility>

#include "settings/settings.hpp"
#include "table/asker.hpp"
#include "table/skinned_question.hpp"

namespace agon {

OwnedQuestion Asker::owned(const Pending& p) {
  Question& q = *p.question;
  const PlayingSeat& seat = state_.seat_of(q);
  OwnedQuestion out;
  const GameCard& card = state_.setup.game->card;
  out.game = state_.setup.game->id;
  const Language& words = *seat.language;
  out.language = &words;
  out.title = words.text(card.title);
  out.rules = words.is_english() ? state_.setup.rules
                                 : rules_in(*state_.setup.game, state_.setup.settings, words);
  out.match = state_.setup.label;
  out.table = state_.mailbox.get();
  out.seat = q.seat_;
  out.seat_name = state_.setup.cards[static_cast<std::size_t>(q.seat_)].name;
  out.role = words.text(state_.setup.cards[static_cast<std::size_t>(q.seat_)].role);
  for (const SeatCard& c : state_.setup.cards) out.seat_names.push_back(c.name);
  if (card.persona_for != nullptr)
    out.persona = card.persona_for(state_.setup.settings, q.seat_, words);
  out.stage = q.stage();
  out.stage_doc = words.text(q.stage_->doc);
  out.purpose = q.stage_->purpose;
  out.number = q.number_;
  out.asked_at_once = p.count;
  out.asked_index = p.index;
  out.attempt = p.attempt;
  out.probe = q.stage_->probe;
  out.complaint = q.complaint_;
  out.tries = state_.setup.reasks + 1 - p.attempt;
  // What was turned down has given way to the fallback.
  if (p.attempt > 0 && !q.stage_->probe) out.fallback = write_json(*q.stage_->answer, q.answer_);
  out.kept = p.kept;
  out.view_type = q.view_type();
  out.view_json = q.view_type() == nullptr ? "null" : write_json(*q.view_type(), q.view());
  if (q.view_type() != nullptr && q.stage_->telling != nullptr)
    out.view_told = printable(q.stage_->telling(q.view(), state_.scene(q.seat_)), true);
  out.answer_type = q.stage_->answer;
  out.limits = OwnedLimits(q.limits_);
  out.ends = q.stage_->ends;
  out.history = seat.heard;
  out.unseen_from = seat.unseen_from;
  out.memo = seat.memo;
  out.dice_key = q.dice_key_;
  out.dice_place = q.dice_place_;
  out.deadline = p.deadline;
  out.facts_type = card.facts;
  out.facts_json = words.is_english() || card.facts_for == nullptr
                       ? state_.setup.facts
                       : card.facts_for(state_.setup.settings, words);
  const auto& prompts = state_.setup.seats[static_cast<std::size_t>(q.seat_)].prompts;
  if (!seat.agent->language().empty())
    out.prompts = prompts == nullptr ? state_.setup.prompts : prompts;
  if (const auto skin = state_.skin(q.seat_, *seat.agent)) return in_skin(std::move(out), skin);
  return out;
}

Asker::Clock::time_point Asker::due(Clock::time_point begun) const {
  return state_.setup.answer_limit.count() == 0 || begun == Clock::time_point::max()
             ? Clock::time_point::max()
             : begun + state_.setup.answer_limit;
}

void Asker::send(Pending& p) {
  Question& q = *p.question;
  PlayingSeat& seat = state_.seat_of(q);
  p.sent = Clock::now();
  p.deadline = due(p.sent);
  OwnedQuestion out = owned(p);
  if (state_.setup.ledger) out.ledger = state_.setup.ledger(q.seat_, q.number_, p.attempt);
  state_.mailbox->expect(q.number_, p.attempt);
  try {
    seat.agent->ask(std::move(out), Completion(state_.mailbox, q.number_, p.attempt));
  } catch (const std::exception& error) {
    state_.mailbox->deliver(q.number_, p.attempt,
                            {.status = Fault::crashed, .problem = error.what()});
  } catch (...) {
    state_.mailbox->deliver(q.number_, p.attempt,
                            {.status = Fault::crashed, .problem = "it broke"});
  }
}

namespace {

/// Says for its life that an answer is waited for.
class Waiting {
 public:
  explicit Waiting(MatchTrace* trace) : trace_(trace) {
    if (trace_ != nullptr) trace_->waits(true);
  }
  ~Waiting() {
    if (trace_ != nullptr) trace_->waits(false);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  MatchTrace* trace_;
};

}  // namespace

void Asker::wait_for(std::span<Pending> pending) {
  for (;;) {
    // Taken before the letters: what is there by then is in time, however long it takes to read.
    const Clock::time_point now = Clock::now();
    Clock::time_point until = Clock::time_point::max();
    bool open = false;
    for (Pending& p : pending) {
      if (p.settled) continue;
      open = true;
      if (state_.setup.answer_limit.count() > 0)
        p.deadline = due(state_.mailbox->begun(p.question->number_, p.attempt));
      until = std::min(until, p.deadline);
    }
    if (!open) return;
    state_.heed_cancel();
    std::vector<Mailbox::Letter> letters;
    {
      const Waiting waiting(state_.setup.trace);
      letters = state_.mailbox->collect(until, state_.setup.cancel);
    }
    for (Mailbox::Letter& letter : letters)
      for (Pending& p : pending)
        if (!p.settled && p.question->number_ == letter.number && p.attempt == letter.attempt) {
          state_.result.waiting_ms[static_cast<std::size_t>(p.question->seat_)] +=
              std::chrono::duration<double, std::milli>(Clock::now() - p.sent).count();
          receive(p, std::move(letter.reply));
        }
    for (Pending& p : pending) {
      if (p.settled || now < p.deadline) continue;
      state_.mailbox->give_up(p.question->number_, p.attempt);
      judge(p, {Fault::timed_out, record::Form::none, {}, {}});
    }
  }
}

namespace {

record::Attempt attempt_of(Reply& reply) {
  record::Attempt attempt;
  attempt.fault = reply.status;
  if (!is_played(reply.status) && reply.json.empty()) {
    attempt.payload = std::move(reply.problem);
    return attempt;
  }
  attempt.form = record::Form::json;
  attempt.payload = std::move(reply.json);
  attempt.complaint = std::move(reply.problem);
  return attempt;
}

}  // namespace

void Asker::keep_timing(const Pending& p, const Reply& reply) {
  const Question& q = *p.question;
  if (state_.setup.keep_timing)
    state_.setup.keep_timing({q.seat_, q.number_, p.attempt, reply.timing, reply.person});
}

void Asker::receive(Pending& p, Reply reply) {
  Question& q = *p.question;
  PlayingSeat& seat = state_.seat_of(q);
  if (reply.quit)
    state_.stop(End::unfinished, "the person at seat " + std::to_string(q.seat_) + " left");
  if (reply.hands_over) {
    if (seat.handed_over || seat.substitute == nullptr)
      state_.stop(End::unfinished, "the person at seat " + std::to_string(q.seat_) + " is gone");
    seat.hand_over();
    if (reply.person != nullptr) keep_timing(p, reply);
    p.asked.by_substitute = true;
    p.costly = true;  // a later run has to find it so
    return seat.agent->waits() ? send(p) : ask_inline(p, false);
  }
  if (reply.status == Fault::provider_failed) {
    state_.heed_cancel();  // what failed because the match is to stop did not fail
    state_.count(*q.stage_, q.seat_, reply.status);
    state_.result.left_at = q.number_;
    state_.result.left = std::move(p.asked.attempts);
    state_.result.halt = reply.halt;
    state_.result.outage = reply.halt == Halt::no;
    state_.stop(End::unfinished, reply.problem.empty() ? "what answers for seat " +
                                                             std::to_string(q.seat_) + " failed"
                                                       : std::move(reply.problem));
  }
  if (const auto skin = state_.skin(q.seat_, *seat.agent))
    reply = in_original(std::move(reply), *q.stage_->answer, skin);
  p.costly = p.costly || seat.agent->is_costly();
  if (reply.timing.answered != 0) keep_timing(p, reply);
  if (!reply.thought.empty()) p.asked.thought = std::move(reply.thought);
  p.said = std::move(reply.said);
  p.kept = std::move(reply.kept);
  if (reply.remembers && !state_.is_of_suite(*q.stage_)) {
    seat.memo = reply.memo;
    p.asked.remembers = true;
    p.asked.memo = std::move(reply.memo);
  }
  if (reply.declined && q.stage_->probe) {
    p.asked.declined = true;
    q.declined_ = true;
    p.settled = true;
    return;
  }
  std::optional<record::Attempt> other = ask_stand_in(q);
  if (judge(p, other ? *std::move(other) : attempt_of(reply))) {
    p.asked.by_rules = reply.by_rules && !p.asked.forced;
    return;
  }
  if (reply.hopeless)
    settle_by_force(p);
  else
    send(p);
}

std::optional<record::Attempt> Asker::ask_stand_in(Question& q) {
  PlayingSeat& seat = state_.seat_of(q);
  if (seat.stand_in == nullptr || q.stage_->probe) return {};
  q.memo_ = seat.stand_in_memo;
  q.declined_ = q.drawn_ = q.by_json_ = q.remembers_ = false;
  state_.crash.clear();
  state_.call(*seat.stand_in, q);
  q.memo_ = seat.memo;
  if (q.remembers_) seat.stand_in_memo = std::move(q.words_->memo);
  if (!std::exchange(state_.crash, {}).empty() || q.declined_) return {};
  record::Attempt attempt;
  attempt.form = q.by_json_ ? record::Form::json : record::Form::encoded;
  if (q.by_json_)
    attempt.payload = q.words_->json;
  else
    record::encode(attempt.payload, *q.stage_->answer, q.answer_);
  return attempt;
}

}  // namespace agon
