#pragma once

#include <agon/agent.hpp>

#include "classic/strategies/talk.hpp"
#include "classic/views.hpp"

namespace classic {

/// Parameters of `nash` and `backward-induction`.
struct NashParams {
  Talk talk = Talk::halt;
};
AGON_DESCRIBE(NashParams, (talk, "what it does in a negotiation"))

/// Plays its part of an equilibrium. Payoff table: of the pure equilibria the Pareto-best ones go
/// first, then the lowest cell; where there is none, of two players, the mixed equilibrium that
/// uses fewest actions; else its safest action. Tree: backward induction, ties to the lowest move.
class Nash final : public agon::Agent {
 public:
  using Params = NashParams;
  explicit Nash(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

  [[nodiscard]] static agon::AgentCard card();
  /// The same under the name that says what it does in trees.
  [[nodiscard]] static agon::AgentCard backward_induction_card();

 private:
  Params params_;
};

}  // namespace classic
