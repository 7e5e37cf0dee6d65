#pragma once

#include <agon/agent.hpp>

namespace ebay {

/// Parameters of `incremental`.
struct IncrementalParams {
  std::optional<agon::Money> raise;
};
AGON_DESCRIBE(IncrementalParams,
              (raise, "how far it goes above the price; null: one step of the auction",
               agon::range(1, 1e8), agon::unit("dollars")))

/// Bids a little above the price while its maximum does not stand above it, up to its value. Nobody
/// is shown who leads, so it also raises where it is level with another.
class Incremental final : public agon::Agent {
 public:
  using Params = IncrementalParams;
  explicit Incremental(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};

}  // namespace ebay
