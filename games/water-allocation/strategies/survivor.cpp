#include "water-allocation/strategies/survivor.hpp"

#include "water-allocation/allocation.hpp"

namespace water_allocation {

namespace {

using Claims = agon::InlineList<Claim, kMaxResidents>;

bool is_critical(const Neighbour& n) {
  return !dry({n.hp, n.no_drink}).alive();
}

int seat_of(const Morning& m) {
  for (std::size_t i = 0; i < m.town.size(); ++i)
    if (m.town[i].name == m.name) return static_cast<int>(i);
  return 0;
}

/// The share of its money that a rival bid yesterday; none if that was never seen.
std::optional<double> last_share(const Morning& m, const Neighbour& rival) {
  if (m.history.empty()) return std::nullopt;
  for (const ResidentDay& line : m.history.back().residents) {
    if (line.name != rival.name) continue;
    const agon::Money bid = line.bid.value_or(agon::Money{0});
    const agon::Money had = line.won ? line.balance + bid : line.balance;
    if (had.cents <= 0) return 0;
    return std::min(1.0, static_cast<double>(bid.cents) / static_cast<double>(had.cents));
  }
  return std::nullopt;
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
  rank({claims.data(), claims.size()});
  return claims;
}

agon::Money part(agon::Money whole, double share) {
  return {static_cast<std::int64_t>(static_cast<double>(whole.cents) * share)};
}

}  // namespace

Survivor::Survivor(const Params& params) : params_(params), thirst_(kMaxDays, HealthRules{}) {}

void Survivor::answer(agon::Question& question) const {
  const auto* view = question.view<Morning>();
  auto* answer = question.answer<Bid>();
  if (view == nullptr || answer == nullptr) return question.decline();
  const Morning& m = *view;
  answer->bid.reset();
  if (m.need > m.supply) return;
  const Health health{m.hp, m.no_drink};
  const int drinks = least_drinks(m, m.days_left + 1, health);
  if (drinks == 0) {
    answer->bid = agon::Money{0};
    return;
  }
  const int me = seat_of(m);
  const auto enough_against = [&](const Claims& claims) {
    return lowest_winning_bid({claims.data(), claims.size()}, me, m.need, m.supply)
        .value_or(agon::Money{0});
  };
  if (!dry(health).alive()) {
    const auto all_in = rivals(m, me, [](const Neighbour& n) { return n.balance; });
    answer->bid = std::min(m.balance, enough_against(all_in));
    return;
  }
  const auto likely = rivals(m, me, [&](const Neighbour& n) {
    if (is_critical(n)) return n.balance;
    return part(n.balance, last_share(m, n).value_or(params_.first_guess));
  });
  const agon::Money wanted = enough_against(likely) + params_.margin;
  answer->bid = std::min({wanted, even_share(m, drinks), m.balance});
}

int Survivor::least_drinks(const Morning& m, int days, Health h) const {
  const HealthRules rules{m.max_hp, m.drink_hp};
  if (rules == thirst_.rules() && days <= thirst_.days()) return thirst_.least_drinks(days, h);
  return ThirstTable(days, rules).least_drinks(days, h);
}

agon::Money Survivor::even_share(const Morning& m, int drinks) const {
  const agon::Money wealth = m.balance + m.salary * m.days_left;
  return part({wealth.cents / drinks}, params_.thrift);
}

}  // namespace water_allocation
