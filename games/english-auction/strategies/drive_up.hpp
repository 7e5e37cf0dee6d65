#pragma once

#include <agon/agent.hpp>

#include "english-auction/strategies/value_cap.hpp"

namespace english_auction {

/// A shill: drives up the price of every item, and leaves while a rival would still pay more.
class Shill final : public agon::Agent {
 public:
  struct Params {
    int share = 70;
  };

  explicit Shill(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};
AGON_DESCRIBE(Shill::Params, (share, "how much of its estimate it bids at most",
                              agon::range(0, 200), agon::unit("percent")))

/// A spiteful bidder: buys as `value-cap` does, and drives up the price of what it does not buy.
class Spiteful final : public agon::Agent {
 public:
  struct Params {
    int share = 90;
    int push = 110;
  };

  explicit Spiteful(const Params& params) : push_(params.push), buyer_(buyer(params)) {}
  void answer(agon::Question& question) const override;
  [[nodiscard]] bool answers_probes() const override { return true; }

 private:
  static ValueCap::Params buyer(const Params& params) {
    ValueCap::Params bought;
    bought.share = params.share;
    return bought;
  }
  int push_;
  ValueCap buyer_;
};
AGON_DESCRIBE(Spiteful::Params,
              (share, "how much of its estimate it pays at most for what it means to buy",
               agon::range(0, 200), agon::unit("percent")),
              (push, "how much of its estimate it bids at most for all else", agon::range(0, 200),
               agon::unit("percent")))

/// Why they cannot play with these settings: nobody is after what they are after. Empty if they
/// can.
[[nodiscard]] std::string why_no_shill(const Settings& settings);
[[nodiscard]] std::string why_no_spite(const Settings& settings);

/// How the arena makes them.
[[nodiscard]] agon::AgentCard shill_card();
[[nodiscard]] agon::AgentCard spiteful_card();

}  // namespace english_auction
