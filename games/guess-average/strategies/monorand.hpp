#pragma once

#include <agon/agent.hpp>

namespace guess_average {

/// Parameters of `monorand`.
struct MonorandParams {
  int first = 40;
  int least_step = 0;
  int most_step = 5;
};
AGON_DESCRIBE(MonorandParams,
              (first, "its number in the first round", agon::range(0, 1e6),
               agon::source("K-Level Reasoning, published code: 40")),
              (least_step, "smallest step; the text of the paper says 1", agon::range(0, 1e6),
               agon::source("K-Level Reasoning, published code: 0")),
              (most_step, "largest step", agon::range(0, 1e6),
               agon::source("K-Level Reasoning: 5")))

/// Chooses less by the same step every round; the step is drawn before its first choice.
class Monorand final : public agon::Agent {
 public:
  using Params = MonorandParams;
  /// Throws agon::Error if the smallest step is above the largest.
  explicit Monorand(const Params& params);
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};

}  // namespace guess_average
