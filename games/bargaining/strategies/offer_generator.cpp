#include "bargaining/strategies/offer_generator.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <array>

#include "bargaining/rounding.hpp"
#include "bargaining/terms.hpp"

namespace bargaining {
namespace {

// At most 15 bytes each: such texts need no memory of their own.
constexpr std::array<std::string_view, 4> pitches{"Would this do?", "How about this?",
                                                  "A bit more now.", "My offer today."};
constexpr std::string_view kDealWords = "I take yours.";

}  // namespace

agon::Money offer_of(double share, agon::Money budget, std::int64_t budget_rest) {
  constexpr double micros_per_dollar = 100.0 * static_cast<double>(kMicrosPerCent);
  const double dollars =
      static_cast<double>(budget.cents * kMicrosPerCent + budget_rest) / micros_per_dollar;
  return cents_of(share * dollars).value_or(agon::Money{});
}

OfferGenerator::OfferGenerator(const Params& params)
    : ladder_{params.shape, params.start, params.end, params.growth, params.dip},
      seed_(static_cast<std::uint64_t>(params.seed)) {
  if (params.start > params.end)
    throw agon::Error(agon::ErrorKind::invalid, "start is above end", "start",
                      "offers rise: give a start that is at most the end");
}

Action OfferGenerator::decide(const BuyerView& view, std::uint64_t key) const {
  const auto shares = factors(ladder_, view.max_turns, key);
  const agon::Money offer =
      offer_of(shares[static_cast<std::size_t>(view.turn - 1)], view.budget, view.budget_rest);
  const auto best = std::min_element(view.seller_offers.begin(), view.seller_offers.end());
  const bool deals = ladder_.shape != Shape::random && best != view.seller_offers.end() &&
                     *best < offer && *best <= view.budget;
  if (deals) return Deal{*best};
  return Buy{offer};
}

void OfferGenerator::answer(agon::Question& question) const {
  const auto* view = question.view<BuyerView>();
  auto* message = question.answer<Message>();
  if (view == nullptr || message == nullptr) return question.decline();
  const std::uint64_t key = agon::combine(seed_, agon::hash_of(view->product.codename));
  message->action = decide(*view, key);
  const bool deals = std::holds_alternative<Deal>(message->action);
  message->talk = deals ? kDealWords : pitches[static_cast<std::size_t>(view->turn - 1) % 4];
  question.think(deals ? "below my next" : "on the ladder");
}

}  // namespace bargaining
