#pragma once

#include <agon/agent.hpp>

namespace water_allocation {

/// Parameters of `fixed`.
struct FixedParams {
  agon::Money bid = agon::major(100);
};
AGON_DESCRIBE(FixedParams,
              (bid, "what it bids every day", agon::range(0, 1e11), agon::unit("dollars")))

/// Bids the same amount every day, or all its money if that is less.
class Fixed final : public agon::Agent {
 public:
  using Params = FixedParams;
  explicit Fixed(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};

}  // namespace water_allocation
