#pragma once

#include <cstdint>

#include "bargaining/settings.hpp"

namespace bargaining {

/// Millionths of a cent: fine enough to hold a budget of at most six decimals times whole cents
/// without rounding.
using Micros = std::int64_t;
inline constexpr Micros kMicrosPerCent = 1'000'000;

/// What a match is about, exactly (Xia et al. 2024, section 3).
struct Terms {
  agon::Money list_price{};  ///< L
  agon::Money cost{};        ///< C
  Micros budget = 0;         ///< B, not rounded

  /// B - C.
  [[nodiscard]] constexpr Micros gap() const { return budget - cost.cents * kMicrosPerCent; }
  /// C <= B: some price serves both sides. Equality counts as mutual.
  [[nodiscard]] constexpr bool mutual() const { return gap() >= 0; }
  /// The budget in whole cents, rounded down: the highest price within it.
  [[nodiscard]] constexpr agon::Money affordable() const { return {budget / kMicrosPerCent}; }
  /// What affordable() leaves out.
  [[nodiscard]] constexpr Micros rest() const { return budget % kMicrosPerCent; }
  /// The budget that the published evaluation uses: where |B - C| is below a dollar it is moved to
  /// one dollar from C, on its own side, so that nothing is divided by a tiny number.
  [[nodiscard]] constexpr Micros guarded_budget() const {
    constexpr Micros dollar = 100 * kMicrosPerCent;
    if (gap() >= 0) return gap() < dollar ? budget - gap() + dollar : budget;
    return gap() > -dollar ? budget - gap() - dollar : budget;
  }
};

/// Terms of one product under the settings, which have passed check().
[[nodiscard]] Terms terms_of(const Product& product, const Settings& settings,
                             const BudgetFactor& factor);

/// What both sides get from a deal.
struct Profits {
  double buyer = 0;   ///< in cents
  double seller = 0;  ///< in cents
};

/// B - D and D - C, with the true budget.
[[nodiscard]] Profits profits(const Terms& terms, agon::Money price);

/// The same as the published evaluation has it: with the guarded budget.
[[nodiscard]] Profits published_profits(const Terms& terms, agon::Money price);

/// Profits over |B - C|, guarded: they sum to 1 where interests are mutual, else to -1.
[[nodiscard]] Profits normalised_profits(const Terms& terms, agon::Money price);

/// How far from the Nash bargaining solution (Nash 1950), here an equal split of B - C, as a share
/// of B - C, guarded: 0 is the equal split, 0.5 gives everything to one side. Only for mutual
/// interest.
[[nodiscard]] double split_distance(const Terms& terms, agon::Money price);

}  // namespace bargaining
