#include "survival-auction/strategies.hpp"

namespace survival_auction {

namespace drought = shared::drought;

namespace {

/// On how many of the days, today the first, it has to drink if it drinks as late as it can.
int least_drinks(const Morning& m) {
  drought::Health health = drought::health_of(m);
  int drinks = 0;
  for (int day = 0; day <= m.days_left; ++day) {
    const bool drinks_now = drought::is_critical(health);
    drinks += drinks_now;
    health = drinks_now ? drought::drunk(health, {m.max_hp, m.drink_hp}) : drought::dry(health);
  }
  return drinks;
}

/// The bid or a little more; or a little less than the balance, if that is all there is.
agon::Money draw_near(agon::Money bid, agon::Money balance, agon::Money spread, agon::Dice dice) {
  const agon::Money drawn{
      static_cast<std::int64_t>(dice.below(static_cast<std::uint64_t>(spread.cents) + 1))};
  // A bid that takes all it has can only go down, but not below 0.
  if (bid + drawn <= balance) return bid + drawn;
  return std::max(agon::Money{}, std::min(bid, balance) - drawn);
}

}  // namespace

void bid_last(const LastParams& params, const Morning& m, Bid& answer) {
  agon::Money bid = drought::part(m.balance, params.first);
  if (!m.history.empty()) {
    agon::Money highest{};
    for (const ResidentDay& line : m.history.back().residents)
      if (line.name != m.name) highest = std::max(highest, line.bid);
    bid = highest + params.raise;
  }
  answer.bid = std::min(bid, m.balance);
}

void bid_adaptive(const AdaptiveParams& params, const Morning& m, Bid& answer,
                  agon::Question& question) {
  answer.bid = {};
  const int drinks = least_drinks(m);
  if (drinks == 0) return;
  const bool critical = drought::is_critical(m);
  agon::Money expected{};
  bool anybody = false;
  for (const Neighbour& n : m.town) {
    if (!n.alive || n.name == m.name) continue;
    anybody = true;
    expected = std::max(
        expected, critical ? n.balance : drought::likely_bid(n, m.history, params.first_guess));
  }
  if (!anybody) return;
  agon::Money wanted = expected + (critical ? agon::Money{1} : params.margin);
  if (!critical) wanted = std::min(wanted, drought::even_share(m, drinks, params.thrift));
  answer.bid = draw_near(wanted, m.balance, params.spread, question.dice());
}

}  // namespace survival_auction
