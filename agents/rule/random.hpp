#pragma once

#include <agon/agent.hpp>

namespace agon::agents {

/// Parameters of `random`.
struct RandomParams {
  bool probes = false;
};
AGON_DESCRIBE(RandomParams, (probes, "also answers probes with random draws; else declines them"))

/// Answers every question with a draw from its own dice.
class Random final : public Agent {
 public:
  using Params = RandomParams;
  explicit Random(const Params& params) : params_(params) {}
  void answer(Question& question) const override;
  [[nodiscard]] bool answers_probes() const override { return params_.probes; }

 private:
  Params params_;
};

}  // namespace agon::agents
