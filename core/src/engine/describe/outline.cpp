#include <agon/conversion.hpp>
#include <agon/form.hpp>

#include "describe/entry.hpp"
#include "describe/limits_at.hpp"
#include "describe/sums.hpp"
#include "describe/value.hpp"
#include "describe/value_text.hpp"
#include "text/table.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

using form::Choice;
using form::Place;

/// The rows of an outline.
void outline_rows(const Place& place, const std::string& label, text::Table& table) {
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
        for (std::uint32_t i = 0; i < l->n; ++i)
          keys += (i == 0 ? "" : ", ") + std::string(l->names[i]);
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
  text::Table table({{"entry"}, {"what fits"}, {"meaning"}});
  outline_rows({&type_, nullptr, 0, limits_}, "", table);
  for (const LimitData& limit : limits_) {
    if (limit.kind != LimitKind::sum) continue;
    const SumHolder holder = holder_of(limit, type_);
    std::string where;
    for (const std::string& step : holder.path) where += (where.empty() ? "" : ".") + step;
    table.add({where, sum_in_words(limit, holder, Language::english()), ""});
  }
  const Value example(type_);
  return (table.empty() ? std::string() : table.str()) +
         "As JSON it looks like this: " + text::printable(write_json(type_, example.get())) + "\n";
}

}  // namespace agon
