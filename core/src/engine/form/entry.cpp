#include <agon/conversion.hpp>
#include <agon/form.hpp>
#include <agon/number_text.hpp>
#include <algorithm>
#include <cmath>

#include "describe/limits.hpp"
#include "describe/value.hpp"
#include "form/form.hpp"
#include "json/write.hpp"
#include "text/language.hpp"
#include "text/layout.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::form {
namespace {

std::string in_quotes(std::string_view line) {
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

/// True for a whole number times a power of ten, as in `1e-09`.
bool has_exponent(std::string_view line) {
  return line.find_first_of("eE") != std::string_view::npos && line[0] != 'e' && line[0] != 'E' &&
         line.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
}

bool is_legal(const AnswerPart& place, std::string_view json) {
  const Value value(*place.type);
  return !read_json(*place.type, const_cast<void*>(value.get()), json) &&
         !find_part_problem(*place.type, place.field, value.get(), place.slot, place.limits);
}

Typed read_number(const AnswerPart& place, std::string_view line, const Language& language) {
  std::string_view unit = place.field == nullptr ? std::string_view() : place.field->unit;
  // Amounts of money are in dollars, unless their field says otherwise.
  if (unit.empty() && place.type->decimals == 2) unit = "dollars";
  NumberText number = read_number_text(line, language.own_text(unit));
  // English decimals, where the bounds leave nothing else to be meant.
  if (!number.other.empty() && !is_legal(place, number.meant)) number.json = number.other;
  if (!number.json.empty()) return {std::move(number.json), {}};
  if (!number.other.empty())
    return {
        {},
        language.say(ArenaLine("{given} may mean {one} or {other}: write the one that you mean"),
                     {{"given", in_quotes(line)}, {"one", number.meant}, {"other", number.other}})};
  if (!number.meant.empty())
    return {
        {},
        language.say(ArenaLine("{given} is not certain: write {number} if that is what you mean"),
                     {{"given", in_quotes(line)}, {"number", number.meant}})};
  const auto value = text::number_in<double>(line);
  if (!has_exponent(line) || !value)
    return {{}, language.say(ArenaLine("{given} is not a number"), {{"given", in_quotes(line)}})};
  Typed typed;
  json::append_number(typed.json, *value);
  return typed;
}

Typed read_leaf(const AnswerPart& place, std::string_view line, const Language& language) {
  const Type& type = *place.type;
  if (type.kind != Kind::text && line.empty())
    return {{}, std::string(language.text(ArenaLine("something has to be entered here")))};
  switch (type.kind) {
    case Kind::boolean: {
      const auto yes = yes_or_no(line);
      if (!yes)
        return {
            {},
            language.say(ArenaLine("{given} is neither yes nor no"), {{"given", in_quotes(line)}})};
      const std::uint64_t mask = allowed_mask(place.slot, place.limits);
      if ((mask >> (*yes ? 1U : 0U) & 1U) == 0)
        return {{},
                std::string(language.text(*yes ? ArenaLine("only no is possible now")
                                               : ArenaLine("only yes is possible now")))};
      return {*yes ? "true" : "false", {}};
    }
    case Kind::integer:
    case Kind::number:
      return read_number(place, line, language);
    case Kind::enumeration:
      return read_choice(choices_at(place), line, language);
    default: {
      if (!text::is_utf8(line))
        return {{}, std::string(language.text(ArenaLine("is not valid UTF-8")))};
      Typed typed;
      json::append_string(typed.json, line);
      return typed;
    }
  }
}

/// The text with one word in the place of another, wherever that stands by itself.
void replace_word(std::string& text, std::string_view word, std::string_view by) {
  const auto is_letter = [&](std::size_t at) {
    return at < text.size() && ((text[at] >= 'a' && text[at] <= 'z') || text[at] == '_');
  };
  for (std::size_t at = text.find(word); at != std::string::npos;) {
    const bool alone = !(at > 0 && is_letter(at - 1)) && !is_letter(at + word.size());
    if (alone) text.replace(at, word.size(), by);
    at = text.find(word, at + (alone ? by.size() : word.size()));
  }
}

}  // namespace

AnswerPart inside(const AnswerPart& place) {
  return {place.type->element, place.field, static_cast<std::uint16_t>(place.slot + 1),
          place.limits};
}

AnswerPart element_at(const AnswerPart& list, std::size_t i, std::vector<LimitData>& narrowed) {
  AnswerPart place = inside(list);
  const LimitData* each = limit_at(list.limits, list.slot, LimitKind::each);
  if (each == nullptr) return place;
  const IntegerBounds b = integer_bounds(*place.type, place.field, place.slot, place.limits);
  LimitData own;
  own.slot = place.slot;
  own.lo = std::max(b.lo, each->lo);
  own.hi = std::min<std::int64_t>(b.hi, each->each[i]);
  narrowed.assign(1, own);
  narrowed.insert(narrowed.end(), list.limits.begin(), list.limits.end());
  place.limits = narrowed;
  return place;
}

std::string doc_for_people(const Field& field, const Language& language) {
  std::string doc(language.own_text(field.doc));
  const Type& type = field.type->kind == Kind::optional ? *field.type->element : *field.type;
  if (type.kind == Kind::boolean) {
    replace_word(doc, "true", language.text(ArenaLine("yes")));
    replace_word(doc, "false", language.text(ArenaLine("no")));
  }
  if (field.type->kind == Kind::optional)
    replace_word(doc, "null", language.text(ArenaLine("none")));
  return doc;
}

std::string name_for_people(std::string_view name) {
  std::string words(name);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
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

std::vector<Choice> choices_at(const AnswerPart& place) {
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
        const Type& one = *type.alternatives[i];
        choices.push_back({kind_of(one), text::joined(one.fields, ", ", &Field::name)});
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

std::string hint_at(const AnswerPart& place) {
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
      if (hint != "a line of text") hint += " characters";
      return b.lo == 0 ? hint + ", or leave empty" : hint;
    }
    case Kind::enumeration:
      return "a name or its number";
    case Kind::optional: {
      const unsigned may = allowed_presence(place.slot, place.limits);
      if (may == 1) return "none";
      std::string hint = hint_at(inside(place));
      if ((may & 1U) == 0) return hint;
      return hint + (hint.ends_with("leave empty") ? "" : ", or leave empty") + " for none";
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
  const auto n = text::number_in<std::size_t>(line);
  if (n && *n >= 1 && *n <= choices.size()) return *n - 1;
  return std::nullopt;
}

std::optional<bool> yes_or_no(std::string_view line) {
  const std::string word = text::lower(line);
  if (word == "y" || word == "yes" || word == "true") return true;
  if (word == "n" || word == "no" || word == "false") return false;
  return std::nullopt;
}

Typed read_choice(const std::vector<Choice>& choices, std::string_view line,
                  const Language& language) {
  if (trim(line).empty()) return {{}, std::string(language.text(ArenaLine("choose one of these")))};
  if (const auto i = pick(choices, line)) {
    Typed typed;
    json::append_string(typed.json, choices[*i].name);
    return typed;
  }
  std::string problem =
      language.say(ArenaLine("{given} is none of the choices"), {{"given", in_quotes(line)}});
  if (language.is_english()) {
    std::vector<std::string> names;
    for (const Choice& c : choices) names.push_back(c.name);
    problem += text::did_you_mean(line, names);
  }
  return {{}, std::move(problem)};
}

Typed read_entry(const AnswerPart& place, std::string_view line, const Language& language) {
  const Type& type = *place.type;
  const bool optional = type.kind == Kind::optional;
  const AnswerPart leaf = optional ? inside(place) : place;
  if (leaf.type->kind != Kind::text) line = trim(line);
  const std::string word = text::lower(trim(line));
  const unsigned may = optional ? allowed_presence(place.slot, place.limits) : 2U;
  Typed typed;
  if (optional && (word.empty() || word == "none" || word == "null")) {
    if ((may & 1U) == 0)
      return {{}, std::string(language.text(ArenaLine("something has to be entered here")))};
    typed.json = "null";
  } else if ((may & 2U) == 0) {
    return {{}, std::string(language.text(ArenaLine("nothing can be entered here now")))};
  } else if (leaf.type->kind == Kind::text &&
             limit_at(leaf.limits, leaf.slot, LimitKind::names) != nullptr) {
    typed = read_choice(choices_at(leaf), trim(line), language);
  } else {
    typed = read_leaf(leaf, line, language);
  }
  if (!typed.problem.empty()) return typed;

  Value value(type);
  if (auto problem = read_json(type, value.get(), typed.json, {}, Missing::is_wrong)) {
    problem->path.clear();
    return {{}, problem->text(language)};
  }
  if (auto problem =
          find_part_problem(type, place.field, value.get(), place.slot, place.limits, language))
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

namespace agon {
namespace {

using form::AnswerPart;
using form::Choice;

/// The rows of an outline.
void outline_rows(const AnswerPart& place, const std::string& label, text::TextTable& table) {
  const Type& type = *place.type;
  const std::string doc = place.field == nullptr ? "" : form::doc_for_people(*place.field);
  const auto below = [&](const Type& structure, std::uint16_t slot) {
    for (const Field& f : structure.fields) {
      outline_rows({f.type, &f, slot, place.limits},
                   label.empty() ? std::string(f.name) : label + "." + std::string(f.name), table);
      slot = static_cast<std::uint16_t>(slot + f.type->slots);
    }
  };
  if (form::fits_a_line(type)) {
    table.add({label, form::hint_at(place), doc});
    for (const Choice& c : form::choices_at(place)) table.add({"", "  " + c.name, c.doc});
    return;
  }
  switch (type.kind) {
    case Kind::structure:
      if (!label.empty() && !doc.empty()) table.add({label, "", doc});
      return below(type, place.slot);
    case Kind::variant:
      table.add({label, "one of", doc});
      for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
        if ((allowed_mask(place.slot, place.limits) >> i & 1U) == 0) continue;
        table.add({"", "  " + kind_of(*type.alternatives[i]), ""});
        below(*type.alternatives[i], alternative_slot(type, place.slot, i));
      }
      return;
    case Kind::optional:
      table.add({label, "may be none", doc});
      return outline_rows(
          {type.element, nullptr, static_cast<std::uint16_t>(place.slot + 1), place.limits}, label,
          table);
    case Kind::map: {
      std::string keys;
      if (const LimitData* l = limit_at(place.limits, place.slot, LimitKind::names))
        keys = text::joined(std::span(l->names, l->n));
      table.add({label, "a value each for " + (keys.empty() ? "any names" : keys), doc});
      return outline_rows(inside(place), label + " of ...", table);
    }
    default: {
      const LengthBounds b = length_bounds(type, place.field, place.slot, place.limits);
      std::string n = std::to_string(b.lo);
      if (b.hi != b.lo)
        n = b.hi == std::numeric_limits<std::size_t>::max() ? n + " or more"
                                                            : n + " to " + std::to_string(b.hi);
      if (const LimitData* each = limit_at(place.limits, place.slot, LimitKind::each)) {
        n += " values, at most";
        for (std::uint32_t i = 0; i < each->n; ++i)
          n += (i == 0 ? " " : ", ") + integer_text(*type.element, each->each[i]);
        return table.add({label, n, doc});
      }
      table.add({label, n + " of these", doc});
      return outline_rows(inside(place), label + " 1, 2, ...", table);
    }
  }
}

}  // namespace

std::string Form::outline() const {
  text::TextTable table({{"entry"}, {"what fits"}, {"meaning"}});
  outline_rows({&type_, nullptr, 0, limits_}, "", table);
  for (const LimitData& limit : limits_) {
    if (limit.kind != LimitKind::sum) continue;
    const SumHolder holder = holder_of(limit, type_);
    table.add(
        {text::joined(holder.path, "."), sum_in_words(limit, holder, Language::english()), ""});
  }
  const Value example(type_);
  return (table.empty() ? std::string() : table.str()) +
         "As JSON it looks like this: " + text::printable(write_json(type_, example.get())) + "\n";
}

}  // namespace agon
