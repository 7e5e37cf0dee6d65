#pragma once

#include <agon/agent.hpp>

namespace agon::agents {

/// `default` has no parameters.
struct DefaultParams {};
AGON_DESCRIBE(DefaultParams)

/// Leaves the game's fallback standing.
class Default final : public Agent {
 public:
  using Params = DefaultParams;
  explicit Default(const Params&) {}
  void answer(Question& question) const override;
};

}  // namespace agon::agents
