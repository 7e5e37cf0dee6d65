#include "describe/problem.hpp"

#include <agon/conversion.hpp>
#include <agon/detail/typed_answer.hpp>
#include <array>
#include <boost/json/value.hpp>
#include <cmath>

#include "describe/limits_at.hpp"
#include "describe/sums.hpp"
#include "describe/value_text.hpp"
#include "json/path.hpp"
#include "text/arena_sentences.hpp"
#include "text/utf8.hpp"

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
        return fail(kNoneOf, {{"value", text::shorten(v, kToldBack)}, {"names", join(names)}});
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
                                {"names", join(names)}});
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
  static std::string join(std::span<const std::string_view> names) {
    std::string list;
    for (const std::string_view name : names)
      list += (list.empty() ? "" : ", ") + std::string(name);
    return list;
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
