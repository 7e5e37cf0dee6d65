#include "english-auction/bidding.hpp"

#include <fmt/format.h>

#include <agon/telling.hpp>
#include <utility>

namespace english_auction {

std::string bid_problem(const BidMoment& moment, agon::Money budget, agon::Money bid) {
  if (bid > budget)
    return fmt::format("{} is more than the {} that you have left", money_text(bid),
                       money_text(budget));
  if (bid < moment.start_price)
    return fmt::format("{} is below the start price of {}", money_text(bid),
                       money_text(moment.start_price));
  if (bid < moment.minimum())
    return fmt::format("{} is too little: a bid must be at least {} above the leading bid of {}",
                       money_text(bid), money_text(moment.step), money_text(*moment.leading_bid));
  return {};
}

War::SeatList War::asked() const {
  SeatList list;
  for (int seat = 0; seat < seats_; ++seat)
    if (seat != leader_ && ((out_ | rules_.absent) >> seat & 1U) == 0) list.push_back(seat);
  return list;
}

void War::bid(int seat, agon::Money amount) {
  ++bids_;
  if (amount < best_) return;
  if (amount > best_) tied_.clear();
  best_ = amount;
  tied_.push_back(seat);
}

War::Verdict War::close(int winner) {
  const int bids = std::exchange(bids_, 0);
  const bool first = !moment_.leading_bid;
  const int index = round_++;
  if (bids > 0) {
    leader_ = winner;
    moment_.leading_bid = best_;
  }
  best_ = {-1};
  tied_.clear();
  if (leader_ < 0) {
    // Nobody has ever bid, so every round so far was one offer at one price.
    if (!rules_.discount || index >= rules_.most_discounts || round_ >= rules_.most_rounds)
      return Verdict::unsold;
    moment_.start_price = halved(moment_.start_price);
    moment_.step = increment(moment_.start_price, rules_.markup);
    out_ = 0;
    return Verdict::reopened;
  }
  if (bids == 0 || (first && bids == 1)) return Verdict::sold;
  capped_ = round_ >= rules_.most_rounds;
  return capped_ ? Verdict::sold : Verdict::goes_on;
}

}  // namespace english_auction
