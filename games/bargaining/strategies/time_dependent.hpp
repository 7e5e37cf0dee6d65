#pragma once

#include <agon/agent.hpp>

#include "bargaining/answers.hpp"

namespace bargaining {

/// Time-dependent concession (Faratin, Sierra, Jennings 1998, section 4.2, polynomial tactics), for
/// buyer and seller. The price moves from an opening to the own limit (budget or cost) by the share
/// k + (1 - k) (t / last)^(1/e) at turn t of 0..last: e below 1 holds out to the end (boulware), 1
/// is linear, above 1 gives way early (conceder). An offer of the other side that is at least as
/// good as the own next price is taken. A seller whose last turn brings no such offer walks away,
/// as nobody could take a last price any more.
class TimeDependent : public agon::Agent {
 public:
  struct Params {
    double concession = 1.0;
    double at_once = 0.0;
    double buyer_opening = 0.5;
    double seller_opening = 1.0;
  };

  explicit TimeDependent(const Params& params);

  void answer(agon::Question& question) const override;

  [[nodiscard]] Action decide(const BuyerView& view) const;
  [[nodiscard]] Action decide(const SellerView& view) const;

  /// The share of the way to the limit at turn t of 0..last, in millionths: the power is rounded to
  /// that unit, so that no library's last digit decides a price. The last turn gives a million.
  [[nodiscard]] std::int64_t conceded(int t, int last) const;

 private:
  double exponent_;                                        ///< 1/e
  std::int64_t at_once_, buyer_opening_, seller_opening_;  ///< in millionths
};

using TimeDependentParams = TimeDependent::Params;
AGON_DESCRIBE(TimeDependentParams,
              (concession,
               "e: below 1 concedes late (boulware), 1 evenly, above 1 early (conceder)",
               agon::range(0.01, 100), agon::source("Faratin et al. 1998, section 4.2")),
              (at_once, "k: share of the way to the own limit that the first price already goes",
               agon::range(0, 1), agon::source("Faratin et al. 1998, section 4.2")),
              (buyer_opening, "as buyer: the opening as a share of the budget", agon::range(0, 1)),
              (seller_opening,
               "as seller: the opening as a share of the list price; the cost if that is more",
               agon::range(0, 1)))

}  // namespace bargaining
