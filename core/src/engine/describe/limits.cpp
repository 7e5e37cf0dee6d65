#include "describe/limits.hpp"

#include <agon/conversion.hpp>
#include <agon/detail/typed_answer.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <boost/json/value.hpp>
#include <cmath>
#include <string>

#include "describe/value.hpp"
#include "json/path.hpp"
#include "text/language.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

using Steps = std::vector<json::Path::Step>;

constexpr ArenaLine kNoneOf("'{value}' is none of {names}");
constexpr ArenaLine kNotAllowed("'{value}' is not allowed now; choose one of {names}");

/// Of a length that must be another, is too small, is too large: of one, of several.
using Lengths = std::array<ArenaLine, 6>;
constexpr Lengths kElements{ArenaLine("{n} element, but it must be {bound}"),
                            ArenaLine("{n} elements, but it must be {bound}"),
                            ArenaLine("{n} element, fewer than {bound}"),
                            ArenaLine("{n} elements, fewer than {bound}"),
                            ArenaLine("{n} element, more than {bound}"),
                            ArenaLine("{n} elements, more than {bound}")};
constexpr Lengths kCharacters{ArenaLine("{n} character, but it must be {bound}"),
                              ArenaLine("{n} characters, but it must be {bound}"),
                              ArenaLine("{n} character, fewer than {bound}"),
                              ArenaLine("{n} characters, fewer than {bound}"),
                              ArenaLine("{n} character, more than {bound}"),
                              ArenaLine("{n} characters, more than {bound}")};
constexpr Lengths kEntries{ArenaLine("{n} entry, but it must be {bound}"),
                           ArenaLine("{n} entries, but it must be {bound}"),
                           ArenaLine("{n} entry, fewer than {bound}"),
                           ArenaLine("{n} entries, fewer than {bound}"),
                           ArenaLine("{n} entry, more than {bound}"),
                           ArenaLine("{n} entries, more than {bound}")};

Saying wrong_length(std::size_t n, LengthBounds b, const Lengths& of) {
  const std::size_t place = b.lo == b.hi ? 0 : n < b.lo ? 1 : 2;
  return {of[2 * place + (n == 1 ? 0 : 1)],
          {{"n", std::to_string(n)}, {"bound", std::to_string(n < b.lo ? b.lo : b.hi)}}};
}

/// Looks for what is wrong with a value. On the way back from a problem it collects the path, last
/// step first; while all is well it builds nothing.
struct Checker {
  std::span<const LimitData> limits;
  Saying what{};
  Steps steps{};

  bool fail(ArenaLine sentence, std::vector<Saying::Part> parts = {}) {
    return fail(Saying{sentence, std::move(parts)});
  }
  bool fail(Saying saying) {
    what = std::move(saying);
    return false;
  }
  bool at(std::string_view name) {
    steps.emplace_back(std::string(name));
    return false;
  }
  bool at(std::size_t index) {
    steps.emplace_back(index);
    return false;
  }

  bool check(const Type& type, const Field* field, const void* object, std::uint16_t slot) {
    switch (type.kind) {
      case Kind::integer: {
        const std::int64_t v = type.get(object);
        const IntegerBounds b = integer_bounds(type, field, slot, limits);
        if (v >= b.lo && v <= b.hi) return true;
        return fail(out_of_range(integer_text(type, v), v < b.lo, integer_text(type, b.lo),
                                 integer_text(type, b.hi)));
      }
      case Kind::structure:
        for (const Field& f : type.fields) {
          if (!check(*f.type, &f, f.at(const_cast<void*>(object)), slot)) return at(f.name);
          slot = static_cast<std::uint16_t>(slot + f.type->slots);
        }
        return true;
      case Kind::variant: {
        const std::size_t i = type.index(object);
        if ((allowed_mask(slot, limits) >> i & 1U) == 0)
          return fail(kind_refused(type, i, slot)), at("kind");
        return check(*type.alternatives[i], type.forms ? field : nullptr,
                     type.alternative(const_cast<void*>(object)), alternative_slot(type, slot, i));
      }
      case Kind::list:
        return check_list(type, field, object, slot);
      case Kind::boolean: {
        const std::int64_t v = type.get(object);
        if ((allowed_mask(slot, limits) >> v & 1U) != 0) return true;
        return fail(v != 0 ? ArenaLine("must be false now") : ArenaLine("must be true now"));
      }
      case Kind::enumeration: {
        const std::size_t i = enumerator_index(type, type.get(object));
        if (i < type.enumerators.size() && (allowed_mask(slot, limits) >> i & 1U) != 0) return true;
        const std::string_view name = i < type.enumerators.size() ? type.enumerators[i].name : "?";
        return fail(kNotAllowed, {{"value", std::string(name)}, {"names", choices(type, slot)}});
      }
      case Kind::number: {
        const double v = *static_cast<const double*>(object);
        const NumberBounds b = number_bounds(field, slot, limits);
        if (!std::isfinite(v)) return fail(ArenaLine("must be a finite number"));
        if (v >= b.lo && v <= b.hi) return true;
        return fail(out_of_range(number_text(v), v < b.lo, number_text(b.lo), number_text(b.hi)));
      }
      case Kind::text:
        return check_text(type, field, object, slot);
      case Kind::optional: {
        const bool present = type.count(object) != 0;
        if ((allowed_presence(slot, limits) & (present ? 2U : 1U)) == 0)
          return fail(present ? ArenaLine("must be null now") : ArenaLine("must not be null now"));
        return !present || check(*type.element, field, type.item(const_cast<void*>(object), 0),
                                 static_cast<std::uint16_t>(slot + 1));
      }
      case Kind::map:
        return check_map(type, field, object, slot);
    }
    return true;
  }

  bool check_list(const Type& type, const Field* field, const void* object, std::uint16_t slot) {
    const std::size_t n = type.count(object);
    const LengthBounds b = length_bounds(type, field, slot, limits);
    if (n < b.lo || n > b.hi) return fail(wrong_length(n, b, kElements));
    const LimitData* each = limit_at(limits, slot, LimitKind::each);
    for (std::size_t i = 0; i < n; ++i) {
      void* item = type.item(const_cast<void*>(object), i);
      if (!check(*type.element, field, item, static_cast<std::uint16_t>(slot + 1))) return at(i);
      if (each != nullptr) {
        const std::int64_t v = type.element->get(item);
        if (v < each->lo || v > each->each[i])
          return fail(out_of_range(integer_text(*type.element, v), v < each->lo,
                                   integer_text(*type.element, each->lo),
                                   integer_text(*type.element, each->each[i]))),
                 at(i);
      }
    }
    return true;
  }

  bool check_text(const Type& type, const Field* field, const void* object, std::uint16_t slot) {
    const std::string_view v = type.text(object);
    if (!text::is_utf8(v)) return fail(ArenaLine("is not valid UTF-8"));
    const LengthBounds b = length_bounds(type, field, slot, limits);
    // As a JSON Schema counts: signs of several bytes are one.
    const std::size_t n = text::width(v);
    if (n < b.lo || n > b.hi) return fail(wrong_length(n, b, kCharacters));
    if (const LimitData* l = limit_at(limits, slot, LimitKind::names)) {
      const std::span names(l->names, l->n);
      if (std::find(names.begin(), names.end(), v) == names.end())
        return fail(kNoneOf,
                    {{"value", text::shorten(v, kToldBack)}, {"names", text::joined(names)}});
    }
    return true;
  }

  bool check_map(const Type& type, const Field* field, const void* object, std::uint16_t slot) {
    const std::size_t n = type.count(object);
    if (const LimitData* l = limit_at(limits, slot, LimitKind::names)) {
      const std::span names(l->names, l->n);
      for (std::size_t i = 0; i < n; ++i)
        if (std::find(names.begin(), names.end(), type.key(object, i)) == names.end())
          return fail(kNoneOf, {{"value", text::shorten(type.key(object, i), kToldBack)},
                                {"names", text::joined(names)}});
      for (const std::string_view name : names) {
        std::size_t i = 0;
        while (i < n && type.key(object, i) != name) ++i;
        if (i == n) return fail(ArenaLine("'{value}' is missing"), {{"value", std::string(name)}});
      }
    }
    const LengthBounds b = length_bounds(type, field, slot, limits);
    if (n < b.lo || n > b.hi) return fail(wrong_length(n, b, kEntries));
    for (std::size_t i = 0; i < n; ++i)
      if (!check(*type.element, field, type.item(const_cast<void*>(object), i),
                 static_cast<std::uint16_t>(slot + 1)))
        return at(type.key(object, i));
    return true;
  }

  [[nodiscard]] std::string choices(const Type& type, std::uint16_t slot) const {
    std::string list;
    const std::uint64_t mask = allowed_mask(slot, limits);
    for (std::size_t i = 0; i < type.enumerators.size(); ++i)
      if ((mask >> i & 1U) != 0)
        list += (list.empty() ? "" : ", ") + std::string(type.enumerators[i].name);
    return list;
  }
  [[nodiscard]] Saying kind_refused(const Type& type, std::size_t i, std::uint16_t slot) const {
    std::string list;
    const std::uint64_t mask = allowed_mask(slot, limits);
    for (std::size_t k = 0; k < type.alternatives.size(); ++k)
      if ((mask >> k & 1U) != 0)
        list += (list.empty() ? "" : ", ") + kind_of(*type.alternatives[k]);
    return {kNotAllowed, {{"value", kind_of(*type.alternatives[i])}, {"names", std::move(list)}}};
  }
  static Saying out_of_range(std::string value, bool low, std::string lo, std::string hi) {
    return {
        low ? ArenaLine("{value} is less than {bound}") : ArenaLine("{value} is more than {bound}"),
        {{"value", std::move(value)}, {"bound", low ? std::move(lo) : std::move(hi)}}};
  }
};

}  // namespace

std::string Problem::text() const {
  return text(Language::english());
}

std::string Problem::text(const Language& language) const {
  const std::string said =
      language.is_english() || saying.sentence.empty() ? what : saying.in(language);
  return path.empty() || path == "$" ? said : path + ": " + said;
}

std::optional<std::string> find_part_problem(const Type& type, const Field* field,
                                             const void* object, std::uint16_t slot,
                                             std::span<const LimitData> limits,
                                             const Language& language) {
  Checker checker{limits};
  if (checker.check(type, field, object, slot)) return std::nullopt;
  return checker.what.in(language);
}

std::string length_problem(Kind kind, std::size_t n, std::size_t lo, std::size_t hi,
                           const Language& language) {
  const Lengths& lengths = kind == Kind::text  ? kCharacters
                           : kind == Kind::map ? kEntries
                                               : kElements;
  return wrong_length(n, {lo, hi}, lengths).in(language);
}

bool detail::is_legal_value(const Type& type, const Field* field, const void* object,
                            std::uint16_t slot, std::span<const LimitData> limits) {
  return Checker{limits}.check(type, field, object, slot) &&
         (slot != 0 || !find_broken_sum(type, object, limits));
}

std::optional<Problem> find_problem(const Type& type, const void* object,
                                    std::span<const LimitData> limits) {
  Checker checker{limits};
  json::Path path;
  if (checker.check(type, nullptr, object, 0)) {
    auto broken = find_broken_sum(type, object, limits);
    if (!broken) return std::nullopt;
    for (const std::string& step : broken->path) path = path / step;
    return Problem{path.str(), broken->what.in(Language::english()), Fault::illegal,
                   std::move(broken->what)};
  }
  for (auto step = checker.steps.rbegin(); step != checker.steps.rend(); ++step) {
    if (const auto* name = std::get_if<std::string>(&*step))
      path = path / *name;
    else
      path = path[std::get<std::size_t>(*step)];
  }
  return Problem{path.str(), checker.what.in(Language::english()), Fault::illegal,
                 std::move(checker.what)};
}

}  // namespace agon

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

void draw_optional(const Type& type, const Field* field, void* object, std::uint16_t slot,
                   std::span<const LimitData> limits, Dice& dice) {
  const unsigned may = allowed_presence(slot, limits);
  bool present = (may & 2U) != 0;
  const auto inner = static_cast<std::uint16_t>(slot + 1);
  if (may == 3) {
    const std::uint64_t n = count_values(*type.element, field, inner, limits);
    present = n >= kMany ? dice.below(2) == 1 : dice.below(n + 1) != 0;
  }
  type.resize(object, present ? 1 : 0);
  if (present) draw_part(*type.element, field, type.item(object, 0), inner, limits, dice);
}

std::uint64_t count_lists(const Type& type, const Field* field, std::uint16_t slot,
                          std::span<const LimitData> limits) {
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
  for (std::size_t i = b.lo; i <= b.hi; ++i, n = times(n, size)) total = std::min(kMany, total + n);
  return total;
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
    case Kind::list:
      return count_lists(type, field, slot, limits);
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
    case Kind::optional:
      draw_optional(type, field, object, slot, limits, dice);
      return;
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
