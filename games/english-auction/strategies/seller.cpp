#include "english-auction/strategies/seller.hpp"

#include <algorithm>
#include <array>

#include "english-auction/answers.hpp"
#include "english-auction/bidding.hpp"

namespace english_auction {

void ReserveShare::answer(agon::Question& question) const {
  PutUp* put_up = question.answer<PutUp>();
  const PutUpView* view = question.view<PutUpView>();
  if (put_up == nullptr || view == nullptr) return question.decline();
  const auto within = [&](agon::Money amount) {
    return std::clamp(whole_dollars(amount), view->lowest, view->highest);
  };
  put_up->start_price = within({view->price.cents * params_.start / 100});
  if (view->reserve == Reserve::none) return void(put_up->reserve = {});
  put_up->reserve =
      within(std::max(agon::Money{view->estimate.cents * params_.reserve / 100}, view->cost));
}

agon::AgentCard seller_card() {
  static constexpr std::array<std::string_view, 1> kSells{"seller"};
  return agon::agent<ReserveShare>(
      {.id = "reserve-share",
       .game = "english-auction",
       .doc = "A seller: starts each item at a share of what it is listed at, and sells it for no "
              "less than a share of its estimate, as far as the settings let it.",
       .roles = kSells});
}

}  // namespace english_auction
