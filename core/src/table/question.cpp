#include <agon/question.hpp>
#include <memory>
#include <new>

#include "table/value.hpp"

namespace agon {

void Question::draw() {
  Dice own = dice();
  drawn_ = check_ == nullptr;
  if (check_ == nullptr) {
    draw_(answer_, limits_, own);
    return;
  }
  // Rejection keeps the draw uniform over what the check lets pass.
  constexpr int kTries = 64;
  for (int i = 0; i < kTries; ++i) {
    draw_(answer_, limits_, own);
    if (check_(checker_, answer_).empty()) return;
  }
  reset_value(*answer_type_, answer_, fallback_);
}

}  // namespace agon
