#pragma once

#include <agon/agent.hpp>

namespace agon::agents {

/// Parameters of `edge`.
struct EdgeParams {
  bool probes = false;
};
AGON_DESCRIBE(EdgeParams, (probes, "also answers probes, at the edges too; else declines them"))

/// Answers at the edges of what the limits allow.
class Edge final : public Agent {
 public:
  using Params = EdgeParams;
  explicit Edge(const Params& params) : params_(params) {}
  void answer(Question& question) const override;
  [[nodiscard]] bool answers_probes() const override { return params_.probes; }

 private:
  Params params_;
};

}  // namespace agon::agents
