#pragma once

#include "shared/strategy.hpp"
#include "water-allocation/messages.hpp"
#include "water-allocation/play.hpp"

namespace water_allocation {

/// Parameters of `fixed`.
struct FixedParams {
  agon::Money bid = agon::major(100);
};
AGON_DESCRIBE(FixedParams,
              (bid, "what it bids every day", agon::range(0, 1e11), agon::unit("dollars")))

/// Bids the same amount every day, or all its money if that is less.
void bid_fixed(const FixedParams& params, const Morning& morning, Bid& bid);
using Fixed = shared::Strategy<&bid_fixed>;

using Fraction = shared::Strategy<&shared::drought::bid_fraction<Morning, Bid>>;

/// Parameters of `survivor`.
struct SurvivorParams {
  agon::Money margin = agon::major(10);
  double thrift = 1.5;
  double first_guess = 0.5;
};
AGON_DESCRIBE(SurvivorParams,
              (margin, "raise above the bid that it expects to be just enough", agon::range(0, 1e9),
               agon::unit("dollars")),
              (thrift,
               "most it pays while its life does not hang on today, as a multiple of an even "
               "share: its money and coming salaries over the drinks it still needs",
               agon::range(0, 10)),
              (first_guess,
               "share of a rival's balance that it expects to be bid, until it has seen the rival "
               "bid",
               agon::range(0, 1)))

/// Bids by urgency and by the means of those who compete, never more than its balance:
/// - it makes no bid if the supply does not cover its need, and bids 0 if it can live to the end
///   without water;
/// - if no water means death today, it bids what beats every rival even if all bid their whole
///   balances, or all it has;
/// - otherwise it expects rivals in mortal need to bid everything and the others to bid the same
///   share of their money as yesterday, and raises just above what that takes, up to a multiple of
///   an even share of its future money.
class Survivor final : public agon::Agent {
 public:
  using Params = SurvivorParams;
  explicit Survivor(const Params& params);
  void answer(agon::Question& question) const override;

 private:
  [[nodiscard]] int least_drinks(const Morning& m, int days, Health h) const;

  Params params_;
  ThirstTable thirst_;  ///< for the usual rules of health
};

}  // namespace water_allocation
