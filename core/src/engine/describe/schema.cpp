#include <agon/conversion.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "describe/limits_at.hpp"
#include "describe/value_text.hpp"
#include "json/write.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

struct SchemaWriter {
  std::span<const LimitData> limits;

  static std::string documentation(const Field* field) {
    if (field == nullptr) return {};
    std::string doc(field->doc);
    if (!field->unit.empty()) doc += " (" + std::string(field->unit) + ")";
    return doc;
  }

  bj::object schema(const Type& type, const Field* field, std::uint16_t slot) {
    bj::object s = bare(type, field, slot);
    const std::string doc = documentation(field);
    if (!doc.empty()) {
      std::string more;
      if (const auto* found = s.if_contains("description"))
        more = "; " + std::string(found->get_string());
      s["description"] = doc + more;
    }
    return s;
  }

  bj::object bare(const Type& type, const Field* field, std::uint16_t slot) {
    bj::object s;
    switch (type.kind) {
      case Kind::boolean: {
        s["type"] = "boolean";
        const std::uint64_t mask = allowed_mask(slot, limits) & 3U;
        if (mask == 1) s["enum"] = bj::array{false};
        if (mask == 2) s["enum"] = bj::array{true};
        return s;
      }
      case Kind::integer: {
        const IntegerBounds b = integer_bounds(type, field, slot, limits);
        s["type"] = type.decimals == 0 ? "integer" : "number";
        if (type.decimals != 0) s["multipleOf"] = 0.01;
        if (b.lo > type.low) s["minimum"] = bound(type, b.lo);
        if (b.hi < type.high) s["maximum"] = bound(type, b.hi);
        return s;
      }
      case Kind::number: {
        const NumberBounds b = number_bounds(field, slot, limits);
        s["type"] = "number";
        if (std::isfinite(b.lo)) s["minimum"] = b.lo;
        if (std::isfinite(b.hi)) s["maximum"] = b.hi;
        return s;
      }
      case Kind::text: {
        s["type"] = "string";
        if (const LimitData* l = limit_at(limits, slot, LimitKind::names)) {
          s["enum"] = names(l);
        } else {
          const LengthBounds b = length_bounds(type, field, slot, limits);
          if (b.lo > 0) s["minLength"] = 1;
          // The limit counts bytes; no text within it has more characters.
          if (b.hi < std::numeric_limits<std::size_t>::max()) s["maxLength"] = b.hi;
        }
        return s;
      }
      case Kind::enumeration: {
        s["type"] = "string";
        bj::array values;
        std::string docs;
        const std::uint64_t mask = allowed_mask(slot, limits);
        for (std::size_t i = 0; i < type.enumerators.size(); ++i) {
          if ((mask >> i & 1U) == 0) continue;
          const Enumerator& e = type.enumerators[i];
          values.emplace_back(bj::string(e.name));
          docs += (docs.empty() ? "" : "; ") + std::string(e.name) + ": " + std::string(e.doc);
        }
        s["enum"] = std::move(values);
        s["description"] = docs;
        return s;
      }
      case Kind::optional: {
        const unsigned may = allowed_presence(slot, limits);
        if (may == 1) {
          s["type"] = "null";
          return s;
        }
        bj::object inner = bare(*type.element, field, static_cast<std::uint16_t>(slot + 1));
        if (may == 2) return inner;
        s["anyOf"] = bj::array{std::move(inner), bj::object{{"type", "null"}}};
        return s;
      }
      case Kind::list:
        return list(type, field, slot);
      case Kind::map: {
        s["type"] = "object";
        bj::object properties;
        bj::array required;
        if (const LimitData* l = limit_at(limits, slot, LimitKind::names)) {
          for (std::uint32_t i = 0; i < l->n; ++i) {
            properties[l->names[i]] =
                bare(*type.element, field, static_cast<std::uint16_t>(slot + 1));
            required.emplace_back(bj::string(l->names[i]));
          }
        }
        s["properties"] = std::move(properties);
        s["required"] = std::move(required);
        s["additionalProperties"] = false;
        return s;
      }
      case Kind::structure:
        return structure(type, slot, nullptr);
      case Kind::variant: {
        bj::array any;
        const std::uint64_t mask = allowed_mask(slot, limits);
        for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
          if ((mask >> i & 1U) == 0) continue;
          const std::string tag = kind_of(*type.alternatives[i]);
          any.emplace_back(structure(*type.alternatives[i], alternative_slot(type, slot, i), &tag));
        }
        s["anyOf"] = std::move(any);
        return s;
      }
    }
    return s;
  }

  bj::object list(const Type& type, const Field* field, std::uint16_t slot) {
    bj::object s;
    s["type"] = "array";
    const LengthBounds b = length_bounds(type, field, slot, limits);
    const auto element = static_cast<std::uint16_t>(slot + 1);
    if (const LimitData* each = limit_at(limits, slot, LimitKind::each)) {
      std::int64_t most = each->lo;
      std::string text;
      for (std::uint32_t i = 0; i < each->n; ++i) {
        most = std::max<std::int64_t>(most, each->each[i]);
        text += (i == 0 ? "" : ", ") + integer_text(*type.element, each->each[i]);
      }
      s["items"] = bj::object{{"type", "integer"}, {"minimum", each->lo}, {"maximum", most}};
      s["description"] = "element by element at most " + text;
    } else {
      s["items"] = bare(*type.element, field, element);
    }
    if (b.lo > 0) s["minItems"] = b.lo;
    if (b.hi < std::numeric_limits<std::size_t>::max()) s["maxItems"] = b.hi;
    return s;
  }

  bj::object structure(const Type& type, std::uint16_t slot, const std::string* tag) {
    bj::object properties;
    bj::array required;
    if (tag != nullptr) {
      properties["kind"] = bj::object{{"type", "string"}, {"const", *tag}};
      required.emplace_back("kind");
    }
    for (const Field& f : type.fields) {
      properties[f.name] = schema(*f.type, &f, slot);
      required.emplace_back(bj::string(f.name));
      slot = static_cast<std::uint16_t>(slot + f.type->slots);
    }
    bj::object s;
    s["type"] = "object";
    s["properties"] = std::move(properties);
    s["required"] = std::move(required);
    s["additionalProperties"] = false;
    return s;
  }

  static bj::value bound(const Type& type, std::int64_t v) {
    if (type.decimals == 0 || v % 100 == 0) return type.decimals == 0 ? v : v / 100;
    return static_cast<double>(v) / 100;
  }
  static bj::array names(const LimitData* l) {
    bj::array list;
    for (std::uint32_t i = 0; i < l->n; ++i) list.emplace_back(bj::string(l->names[i]));
    return list;
  }
};

}  // namespace

std::string schema_json(const Type& type, std::span<const LimitData> limits) {
  SchemaWriter writer{limits};
  bj::object root = writer.bare(type, nullptr, 0);
  bj::object result;
  result["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  for (auto& entry : root) result[entry.key()] = std::move(entry.value());
  return json::write(bj::value(std::move(result)));
}

}  // namespace agon
