#include <agon/detail/typed_answer.hpp>
#include <agon/question.hpp>
#include <memory>
#include <new>

#include "describe/value.hpp"

namespace agon {

void Question::draw_checked(Question& q) {
  Dice dice = q.dice();
  q.drawn_ = false;
  // Rejection keeps the draw uniform over what the check lets pass.
  constexpr int kTries = 64;
  for (int i = 0; i < kTries; ++i) {
    detail::draw_value(*q.stage_->answer, nullptr, q.answer_, 0, q.limits_, dice);
    if (q.check_(q.asking_, q.answer_).empty()) return;
  }
  reset_value(*q.stage_->answer, q.answer_, q.fallback_);
}

}  // namespace agon
