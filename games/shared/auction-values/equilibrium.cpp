#include "shared/auction-values/equilibrium.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>

namespace auction_values {

namespace {

using agon::theory::SealedBid;

/// x to a small power, the same on every machine.
double power(double x, int n) {
  double product = 1;
  for (int i = 0; i < n; ++i) product *= x;
  return product;
}

/// Empty: there is no equilibrium without dice.
std::optional<double> independent_bid(const Contest& c, int seen) {
  const double width = c.own[1] - c.own[0];
  // Values are the same for all, and known: they outbid each other up to them; where losers pay as
  // well, nobody could bid the same each time.
  if (width == 0) {
    if (c.format == SealedBid::all_pay && c.own[0] > 0) return std::nullopt;
    return c.own[0];
  }
  const double above = std::clamp(seen - c.own[0], 0, c.own[1] - c.own[0]);
  const double bid =
      agon::theory::equilibrium_bid(c.format, above, static_cast<std::size_t>(c.bidders), width);
  // All values moved up by the same amount move every bid up by it; where losers pay as well, by
  // that amount times the chance to win.
  if (c.format != SealedBid::all_pay) return c.own[0] + bid;
  return c.own[0] * power(above / width, c.bidders - 1) + bid;
}

/// The mean of the common value, given that this bidder and the highest of the others see `seen`:
/// each possible value weighs as much as it makes that likely.
double common_bid(const Contest& c, int seen) {
  const double width = c.own[1] - c.own[0] + 1;
  double weights = 0;
  double sum = 0;
  for (int worth = c.common[0]; worth <= c.common[1]; ++worth) {
    const int error = seen - worth;
    if (error < c.own[0] || error > c.own[1]) continue;
    // The others see less; half of those who see the same count as less.
    const double below = (error - c.own[0] + 0.5) / width;
    const double weight = power(below, c.bidders - 2);
    weights += weight;
    sum += weight * worth;
  }
  if (weights == 0) return std::clamp(seen, c.common[0], c.common[1]);
  return sum / weights;
}

}  // namespace

std::optional<double> equilibrium_bid(const Contest& contest, int seen) {
  if (contest.model == ValueModel::independent) return independent_bid(contest, seen);
  if (contest.format != SealedBid::second_price) return std::nullopt;
  if (contest.model == ValueModel::affiliated) return seen;
  return common_bid(contest, seen);
}

std::string why_unknown(const Contest& contest) {
  if (equilibrium_bid(contest, contest.own[0])) return {};
  return contest.model == ValueModel::affiliated
             ? "with affiliated values it knows the equilibrium of the second price alone"
             : "with common values it knows the equilibrium of the second price alone";
}

int to_whole(double amount) {
  return static_cast<int>(std::floor(amount + 0.5));
}

int whole_equilibrium_bid(const Contest& contest, int seen) {
  const std::optional<double> bid = equilibrium_bid(contest, seen);
  if (!bid)
    throw agon::Error(
        agon::ErrorKind::invalid,
        "equilibrium-bid knows no equilibrium of this auction: " + why_unknown(contest), "",
        "let it play independent values, or a second price");
  return to_whole(*bid);
}

}  // namespace auction_values
