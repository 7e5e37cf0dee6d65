#include "table/match_table.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <utility>

#include "describe/append_json.hpp"
#include "record/shape.hpp"
#include "table/value.hpp"

namespace agon {
namespace {

using Clock = std::chrono::steady_clock;

/// Marks the places of the dice of probes.
constexpr std::uint32_t kProbeDice = 0x80000000U;

/// The game broke a rule of the seam: charged to the game.
struct GameFault {
  std::string problem;
};

/// What an agent that answers at once can come to; the other classes are for those who wait.
bool possible_at_once(const record::Attempt& a) {
  if (a.fault == Fault::crashed) return a.form == record::Form::none;
  return a.form != record::Form::none && (a.fault == Fault::ok || a.fault == Fault::illegal ||
                                          a.fault == Fault::unparsable || a.fault == Fault::empty);
}

std::string at_stage(const Question& q, const std::string& what) {
  return what + " at stage '" + std::string(q.stage()) + "' (question " +
         std::to_string(q.number()) + ", seat " + std::to_string(q.seat()) + ")";
}

[[noreturn]] void throw_no_such_seat(const Question& q) {
  throw GameFault{at_stage(q, "the match has no such seat")};
}

std::string drawn_again(std::string_view name, std::span<const std::int64_t> at) {
  std::string place = "chance(\"" + std::string(name) + "\"";
  for (const std::int64_t i : at) place += ", " + std::to_string(i);
  return place +
         ") is used a second time and would bring the same luck again: number the places, as in "
         "chance(\"" +
         std::string(name) + "\", round), or keep the Luck that it returns";
}

[[noreturn]] void throw_endless(const Question& q) {
  throw GameFault{at_stage(q, "the game has asked " + std::to_string(kMostQuestions) +
                                  " questions and does not end: give it a last round")};
}

}  // namespace

/// A question between being asked and being settled.
struct MatchTable::Pending {
  Question* question = nullptr;
  Given* given = nullptr;
  record::Asked asked;
  Clock::time_point sent{};  ///< to an agent that waits
  Clock::time_point deadline = Clock::time_point::max();
  int attempt = 0;
  bool settled = false;
  bool in_record = true;  ///< false: a probe declined at once leaves no trace
  bool costly = false;    ///< answered by somebody whose time or money it cost
};

MatchTable::MatchTable(const MatchSetup& setup) : setup_(setup), stages_(setup.game->card) {
  seats_ = static_cast<int>(setup.seats.size());
  luck_key_ = setup.luck_key;
  std::uint32_t waiting = 0;
  if (!setup.past.empty()) {
    history_ = record::read(setup.past);
    waiting = history_.waiting;
    for (const record::Entry& e : history_.entries)
      if (e.what == record::Entry::What::question) past_.emplace(e.number, &e);
  }
  for (std::size_t i = 0; i < setup.seats.size(); ++i) {
    Seat seat;
    seat.agent = setup.seats[i].agent;
    seat.dice_key = setup.seats[i].dice_key;
    seat.waits = setup.strict_replay ? (waiting >> i & 1U) != 0
                                     : seat.agent != nullptr && seat.agent->waits();
    if (seat.waits) seat.heard = std::make_shared<std::vector<Delivery>>();
    if (past_.empty() && seat.agent != nullptr && !seat.agent->answers_probes())
      declines_probes_ |= 1U << i;
    seats_of_.push_back(std::move(seat));
    names_[i] = setup.cards[i].name;
  }
  waiting = 0;
  for (std::size_t i = 0; i < seats_of_.size(); ++i) waiting |= seats_of_[i].waits ? 1U << i : 0U;
  if (waiting != 0) mailbox_ = std::make_shared<Mailbox>();
  if (setup.record) {
    result_.shapes = setup.shapes != nullptr ? setup.shapes : std::make_shared<record::Shapes>();
    recorder_.emplace(waiting, *result_.shapes);
  }
  listening_ = setup.record || waiting != 0;
  // What is costly must be durable before it is used, which takes the long way.
  direct_ = waiting == 0 && past_.empty() && !setup.strict_replay &&
            std::none_of(setup.seats.begin(), setup.seats.end(),
                         [](const SeatSetup& s) { return s.agent->is_costly(); });
  result_.carried.resize(setup.seats.size());
  result_.faults.resize(setup.seats.size());
  result_.forced.resize(setup.seats.size());
  result_.waiting_ms.resize(setup.seats.size());
}

MatchTable::~MatchTable() {
  leave();
}

void MatchTable::leave() {
  if (mailbox_ == nullptr) return;
  mailbox_->close();
  // Before the mailbox is gone: its address is what agents know the match by.
  std::vector<const Agent*> told;
  for (const Seat& seat : seats_of_) {
    if (!seat.waits || seat.agent == nullptr ||
        std::find(told.begin(), told.end(), seat.agent) != told.end())
      continue;
    told.push_back(seat.agent);
    seat.agent->match_over(mailbox_.get());
  }
  mailbox_.reset();
}

MatchResult MatchTable::run() {
  try {
    Outcome outcome = setup_.game->play(*this, setup_.settings, setup_.prepared);
    // A game that swallowed the stop did not finish, whatever it returned.
    if (!closed_) {
      if (outcome.seats() != seats_)
        throw GameFault{"the outcome has " + std::to_string(outcome.seats()) +
                        " seats, the match " + std::to_string(seats_)};
      rank_by_score(outcome);
      if (std::string problem = problem_of_outcome(setup_.game->card, outcome); !problem.empty())
        throw GameFault{std::move(problem)};
      result_.outcome = outcome;
      if (recorder_) recorder_->outcome(outcome);
    }
  } catch (const Stop&) {
    if (!closed_) blame_game("the game threw a stop of its own");
  } catch (const GameFault& fault) {
    blame_game(fault.problem);
  } catch (const std::exception& error) {
    blame_game(std::string("the game threw: ") + error.what());
  } catch (...) {
    blame_game("the game threw something that is no exception");
  }
  leave();
  result_.questions = next_question_;
  if (recorder_) result_.record = recorder_->take();
  return std::move(result_);
}

void MatchTable::blame_game(std::string problem) {
  // What a game makes of a stop changes nothing: the match is to be taken up again.
  if (closed_) return;
  result_.end = End::game_fault;
  result_.problem = std::move(problem);
}

Outcome MatchTable::play_again(std::uint64_t luck_key, std::span<const std::uint64_t> dice_keys) {
  if (!direct_ || listening_)
    throw Error(ErrorKind::failure, "only unrecorded matches of inline agents play again");
  luck_key_ = luck_key;
  next_question_ = 0;
  next_move_ = 0;
  for (std::size_t i = 0; i < seats_of_.size(); ++i) {
    seats_of_[i].dice_key = dice_keys[i];
    seats_of_[i].memo.clear();
  }
  try {
    return play_once();
  } catch (const GameFault& fault) {
    throw Error(ErrorKind::failure, fault.problem);
  }
}

// By itself, so that the outcome is built where the caller wants it.
Outcome MatchTable::play_once() {
  Outcome outcome = setup_.game->play(*this, setup_.settings, setup_.prepared);
  rank_by_score(outcome);
  return outcome;
}

void MatchTable::stop(End end, std::string problem) {
  closed_ = true;
  result_.end = end;
  result_.problem = std::move(problem);
  throw Stop{};
}

void MatchTable::heed_cancel() {
  if (closed_) throw Stop{};
  if (setup_.cancel != nullptr && setup_.cancel->load(std::memory_order_relaxed))
    stop(End::stopped, "the match was stopped");
}

void MatchTable::open(Question& q) {
  q.number_ = next_question_;
  if (q.seat_ < 0 || q.seat_ >= seats_) [[unlikely]]
    throw_no_such_seat(q);
  if (next_question_ >= kMostQuestions) [[unlikely]]
    throw_endless(q);
  ++next_question_;
  // Probes stand apart, so that dice never depend on how many of them were answered.
  q.dice_place_ = q.probe_ ? kProbeDice | q.number_ : next_move_++;
  const Seat& seat = seats_of_[static_cast<std::size_t>(q.seat_)];
  q.dice_key_ = seat.dice_key;
  q.memo_ = seat.memo;
}

void MatchTable::check_stage(const Question& q) {
  check_length();
  if (const std::string problem = stages_.problem(q.stage_, q.answer_type_, q.view_type_, q.probe_);
      !problem.empty())
    throw GameFault{at_stage(q, "the game breaks its card") + ": " + problem};
}

void MatchTable::check_length() const {
  if (recorder_->bytes().size() > kLargestRecord)
    throw GameFault{"the match's record has grown beyond " + std::to_string(kLargestRecord >> 20) +
                    " MiB: does the game ever end?"};
}

bool MatchTable::ask_directly(Question& q) {
  open(q);
  Seat& seat = seats_of_[static_cast<std::size_t>(q.seat_)];
  if (q.probe_ && (declines_probes_ >> q.seat_ & 1U) != 0) {
    q.declined_ = true;
    return true;
  }
  if (recorder_) check_stage(q);
  crash_.clear();
  call(seat, q);
  if (!crash_.empty() || q.by_json_) return false;
  // A draw is legal unless nothing is, which would be found out when it is played again.
  if ((!q.drawn_ || recorder_) && !(q.probe_ && q.declined_)) {
    if (!q.is_legal_(q.answer_, q.limits_)) return false;
    if (q.check_ != nullptr && !q.check_(q.asking_, q.answer_).empty()) return false;
  }
  if (q.words_ != nullptr) {
    // What was said beside the answer goes into the record.
    if (recorder_) return false;
    if (q.remembers_) seat.memo = std::move(q.words_->memo);
  }
  return true;
}

void MatchTable::record_directly(const Question& q) {
  if (q.probe_ && q.declined_) return;
  ++result_.faults[static_cast<std::size_t>(q.seat_)][static_cast<std::size_t>(Fault::ok)];
  recorder_->plain(q.number_, q.seat_, q.stage_, *q.answer_type_, q.probe_, q.answer_);
}

Given MatchTable::put(Question& q) {
  std::size_t asked = 0;
  if (direct_) {
    heed_cancel();
    if (ask_directly(q)) [[likely]] {
      if (recorder_) record_directly(q);
      return {};
    }
    asked = 1;
  }
  Given given;
  resolve(std::span(&q, 1), std::span(&given, 1), asked);
  return given;
}

void MatchTable::put_all(std::span<Question> questions, std::span<Given> given) {
  if (!direct_) return resolve(questions, given, 0);
  heed_cancel();
  if (!recorder_) {
    for (std::size_t i = 0; i < questions.size(); ++i)
      if (!ask_directly(questions[i])) [[unlikely]]
        resolve(questions.subspan(i, 1), given.subspan(i, 1), 1);
    return;
  }
  // Nothing is recorded before all have answered, as if they had been asked at the same time.
  for (std::size_t i = 0; i < questions.size(); ++i)
    if (!ask_directly(questions[i])) return resolve(questions, given, i + 1);
  for (const Question& q : questions) record_directly(q);
}

void MatchTable::resolve(std::span<Question> questions, std::span<Given> given, std::size_t asked) {
  if (asked == 0) heed_cancel();
  std::string crash = std::exchange(crash_, {});  // of the last that was asked directly
  std::vector<Pending> all(questions.size());
  bool anybody_waits = false;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    Pending& p = all[i];
    p.question = &questions[i];
    p.given = &given[i];
    if (i >= asked) open(questions[i]);
    p.asked.number = questions[i].number_;
    p.asked.seat = questions[i].seat_;
    p.asked.stage = questions[i].stage_;
    p.asked.answer_type = questions[i].answer_type_;
    p.asked.probe = questions[i].probe_;
  }
  for (Pending& p : all) {
    const Seat& seat = seats_of_[static_cast<std::size_t>(p.question->seat_)];
    const auto past = past_.find(p.question->number_);
    // Probes that are declined unseen leave no trace, whatever they are.
    if (recorder_ && (!p.question->probe_ || past != past_.end() ||
                      (!setup_.strict_replay && seat.agent->answers_probes())))
      check_stage(*p.question);
    if (past != past_.end()) {
      play_back(p, *past->second);
    } else if (setup_.strict_replay) {
      // A probe that was declined at once left no entry.
      if (!p.question->probe_)
        throw GameFault{at_stage(*p.question, "the record has no answer to what the game asks")};
      p.question->declined_ = true;
      p.settled = true;
      p.in_record = false;
    } else if (p.question->probe_ && !seat.agent->answers_probes()) {
      p.question->declined_ = true;
      p.settled = true;
      p.in_record = false;
    } else if (seat.waits) {
      anybody_waits = true;
      send(p);
    } else {
      const auto place = static_cast<std::size_t>(p.question - questions.data());
      if (place + 1 == asked) crash_ = std::exchange(crash, {});
      ask_inline(p, place < asked);
    }
  }
  try {
    if (anybody_waits) wait_for(all);
  } catch (const Stop&) {
    // Answers that others have given by now may have cost something: they are kept.
    close_entries(all);
    throw;
  }
  close_entries(all);
}

void MatchTable::close_entries(std::span<Pending> all) {
  bool costly = false;
  for (Pending& p : all) {
    if (!p.settled) continue;
    close_entry(p);
    costly = costly || p.costly;
  }
  if (costly && setup_.make_durable && recorder_) setup_.make_durable(recorder_->bytes());
}

void MatchTable::play_back(Pending& p, const record::Entry& entry) {
  Question& q = *p.question;
  if (entry.seat != q.seat_ || entry.name != q.stage_)
    throw GameFault{at_stage(q, "the record has an answer to stage '" + std::string(entry.name) +
                                    "' of seat " + std::to_string(entry.seat))};
  p.asked.thought = entry.thought;
  p.asked.remembers = entry.remembers;
  p.asked.memo = entry.memo;
  if (entry.remembers) {
    Seat& seat = seats_of_[static_cast<std::size_t>(q.seat_)];
    seat.memo = entry.memo;
    q.memo_ = seat.memo;
  }
  if (!seats_of_[static_cast<std::size_t>(q.seat_)].waits)
    for (const record::Attempt& a : entry.attempts)
      if (!possible_at_once(a))
        throw GameFault{at_stage(q, "the record has what no agent that answers at once can say")};
  if (entry.declined) {
    if (!q.probe_) throw GameFault{at_stage(q, "the record declines what is no probe")};
    for (const record::Attempt& a : entry.attempts)
      ++result_.faults[static_cast<std::size_t>(q.seat_)][static_cast<std::size_t>(a.fault)];
    p.asked.declined = true;
    q.declined_ = true;
    p.asked.attempts = entry.attempts;
    p.settled = true;
    return;
  }
  for (const record::Attempt& attempt : entry.attempts)
    if (judge(p, attempt)) return;
  // What was cut short is asked on, live.
  if (setup_.strict_replay || entry.forced)
    settle_by_force(p);
  else if (seats_of_[static_cast<std::size_t>(q.seat_)].waits)
    send(p);
  else
    ask_inline(p, false);
}

void MatchTable::note_crash() {
  try {
    throw;
  } catch (const std::exception& error) {
    crash_ = error.what();
    if (crash_.empty()) crash_ = "?";
  } catch (...) {
    crash_ = "it threw something that is no exception";
  }
}

void MatchTable::ask_inline(Pending& p, bool asked) {
  Question& q = *p.question;
  Seat& seat = seats_of_[static_cast<std::size_t>(q.seat_)];
  p.costly = seat.agent->is_costly();
  while (!p.settled) {
    if (!std::exchange(asked, false)) {
      q.attempt_ = static_cast<std::uint32_t>(p.attempt);
      q.declined_ = q.drawn_ = q.by_json_ = false;
      crash_.clear();
      call(seat, q);
    }
    std::string crash = std::exchange(crash_, {});
    if (!crash.empty()) blame_view_or_check(q);
    if (q.words_ != nullptr && !q.words_->thought.empty())
      p.asked.thought = std::exchange(q.words_->thought, {});
    if (q.remembers_) {
      seat.memo = q.words_->memo;
      p.asked.remembers = true;
      p.asked.memo = std::move(q.words_->memo);
      q.remembers_ = false;
      q.memo_ = seat.memo;
    }
    record::Attempt attempt;
    if (!crash.empty()) {
      attempt.fault = Fault::crashed;
      attempt.payload = std::move(crash);
    } else if (q.probe_ && q.declined_) {
      // It leaves a trace only if something came of it: a memo, a reason, attempts turned down.
      p.settled = true;
      p.asked.declined = true;
      p.in_record = p.asked.remembers || !p.asked.attempts.empty() || !p.asked.thought.empty();
      return;
    } else if (q.by_json_) {
      attempt.form = record::Form::json;
      attempt.payload = std::move(q.words_->json);
    } else {
      attempt.form = record::Form::encoded;
      record::encode(attempt.payload, *q.answer_type_, q.answer_);
    }
    judge(p, std::move(attempt));
  }
}

void MatchTable::blame_view_or_check(Question& q) {
  // Views and checks are code of the game. If one of them threw, it throws again here, past the
  // agent, and is charged to the game.
  if (q.view_ == nullptr) (void)q.view();
  if (q.check_ != nullptr && !find_problem(*q.answer_type_, q.answer_, q.limits_))
    q.check_(q.asking_, q.answer_);
}

bool MatchTable::judge(Pending& p, record::Attempt attempt) {
  Question& q = *p.question;
  std::string complaint;
  bool legal = false;
  const bool said = attempt.form != record::Form::none &&
                    (attempt.fault == Fault::ok || attempt.fault == Fault::repaired ||
                     attempt.fault == Fault::illegal || attempt.fault == Fault::unparsable ||
                     attempt.fault == Fault::empty);
  if (said) {
    std::optional<Problem> problem;
    reset_value(*q.answer_type_, q.answer_, q.fallback_);
    if (attempt.form == record::Form::json) {
      if (attempt.payload.find_first_not_of(" \t\r\n") == std::string::npos)
        problem = Problem{"", "nothing was said", Fault::empty};
      else
        problem = read_json(*q.answer_type_, q.answer_, attempt.payload, q.limits_);
    } else {
      record::Bytes bytes(attempt.payload);
      if (!record::decode(bytes, *q.answer_type_, q.answer_) || !bytes.empty())
        problem = Problem{"", "the recorded answer does not fit the question", Fault::unparsable};
      else
        problem = find_problem(*q.answer_type_, q.answer_, q.limits_);
    }
    if (!problem && q.check_ != nullptr) {
      std::string reason = q.check_(q.asking_, q.answer_);
      if (!reason.empty()) problem = Problem{"", std::move(reason), Fault::illegal};
    }
    legal = !problem;
    const bool repaired = attempt.fault == Fault::repaired && attempt.form == record::Form::json;
    attempt.fault = problem ? problem->fault : repaired ? Fault::repaired : Fault::ok;
    if (problem) complaint = problem->text();
  } else {
    complaint = attempt.fault == Fault::timed_out ? "the answer came too late"
                : attempt.form != record::Form::none && !attempt.complaint.empty()
                    ? attempt.complaint
                : attempt.payload.empty() ? "there was no answer"
                                          : attempt.payload;
  }
  ++result_.faults[static_cast<std::size_t>(q.seat_)][static_cast<std::size_t>(attempt.fault)];
  attempt.complaint = complaint;
  const Fault fault = attempt.fault;
  if (fault == Fault::illegal) ++p.given->illegal_attempts;
  p.asked.attempts.push_back(std::move(attempt));
  ++p.attempt;
  if (legal) {
    p.given->rejected_attempts = p.attempt - 1;
    p.settled = true;
    return true;
  }
  q.complaint_ = p.asked.attempts.back().complaint;
  reset_value(*q.answer_type_, q.answer_, q.fallback_);
  // Asking again helps against a slip, not against silence or a broken agent; and who has refused
  // twice means it.
  const auto refusals =
      std::count_if(p.asked.attempts.begin(), p.asked.attempts.end(),
                    [](const record::Attempt& a) { return a.fault == Fault::refused; });
  const bool hopeless = fault == Fault::timed_out || fault == Fault::crashed ||
                        (fault == Fault::refused && refusals > 1);
  if (hopeless || p.attempt > setup_.reasks) {
    settle_by_force(p);
    return true;
  }
  return false;
}

void MatchTable::settle_by_force(Pending& p) {
  Question& q = *p.question;
  reset_value(*q.answer_type_, q.answer_, q.fallback_);
  p.given->rejected_attempts = p.attempt;
  p.given->was_forced = true;
  p.asked.forced = true;
  p.settled = true;
  if (q.probe_) return;
  ++result_.forced[static_cast<std::size_t>(q.seat_)];
  std::string reason;
  if (const auto problem = find_problem(*q.answer_type_, q.answer_, q.limits_))
    reason = problem->text();
  else if (q.check_ != nullptr)
    reason = q.check_(q.asking_, q.answer_);
  if (!reason.empty())
    throw GameFault{at_stage(q, "the game's own fallback is illegal: " + reason)};
}

void MatchTable::close_entry(Pending& p) {
  Question& q = *p.question;
  Seat& seat = seats_of_[static_cast<std::size_t>(q.seat_)];
  if (!p.in_record) return;
  if (seat.waits) {
    if (q.view_type_ != nullptr) append_json(p.asked.view, *q.view_type_, q.view());
    deliver(seat, {Delivery::What::question, false, std::string(q.stage_), q.number_,
                   p.asked.view.empty() ? "null" : p.asked.view, q.view_type_});
    if (!p.asked.declined)
      deliver(seat, {Delivery::What::answer, false, std::string(q.stage_), q.number_,
                     write_json(*q.answer_type_, q.answer_), q.answer_type_});
    seat.unseen_from = seat.heard->size();
  }
  if (!recorder_) return;
  if (!p.asked.declined) record::encode(p.asked.answer, *q.answer_type_, q.answer_);
  recorder_->question(p.asked);
}

void MatchTable::deliver(Seat& seat, Delivery delivery) {
  // What was handed out is never written again: an agent may look at it from another thread, even
  // after its answer came.
  if (seat.handed_out) {
    seat.heard = std::make_shared<std::vector<Delivery>>(*seat.heard);
    seat.handed_out = false;
  }
  seat.heard->push_back(std::move(delivery));
}

void MatchTable::send(Pending& p) {
  Question& q = *p.question;
  Seat& seat = seats_of_[static_cast<std::size_t>(q.seat_)];
  p.sent = Clock::now();
  if (setup_.answer_limit.count() > 0) p.deadline = p.sent + setup_.answer_limit;
  OwnedQuestion out;
  const GameCard& card = setup_.game->card;
  out.game = setup_.game->id;
  out.title = card.title;
  out.rules = setup_.rules;
  out.match = setup_.label;
  out.table = mailbox_.get();
  out.seat = q.seat_;
  out.seat_name = setup_.cards[static_cast<std::size_t>(q.seat_)].name;
  out.role = setup_.cards[static_cast<std::size_t>(q.seat_)].role;
  for (const SeatCard& c : setup_.cards) out.seat_names.push_back(c.name);
  out.stage = q.stage_;
  out.purpose = q.probe_ ? Purpose::other : Purpose::act;
  for (const StageCard& stage : card.stages) {
    if (stage.name != q.stage_) continue;
    out.stage_doc = stage.doc;
    if (q.probe_ && stage.purpose != Purpose::act) out.purpose = stage.purpose;
  }
  out.number = q.number_;
  out.attempt = p.attempt;
  out.probe = q.probe_;
  out.complaint = q.complaint_;
  out.view_type = q.view_type_;
  out.view_json = q.view_type_ == nullptr ? "null" : write_json(*q.view_type_, q.view());
  out.answer_type = q.answer_type_;
  out.limits = OwnedLimits(q.limits_);
  out.history = seat.heard;
  seat.handed_out = true;
  out.unseen_from = seat.unseen_from;
  out.memo = seat.memo;
  out.dice_key = q.dice_key_;
  out.dice_place = q.dice_place_;
  out.deadline = p.deadline;
  out.facts_type = card.facts;
  out.facts_json = setup_.facts;
  if (seat.agent->reads_prompts()) out.prompts = setup_.prompts;
  if (setup_.ledger) out.ledger = setup_.ledger(q.seat_, q.number_, p.attempt);
  mailbox_->expect(q.number_, p.attempt);
  try {
    seat.agent->ask(std::move(out), Completion(mailbox_, q.number_, p.attempt));
  } catch (const std::exception& error) {
    mailbox_->deliver(q.number_, p.attempt, {.status = Fault::crashed, .problem = error.what()});
  } catch (...) {
    mailbox_->deliver(q.number_, p.attempt, {.status = Fault::crashed, .problem = "it broke"});
  }
}

void MatchTable::wait_for(std::span<Pending> pending) {
  // Cancelling may come from a signal, which can set a flag and no more: look at it often.
  constexpr auto kLook = std::chrono::milliseconds(50);
  for (;;) {
    // Taken before the letters: what is there by then is in time, however long it takes to read.
    const Clock::time_point now = Clock::now();
    Clock::time_point until = now + kLook;
    bool open = false;
    for (const Pending& p : pending) {
      if (p.settled) continue;
      open = true;
      until = std::min(until, p.deadline);
    }
    if (!open) return;
    heed_cancel();
    for (Mailbox::Letter& letter : mailbox_->collect(until))
      for (Pending& p : pending)
        if (!p.settled && p.question->number_ == letter.number && p.attempt == letter.attempt) {
          result_.waiting_ms[static_cast<std::size_t>(p.question->seat_)] +=
              std::chrono::duration<double, std::milli>(Clock::now() - p.sent).count();
          receive(p, std::move(letter.reply));
        }
    for (Pending& p : pending) {
      if (p.settled || now < p.deadline) continue;
      mailbox_->give_up(p.question->number_, p.attempt);
      judge(p, {Fault::timed_out, record::Form::none, {}, {}});
    }
  }
}

void MatchTable::receive(Pending& p, Reply reply) {
  Question& q = *p.question;
  Seat& seat = seats_of_[static_cast<std::size_t>(q.seat_)];
  if (reply.quit) stop(End::unfinished, "the person at seat " + std::to_string(q.seat_) + " left");
  if (reply.status == Fault::provider_failed) {
    ++result_.faults[static_cast<std::size_t>(q.seat_)][static_cast<std::size_t>(reply.status)];
    result_.halt = reply.halt;
    stop(End::unfinished, reply.problem.empty()
                              ? "what answers for seat " + std::to_string(q.seat_) + " failed"
                              : std::move(reply.problem));
  }
  p.costly = p.costly || seat.agent->is_costly();
  if (reply.timing.answered != 0)
    result_.timings.push_back({q.seat_, q.number_, p.attempt, reply.timing});
  if (!reply.thought.empty()) p.asked.thought = std::move(reply.thought);
  if (reply.remembers) {
    seat.memo = reply.memo;
    p.asked.remembers = true;
    p.asked.memo = std::move(reply.memo);
  }
  if (reply.declined && q.probe_) {
    p.asked.declined = true;
    q.declined_ = true;
    p.settled = true;
    return;
  }
  record::Attempt attempt;
  attempt.fault = reply.status;
  if (reply.status == Fault::ok || reply.status == Fault::repaired || !reply.json.empty()) {
    attempt.form = record::Form::json;
    attempt.payload = std::move(reply.json);
    attempt.complaint = std::move(reply.problem);
  } else {
    attempt.payload = std::move(reply.problem);
  }
  if (!judge(p, std::move(attempt))) send(p);
}

void MatchTable::say(std::uint32_t audience, std::string_view name, const Type& type,
                     const void* event) {
  if (closed_) throw Stop{};
  if (recorder_) {
    check_length();
    recorder_->event(audience, name, type, event);
  }
  std::string json;
  for (std::size_t i = 0; i < seats_of_.size(); ++i) {
    if (!seats_of_[i].waits || (audience >> i & 1U) == 0) continue;
    if (json.empty()) json = write_json(type, event);
    deliver(seats_of_[i],
            {Delivery::What::event, audience != kEverybody, std::string(name), 0, json, &type});
  }
}

void MatchTable::drawn(std::string_view name, std::span<const std::int64_t> at, bool first,
                       const Type& type, const void* value) {
  if (closed_) throw Stop{};
  if (!recorder_) return;
  check_length();
  if (first) {
    std::uint64_t place = combine(hash_of(name), at.size());
    for (const std::int64_t i : at) place = combine(place, static_cast<std::uint64_t>(i));
    if (!drawn_at_.insert(place).second) throw GameFault{drawn_again(name, at)};
  }
  recorder_->draw(name, at, type, value);
}

std::int64_t MatchTable::next_in_turn(std::string_view name, std::int64_t n) {
  if (n < 1)
    throw std::invalid_argument("'" + std::string(name) + "' is dealt from a list of " +
                                std::to_string(n));
  const auto next = static_cast<std::int64_t>(setup_.turn % static_cast<std::uint64_t>(n));
  if (listening_) drawn(name, {}, true, type_of<std::int64_t>(), &next);
  return next;
}

bool MatchTable::bring(int seat, const Type& type, void* value) {
  const std::string& json = setup_.seats[static_cast<std::size_t>(seat)].carried;
  if (json.empty()) return false;
  if (const auto problem = read_json(type, value, json))
    throw GameFault{"what seat " + std::to_string(seat) +
                    " carried over does not fit: " + problem->text()};
  return true;
}

void MatchTable::take_along(int seat, const Type& type, const void* value) {
  if (closed_) throw Stop{};
  if (recorder_) recorder_->carry(seat, type, value);
  if (listening_) result_.carried[static_cast<std::size_t>(seat)] = write_json(type, value);
}

void rank_by_score(Outcome& outcome) {
  for (int i = 0; i < outcome.seats(); ++i) {
    if (outcome[i].rank != 0) return;
  }
  for (int i = 0; i < outcome.seats(); ++i) {
    int rank = 1;
    for (int j = 0; j < outcome.seats(); ++j) rank += outcome[j].score > outcome[i].score ? 1 : 0;
    outcome[i].rank = rank;
  }
}

MatchResult play_match(const MatchSetup& setup) {
  MatchTable table(setup);
  return table.run();
}

}  // namespace agon
