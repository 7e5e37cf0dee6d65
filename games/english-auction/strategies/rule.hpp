#pragma once

#include <agon/agent.hpp>

#include "english-auction/views.hpp"

namespace english_auction {

/// The rule bidder of AucArena: raises by the least amount a fixed number of times an item, as long
/// as its money lasts, and looks at nothing else.
class Rule final : public agon::Agent {
 public:
  struct Params {
    int max_bids = 4;
  };

  explicit Rule(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

  /// Its move: a bid, or nothing to withdraw.
  [[nodiscard]] static std::optional<agon::Money> bid(const BidView& view, int max_bids);

 private:
  Params params_;
};
AGON_DESCRIBE(Rule::Params, (max_bids, "most bids that it makes for one item, the first one too",
                             agon::range(0, 1000), agon::unit("bids"),
                             agon::source("AucArena, section 4 (4 or 5) and its code (4)")))

/// How the arena makes it.
[[nodiscard]] agon::AgentCard rule_card();

}  // namespace english_auction
