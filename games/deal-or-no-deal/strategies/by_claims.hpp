#pragma once

#include <agon/agent.hpp>

#include "deal-or-no-deal/answers.hpp"

namespace deal_or_no_deal {

/// What a side states of its own values.
enum class Stated : std::uint8_t { truth, lie, nothing };
AGON_DESCRIBE_ENUM(
    Stated, (truth, "its values"),
    (lie,
     "the values that would serve it best if they were believed: on average over what "
     "the other side may value, or for what that has stated; the truth where there are too many to "
     "weigh"),
    (nothing, "nothing"))

/// Divides by what was stated: the Nash bargaining split of the stated values.
class ByClaims : public agon::Agent {
 public:
  struct Params {
    Stated states = Stated::truth;
    bool believes = true;
  };

  explicit ByClaims(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

  /// How it is registered.
  [[nodiscard]] static agon::AgentCard card();

 private:
  void state(agon::Question& question, Claim& claim) const;

  Params params_;
};
AGON_DESCRIBE(ByClaims::Params, (states, "what it states of its own values"),
              (believes,
               "takes the other side at its word; else it supposes that the other side values all "
               "items alike, as it does of a side that states nothing"))

/// Side 0's part of the Nash bargaining split between two valuations: the highest product of both
/// sides' points, on a tie the higher sum, then the first in the order of all_splits().
[[nodiscard]] Amounts nash_part(const Amounts& counts, const Amounts& first, const Amounts& second);

/// The valuation that serves side `side` with values `own` best if nash_part() divides by it, on
/// average over the valuations `others` of the other side, each as likely as any; of equals the one
/// nearest to `own`, then the first. Everything together is worth `total_value` by it. Where there
/// are too many to weigh, of `own` and some that are spread evenly over them. Throws agon::Error
/// for more than kMaxValuations.
[[nodiscard]] Amounts best_lie(const Amounts& counts, const Amounts& own, int total_value,
                               std::size_t side, std::vector<Amounts> others);

}  // namespace deal_or_no_deal
