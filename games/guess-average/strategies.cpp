#include "guess-average/strategies.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

namespace guess_average {

namespace {

/// A draw around `mean` with this standard deviation: the sum of twelve uniform draws, which is
/// close to normal and, being plain sums, the same on every machine.
double draw_around(double mean, double deviation, agon::Dice dice) {
  // Each draw has variance 1/12, so that twelve of them have variance 1 and mean 6.
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += dice.unit();
  return mean + deviation * sum;
}

/// The number as the published programs say it: fractions cut off, kept within what can be chosen.
int say(double number, const Turn& turn) {
  const double kept =
      std::clamp(number, static_cast<double>(turn.lowest), static_cast<double>(turn.highest));
  return static_cast<int>(kept);
}

/// What the others chose on average in the last round.
double others_mean(const Turn& turn) {
  double sum = 0;
  int n = 0;
  for (const Choice& choice : turn.history.back().choices) {
    if (choice.name == turn.name) continue;
    sum += choice.number;
    ++n;
  }
  return n == 0 ? turn.lowest : sum / n;
}

int living(const Turn& turn) {
  int n = 0;
  for (const Player& player : turn.players) n += player.alive;
  return n;
}

}  // namespace

void choose_fix(const FixParams& params, const Turn& turn, Pick& pick, agon::Question& question) {
  pick.number = say(draw_around(params.mean, params.deviation, question.dice()), turn);
}

void choose_last(const LastParams& params, const Turn& turn, Pick& pick, agon::Question& question) {
  const double mean = turn.history.empty() ? params.first : turn.history.back().target;
  pick.number = say(draw_around(mean, params.deviation, question.dice()), turn);
}

void choose_mono(const MonoParams& params, const Turn& turn, Pick& pick) {
  pick.number = say(params.first - static_cast<double>(params.step) * (turn.round - 1), turn);
}

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

void choose_k_level(const KLevelParams& params, const Turn& turn, Pick& pick,
                    agon::Question& question) {
  double number = turn.history.empty() ? params.start : others_mean(turn);
  const double share = static_cast<double>(turn.percent) / 100;
  const int n = living(turn);
  // c = share * ((n - 1) * number + c) / n is met by c itself being part of the average.
  for (int level = 0; level < params.k && share < n; ++level)
    number = share * (n - 1) * number / (n - share);
  if (params.deviation > 0) number = draw_around(number, params.deviation, question.dice());
  pick.number = say(std::floor(number + 0.5), turn);
}

}  // namespace guess_average
