#include "guess-average/strategies/k_level.hpp"

#include <cmath>

#include "guess-average/strategies/number.hpp"

namespace guess_average {

namespace {

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

void KLevel::answer(agon::Question& question) const {
  const auto* turn = question.view<Turn>();
  auto* pick = question.answer<Pick>();
  if (turn == nullptr || pick == nullptr) return question.decline();
  double number = turn->history.empty() ? params_.start : others_mean(*turn);
  const double share = static_cast<double>(turn->percent) / 100;
  const int n = living(*turn);
  // c = share * ((n - 1) * number + c) / n is met by c itself being part of the average.
  for (int level = 0; level < params_.k && share < n; ++level)
    number = share * (n - 1) * number / (n - share);
  if (params_.deviation > 0) number = draw_around(number, params_.deviation, question.dice());
  pick->number = say(std::floor(number + 0.5), *turn);
}

}  // namespace guess_average
