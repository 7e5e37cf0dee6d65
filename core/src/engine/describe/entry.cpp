#include "describe/entry.hpp"

#include <agon/conversion.hpp>
#include <charconv>
#include <cmath>

#include "describe/limits_at.hpp"
#include "describe/problem.hpp"
#include "describe/value.hpp"
#include "describe/value_text.hpp"
#include "json/write.hpp"
#include "text/lower.hpp"
#include "text/nearest.hpp"
#include "text/utf8.hpp"

namespace agon::form {
namespace {

std::string quoted(std::string_view line) {
  return "'" + text::printable(text::shorten(line, 40)) + "'";
}

/// "0 to 10", "0 or more", "10 or less", or nothing.
std::string span_text(const std::string& lo, const std::string& hi) {
  if (lo.empty() && hi.empty()) return {};
  if (hi.empty()) return lo + " or more";
  if (lo.empty()) return hi + " or less";
  return lo == hi ? lo : lo + " to " + hi;
}

std::string with_unit(std::string text, const Field* field, std::string_view otherwise) {
  if (text.empty()) text = otherwise;
  if (field != nullptr && !field->unit.empty())
    text += (text.empty() ? "" : " ") + std::string(field->unit);
  return text;
}

/// A number as JSON writes it, from one as people write it; empty if it is none.
std::string number_json(std::string_view line) {
  if (line.starts_with('+')) line.remove_prefix(1);
  const bool negative = line.starts_with('-');
  std::string_view digits = line.substr(negative ? 1 : 0);
  if (digits.empty() || (digits[0] != '.' && (digits[0] < '0' || digits[0] > '9'))) return {};
  double value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (end != line.data() + line.size() || error != std::errc{}) return {};
  // JSON knows neither leading zeros nor a bare point.
  while (digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9')
    digits.remove_prefix(1);
  std::string text = (negative ? "-" : "") + std::string(digits[0] == '.' ? "0" : "");
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const bool bare =
        digits[i] == '.' && (i + 1 == digits.size() || digits[i + 1] < '0' || digits[i + 1] > '9');
    if (!bare) text += digits[i];
  }
  return text;
}

Typed read_choice(const std::vector<Choice>& choices, std::string_view line) {
  const auto i = pick(choices, line);
  if (!i) {
    std::vector<std::string> names;
    for (const Choice& c : choices) names.push_back(c.name);
    return {{}, quoted(line) + " is none of the choices" + text::did_you_mean(line, names)};
  }
  Typed typed;
  json::append_string(typed.json, choices[*i].name);
  return typed;
}

Typed read_leaf(const Place& place, std::string_view line) {
  const Type& type = *place.type;
  switch (type.kind) {
    case Kind::boolean: {
      const auto yes = yes_or_no(line);
      if (!yes) return {{}, quoted(line) + " is neither yes nor no"};
      return {*yes ? "true" : "false", {}};
    }
    case Kind::integer:
    case Kind::number: {
      std::string json = number_json(line);
      if (json.empty()) return {{}, quoted(line) + " is not a number"};
      return {std::move(json), {}};
    }
    case Kind::enumeration:
      return read_choice(choices_at(place), line);
    default: {
      if (!text::is_utf8(line)) return {{}, "this is not valid UTF-8"};
      Typed typed;
      json::append_string(typed.json, line);
      return typed;
    }
  }
}

}  // namespace

Place inside(const Place& place) {
  return {place.type->element, place.field, static_cast<std::uint16_t>(place.slot + 1),
          place.limits};
}

std::string_view trim(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

bool fits_a_line(const Type& type) {
  switch (type.kind) {
    case Kind::boolean:
    case Kind::integer:
    case Kind::number:
    case Kind::text:
    case Kind::enumeration:
      return true;
    case Kind::optional:
      return type.element->kind != Kind::optional && fits_a_line(*type.element);
    default:
      return false;
  }
}

std::vector<Choice> choices_at(const Place& place) {
  std::vector<Choice> choices;
  const Type& type = *place.type;
  const std::uint64_t mask = allowed_mask(place.slot, place.limits);
  switch (type.kind) {
    case Kind::enumeration:
      for (std::size_t i = 0; i < type.enumerators.size(); ++i)
        if ((mask >> i & 1U) != 0)
          choices.push_back(
              {std::string(type.enumerators[i].name), std::string(type.enumerators[i].doc)});
      return choices;
    case Kind::variant:
      for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
        if ((mask >> i & 1U) == 0) continue;
        std::string members;
        for (const Field& f : type.alternatives[i]->fields)
          members += (members.empty() ? "" : ", ") + std::string(f.name);
        choices.push_back({kind_of(*type.alternatives[i]), std::move(members)});
      }
      return choices;
    case Kind::text:
      if (const LimitData* l = limit_at(place.limits, place.slot, LimitKind::names))
        for (std::uint32_t i = 0; i < l->n; ++i) choices.push_back({std::string(l->names[i]), {}});
      return choices;
    case Kind::optional:
      return choices_at(inside(place));
    default:
      return choices;
  }
}

std::string hint_at(const Place& place) {
  const Type& type = *place.type;
  switch (type.kind) {
    case Kind::boolean: {
      const std::uint64_t mask = allowed_mask(place.slot, place.limits) & 3U;
      return mask == 1 ? "no" : mask == 2 ? "yes" : "yes or no";
    }
    case Kind::integer: {
      const IntegerBounds b = integer_bounds(type, place.field, place.slot, place.limits);
      return with_unit(span_text(b.lo > type.low ? integer_text(type, b.lo) : "",
                                 b.hi < type.high ? integer_text(type, b.hi) : ""),
                       place.field, type.decimals == 0 ? "a whole number" : "an amount");
    }
    case Kind::number: {
      const NumberBounds b = number_bounds(place.field, place.slot, place.limits);
      return with_unit(span_text(std::isfinite(b.lo) ? number_text(b.lo) : "",
                                 std::isfinite(b.hi) ? number_text(b.hi) : ""),
                       place.field, "a number");
    }
    case Kind::text: {
      if (limit_at(place.limits, place.slot, LimitKind::names) != nullptr) return "a name";
      const LengthBounds b = length_bounds(type, place.field, place.slot, place.limits);
      std::string hint = "a line of text";
      if (b.lo > 0) hint += ", at least " + std::to_string(b.lo);
      if (b.hi != std::numeric_limits<std::size_t>::max())
        hint += (b.lo > 0 ? " and at most " : ", at most ") + std::to_string(b.hi);
      return hint == "a line of text" ? hint : hint + " characters";
    }
    case Kind::enumeration:
      return "a name or its number";
    case Kind::optional: {
      const unsigned may = allowed_presence(place.slot, place.limits);
      if (may == 1) return "none";
      const std::string hint = hint_at(inside(place));
      return (may & 1U) == 0 ? hint : hint + ", or none";
    }
    default:
      return {};
  }
}

std::optional<std::size_t> pick(const std::vector<Choice>& choices, std::string_view line) {
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (choices[i].name == line) return i;
  const std::string wanted = text::lower(line);
  if (wanted.empty()) return std::nullopt;
  std::optional<std::size_t> found;
  int matches = 0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::string name = text::lower(choices[i].name);
    if (name == wanted) return i;
    if (name.starts_with(wanted)) found = i, ++matches;
  }
  if (matches == 1) return found;
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), n);
  if (error == std::errc{} && end == line.data() + line.size() && n >= 1 && n <= choices.size())
    return n - 1;
  return std::nullopt;
}

std::optional<bool> yes_or_no(std::string_view line) {
  const std::string word = text::lower(line);
  if (word == "y" || word == "yes" || word == "true") return true;
  if (word == "n" || word == "no" || word == "false") return false;
  return std::nullopt;
}

Typed read_entry(const Place& place, std::string_view line) {
  const Type& type = *place.type;
  const bool optional = type.kind == Kind::optional;
  const Place leaf = optional ? inside(place) : place;
  if (leaf.type->kind != Kind::text) line = trim(line);
  const std::string word = text::lower(trim(line));
  Typed typed;
  if (optional && (word.empty() || word == "none" || word == "null"))
    typed.json = "null";
  else if (leaf.type->kind == Kind::text &&
           limit_at(leaf.limits, leaf.slot, LimitKind::names) != nullptr)
    typed = read_choice(choices_at(leaf), trim(line));
  else
    typed = read_leaf(leaf, line);
  if (!typed.problem.empty()) return typed;

  Value value(type);
  if (const auto problem = read_json(type, value.get(), typed.json, {}, Missing::is_wrong))
    return {{}, problem->what};
  if (auto problem = find_part_problem(type, place.field, value.get(), place.slot, place.limits))
    return {{}, std::move(*problem)};
  return typed;
}

std::string entry_text(const Type& type, const void* object) {
  switch (type.kind) {
    case Kind::boolean:
      return type.get(object) != 0 ? "yes" : "no";
    case Kind::text:
      return text::printable(type.text(object));
    case Kind::integer:
      return integer_text(type, type.get(object));
    case Kind::number:
      return number_text(*static_cast<const double*>(object));
    case Kind::enumeration: {
      const std::size_t i = enumerator_index(type, type.get(object));
      return i < type.enumerators.size() ? std::string(type.enumerators[i].name) : "?";
    }
    case Kind::optional:
      if (type.count(object) == 0) return "none";
      return entry_text(*type.element, type.item(const_cast<void*>(object), 0));
    default:
      return write_json(type, object);
  }
}

}  // namespace agon::form
