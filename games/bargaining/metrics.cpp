#include "bargaining/metrics.hpp"

#include <algorithm>

namespace bargaining {
namespace {

double of(const Profits& profits, Side side) {
  return side == Side::buyer ? profits.buyer : profits.seller;
}

}  // namespace

SeatMetrics seat_metrics(const Terms& terms, const Session& session, const Result& result,
                         Side side) {
  SeatMetrics m;
  double score = 0;
  if (is_deal(result.end)) {
    score = of(profits(terms, result.price), side);
    m.profit = of(published_profits(terms, result.price), side);
    m.snp = of(normalised_profits(terms, result.price), side);
    m.share = m.snp;
    m.ahead = m.snp > (terms.mutual() ? 0.5 : -0.5);
    (terms.mutual() ? m.share_mutual : m.share_conflict) = m.snp;
  }
  (terms.mutual() ? m.snp_mutual : m.snp_conflict) = m.snp;
  if (terms.gap() > 0)
    m.surplus_share =
        score * static_cast<double>(kMicrosPerCent) / static_cast<double>(terms.gap());
  if (!terms.mutual()) m.loss_avoided = score >= 0;
  m.loss = std::max(0.0, -score);
  const auto offers = session.offers(side);
  m.offers = static_cast<int>(offers.size());
  if (!offers.empty()) {
    m.first_offer = offers.front();
    m.last_offer = offers.back();
  }
  m.wrong_action = is_wrong(result.end, side);
  m.turned_down = result.turned_down[static_cast<std::size_t>(side)];
  return m;
}

MatchMetrics match_metrics(const Terms& terms, const Session& session, const Result& result,
                           std::size_t product) {
  MatchMetrics m;
  m.product = static_cast<std::int64_t>(product);
  m.mutual = terms.mutual();
  m.conflict = !terms.mutual();
  m.wrong_action = is_wrong(result.end, Side::buyer) || is_wrong(result.end, Side::seller);
  m.valid = !m.wrong_action && !session.history().empty();
  m.deal = is_deal(result.end);
  if (m.valid) {
    m.deal_if_valid = m.deal;
    (m.mutual ? m.deal_mutual : m.deal_conflict) = m.deal;
  }
  if (m.mutual) m.efficiency = m.deal;
  if (m.deal) {
    m.price = result.price;
    if (m.mutual) {
      m.split_distance = split_distance(terms, result.price);
      m.in_zone = result.price >= terms.cost && result.price <= terms.affordable();
    }
  }
  m.quit = result.end == End::buyer_quit || result.end == End::seller_quit;
  m.turn_limit = result.end == End::turn_limit;
  m.turns = result.turns;
  m.messages = static_cast<int>(session.history().size());
  m.buy_offers = static_cast<int>(session.offers(Side::buyer).size());
  m.sell_offers = static_cast<int>(session.offers(Side::seller).size());
  m.list_price = terms.list_price;
  m.budget = static_cast<double>(terms.budget) / static_cast<double>(kMicrosPerCent);
  m.cost = terms.cost;
  return m;
}

}  // namespace bargaining
