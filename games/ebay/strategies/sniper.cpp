#include "ebay/strategies/sniper.hpp"

#include "ebay/answers.hpp"

namespace ebay {

void Sniper::answer(agon::Question& question) const {
  const auto* desk = question.view<Desk>();
  auto* turn = question.answer<Turn>();
  if (desk == nullptr || turn == nullptr) return question.decline();
  turn->bid.reset();
  if (desk->day < desk->days) return;
  const agon::Money bid = std::min(desk->value, desk->highest_bid);
  if (bid >= desk->lowest_bid && bid > desk->maximum) turn->bid = bid;
}

}  // namespace ebay
