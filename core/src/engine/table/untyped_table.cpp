#include "table/untyped_table.hpp"

#include <agon/dealing.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

#include "describe/limits.hpp"
#include "table/match_table.hpp"

namespace agon {

/// What a question's callbacks are given.
struct UntypedTable::CallbackData {
  const UntypedAsking* asking;
};

const void* UntypedTable::view_of(void* asked) {
  return static_cast<CallbackData*>(asked)->asking->view->get();
}

std::string UntypedTable::reason(void* asked, const void* answer) {
  return static_cast<CallbackData*>(asked)->asking->check(answer);
}

void UntypedTable::draw(Question& question) {
  Dice dice = question.dice();
  draw_value(*question.stage_->answer, nullptr, question.answer_, 0, question.limits_, dice);
  question.drawn_ = true;
}

bool UntypedTable::is_legal(const Type& type, const void* answer,
                            std::span<const LimitData> limits) {
  return detail::is_legal_value(type, nullptr, answer, 0, limits);
}

bool UntypedTable::is_stopped() const {
  const auto* match = dynamic_cast<const MatchTable*>(&table_);
  return match != nullptr && match->is_stopped();
}

void UntypedTable::heed_stop() {
  if (auto* match = dynamic_cast<MatchTable*>(&table_)) match->heed_cancel();
}

std::vector<UntypedAnswer> UntypedTable::ask(const StageCard& stage,
                                             std::span<UntypedAsking> asking, bool single) {
  if (asking.size() > kMaxSeats) throw std::length_error("more seats are asked than there can be");
  std::vector<UntypedAnswer> answers;
  answers.reserve(asking.size());
  for (const UntypedAsking& one : asking) answers.push_back({one.fallback, {}, false});
  if (stage.probe) {
    bool anybody = false;
    for (const UntypedAsking& one : asking) {
      table_.need(one.seat, "probe");
      anybody = anybody || table_.answers_probes(one.seat);
    }
    if (!anybody) {
      table_.skip_probes(asking.size());
      for (UntypedAnswer& answer : answers) answer.declined = true;
      return answers;
    }
  }
  std::array<CallbackData, kMaxSeats> asked;
  InlineList<Question, kMaxSeats> questions;
  InlineList<Given, kMaxSeats> given;
  questions.resize_for_overwrite(asking.size());
  given.resize_for_overwrite(asking.size());
  for (std::size_t i = 0; i < asking.size(); ++i) {
    const UntypedAsking& one = asking[i];
    asked[i] = {&one};
    Question& q = questions[i];
    q.seat_ = one.seat;
    q.stage_ = &stage;
    q.answer_ = answers[i].value.get();
    q.limits_ = one.limits.get();
    q.asking_ = &asked[i];
    q.draw_ = one.check ? &Question::draw_checked : &UntypedTable::draw;
    q.is_legal_ = &UntypedTable::is_legal;
    q.fallback_ = one.fallback.get();
    if (one.view != nullptr) q.build_view_ = &UntypedTable::view_of;
    if (one.check) q.check_ = &UntypedTable::reason;
  }
  if (single && asking.size() == 1)
    given[0] = table_.put(questions[0]);
  else
    table_.put_all({questions.data(), questions.size()}, {given.data(), given.size()});
  for (std::size_t i = 0; i < asking.size(); ++i) {
    answers[i].given = given[i];
    answers[i].declined = stage.probe && (questions[i].declined_ || given[i].forced());
  }
  return answers;
}

bool UntypedTable::answer_inside(Question& question, const void* process, std::string_view agent) {
  if (question.is_legal_ != &UntypedTable::is_legal) return false;
  const UntypedAsking& asking = *static_cast<CallbackData*>(question.asking_)->asking;
  return asking.inside && asking.inside(question, process, agent);
}

UntypedQuestion::Dealt UntypedQuestion::dealt(const Question& question) {
  return {question.dice_key_, question.dice_place_, question.attempt(), question.memo(),
          question.complaint()};
}

bool UntypedQuestion::has_check(const Question& question) {
  return question.check_ != nullptr;
}

std::string UntypedQuestion::reason_against(const Question& question, const void* answer) {
  return has_check(question) ? question.check_(question.asking_, answer) : std::string();
}

void* UntypedQuestion::place_of_answer(Question& question) {
  question.drawn_ = false;  // what is written after a draw must be checked
  return question.answer_;
}

const std::string* UntypedQuestion::remembered(const Question& question) {
  return question.remembers_ ? &question.words_->memo : nullptr;
}

void UntypedTable::say(const EventCard& card, const void* event, int seat) {
  if (card.audience == Audience::one_seat) table_.need(seat, "tell");
  if (!table_.listening_) return;
  const std::uint32_t audience = card.audience == Audience::everybody  ? AnyTable::kEverybody
                                 : card.audience == Audience::one_seat ? 1U << seat
                                                                       : AnyTable::kNobody;
  table_.say(audience, card, event);
}

std::string_view UntypedTable::kept_name(std::string_view name) {
  return names_.try_emplace(std::string(name), 0).first->first;
}

RandomStream& UntypedTable::stream(std::int64_t number, std::string_view name,
                                   std::span<const std::int64_t> at) {
  if (at.size() > 2) throw std::length_error("a place of chance has at most two indices");
  const std::string_view kept = kept_name(name);
  streams_.erase(number);
  return streams_
      .emplace(number, at.empty()       ? table_.chance(kept)
                       : at.size() == 1 ? table_.chance(kept, at[0])
                                        : table_.chance(kept, at[0], at[1]))
      .first->second;
}

RandomStream* UntypedTable::stream(std::int64_t number) {
  const auto found = streams_.find(number);
  return found == streams_.end() ? nullptr : &found->second;
}

bool UntypedTable::bring(int seat, const Type& type, void* value) {
  table_.need(seat, "carried");
  return table_.bring(seat, type, value);
}

void UntypedTable::take_along(int seat, const Type& type, const void* value) {
  table_.need(seat, "carry");
  table_.take_along(seat, type, value);
}

}  // namespace agon
