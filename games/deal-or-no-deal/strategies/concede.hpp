#pragma once

#include <agon/agent.hpp>

#include "deal-or-no-deal/strategies/position.hpp"

namespace deal_or_no_deal {

/// Time-dependent concession: what it aspires to falls in equal steps from decision to decision.
class Concede : public agon::Agent {
 public:
  struct Params {
    double start = 1;
    double reserve = 0.5;
  };

  /// Throws agon::Error if the reserve is above the start.
  explicit Concede(const Params& params);
  void answer(agon::Question& question) const override;

  /// What it wants at least at this position, in points.
  [[nodiscard]] double aspiration(const Position& position) const;

  /// How it is registered.
  [[nodiscard]] static agon::AgentCard card();

 private:
  Params params_;
};
AGON_DESCRIBE(Concede::Params,
              (start, "aspiration at the first decision, as a share of what everything is worth",
               agon::range(0, 1)),
              (reserve, "aspiration at the last decision, as a share of what everything is worth",
               agon::range(0, 1)))

/// The part that is worth at least `aspiration` to somebody with these values and leaves the other
/// side as many items as possible; on a tie it gives away what it values least, then it is the
/// first in the order of all_splits(). `aspiration` is at most what everything is worth.
[[nodiscard]] Amounts most_generous(const Amounts& counts, const Amounts& values,
                                    double aspiration);

}  // namespace deal_or_no_deal
