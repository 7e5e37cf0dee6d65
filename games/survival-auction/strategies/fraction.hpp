#pragma once

#include <agon/agent.hpp>

namespace survival_auction {

/// Parameters of `fraction`.
struct FractionParams {
  double fraction = 0.5;
};
AGON_DESCRIBE(FractionParams,
              (fraction, "share of its balance, today's salary included", agon::range(0, 1)))

/// Bids a fixed share of its money every day, rounded down to a cent.
class Fraction final : public agon::Agent {
 public:
  using Params = FractionParams;
  explicit Fraction(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};

}  // namespace survival_auction
