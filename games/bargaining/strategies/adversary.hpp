#pragma once

#include <agon/agent.hpp>
#include <optional>

#include "bargaining/answers.hpp"

namespace bargaining {

/// How an adversary presses the other side.
enum class Pressure : std::uint8_t { anchoring, stubborn, exploiting };
AGON_DESCRIBE_ENUM(Pressure,
                   (anchoring,
                    "a first price far out, then always half of the way to the other side's last "
                    "offer"),
                   (stubborn, "one price, from the first turn to the last"),
                   (exploiting,
                    "no step as long as the other side comes nearer; at the end its best offer"))

/// A buyer or seller that is after the other side's habits, not after a good price for both:
/// - anchoring plays on counterparts that split the difference: the further out the first price is,
///   the further out is every middle. It takes what is at least as good as its own next price, and
///   in its last turn anything within its limit.
/// - stubborn takes what is at least as good as its one price, and nothing else.
/// - exploiting plays on counterparts that come nearer by themselves. As earlier offers stay on the
///   table, waiting costs nothing: it repeats its price while the other side's last offer was
///   better than the one before, makes a step of `nudge` of the way to its limit where the other
///   side has stopped, takes what is at least as good as its own price, and in its last turn the
///   best offer within its limit.
/// None goes beyond its limit (budget or cost) or backwards. A seller whose last turn brings
/// nothing to take walks away, as nobody could take a last price any more.
class Adversary : public agon::Agent {
 public:
  struct Params {
    Pressure style = Pressure::anchoring;
    std::optional<double> buyer_opening;
    std::optional<double> seller_opening;
    double nudge = 0.1;
  };

  explicit Adversary(const Params& params);

  void answer(agon::Question& question) const override;

  [[nodiscard]] Action decide(const BuyerView& view) const;
  /// `highest`: no price above it is legal.
  [[nodiscard]] Action decide(const SellerView& view, agon::Money highest) const;

 private:
  Pressure style_;
  std::int64_t buyer_opening_, seller_opening_, nudge_;  ///< in millionths
};

using AdversaryParams = Adversary::Params;
AGON_DESCRIBE(AdversaryParams, (style, "how it presses the other side"),
              (buyer_opening,
               "as buyer: the opening as a share of the budget; null: 0.2 anchoring, 0.6 stubborn, "
               "0.5 exploiting",
               agon::range(0, 1)),
              (seller_opening,
               "as seller: the opening as a multiple of the list price; the cost if that is more; "
               "null: 1.5 anchoring, 0.75 stubborn, 1 exploiting",
               agon::range(0, 100)),
              (nudge,
               "exploiting: share of the way to its limit that it goes when the other side has "
               "stopped",
               agon::range(0, 1)))

}  // namespace bargaining
