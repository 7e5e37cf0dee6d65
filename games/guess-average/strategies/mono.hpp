#pragma once

#include <agon/agent.hpp>

namespace guess_average {

/// Parameters of `mono`.
struct MonoParams {
  int first = 40;
  int step = 5;
};
AGON_DESCRIBE(MonoParams,
              (first, "its number in the first round", agon::range(0, 1e6),
               agon::source("K-Level Reasoning, published code: 40")),
              (step, "how much less it chooses every round", agon::range(0, 1e6),
               agon::source("K-Level Reasoning, published code: 5")))

/// Chooses less by the same step every round.
class Mono final : public agon::Agent {
 public:
  using Params = MonoParams;
  explicit Mono(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};

}  // namespace guess_average
