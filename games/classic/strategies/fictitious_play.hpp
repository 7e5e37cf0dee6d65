#pragma once

#include <agon/agent.hpp>

#include "classic/strategies/talk.hpp"

namespace classic {

/// Parameters of `fictitious-play`.
struct FictitiousPlayParams {
  int memory = 0;
  Talk talk = Talk::halt;
};
AGON_DESCRIBE(FictitiousPlayParams,
              (memory,
               "how many of the last periods it looks at; 0: all; 1: the best reply to what the "
               "others did last",
               agon::range(0, 1000), agon::unit("periods")),
              (talk, "what it does in a negotiation"))

/// Replies best to what the others did together, as often as they did it. Before it has seen
/// anything, and on ties, as a player who thinks that the others take each action equally often.
class FictitiousPlay final : public agon::Agent {
 public:
  using Params = FictitiousPlayParams;
  explicit FictitiousPlay(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

  [[nodiscard]] static agon::AgentCard card();

 private:
  Params params_;
};

}  // namespace classic
