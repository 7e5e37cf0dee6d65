#pragma once

#include <agon/export.hpp>
#include <agon/language.hpp>
#include <agon/limits.hpp>
#include <agon/random.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "describe/limits_at.hpp"

/// Limits on what several numbers of an answer add up to.
namespace agon {

/// Where a sum is told: the list or map that holds all that it counts, or else the innermost
/// struct.
struct SumHolder {
  const Type* type = nullptr;
  std::uint16_t slot = 0;
  std::vector<std::string> path{};   ///< members from the answer to the holder
  std::vector<std::string> names{};  ///< of what it counts of the holder; empty: all its numbers
  const Type* number = nullptr;      ///< what is added up
};
SumHolder holder_of(const LimitData& sum, const Type& answer);

/// The bounds of a sum as a limit has them; a bound that is none is empty.
struct SumBounds {
  std::string lo, hi;
};
SumBounds sum_bounds(const LimitData& sum, const Type& number);

/// "at most 20 in total", in the words of the language.
std::string sum_in_words(const LimitData& sum, const SumHolder& holder, const Language& language);

/// Why the numbers of a value break a sum among the limits, and where; nothing if they keep to all.
struct BrokenSum {
  Saying what;
  std::vector<std::string> path;
};
std::optional<BrokenSum> find_broken_sum(const Type& type, const void* object,
                                         std::span<const LimitData> limits);

/// As detail::fit_sums(). `kept`: a number of the value that stays as it is; null: none.
AGON_API bool fit_sums_around(const Type& type, void* object, std::span<const LimitData> limits,
                              Dice& dice, const void* kept);

/// Redraws the numbers of a value that keeps to its sums, so that all that do so become about as
/// likely.
void mix_sums(const Type& type, void* object, std::span<const LimitData> limits, Dice& dice);

/// The numbers of a value that a sum counts, and what each may be at most and at least while the
/// others are at their least and most.
struct SummedNumber {
  const void* at = nullptr;
  double low = 0, high = 0;
};
AGON_API std::vector<SummedNumber> summed_numbers(const Type& type, void* object,
                                                  std::span<const LimitData> limits);

}  // namespace agon
