#pragma once

#include <agon/agent.hpp>

#include "english-auction/views.hpp"

namespace english_auction {

/// A seller that starts each item at a share of what it is listed at, and sells it for no less than
/// a share of its estimate.
class ReserveShare final : public agon::Agent {
 public:
  struct Params {
    int start = 100;
    int reserve = 70;
  };

  explicit ReserveShare(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};
AGON_DESCRIBE(ReserveShare::Params,
              (start, "where it starts an item, as a share of what it is listed at",
               agon::range(0, 1000), agon::unit("percent")),
              (reserve,
               "its reserve, as a share of its estimate; never below what an item costs it",
               agon::range(0, 1000), agon::unit("percent")))

/// How the arena makes it.
[[nodiscard]] agon::AgentCard seller_card();

}  // namespace english_auction
