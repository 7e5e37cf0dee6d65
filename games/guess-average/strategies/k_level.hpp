#pragma once

#include <agon/agent.hpp>

namespace guess_average {

/// Parameters of `k-level`.
struct KLevelParams {
  int k = 2;
  double start = 50;
  double deviation = 0;
};
AGON_DESCRIBE(KLevelParams,
              (k,
               "how often it asks what is best against others like that; 0 does what the others do",
               agon::range(0, 50), agon::unit("levels"), agon::source("K-Level Reasoning: k = 2")),
              (start, "average that it expects before the first round", agon::range(0, 1e6),
               agon::source("K-Level Reasoning, appendix C: 50")),
              (deviation,
               "standard deviation of its choices; without it those of its kind all say the same, "
               "and then nobody wins",
               agon::range(0, 1e6)))

/// Expects the others to choose what they chose on average in the round before, and answers to
/// others who answer to that, k times over. It counts its own part of the average in.
class KLevel final : public agon::Agent {
 public:
  using Params = KLevelParams;
  explicit KLevel(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};

}  // namespace guess_average
