#pragma once

#include <agon/agent.hpp>

#include "bargaining/answers.hpp"

namespace bargaining {

/// Absolute tit-for-tat (Faratin, Sierra, Jennings 1998, section 4.2, imitative tactics, with a
/// delay of one and no random part), for buyer and seller. It opens with a price of its own and
/// then comes as far towards the other side as the other side came with its last offer, never
/// beyond the own limit (budget or cost) and never backwards. An offer that is at least as good as
/// the own next price is taken; in its last turn, any offer within the limit. A seller without one
/// then walks away, as nobody could take a last price any more.
class TitForTat : public agon::Agent {
 public:
  struct Params {
    double buyer_opening = 0.5;
    double seller_opening = 1.0;
  };

  explicit TitForTat(const Params& params);

  void answer(agon::Question& question) const override;

  [[nodiscard]] Action decide(const BuyerView& view) const;
  [[nodiscard]] Action decide(const SellerView& view) const;

 private:
  std::int64_t buyer_opening_, seller_opening_;  ///< in millionths
};

using TitForTatParams = TitForTat::Params;
AGON_DESCRIBE(TitForTatParams,
              (buyer_opening, "as buyer: the opening as a share of the budget", agon::range(0, 1)),
              (seller_opening,
               "as seller: the opening as a share of the list price; the cost if that is more",
               agon::range(0, 1)))

}  // namespace bargaining
