#pragma once

#include <agon/agent.hpp>
#include <vector>

#include "english-auction/strategies/value_cap.hpp"

namespace english_auction {

/// A member of a bidding ring: where bidders may talk it offers to take turns, and with all others
/// who said so it does. Without talk, with nobody to take turns with, and where it is a shill, it
/// is `value-cap`.
class Ring final : public agon::Agent {
 public:
  struct Params {
    int share = 90;
    bool keeps = true;
  };

  explicit Ring(const Params& params) : keeps_(params.keeps), buyer_(buyer(params)) {}
  void answer(agon::Question& question) const override;
  [[nodiscard]] bool answers_probes() const override { return true; }

  /// Who has said in this auction that it takes turns, in the order of their names' first words on
  /// it.
  [[nodiscard]] static std::vector<std::string_view> members(std::span<const Remark> talk);
  /// Whose turn the n-th item of the sale is, from 1; empty: there is no ring.
  [[nodiscard]] static std::string_view turn(std::span<const Remark> talk, int number);

 private:
  static ValueCap::Params buyer(const Params& params) {
    ValueCap::Params bought;
    bought.share = params.share;
    return bought;
  }
  bool keeps_;
  ValueCap buyer_;
};
AGON_DESCRIBE(Ring::Params,
              (share, "how much of its estimate it pays at most", agon::range(0, 200),
               agon::unit("percent")),
              (keeps, "whether it keeps to the turns; false: it offers them and bids all the same"))

/// How the arena makes it.
[[nodiscard]] agon::AgentCard ring_card();

}  // namespace english_auction
