#pragma once

#include <agon/agent.hpp>

namespace survival_auction {

/// Parameters of `last`.
struct LastParams {
  double first = 0.5;
  agon::Money raise = agon::major(1);
};
AGON_DESCRIBE(LastParams,
              (first, "share of its balance that it bids on the first day", agon::range(0, 1)),
              (raise, "how much more than the highest bid of the others on the day before",
               agon::range(0, 1e9), agon::unit("dollars")))

/// Bids a little more than the highest bid of the others on the day before, or all its money if
/// that is less.
class Last final : public agon::Agent {
 public:
  using Params = LastParams;
  explicit Last(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};

}  // namespace survival_auction
