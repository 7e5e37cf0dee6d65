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

namespace {

// Threshold b is where bidders turn from bid b to b + 1. Found are thresholds 0 <= t(0) <= t(1) ...
// <= 1 at each of which that step is worth its price: (win(b + 1) - win(b)) = 1 / value(t(b)), or
// that lie on each other where it never is. The left side minus the right one is monotone in the
// thresholds, so a logarithmic barrier between neighbours makes a smooth problem with one solution,
// which is followed by Newton's method while the barrier is let down. Neighbours alone meet in an
// equation: the matrix is tridiagonal.

/// The chance to win of those who bid one number, and how it changes with the shares of others.
struct Chance {
  double win = 0;
  double by_below = 0;  ///< derivative by the share that bids less
  double by_up_to = 0;  ///< derivative by the share that bids as much or less
};

/// A share `below` of each other bidder bids less, `up_to` as much or less: the mean of t^(n-1) in
/// between, as if ties were broken by chance that is drawn with the value.
Chance chance(double below, double up_to, int bidders) {
  Chance c;
  double power = 1, slope = 0;  // below^k and its derivative
  c.win = 1;
  for (int k = 1; k < bidders; ++k) {
    slope = slope * below + power;
    power *= below;
    c.by_up_to = c.by_up_to * up_to + c.win;
    c.by_below = c.by_below * up_to + slope;
    c.win = c.win * up_to + power;
  }
  c.win /= bidders;
  c.by_below /= bidders;
  c.by_up_to /= bidders;
  return c;
}

/// A smooth step from 0 at -reach to 1 at reach, and its derivative. Most of it is within 1 of 0,
/// but it has tails: so Newton's method feels from afar that there is a step.
struct SmoothStep {
  double height = 0;
  double slope = 0;
};
SmoothStep step(double x, double reach) {
  const double root = std::sqrt(1 + x * x);
  const double scale = 0.5 * std::sqrt(1 + reach * reach) / reach;
  return {0.5 + scale * x / root, scale / (root * root * root)};
}

class Finder {
 public:
  Finder(const AllPayAuction& auction, double width)
      : auction_(auction),
        values_(auction.values[1] - auction.values[0] + 1),
        idle_(auction.values[0] == 0 ? 1.0 / values_ : 0),
        width_(width),
        t_(static_cast<std::size_t>(std::min(auction.highest_bid, auction.values[1]))) {
    const auto size = static_cast<double>(t_.size());
    for (std::size_t b = 0; b < t_.size(); ++b)
      t_[b] = idle_ + (1 - idle_) * static_cast<double>(b + 1) / (size + 1);
  }

  /// The thresholds as well as they are found with jumps that are smoothed so wide.
  std::vector<double> thresholds() {
    if (t_.empty()) return {};
    constexpr double kLowest = 1e-12;
    for (barrier_ = 0.05 / values_; barrier_ > kLowest; barrier_ *= 0.4) settle();
    return t_;
  }

 private:
  /// The price of a chance to win for who stands at a threshold, 1 / value, with the jumps between
  /// values smoothed over a width that goes with the barrier.
  [[nodiscard]] SmoothStep price(double t) const {
    const double width = width_ * barrier_;
    const int jump = static_cast<int>(std::floor(t * values_ + 0.5));
    const auto of = [&](int i) { return 1.0 / (auction_.values[0] + i); };
    const int lowest = idle_ > 0 ? 1 : 0;
    if (jump <= lowest) return {of(lowest), 0};
    if (jump >= values_) return {of(values_ - 1), 0};
    const SmoothStep rise =
        step((t - static_cast<double>(jump) / values_) / width, 0.5 / (values_ * width));
    const double fall = of(jump - 1) - of(jump);
    return {of(jump - 1) - fall * rise.height, -fall * rise.slope / width};
  }

  /// What each threshold's equation is off by, and its derivatives by the threshold before, itself
  /// and the next.
  struct Equation {
    double off = 0, before = 0, self = 0, next = 0;
  };
  [[nodiscard]] Equation equation(const std::vector<double>& t, std::size_t b) const {
    const double below = b > 0 ? t[b - 1] : 0;
    const double next = b + 1 < t.size() ? t[b + 1] : 1;
    const Chance stay = chance(below, t[b], auction_.bidders);
    const Chance rise = chance(t[b], next, auction_.bidders);
    const SmoothStep cost = price(t[b]);
    const double down = barrier_ / (t[b] - (b > 0 ? below : idle_));
    const double up = barrier_ / (next - t[b]);
    Equation e;
    e.off = rise.win - stay.win - cost.height - down + up;
    e.before = -stay.by_below - down * down / barrier_;
    e.self = rise.by_below - stay.by_up_to - cost.slope + (down * down + up * up) / barrier_;
    e.next = rise.by_up_to - up * up / barrier_;
    return e;
  }

  [[nodiscard]] double off(const std::vector<double>& t) const {
    double squares = 0;
    for (std::size_t b = 0; b < t.size(); ++b) {
      const double e = equation(t, b).off;
      squares += e * e;
    }
    return std::sqrt(squares);
  }

  /// Newton's step, by elimination from the top of the matrix down and back.
  [[nodiscard]] std::vector<double> newton() const {
    std::vector<double> move(t_.size()), ahead(t_.size());
    for (std::size_t b = 0; b < t_.size(); ++b) {
      const Equation e = equation(t_, b);
      const double pivot = b > 0 ? e.self - e.before * ahead[b - 1] : e.self;
      ahead[b] = e.next / pivot;
      move[b] = (-e.off - (b > 0 ? e.before * move[b - 1] : 0)) / pivot;
    }
    for (std::size_t b = t_.size() - 1; b-- > 0;) move[b] -= ahead[b] * move[b + 1];
    return move;
  }

  /// How much of the step keeps the thresholds in order.
  [[nodiscard]] double room(const std::vector<double>& move) const {
    double part = 1;
    for (std::size_t b = 0; b <= t_.size(); ++b) {
      const double gap = (b < t_.size() ? t_[b] : 1) - (b > 0 ? t_[b - 1] : idle_);
      const double closing = (b > 0 ? move[b - 1] : 0) - (b < t_.size() ? move[b] : 0);
      if (closing > 0) part = std::min(part, 0.9 * gap / closing);
    }
    return part;
  }

  /// Solves the equations at this height of the barrier, or as well as can be: what comes out in
  /// the end is checked.
  void settle() {
    constexpr int kMostSteps = 60;
    const double enough =
        std::max(1e-11, 1e-3 * barrier_ * values_ * std::sqrt(static_cast<double>(t_.size())));
    for (int steps = 0; steps < kMostSteps; ++steps) {
      const double before = off(t_);
      if (before < enough) return;
      const std::vector<double> move = newton();
      std::vector<double> tried(t_.size());
      double part = room(move);
      for (;; part /= 2) {
        if (part < 1e-9) return;
        for (std::size_t b = 0; b < t_.size(); ++b) tried[b] = t_[b] + part * move[b];
        if (off(tried) < (1 - 1e-4 * part) * before) break;
      }
      t_ = tried;
    }
  }

  AllPayAuction auction_;
  int values_;
  double idle_;   ///< the share whose value is 0: they bid nothing
  double width_;  ///< of the jumps, in heights of the barrier
  double barrier_ = 0;
  std::vector<double> t_;
};

/// What each value could gain by its best bid against these thresholds; the most of any value.
double most_gain(const AllPayAuction& auction, const std::vector<double>& thresholds) {
  const auto at = [&](std::size_t b) { return b < thresholds.size() ? thresholds[b] : 1; };
  std::vector<double> win;
  for (std::size_t b = 0; b <= thresholds.size(); ++b)
    win.push_back(chance(b > 0 ? at(b - 1) : 0, at(b), auction.bidders).win);
  // Above all others one wins for sure, and another unit more buys nothing.
  if (static_cast<int>(win.size()) <= auction.highest_bid) win.push_back(1);
  const int values = auction.values[1] - auction.values[0] + 1;
  const double share = 1.0 / values;
  double most = 0;
  std::size_t lowest = 0;
  for (int i = 0; i < values; ++i) {
    const auto profit = [&](std::size_t b) {
      return (auction.values[0] + i) * win[b] - static_cast<double>(b);
    };
    double best = 0;
    for (std::size_t b = 0; b < win.size(); ++b) best = std::max(best, profit(b));
    // Its own bids, each as often as it makes them.
    double own = 0;
    for (std::size_t b = lowest; b <= thresholds.size(); ++b) {
      const double from = std::max(b > 0 ? at(b - 1) : 0, i * share);
      const double to = std::min(at(b), (i + 1) * share);
      if (to > from) own += (to - from) / share * profit(b);
      if (at(b) < (i + 1) * share) lowest = b + 1;
    }
    most = std::max(most, best - own);
  }
  return most;
}

}  // namespace

std::optional<AllPayEquilibrium> AllPayEquilibrium::find(const AllPayAuction& auction) {
  if (auction.values[1] > kMaxAllPayValue) return std::nullopt;
  AllPayEquilibrium found(auction);
  for (const double width : {30.0, 3.0, 100.0}) {
    found.thresholds_ = Finder(auction, width).thresholds();
    found.gain_ = most_gain(auction, found.thresholds_);
    if (found.gain_ <= kAllPayGain * auction.values[1]) return found;
  }
  return std::nullopt;
}

int AllPayEquilibrium::bid(int value, double draw) const {
  const int values = auction_.values[1] - auction_.values[0] + 1;
  const double place = (value - auction_.values[0] + draw) / values;
  const auto above = std::upper_bound(thresholds_.begin(), thresholds_.end(), place);
  return static_cast<int>(above - thresholds_.begin());
}

std::shared_ptr<const AllPayEquilibrium> AllPayMemo::of(const AllPayAuction& auction) const {
  const std::lock_guard lock(mutex_);
  if (auction_ != auction) {
    std::optional<AllPayEquilibrium> found = AllPayEquilibrium::find(auction);
    known_ = found ? std::make_shared<const AllPayEquilibrium>(*std::move(found)) : nullptr;
    auction_ = auction;
  }
  return known_;
}

}  // namespace auction_values
