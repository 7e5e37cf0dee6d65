// The long way of an answer: from wherever it comes, through the checks, into the record.
#include "table/asker.hpp"

#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/model/model_agent.hpp>
#include <algorithm>
#include <utility>

#include "describe/value.hpp"
#include "table/contract.hpp"
#include "text/language.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

/// What an agent that answers at once can come to; the other classes are for those who wait.
bool possible_at_once(const record::Attempt& a) {
  if (a.fault == Fault::crashed) return a.form == record::Form::none;
  return a.form != record::Form::none && (a.fault == Fault::ok || a.fault == Fault::illegal ||
                                          a.fault == Fault::unparsable || a.fault == Fault::empty);
}

/// Why an answer was turned down, as long as anybody reads it.
std::string bounded(std::string words, const Language& language) {
  constexpr std::size_t kLongestRemark = 100;  // what stands behind what was cut before
  const std::size_t width = text::width(words);
  if (width <= kLongestProblem + kLongestRemark) return words;
  std::size_t end = 0;
  for (std::size_t i = 0; i < kLongestProblem; ++i)
    end += std::max(text::decode(words, end).length, std::size_t{1});
  const std::size_t more = width - kLongestProblem;
  words.resize(end);
  return language.say(more == 1 ? ArenaLine("{words} [cut: {n} more character]")
                                : ArenaLine("{words} [cut: {n} more characters]"),
                      {{"words", std::move(words)}, {"n", std::to_string(more)}});
}

}  // namespace

void Asker::resolve(std::span<Question> questions, std::span<Given> given, std::size_t asked) {
  std::string crash = std::exchange(state_.crash, {});  // of the last that was asked directly
  std::vector<Pending> all(questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i) {
    Pending& p = all[i];
    const Question& q = questions[i];
    p.question = &questions[i];
    p.given = &given[i];
    p.index = static_cast<int>(i);
    p.count = static_cast<int>(questions.size());
    p.asked.number = q.number_;
    p.asked.seat = q.seat_;
    p.asked.stage = q.stage();
    p.asked.answer_type = q.stage_->answer;
    p.asked.probe = q.stage_->probe;
    p.asked.by_substitute = state_.seat_of(q).handed_over;
  }
  // Before the first of them is asked, and paid for.
  if (const std::size_t shown = bytes_shown(questions); shown > 0) state_.check_length(shown);
  bool anybody_waits = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + 1 == asked) state_.crash = std::exchange(crash, {});
    anybody_waits = put(all[i], i < asked) || anybody_waits;
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

bool Asker::put(Pending& p, bool asked) {
  Question& q = *p.question;
  const PlayingSeat& seat = state_.seat_of(q);
  const bool strict = state_.setup.strict_replay;
  const record::Entry* const past = playback_.answer(q.number_);
  if (is_unseen(q)) {
    q.declined_ = true;
    p.settled = true;
    p.in_record = false;
    return false;
  }
  if (state_.recorder) state_.check_length();
  if (past != nullptr) {
    play_back(p, *past);
  } else if (strict) {
    throw GameFault{at_stage(q, "the record has no answer to what the game asks")};
  } else if (seat.agent->waits()) {
    send(p);
    return true;
  } else {
    ask_inline(p, asked);
  }
  return false;
}

bool Asker::is_unseen(const Question& q) const {
  return playback_.answer(q.number_) == nullptr && q.stage_->probe &&
         (state_.setup.strict_replay || !state_.seat_of(q).agent->answers_probes());
}

std::size_t Asker::bytes_shown(std::span<Question> questions) const {
  if (!state_.recorder) return 0;
  // Only where it is close: views take time to write.
  const std::size_t most = std::min(questions.size() * record::kLargestEntry, kLargestRecord / 2);
  if (state_.recorder->bytes().size() + most <= kLargestRecord) return 0;
  std::size_t bytes = 0;
  for (Question& q : questions)
    if (state_.seat_of(q).waits && q.view_type() != nullptr &&
        playback_.answer(q.number_) == nullptr && !is_unseen(q))
      bytes += write_json(*q.view_type(), q.view()).size();
  return bytes;
}

void Asker::close_entries(std::span<Pending> all) {
  bool costly = false;
  for (Pending& p : all) {
    if (!p.settled) continue;
    close_entry(p);
    costly = costly || p.costly;
  }
  if (costly && state_.setup.make_durable && state_.recorder)
    state_.setup.make_durable(state_.recorder->bytes());
}

void Asker::play_back(Pending& p, const record::Entry& entry) {
  Question& q = *p.question;
  if (entry.seat != q.seat_ || entry.name != q.stage())
    throw GameFault{at_stage(q, "the record has an answer to stage '" + std::string(entry.name) +
                                    "' of seat " + std::to_string(entry.seat))};
  p.asked.thought = entry.thought;
  p.asked.remembers = entry.remembers;
  p.asked.memo = entry.memo;
  p.asked.by_rules = entry.by_rules;
  p.asked.by_substitute = entry.by_substitute;
  if (entry.by_substitute) state_.seat_of(q).hand_over();
  if (entry.remembers) {
    PlayingSeat& seat = state_.seat_of(q);
    seat.memo = entry.memo;
    q.memo_ = seat.memo;
  }
  if (!state_.seat_of(q).waits)
    for (const record::Attempt& a : entry.attempts)
      if (!possible_at_once(a))
        throw GameFault{at_stage(q, "the record has what no agent that answers at once can say")};
  if (entry.declined) {
    if (!q.stage_->probe) throw GameFault{at_stage(q, "the record declines what is no probe")};
    for (const record::Attempt& a : entry.attempts) state_.count(*q.stage_, q.seat_, a.fault);
    p.asked.declined = true;
    q.declined_ = true;
    p.asked.attempts = entry.attempts;
    p.settled = true;
    return;
  }
  for (const record::Attempt& attempt : entry.attempts)
    if (judge(p, attempt)) break;
  // The record has what was played; what a model said is among its calls.
  const PlayingSeat& seat = state_.seat_of(q);
  if (!state_.setup.strict_replay && state_.setup.ledger && !entry.attempts.empty())
    if (const ModelAgent* model = seat.agent->model_agent()) {
      OwnedQuestion question = owned(p);
      question.attempt = static_cast<int>(entry.attempts.size()) - 1;
      question.ledger = state_.setup.ledger(q.seat_, q.number_, question.attempt);
      p.said = model->said(question);
    }
  if (p.settled) return;
  // What was cut short is asked on, live.
  if (state_.setup.strict_replay || entry.forced)
    settle_by_force(p);
  else if (state_.seat_of(q).agent->waits())
    send(p);
  else
    ask_inline(p, false);
}

void Asker::ask_inline(Pending& p, bool asked) {
  Question& q = *p.question;
  PlayingSeat& seat = state_.seat_of(q);
  p.costly = p.costly || seat.agent->is_costly();
  while (!p.settled) {
    if (!std::exchange(asked, false)) {
      q.attempt_ = static_cast<std::uint32_t>(p.attempt);
      q.declined_ = q.drawn_ = q.by_json_ = false;
      state_.crash.clear();
      state_.call(*seat.agent, q);
    }
    std::string crash = std::exchange(state_.crash, {});
    if (!crash.empty()) blame_view_or_check(q);
    if (q.words_ && !q.words_->thought.empty())
      p.asked.thought = std::exchange(q.words_->thought, {});
    if (state_.is_of_suite(*q.stage_)) q.remembers_ = false;
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
    } else if (q.stage_->probe && q.declined_) {
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
      record::encode(attempt.payload, *q.stage_->answer, q.answer_);
    }
    judge(p, std::move(attempt));
  }
}

void Asker::blame_view_or_check(Question& q) {
  // Views and checks are code of the game. If one of them threw, it throws again here, past the
  // agent, and is charged to the game.
  if (q.view_ == nullptr) (void)q.view();
  if (q.check_ != nullptr && !find_problem(*q.stage_->answer, q.answer_, q.limits_))
    q.check_(q.asking_, q.answer_);
}

std::optional<Problem> Asker::problem_of(Question& q, const record::Attempt& attempt) const {
  std::optional<Problem> problem;
  reset_value(*q.stage_->answer, q.answer_, q.fallback_);
  if (attempt.form == record::Form::json) {
    if (attempt.payload.find_first_not_of(" \t\r\n") == std::string::npos)
      problem = Problem{"", "nothing was said", Fault::empty, {ArenaLine("nothing was said"), {}}};
    else
      problem = read_json(*q.stage_->answer, q.answer_, attempt.payload, q.limits_);
  } else {
    record::Bytes bytes(attempt.payload);
    if (!record::decode(bytes, *q.stage_->answer, q.answer_) || !bytes.empty())
      problem = Problem{"", "the recorded answer does not fit the question", Fault::unparsable};
    else
      problem = find_problem(*q.stage_->answer, q.answer_, q.limits_);
  }
  if (!problem && q.check_ != nullptr) {
    std::string reason = q.check_(q.asking_, q.answer_);
    // A check of the game's own says its reasons as sentences of the game, without names.
    if (!reason.empty())
      problem = Problem{"", std::string(state_.language(q.seat_).text(reason)), Fault::illegal};
  }
  // Those who wait ask it of an answer before they send it, and cannot say that the game broke.
  if (!problem && q.stage_->ends && state_.seat_of(q).waits) (void)q.stage_->ends(q.answer_);
  return problem;
}

bool Asker::judge(Pending& p, record::Attempt attempt) {
  Question& q = *p.question;
  const Language& words = state_.language(q.seat_);
  std::string complaint;
  bool legal = false;
  const bool said = attempt.form != record::Form::none &&
                    (is_played(attempt.fault) || attempt.fault == Fault::illegal ||
                     attempt.fault == Fault::unparsable || attempt.fault == Fault::empty);
  if (said) {
    const std::optional<Problem> problem = problem_of(q, attempt);
    legal = !problem;
    const bool keeps = is_played(attempt.fault) && attempt.form == record::Form::json;
    attempt.fault = problem ? problem->fault : keeps ? attempt.fault : Fault::ok;
    if (problem)
      complaint = problem->text(words);
    else if (attempt.fault != Fault::ok)
      complaint = attempt.complaint;  // what was repaired
  } else {
    if (attempt.form == record::Form::none)
      attempt.payload = bounded(std::move(attempt.payload), words);
    complaint = attempt.fault == Fault::timed_out ? words.say(ArenaLine("the answer came too late"))
                : attempt.form != record::Form::none && !attempt.complaint.empty()
                    ? attempt.complaint
                : attempt.payload.empty() ? words.say(ArenaLine("there was no answer"))
                                          : attempt.payload;
  }
  state_.count(*q.stage_, q.seat_, attempt.fault);
  attempt.complaint = bounded(std::move(complaint), words);
  if (attempt.fault == Fault::illegal) ++p.given->illegal_attempts;
  p.asked.attempts.push_back(std::move(attempt));
  ++p.attempt;
  if (!legal) return is_given_up(p);
  p.given->rejected_attempts = p.attempt - 1;
  p.settled = true;
  if (p.asked.by_substitute && !q.stage_->probe)
    ++state_.result.forced[static_cast<std::size_t>(q.seat_)];
  return true;
}

bool Asker::is_given_up(Pending& p) {
  Question& q = *p.question;
  const record::Attempt& last = p.asked.attempts.back();
  q.complaint_ = last.complaint;
  reset_value(*q.stage_->answer, q.answer_, q.fallback_);
  // Asking again helps against a slip, not against silence or a broken agent; and who has refused
  // twice means it.
  const auto refusals =
      std::count_if(p.asked.attempts.begin(), p.asked.attempts.end(),
                    [](const record::Attempt& a) { return a.fault == Fault::refused; });
  const bool hopeless = last.fault == Fault::timed_out || last.fault == Fault::crashed ||
                        (last.fault == Fault::refused && refusals > 1);
  if (!hopeless && p.attempt <= state_.setup.reasks) return false;
  settle_by_force(p);
  return true;
}

void Asker::settle_by_force(Pending& p) {
  Question& q = *p.question;
  reset_value(*q.stage_->answer, q.answer_, q.fallback_);
  p.given->rejected_attempts = p.attempt;
  p.given->was_forced = true;
  p.asked.forced = true;
  p.settled = true;
  if (q.stage_->probe) return;
  ++state_.result.forced[static_cast<std::size_t>(q.seat_)];
  std::string reason;
  if (const auto problem = find_problem(*q.stage_->answer, q.answer_, q.limits_))
    reason = problem->text();
  else if (q.check_ != nullptr)
    reason = q.check_(q.asking_, q.answer_);
  if (!reason.empty())
    throw GameFault{at_stage(q, "the game's own fallback is illegal: " + reason)};
}

void Asker::remember(Pending& p) {
  Question& q = *p.question;
  PlayingSeat& seat = state_.seat_of(q);
  Delivery heard{.what = Delivery::What::question,
                 .name = std::string(q.stage()),
                 .number = q.number_,
                 .json = p.asked.view.empty() ? "null" : p.asked.view,
                 .type = q.view_type(),
                 .untold = q.stage_->telling != nullptr,
                 .purpose = q.stage_->purpose};
  if (q.stage_->telling != nullptr && q.view_type() != nullptr)
    heard.seen = printable(q.stage_->telling(q.view(), state_.scene(q.seat_)), true);
  seat.heard.push_back(heard);
  if (!p.asked.declined) {
    heard.what = Delivery::What::answer;
    heard.json = write_json(*q.stage_->answer, q.answer_);
    heard.type = q.stage_->answer;
    heard.untold = false;
    heard.seen.clear();
    heard.said = std::move(p.said);
    heard.by = p.asked.forced     ? Delivery::By::fallback
               : p.asked.by_rules ? Delivery::By::rules
                                  : Delivery::By::seat;
    if (!p.asked.forced && !p.asked.attempts.empty())
      heard.mended = p.asked.attempts.back().complaint;
    seat.heard.push_back(std::move(heard));
  }
}

void Asker::close_entry(Pending& p) {
  Question& q = *p.question;
  PlayingSeat& seat = state_.seat_of(q);
  if (!p.in_record) return;
  if (seat.waits) {
    if (q.view_type() != nullptr) append_json(p.asked.view, *q.view_type(), q.view());
    const bool stays = !state_.is_of_suite(*q.stage_);
    // Where everything comes from the record nobody remembers it.
    if (stays && !state_.setup.strict_replay) remember(p);
    if (stays) seat.unseen_from = seat.heard.size();
  }
  if (!state_.recorder) return;
  if (!p.asked.declined) record::encode(p.asked.answer, *q.stage_->answer, q.answer_);
  try {
    state_.recorder->question(p.asked);
  } catch (const record::TooLarge&) {
    // What the agent said is nothing that the game could help.
    if (!seat.waits || 2 * p.asked.view.size() > record::kLargestEntry) throw;
    state_.stop_as_too_long();
  }
}

}  // namespace agon
