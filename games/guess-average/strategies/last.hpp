#pragma once

#include <agon/agent.hpp>

namespace guess_average {

/// Parameters of `last`.
struct LastParams {
  double first = 40;
  double deviation = 0;
};
AGON_DESCRIBE(LastParams,
              (first, "the number it chooses around in the first round", agon::range(0, 1e6),
               agon::source("K-Level Reasoning: 40")),
              (deviation, "standard deviation of its choices; 0: the target itself",
               agon::range(0, 1e6), agon::source("K-Level Reasoning: 0 (Fix), 5 (Var)")))

/// Chooses around the target of the round before.
class Last final : public agon::Agent {
 public:
  using Params = LastParams;
  explicit Last(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};

}  // namespace guess_average
