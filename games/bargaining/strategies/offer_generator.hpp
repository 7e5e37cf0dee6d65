#pragma once

#include <agon/agent.hpp>

#include "bargaining/answers.hpp"
#include "bargaining/factors.hpp"

namespace bargaining {

/// The offer generator of OG-Narrator (Xia et al. 2024, section 5, and the published code): a buyer
/// whose offers follow a ladder of shares of the budget, whatever the seller says. If an earlier
/// offer of the seller is strictly below the next own offer and within the budget, it takes the
/// lowest such offer; the random ladder never does. It never rejects and never quits.
class OfferGenerator : public agon::Agent {
 public:
  struct Params {
    Shape shape = Shape::linear;
    double start = 0.5;
    double end = 1.0;
    double growth = 1.1;
    double dip = 0.02;
    std::int64_t seed = 42;
  };

  /// Throws agon::Error when start is above end.
  explicit OfferGenerator(const Params& params);

  void answer(agon::Question& question) const override;

  /// The action at this view; `key` is for the random ladder. Pure.
  [[nodiscard]] Action decide(const BuyerView& view, std::uint64_t key) const;

 private:
  Ladder ladder_;
  std::uint64_t seed_;
};

using OfferGeneratorParams = OfferGenerator::Params;
AGON_DESCRIBE(OfferGeneratorParams,
              (shape, "how the offers rise", agon::source("Xia et al. 2024, section 5")),
              (start, "share of the budget of the first offer", agon::range(0, 1)),
              (end, "share of the budget of the last offer", agon::range(0, 1)),
              (growth, "exp: ratio of one share to the one before", agon::range(1, 10)),
              (dip, "swish: how much the share falls each turn at first", agon::range(0, 1)),
              (seed, "random: key of the draws; the same product gets the same ladder",
               agon::at_least(0)))

/// The offer of a share of the budget in whole cents. The share and the budget in dollars are
/// binary numbers, as in the published code; their product is rounded as cents_of() does. The
/// budget itself is exact, and only here becomes the nearest binary number.
[[nodiscard]] agon::Money offer_of(double share, agon::Money budget, std::int64_t budget_rest);

}  // namespace bargaining
