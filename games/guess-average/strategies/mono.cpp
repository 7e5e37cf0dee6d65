#include "guess-average/strategies/mono.hpp"

#include "guess-average/strategies/number.hpp"

namespace guess_average {

void Mono::answer(agon::Question& question) const {
  const auto* turn = question.view<Turn>();
  auto* pick = question.answer<Pick>();
  if (turn == nullptr || pick == nullptr) return question.decline();
  pick->number = say(params_.first - static_cast<double>(params_.step) * (turn->round - 1), *turn);
}

}  // namespace guess_average
