#include "sealed-bid/tables/sums.hpp"

#include "shared/auction-values/tables.hpp"
#include "shared/tables.hpp"

namespace sealed_bid {

void Sums::add(const agon::PlayedMatch& match) {
  const std::string block = shared::block_of(match);
  const double rounds = match.metric("rounds");
  revenue.add(block, match.metric("revenue_sum"), rounds);
  efficiency.add(block, match.metric("efficient"), rounds);
  lost_money.add(block, match.metric("losses"), rounds);
  winner_profit.add(block, match.metric("bidder_profit"), rounds);
  for (const agon::PlayedSeat& seat : match.seats()) {
    const auto metric = [&](const char* name) { return match.metric(seat, name); };
    n += rounds;
    bids += metric("bid_sum");
    bid_squares += metric("bid_squares");
    squares_above += metric("squares_above");
    squares_below += metric("squares_below");
    profit.add(block, metric("profit"), rounds);
    exact.add(block, metric("exact_bids"), rounds);
    near.add(block, metric("near_bids"), rounds);
    above.add(block, metric("overbids"), rounds);
    below.add(block, metric("underbids"), rounds);
    error.add(block, metric("error_sum"), rounds);
    smad.add(block, metric("benchmark_error_sum"), metric("benchmark_sum"));
    over_estimate.add(block, metric("bid_sum") - metric("value_sum"), rounds);
    should_be.add(block, metric("benchmark_sum") - metric("value_sum"), rounds);
  }
}

agon::Figure Sums::off_equilibrium(double level) const {
  agon::Figure figure = smad.mean(level);
  figure.n = agon::kNothing;  // of money, which says nothing
  return figure;
}

double Sums::r_squared() const {
  const double spread = n * bid_squares - bids * bids;
  return spread > 0 ? 1 - n * (squares_above + squares_below) / spread : agon::kNothing;
}

double Sums::share_above() const {
  const double all = squares_above + squares_below;
  return all > 0 ? squares_above / all : agon::kNothing;
}

std::optional<Settings> settings_of(const agon::PlayedMatch& match) {
  return shared::settings_of<Settings>(match);
}

std::string short_name(Payment payment) {
  return std::string(auction_values::format_name(shared::name_of(payment)));
}

}  // namespace sealed_bid
