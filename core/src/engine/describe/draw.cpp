#include <agon/conversion.hpp>
#include <agon/detail/typed_answer.hpp>
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "describe/limits_at.hpp"
#include "describe/sums.hpp"
#include "describe/value.hpp"

namespace agon::detail {
namespace {

constexpr std::uint64_t kMany = kManyValues;

std::uint64_t span_of(IntegerBounds b) {
  if (b.hi < b.lo) return 0;
  return std::min(kMany, static_cast<std::uint64_t>(b.hi) - static_cast<std::uint64_t>(b.lo) + 1);
}

std::uint64_t ones(std::uint64_t mask, std::size_t n) {
  return static_cast<std::uint64_t>(
      std::popcount(n >= 64 ? mask : mask & ((std::uint64_t{1} << n) - 1)));
}

/// The `wanted`-th set bit.
std::size_t nth_bit(std::uint64_t mask, std::uint64_t wanted) {
  while (wanted-- > 0) mask &= mask - 1;
  return static_cast<std::size_t>(std::countr_zero(mask));
}

/// Longest list that is drawn where nothing bounds it.
constexpr std::size_t kLongest = 4;

void draw_part(const Type& type, const Field* field, void* object, std::uint16_t slot,
               std::span<const LimitData> limits, Dice& dice);

void draw_text(const Type& type, const Field* field, void* object, std::uint16_t slot,
               std::span<const LimitData> limits, Dice& dice) {
  if (const LimitData* l = limit_at(limits, slot, LimitKind::names)) {
    type.set_text(object, l->n == 0 ? std::string_view{} : l->names[dice.below(l->n)]);
    return;
  }
  static constexpr std::string_view kSyllables[] = {"ba", "de", "ki", "lo", "mu", "na",
                                                    "pe", "ri", "so", "ta", "vu", "ze"};
  const LengthBounds b = length_bounds(type, field, slot, limits);
  const std::uint64_t syllables = 1 + dice.below(6);
  std::string word;
  for (std::uint64_t i = 0; i < syllables; ++i)
    word += kSyllables[dice.below(std::size(kSyllables))];
  while (word.size() < b.lo) word += kSyllables[dice.below(std::size(kSyllables))];
  if (word.size() > b.hi) word.resize(b.hi);
  type.set_text(object, word);
}

void draw_list(const Type& type, const Field* field, void* object, std::uint16_t slot,
               std::span<const LimitData> limits, Dice& dice) {
  const auto element = static_cast<std::uint16_t>(slot + 1);
  if (const LimitData* each = limit_at(limits, slot, LimitKind::each)) {
    type.resize(object, each->n);
    const auto values = [each](std::size_t i) {
      return each->each[i] < each->lo ? 0
                                      : static_cast<std::uint64_t>(each->each[i] - each->lo) + 1;
    };
    std::uint64_t lists = 1;
    for (std::uint32_t i = 0; i < each->n; ++i) lists = times(lists, values(i));
    dice.below_each(each->n, lists, values, [&](std::size_t i, std::uint64_t x) {
      type.element->set(type.item(object, i), each->lo + static_cast<std::int64_t>(x));
    });
    return;
  }
  const LengthBounds b = length_bounds(type, field, slot, limits);
  const std::size_t longest = std::min(b.hi, std::max(b.lo, kLongest));
  std::size_t n = b.lo;
  if (longest > b.lo) {
    // Lengths weigh as many lists as they have, where those can be counted.
    const std::uint64_t size = count_values(*type.element, field, element, limits);
    std::uint64_t total = 0, lists = 1;
    for (std::size_t i = 0; i < b.lo; ++i) lists = times(lists, size);
    const std::uint64_t first = lists;
    const std::size_t limit = size > 1 && b.hi < 64 ? b.hi : longest;
    for (std::size_t i = b.lo; i <= limit; ++i) {
      total = std::min(kMany, total + lists);
      lists = times(lists, size);
    }
    if (total < kMany) {
      std::uint64_t pick = dice.below(total);
      for (lists = first; pick >= lists; lists = times(lists, size)) pick -= lists, ++n;
    } else {
      n += dice.below(longest - b.lo + 1);
    }
  }
  type.resize(object, n);
  for (std::size_t i = 0; i < n; ++i)
    draw_part(*type.element, field, type.item(object, i), element, limits, dice);
}

void draw_variant(const Type& type, void* object, std::uint16_t slot,
                  std::span<const LimitData> limits, Dice& dice) {
  const std::uint64_t mask = allowed_mask(slot, limits);
  const std::size_t n = type.alternatives.size();
  std::uint64_t total = 0;
  std::array<std::uint64_t, 64>
      sizes;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  auto at = static_cast<std::uint16_t>(slot + 1);
  for (std::size_t i = 0; i < n && i < sizes.size(); ++i) {
    sizes[i] = (mask >> i & 1U) == 0 ? 0 : count_values(*type.alternatives[i], nullptr, at, limits);
    total = std::min(kMany, total + sizes[i]);
    at = static_cast<std::uint16_t>(at + type.alternatives[i]->slots);
  }
  std::size_t pick = 0;
  if (total == 0) {
    pick = static_cast<std::size_t>(std::countr_zero(mask));
  } else if (total < kMany) {
    std::uint64_t u = dice.below(total);
    while (u >= sizes[pick]) u -= sizes[pick++];
  } else {
    // Where one alternative cannot be counted, none outweighs the others.
    const std::uint64_t allowed = ones(mask, n);
    pick = nth_bit(mask, dice.below(allowed));
  }
  draw_part(*type.alternatives[pick], nullptr, type.become(object, pick),
            alternative_slot(type, slot, pick), limits, dice);
}

}  // namespace

std::uint64_t count_values(const Type& type, const Field* field, std::uint16_t slot,
                           std::span<const LimitData> limits) {
  switch (type.kind) {
    case Kind::boolean:
      return ones(allowed_mask(slot, limits), 2);
    case Kind::enumeration:
      return ones(allowed_mask(slot, limits), type.enumerators.size());
    case Kind::integer:
      return span_of(integer_bounds(type, field, slot, limits));
    case Kind::number:
    case Kind::map:
      return kMany;
    case Kind::text: {
      const LimitData* l = limit_at(limits, slot, LimitKind::names);
      return l == nullptr ? kMany : l->n;
    }
    case Kind::optional: {
      const unsigned may = allowed_presence(slot, limits);
      std::uint64_t n = (may & 1U) != 0 ? 1 : 0;
      if ((may & 2U) != 0)
        n += count_values(*type.element, field, static_cast<std::uint16_t>(slot + 1), limits);
      return std::min(n, kMany);
    }
    case Kind::list: {
      std::uint64_t n = 1;
      if (const LimitData* each = limit_at(limits, slot, LimitKind::each)) {
        for (std::uint32_t i = 0; i < each->n; ++i)
          n = times(n, each->each[i] < each->lo
                           ? 0
                           : static_cast<std::uint64_t>(each->each[i] - each->lo) + 1);
        return n;
      }
      const LengthBounds b = length_bounds(type, field, slot, limits);
      const std::uint64_t size =
          count_values(*type.element, field, static_cast<std::uint16_t>(slot + 1), limits);
      if (b.hi > 64) return kMany;
      for (std::size_t i = 0; i < b.lo; ++i) n = times(n, size);
      std::uint64_t total = 0;
      for (std::size_t i = b.lo; i <= b.hi; ++i, n = times(n, size))
        total = std::min(kMany, total + n);
      return total;
    }
    case Kind::structure: {
      std::uint64_t n = 1;
      for (const Field& f : type.fields) {
        n = times(n, count_values(*f.type, &f, slot, limits));
        slot = static_cast<std::uint16_t>(slot + f.type->slots);
      }
      return n;
    }
    case Kind::variant: {
      const std::uint64_t mask = allowed_mask(slot, limits);
      std::uint64_t n = 0;
      ++slot;
      for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
        if ((mask >> i & 1U) != 0)
          n = std::min(kMany, n + count_values(*type.alternatives[i], nullptr, slot, limits));
        slot = static_cast<std::uint16_t>(slot + type.alternatives[i]->slots);
      }
      return n;
    }
  }
  return kMany;
}

namespace {

void draw_part(const Type& type, const Field* field, void* object, std::uint16_t slot,
               std::span<const LimitData> limits, Dice& dice) {
  switch (type.kind) {
    case Kind::integer: {
      const IntegerBounds b = integer_bounds(type, field, slot, limits);
      type.set(object, b.lo <= b.hi ? dice.between(b.lo, b.hi) : b.lo);
      return;
    }
    case Kind::structure:
      for (const Field& f : type.fields) {
        draw_part(*f.type, &f, f.at(object), slot, limits, dice);
        slot = static_cast<std::uint16_t>(slot + f.type->slots);
      }
      return;
    case Kind::variant:
      draw_variant(type, object, slot, limits, dice);
      return;
    case Kind::list:
      draw_list(type, field, object, slot, limits, dice);
      return;
    case Kind::boolean: {
      const std::uint64_t mask = allowed_mask(slot, limits) & 3U;
      type.set(object, mask == 3 ? static_cast<std::int64_t>(dice.below(2)) : mask == 2 ? 1 : 0);
      return;
    }
    case Kind::enumeration: {
      const std::uint64_t mask = allowed_mask(slot, limits);
      const std::uint64_t n = ones(mask, type.enumerators.size());
      if (n == 0) return;
      type.set(object, type.enumerators[nth_bit(mask, dice.below(n))].value);
      return;
    }
    case Kind::number: {
      const NumberBounds b = number_bounds(field, slot, limits);
      const double u = dice.unit();
      const double lo = std::isfinite(b.lo) ? b.lo : std::isfinite(b.hi) ? b.hi - 1 : 0;
      const double hi = std::isfinite(b.hi) ? b.hi : lo + 1;
      *static_cast<double*>(object) = std::clamp(lo + (hi - lo) * u, lo, hi);
      return;
    }
    case Kind::text:
      draw_text(type, field, object, slot, limits, dice);
      return;
    case Kind::optional: {
      const unsigned may = allowed_presence(slot, limits);
      bool present = (may & 2U) != 0;
      const auto inner = static_cast<std::uint16_t>(slot + 1);
      if (may == 3) {
        const std::uint64_t n = count_values(*type.element, field, inner, limits);
        present = n >= kMany ? dice.below(2) == 1 : dice.below(n + 1) != 0;
      }
      type.resize(object, present ? 1 : 0);
      if (present) draw_part(*type.element, field, type.item(object, 0), inner, limits, dice);
      return;
    }
    case Kind::map: {
      type.resize(object, 0);
      if (const LimitData* l = limit_at(limits, slot, LimitKind::names))
        for (std::uint32_t i = 0; i < l->n; ++i)
          draw_part(*type.element, field, type.emplace(object, l->names[i]),
                    static_cast<std::uint16_t>(slot + 1), limits, dice);
      return;
    }
  }
}

}  // namespace

void draw_value(const Type& type, const Field* field, void* object, std::uint16_t slot,
                std::span<const LimitData> limits, Dice& dice) {
  /// Draws of how many elements there are, and of what else is chosen, until the sums can hold.
  constexpr int kTries = 16;
  const bool has_sums = slot == 0 && has_sum(limits);
  for (int i = 0; i < kTries; ++i) {
    draw_part(type, field, object, slot, limits, dice);
    if (!has_sums) return;
    if (fit_sums(type, object, limits, dice)) return mix_sums(type, object, limits, dice);
  }
}

}  // namespace agon::detail

namespace agon {

std::optional<std::string> only_value(const Type& type, std::span<const LimitData> limits) {
  if (detail::count_values(type, nullptr, 0, limits) != 1) return std::nullopt;
  Value value(type);
  Dice dice(0);
  detail::draw_value(type, nullptr, value.get(), 0, limits, dice);
  return write_json(type, value.get());
}

}  // namespace agon
