#pragma once

#include <agon/agent.hpp>
#include <agon/describe.hpp>
#include <agon/inline_list.hpp>
#include <agon/money.hpp>
#include <cmath>
#include <cstdint>
#include <optional>

#include "bargaining/game.hpp"
#include "bargaining/messages.hpp"

namespace bargaining {

/// An amount in binary dollars, rounded to whole cents: to the nearest by the exact value of the
/// binary number, a true tie to the even cent. So 2.675, which is stored a little lower, gives 267
/// cents, and 0.125 gives 12. This is how scripting languages with correctly rounded decimal output
/// round to two places. Integer arithmetic only, so it is the same everywhere. Nothing for negative
/// numbers, numbers of 2^53 and above, and what is no number.
[[nodiscard]] std::optional<agon::Money> cents_of(double dollars);

/// Parameters that are shares become whole millionths once, so that prices are integer arithmetic.
inline constexpr std::int64_t million = 1'000'000;

[[nodiscard]] inline std::int64_t in_millionths(double share) {
  return std::llround(share * static_cast<double>(million));
}

/// amount * millionths / a million, rounded towards zero, without running out of 64 bits for shares
/// up to a million millionths.
[[nodiscard]] constexpr std::int64_t share_of(std::int64_t amount, std::int64_t millionths) {
  return amount / million * millionths + amount % million * millionths / million;
}

/// How a buyer's offers rise from turn to turn.
enum class Shape : std::uint8_t { linear, exp, swish, random };
AGON_DESCRIBE_ENUM(Shape, (linear, "by the same step each turn; the paper's"),
                   (exp, "by the same ratio each turn, up to the end"),
                   (swish, "falls a little for half of the turns, then rises evenly to the end"),
                   (random, "start, end and uniform draws between them, shuffled"))

/// A ladder of shares of the budget (Xia et al. 2024, section 5, and the published code).
struct Ladder {
  Shape shape = Shape::linear;
  double start = 0.5;   ///< share of the first turn
  double end = 1.0;     ///< share of the last turn
  double growth = 1.1;  ///< exp: ratio of one turn's share to the one before
  double dip = 0.02;    ///< swish: how much the share falls each turn at first
};

/// One share for each of `turns` turns, 1 to kMaxTurnsLimit. `key` is for the random shape.
///
/// linear: start + t / (turns - 1) * (end - start). exp: min(end, start * growth^t), the power by
/// repeated multiplication. swish: start - dip * t for the first half (rounded down), then evenly
/// from start - dip * half to end. random: turns - 1 uniform draws from start..end with start and
/// end themselves, shuffled, of which one is left over.
///
/// The published code divides by zero at 1 turn, and for swish at 2. Here one turn gives `start`,
/// and the last share of swish is always `end` if there are two turns or more.
[[nodiscard]] agon::InlineList<double, kMaxTurnsLimit + 1> factors(const Ladder& ladder, int turns,
                                                                   std::uint64_t key);

/// The offer generator of OG-Narrator (Xia et al. 2024, section 5, and the published code): a buyer
/// whose offers follow a ladder of shares of the budget, whatever the seller says. If an earlier
/// offer of the seller is strictly below the next own offer and within the budget, it takes the
/// lowest such offer; the random ladder never does. It never rejects and never quits.
class OfferGenerator : public agon::Agent {
 public:
  struct Params {
    Shape shape = Shape::linear;
    double start = 0.5;
    double end = 1.0;
    double growth = 1.1;
    double dip = 0.02;
    std::int64_t seed = 42;
  };

  /// Throws agon::Error when start is above end.
  explicit OfferGenerator(const Params& params);

  void answer(agon::Question& question) const override;

  /// The action at this view; `key` is for the random ladder. Pure.
  [[nodiscard]] Action decide(const BuyerView& view, std::uint64_t key) const;

 private:
  Ladder ladder_;
  std::uint64_t seed_;
};

using OfferGeneratorParams = OfferGenerator::Params;
AGON_DESCRIBE(OfferGeneratorParams,
              (shape, "how the offers rise", agon::source("Xia et al. 2024, section 5")),
              (start, "share of the budget of the first offer", agon::range(0, 1)),
              (end, "share of the budget of the last offer", agon::range(0, 1)),
              (growth, "exp: ratio of one share to the one before", agon::range(1, 10)),
              (dip, "swish: how much the share falls each turn at first", agon::range(0, 1)),
              (seed, "random: key of the draws; the same product gets the same ladder",
               agon::at_least(0)))

/// The offer of a share of the budget in whole cents. The share and the budget in dollars are
/// binary numbers, as in the published code; their product is rounded as cents_of() does. The
/// budget itself is exact, and only here becomes the nearest binary number.
[[nodiscard]] agon::Money offer_of(double share, agon::Money budget, std::int64_t budget_rest);

/// Time-dependent concession (Faratin, Sierra, Jennings 1998, section 4.2, polynomial tactics), for
/// buyer and seller. The price moves from an opening to the own limit (budget or cost) by the share
/// k + (1 - k) (t / last)^(1/e) at turn t of 0..last: e below 1 holds out to the end (boulware), 1
/// is linear, above 1 gives way early (conceder). An offer of the other side that is at least as
/// good as the own next price is taken. A seller whose last turn brings no such offer walks away,
/// as nobody could take a last price any more.
class TimeDependent : public agon::Agent {
 public:
  struct Params {
    double concession = 1.0;
    double at_once = 0.0;
    double buyer_opening = 0.5;
    double seller_opening = 1.0;
  };

  explicit TimeDependent(const Params& params);

  void answer(agon::Question& question) const override;

  [[nodiscard]] Action decide(const BuyerView& view) const;
  [[nodiscard]] Action decide(const SellerView& view) const;

  /// The share of the way to the limit at turn t of 0..last, in millionths: the power is rounded to
  /// that unit, so that no library's last digit decides a price. The last turn gives a million.
  [[nodiscard]] std::int64_t conceded(int t, int last) const;

 private:
  double exponent_;                                        ///< 1/e
  std::int64_t at_once_, buyer_opening_, seller_opening_;  ///< in millionths
};

using TimeDependentParams = TimeDependent::Params;
AGON_DESCRIBE(TimeDependentParams,
              (concession,
               "e: below 1 concedes late (boulware), 1 evenly, above 1 early (conceder)",
               agon::range(0.01, 100), agon::source("Faratin et al. 1998, section 4.2")),
              (at_once, "k: share of the way to the own limit that the first price already goes",
               agon::range(0, 1), agon::source("Faratin et al. 1998, section 4.2")),
              (buyer_opening, "as buyer: the opening as a share of the budget", agon::range(0, 1)),
              (seller_opening,
               "as seller: the opening as a share of the list price; the cost if that is more",
               agon::range(0, 1)))

/// Absolute tit-for-tat (Faratin, Sierra, Jennings 1998, section 4.2, imitative tactics, with a
/// delay of one and no random part), for buyer and seller. It opens with a price of its own and
/// then comes as far towards the other side as the other side came with its last offer, never
/// beyond the own limit (budget or cost) and never backwards. An offer that is at least as good as
/// the own next price is taken; in its last turn, any offer within the limit. A seller without one
/// then walks away, as nobody could take a last price any more.
class TitForTat : public agon::Agent {
 public:
  struct Params {
    double buyer_opening = 0.5;
    double seller_opening = 1.0;
  };

  explicit TitForTat(const Params& params);

  void answer(agon::Question& question) const override;

  [[nodiscard]] Action decide(const BuyerView& view) const;
  [[nodiscard]] Action decide(const SellerView& view) const;

 private:
  std::int64_t buyer_opening_, seller_opening_;  ///< in millionths
};

using TitForTatParams = TitForTat::Params;
AGON_DESCRIBE(TitForTatParams,
              (buyer_opening, "as buyer: the opening as a share of the budget", agon::range(0, 1)),
              (seller_opening,
               "as seller: the opening as a share of the list price; the cost if that is more",
               agon::range(0, 1)))

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
