#pragma once

#include <agon/detail/typed_answer.hpp>
#include <agon/export.hpp>
#include <agon/language.hpp>
#include <agon/limits.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace agon {

/// The limit of this kind at this slot, or null.
inline const LimitData* limit_at(std::span<const LimitData> limits, std::uint16_t slot,
                                 LimitKind kind) {
  for (const LimitData& limit : limits)
    if (limit.slot == slot && limit.kind == kind) return &limit;
  return nullptr;
}

/// Whether one of the two would be ignored beside the other.
inline bool clash(const LimitData& a, const LimitData& b) {
  if (a.kind == b.kind) return a.slot == b.slot && a.kind != LimitKind::sum;
  if (b.kind == LimitKind::each) return clash(b, a);
  if (a.kind != LimitKind::each) return false;
  return b.kind == LimitKind::length ? b.slot == a.slot
                                     : b.kind == LimitKind::range && b.slot == a.slot + 1;
}

/// False if surely no two of the limits clash, and no bounds are the wrong way round: cheap, as it
/// is asked at every question. Doubles below zero, as bits, are in order only by their values.
inline bool may_contradict(std::span<const LimitData> limits) {
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const LimitData& limit = limits[i];
    const bool is_bounded = limit.kind == LimitKind::range || limit.kind == LimitKind::length ||
                            limit.kind == LimitKind::sum;
    if (is_bounded && (limit.lo > limit.hi || limit.hi < 0)) return true;
    for (std::size_t k = 0; k < i; ++k)
      if (clash(limits[k], limit)) return true;
  }
  return false;
}

/// Whether the sum counts what stands at the slot.
inline bool counts(const LimitData& sum, std::uint16_t slot) {
  const unsigned bit = static_cast<unsigned>(slot) - sum.slot;
  return sum.kind == LimitKind::sum && bit < kMostSummed && (sum.n >> bit & 1U) != 0;
}

/// Whether any sum counts what stands at the slot.
inline bool is_summed(std::uint16_t slot, std::span<const LimitData> limits) {
  for (const LimitData& limit : limits)
    if (counts(limit, slot)) return true;
  return false;
}

struct IntegerBounds {
  std::int64_t lo, hi;
};

/// What an integer may be: the C++ type's range, narrowed by the member's bounds, narrowed by the
/// limit of the moment. What a sum counts is 0 or more where nothing else says so.
inline IntegerBounds integer_bounds(const Type& type, const Field* field, std::uint16_t slot,
                                    std::span<const LimitData> limits) {
  IntegerBounds b{type.low, type.high};
  if (field != nullptr) {
    if (field->min > static_cast<double>(b.lo)) b.lo = static_cast<std::int64_t>(field->min);
    if (field->max < static_cast<double>(b.hi)) b.hi = static_cast<std::int64_t>(field->max);
  }
  if (const LimitData* l = limit_at(limits, slot, LimitKind::range)) {
    if (l->lo > b.lo) b.lo = l->lo;
    if (l->hi < b.hi) b.hi = l->hi;
  }
  if (b.lo == type.low && is_summed(slot, limits)) b.lo = std::max<std::int64_t>(b.lo, 0);
  return b;
}

struct NumberBounds {
  double lo, hi;
};

inline NumberBounds number_bounds(const Field* field, std::uint16_t slot,
                                  std::span<const LimitData> limits) {
  NumberBounds b{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  if (field != nullptr) b = {field->min, field->max};
  if (const LimitData* l = limit_at(limits, slot, LimitKind::range)) {
    const auto lo = std::bit_cast<double>(l->lo), hi = std::bit_cast<double>(l->hi);
    if (lo > b.lo) b.lo = lo;
    if (hi < b.hi) b.hi = hi;
  }
  if (b.lo == -std::numeric_limits<double>::infinity() && is_summed(slot, limits)) b.lo = 0;
  return b;
}

struct LengthBounds {
  std::size_t lo, hi;
};

inline LengthBounds length_bounds(const Type& type, const Field* field, std::uint16_t slot,
                                  std::span<const LimitData> limits) {
  LengthBounds b{0, std::numeric_limits<std::size_t>::max()};
  // A member's length is that of its list or text itself, not of the texts or lists in it.
  if (field != nullptr && (field->type == &type ||
                           (field->type->kind == Kind::optional && field->type->element == &type)))
    b = {field->min_length, field->max_length};
  if (type.kind != Kind::text && type.capacity < b.hi) b.hi = type.capacity;
  // A fixed array has one length only.
  if (!type.resize_is_free) b.lo = b.hi = type.capacity;
  if (const LimitData* l = limit_at(limits, slot, LimitKind::length)) {
    if (static_cast<std::size_t>(l->lo) > b.lo) b.lo = static_cast<std::size_t>(l->lo);
    if (static_cast<std::size_t>(l->hi) < b.hi) b.hi = static_cast<std::size_t>(l->hi);
  }
  if (const LimitData* l = limit_at(limits, slot, LimitKind::each)) b.lo = b.hi = l->n;
  return b;
}

/// Bit i set: alternative, enumerator or false/true number i is allowed.
inline std::uint64_t allowed_mask(std::uint16_t slot, std::span<const LimitData> limits) {
  const LimitData* l = limit_at(limits, slot, LimitKind::alternatives);
  return l == nullptr ? ~std::uint64_t{0} : static_cast<std::uint64_t>(l->lo);
}

/// Bit 0: may be absent, bit 1: may be present.
inline unsigned allowed_presence(std::uint16_t slot, std::span<const LimitData> limits) {
  const LimitData* l = limit_at(limits, slot, LimitKind::presence);
  return l == nullptr ? 3U : static_cast<unsigned>(l->lo);
}

/// The slot at which alternative `index` of a variant at `slot` starts.
inline std::uint16_t alternative_slot(const Type& variant, std::uint16_t slot, std::size_t index) {
  ++slot;
  for (std::size_t i = 0; i < index; ++i)
    slot = static_cast<std::uint16_t>(slot + variant.alternatives[i]->slots);
  return slot;
}

/// Position of an enumeration's value among its enumerators; their number if it is not among them.
inline std::size_t enumerator_index(const Type& type, std::int64_t value) {
  std::size_t i = 0;
  while (i < type.enumerators.size() && type.enumerators[i].value != value) ++i;
  return i;
}

}  // namespace agon

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

/// How much of a text that is turned down the reason repeats.
inline constexpr std::size_t kToldBack = 80;

/// Why a part of an answer is turned down: one that stands at `slot` and is described by `field`
/// (null for what is no member). Nothing if it is legal.
std::optional<std::string> find_part_problem(const Type& type, const Field* field,
                                             const void* object, std::uint16_t slot,
                                             std::span<const LimitData> limits,
                                             const Language& language = Language::english());

/// Why a list, a map or a text of `n` is turned down that is to have `lo` to `hi`, one of which it
/// is beyond.
std::string length_problem(Kind kind, std::size_t n, std::size_t lo, std::size_t hi,
                           const Language& language);

using detail::count_values;
using detail::draw_value;

}  // namespace agon
