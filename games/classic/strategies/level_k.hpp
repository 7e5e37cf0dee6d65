#pragma once

#include <agon/agent.hpp>

#include "classic/strategies/talk.hpp"

namespace classic {

/// What somebody does who thinks of nobody.
enum class LevelZero : std::uint8_t { uniform, first };
AGON_DESCRIBE_ENUM(LevelZero, (uniform, "any action, all alike"), (first, "the first action"))

/// Parameters of `k-level`.
struct LevelKParams {
  int k = 2;
  LevelZero level_0 = LevelZero::uniform;
  Talk talk = Talk::halt;
};
AGON_DESCRIBE(LevelKParams,
              (k, "its level: it replies best to others of the level below", agon::range(0, 64),
               agon::unit("levels")),
              (level_0, "what a player of level 0 does"), (talk, "what it does in a negotiation"))

/// Replies best to others of level k - 1, who reply best to others of level k - 2, and so on. Ties
/// go to the first action. In a tree it counts on its own later moves to be of its own level.
class LevelK final : public agon::Agent {
 public:
  using Params = LevelKParams;
  explicit LevelK(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

  [[nodiscard]] static agon::AgentCard card();

 private:
  Params params_;
};

}  // namespace classic
