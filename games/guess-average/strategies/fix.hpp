#pragma once

#include <agon/agent.hpp>

namespace guess_average {

/// Parameters of `fix`.
struct FixParams {
  double mean = 40;
  double deviation = 0;
};
AGON_DESCRIBE(FixParams,
              (mean, "the number it chooses around", agon::range(0, 1e6),
               agon::source("K-Level Reasoning: 40")),
              (deviation, "standard deviation of its choices; 0: always the same",
               agon::range(0, 1e6), agon::source("K-Level Reasoning: 0 (Fix), 5 (Var)")))

/// Chooses around the same number in every round.
class Fix final : public agon::Agent {
 public:
  using Params = FixParams;
  explicit Fix(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};

}  // namespace guess_average
