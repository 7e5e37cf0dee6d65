#pragma once

#include <agon/agent.hpp>

#include "classic/strategies/talk.hpp"
#include "classic/views.hpp"

namespace classic {

/// Parameters of `grim`, `tit-for-tat` and `win-stay-lose-shift`.
struct ReciprocityParams {
  Talk talk = Talk::halt;
};
AGON_DESCRIBE(ReciprocityParams, (talk, "what it does in a negotiation"))

/// How what was played before is answered.
enum class Reciprocity : std::uint8_t { grim, tit_for_tat, win_stay_lose_shift };

/// Strategies of repeated games with a payoff table. All cooperate first; what cooperation and
/// punishment are follows from the payoffs, or from the action that the game's data names
/// (classic/cooperation.hpp).
template <Reciprocity rule>
class Reciprocal final : public agon::Agent {
 public:
  using Params = ReciprocityParams;
  explicit Reciprocal(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

  [[nodiscard]] static agon::AgentCard card();

 private:
  Params params_;
};

}  // namespace classic
