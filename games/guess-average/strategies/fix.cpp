#include "guess-average/strategies/fix.hpp"

#include "guess-average/strategies/number.hpp"

namespace guess_average {

void Fix::answer(agon::Question& question) const {
  const auto* turn = question.view<Turn>();
  auto* pick = question.answer<Pick>();
  if (turn == nullptr || pick == nullptr) return question.decline();
  pick->number = say(draw_around(params_.mean, params_.deviation, question.dice()), *turn);
}

}  // namespace guess_average
