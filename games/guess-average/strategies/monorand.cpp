#include "guess-average/strategies/monorand.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <charconv>

#include "guess-average/strategies/number.hpp"

namespace guess_average {

Monorand::Monorand(const Params& params) : params_(params) {
  if (params.least_step > params.most_step)
    throw agon::Error(
        agon::ErrorKind::invalid,
        fmt::format("least_step is {}, above most_step, {}", params.least_step, params.most_step),
        "monorand", "turn the two round");
}

void Monorand::answer(agon::Question& question) const {
  const auto* turn = question.view<Turn>();
  auto* pick = question.answer<Pick>();
  if (turn == nullptr || pick == nullptr) return question.decline();
  // The step is drawn once and noted, since the agent itself remembers nothing.
  std::int64_t step = 0;
  const std::string_view memo = question.memo();
  const auto read = std::from_chars(memo.data(), memo.data() + memo.size(), step);
  if (memo.empty() || read.ec != std::errc{}) {
    agon::Dice dice = question.dice();
    step = dice.between(params_.least_step, params_.most_step);
    question.remember(std::to_string(step));
  }
  pick->number = say(params_.first - static_cast<double>(step) * (turn->round - 1), *turn);
}

}  // namespace guess_average
