#include "ebay/strategies/incremental.hpp"

#include "ebay/answers.hpp"

namespace ebay {

void Incremental::answer(agon::Question& question) const {
  const auto* desk = question.view<Desk>();
  auto* turn = question.answer<Turn>();
  if (desk == nullptr || turn == nullptr) return question.decline();
  turn->bid.reset();
  if (desk->maximum > desk->price) return;
  const agon::Money raise = params_.raise.value_or(desk->step);
  const agon::Money bid = std::min({desk->price + raise, desk->value, desk->highest_bid});
  if (bid >= desk->lowest_bid && bid > desk->maximum) turn->bid = bid;
}

}  // namespace ebay
