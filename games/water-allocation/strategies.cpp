#include "water-allocation/strategies.hpp"

#include "water-allocation/play.hpp"

namespace water_allocation {

namespace drought = shared::drought;

namespace {

using Claims = agon::InlineList<Claim, kMaxResidents>;

int seat_of(const Morning& m) {
  for (std::size_t i = 0; i < m.town.size(); ++i)
    if (m.town[i].name == m.name) return static_cast<int>(i);
  return 0;
}

/// The living rivals' claims, with what `bid_of` says that each bids.
template <class BidOf>
Claims rivals(const Morning& m, int me, BidOf bid_of) {
  Claims claims;
  for (std::size_t i = 0; i < m.town.size(); ++i) {
    const Neighbour& n = m.town[i];
    if (n.alive && static_cast<int>(i) != me)
      claims.push_back({std::min(bid_of(n), n.balance), n.need, static_cast<int>(i)});
  }
  rank(claims);
  return claims;
}

}  // namespace

void bid_fixed(const FixedParams& params, const Morning& morning, Bid& bid) {
  bid.bid = std::min(params.bid, morning.balance);
}

Survivor::Survivor(const Params& params) : params_(params), thirst_(kMaxDays, HealthRules{}) {}

void Survivor::answer(agon::Question& question) const {
  const auto* view = question.view<Morning>();
  auto* answer = question.answer<Bid>();
  if (view == nullptr || answer == nullptr) return question.decline();
  const Morning& m = *view;
  answer->bid.reset();
  if (m.need > m.supply) return;
  const Health health = drought::health_of(m);
  const int drinks = least_drinks(m, m.days_left + 1, health);
  if (drinks == 0) {
    answer->bid = agon::Money{0};
    return;
  }
  const int me = seat_of(m);
  const auto enough_against = [&](const Claims& claims) {
    return lowest_winning_bid(claims, me, m.need, m.supply).value_or(agon::Money{0});
  };
  if (drought::is_critical(m)) {
    const auto all_in = rivals(m, me, [](const Neighbour& n) { return n.balance; });
    answer->bid = std::min(m.balance, enough_against(all_in));
    return;
  }
  const auto likely = rivals(m, me, [&](const Neighbour& n) {
    return drought::likely_bid(n, m.history, params_.first_guess);
  });
  const agon::Money wanted = enough_against(likely) + params_.margin;
  answer->bid = std::min({wanted, drought::even_share(m, drinks, params_.thrift), m.balance});
}

int Survivor::least_drinks(const Morning& m, int days, Health h) const {
  const HealthRules rules{m.max_hp, m.drink_hp};
  if (rules == thirst_.rules() && days <= thirst_.days()) return thirst_.least_drinks(days, h);
  return ThirstTable(days, rules).least_drinks(days, h);
}

}  // namespace water_allocation
