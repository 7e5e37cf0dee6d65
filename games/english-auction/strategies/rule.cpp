#include "english-auction/strategies/rule.hpp"

#include <algorithm>

namespace english_auction {

std::optional<agon::Money> Rule::bid(const BidView& view, int max_bids) {
  if (view.my_bids >= max_bids) return std::nullopt;
  agon::Money bid = view.start_price;
  if (view.leading_bid) {
    // The published code raises by the exact share and bids its whole dollars; so the budget is
    // compared before anything is cut off. In hundredths of a cent, a percentage is exact.
    const std::int64_t next = view.leading_bid->cents * 100 + view.start_price.cents * view.markup;
    if (next > view.budget.cents * 100) return std::nullopt;
    // Where the leading bid has cents, whole dollars may fall short of the least raise.
    bid = std::max(agon::major(next / 10000), view.minimum);
  }
  if (bid > view.budget) return std::nullopt;
  return bid;
}

void Rule::answer(agon::Question& question) const {
  Bid* bid = question.answer<Bid>();
  const BidView* view = question.view<BidView>();
  if (bid == nullptr || view == nullptr) return question.decline();
  *bid = raise_or_withdraw(Rule::bid(*view, params_.max_bids));
}

agon::AgentCard rule_card() {
  return agon::agent<Rule>(
      {.id = "rule",
       .game = "english-auction",
       .doc = "Bids the start price, then raises by the least amount, at most max_bids times an "
              "item and while the money lasts. Ignores values, estimates and desires.",
       .source = "Chen et al. 2023 (AucArena), section 4 and published code"});
}

}  // namespace english_auction
