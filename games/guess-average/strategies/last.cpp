#include "guess-average/strategies/last.hpp"

#include "guess-average/strategies/number.hpp"

namespace guess_average {

void Last::answer(agon::Question& question) const {
  const auto* turn = question.view<Turn>();
  auto* pick = question.answer<Pick>();
  if (turn == nullptr || pick == nullptr) return question.decline();
  const double mean = turn->history.empty() ? params_.first : turn->history.back().target;
  pick->number = say(draw_around(mean, params_.deviation, question.dice()), *turn);
}

}  // namespace guess_average
