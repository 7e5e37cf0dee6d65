#include "describe/schema.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/object.hpp>
#include <boost/json/storage_ptr.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <optional>
#include <utility>

#include "describe/limits.hpp"
#include "describe/value.hpp"
#include "json/write.hpp"
#include "text/language.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

constexpr std::string_view kDraft = "https://json-schema.org/draft/2020-12/schema";

/// What a schema is for: an answer, which says everything; a file, which may leave out what has a
/// default; settings over others, which may leave out anything.
enum class SchemaUse : std::uint8_t { answer, file, over_others };

struct SchemaWriter {
  std::span<const LimitData> limits;
  SchemaUse use = SchemaUse::answer;
  const Language& language = Language::english();
  std::vector<std::pair<const LimitData*, SumHolder>> sums{};
  bj::storage_ptr memory{};  ///< of all parts

  [[nodiscard]] std::string documentation(const Field* field) const {
    if (field == nullptr) return {};
    std::string doc(language.text(field->doc));
    if (field->unit.empty()) return doc;
    return language.say(ArenaLine("{doc} ({unit})"),
                        {{"doc", doc}, {"unit", std::string(language.text(field->unit))}});
  }

  /// Says what numbers add up to where all of them are in sight: no schema can.
  void say_sums(bj::object& s, const Type& type, std::uint16_t slot) const {
    for (const auto& [sum, holder] : sums) {
      if (holder.type != &type || holder.slot != slot) continue;
      std::string text = sum_in_words(*sum, holder, language);
      if (const auto* said = s.if_contains("description"))
        text = std::string(said->get_string()) + "; " + text;
      s["description"] = text;
    }
  }

  bj::object schema(const Type& type, const Field* field, std::uint16_t slot) {
    bj::object s = use == SchemaUse::answer || field == nullptr ? bare(type, field, slot)
                                                                : in_file(*field, slot);
    const std::string doc = documentation(field);
    if (!doc.empty()) {
      std::string more;
      if (const auto* found = s.if_contains("description"))
        more = "; " + std::string(found->get_string());
      s["description"] = doc + more;
    }
    return s;
  }

  /// A member of a file that may be something else than the value itself.
  bj::object in_file(const Field& field, std::uint16_t slot) {
    const bj::object text{{"type", "string"}};
    if (field.data.empty()) return bare(*field.type, &field, slot);
    if (field.data == "json-values") return {{"type", "object"}};
    if (field.data == "json" && field.type->kind == Kind::text) return {};
    bj::array forms{text};
    if (field.data == "json") {
      const bj::object list{{"type", "array"}};
      forms.emplace_back(list);
      forms.emplace_back(bj::object{{"type", "object"}, {"additionalProperties", list}});
    } else {
      forms.emplace_back(bare(*field.type, &field, slot));
    }
    return {{"anyOf", std::move(forms)}};
  }

  bj::object bare(const Type& type, const Field* field, std::uint16_t slot) {
    bj::object s(memory);
    switch (type.kind) {
      case Kind::boolean: {
        s["type"] = "boolean";
        const std::uint64_t mask = allowed_mask(slot, limits) & 3U;
        if (mask == 1) s["enum"] = bj::array{false};
        if (mask == 2) s["enum"] = bj::array{true};
        return s;
      }
      case Kind::integer:
        return integer(type, field, slot);
      case Kind::number: {
        const NumberBounds b = number_bounds(field, slot, limits);
        s["type"] = "number";
        if (std::isfinite(b.lo)) s["minimum"] = b.lo;
        if (std::isfinite(b.hi)) s["maximum"] = b.hi;
        say_sums(s, type, slot);
        return s;
      }
      case Kind::text:
        return text(type, field, slot);
      case Kind::enumeration:
        return enumeration(type, slot);
      case Kind::optional: {
        const unsigned may = allowed_presence(slot, limits);
        if (may == 1) {
          s["type"] = "null";
          return s;
        }
        bj::object inner = bare(*type.element, field, static_cast<std::uint16_t>(slot + 1));
        if (may == 2 || (field != nullptr && field->left_out)) return inner;
        bj::array any(memory);
        any.emplace_back(std::move(inner));
        any.emplace_back(bj::object({{"type", "null"}}, memory));
        s["anyOf"] = std::move(any);
        return s;
      }
      case Kind::list:
        return list(type, field, slot);
      case Kind::map:
        return map(type, field, slot);
      case Kind::structure:
        return structure(type, slot, nullptr);
      case Kind::variant:
        return variant(type, field, slot);
    }
    return s;
  }

  bj::object integer(const Type& type, const Field* field, std::uint16_t slot) {
    bj::object s(memory);
    const IntegerBounds b = integer_bounds(type, field, slot, limits);
    s["type"] = type.decimals == 0 ? "integer" : "number";
    // Validators reckon in doubles, where few amounts are a multiple of that.
    if (type.decimals != 0 && use == SchemaUse::answer) s["multipleOf"] = 0.01;
    if (bj::array listed = numbers(limit_at(limits, slot, LimitKind::names), type, b);
        !listed.empty()) {
      s["enum"] = std::move(listed);
      say_sums(s, type, slot);
      return s;
    }
    // Who writes a file is told the bounds of the type itself too.
    if (b.lo > type.low || use != SchemaUse::answer) s["minimum"] = bound(type, b.lo);
    if (b.hi < type.high || use != SchemaUse::answer) s["maximum"] = bound(type, b.hi);
    say_sums(s, type, slot);
    return s;
  }

  bj::object text(const Type& type, const Field* field, std::uint16_t slot) {
    bj::object s(memory);
    if (type.any_json) return s;
    s["type"] = "string";
    if (const LimitData* l = limit_at(limits, slot, LimitKind::names)) {
      s["enum"] = names(l);
    } else {
      const LengthBounds b = length_bounds(type, field, slot, limits);
      if (b.lo > 0) s["minLength"] = b.lo;
      if (b.hi < std::numeric_limits<std::size_t>::max()) s["maxLength"] = b.hi;
    }
    return s;
  }

  bj::object enumeration(const Type& type, std::uint16_t slot) {
    bj::object s(memory);
    s["type"] = "string";
    bj::array values(memory);
    std::string docs;
    const std::uint64_t mask = allowed_mask(slot, limits);
    for (std::size_t i = 0; i < type.enumerators.size(); ++i) {
      if ((mask >> i & 1U) == 0) continue;
      const Enumerator& e = type.enumerators[i];
      values.emplace_back(bj::string(e.name, memory));
      docs += (docs.empty() ? "" : "; ") + std::string(e.name) + ": " +
              std::string(language.text(e.doc));
    }
    s["enum"] = std::move(values);
    s["description"] = docs;
    return s;
  }

  bj::object map(const Type& type, const Field* field, std::uint16_t slot) {
    bj::object s(memory);
    s["type"] = "object";
    if (use != SchemaUse::answer) {
      if (const LengthBounds b = length_bounds(type, field, slot, limits); b.lo > 0)
        s["minProperties"] = b.lo;
      s["additionalProperties"] = element(type, field, slot);
      return s;
    }
    bj::object properties(memory);
    bj::array required(memory);
    if (const LimitData* l = limit_at(limits, slot, LimitKind::names)) {
      for (std::uint32_t i = 0; i < l->n; ++i) {
        properties[l->names[i]] = bare(*type.element, field, static_cast<std::uint16_t>(slot + 1));
        required.emplace_back(bj::string(l->names[i], memory));
      }
    }
    s["properties"] = std::move(properties);
    s["required"] = std::move(required);
    s["additionalProperties"] = false;
    say_sums(s, type, slot);
    return s;
  }

  bj::object variant(const Type& type, const Field* field, std::uint16_t slot) {
    bj::object s(memory);
    bj::array any(memory);
    const std::uint64_t mask = allowed_mask(slot, limits);
    for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
      if ((mask >> i & 1U) == 0) continue;
      if (type.forms) {
        any.emplace_back(bare(*type.alternatives[i], field, alternative_slot(type, slot, i)));
        continue;
      }
      const std::string tag = kind_of(*type.alternatives[i]);
      any.emplace_back(structure(*type.alternatives[i], alternative_slot(type, slot, i), &tag));
    }
    s["anyOf"] = std::move(any);
    return s;
  }

  /// One of many: over nothing, wherever the many stand.
  bj::object element(const Type& type, const Field* field, std::uint16_t slot) {
    const SchemaUse around = std::exchange(use, use == SchemaUse::answer ? use : SchemaUse::file);
    bj::object s = bare(*type.element, field, static_cast<std::uint16_t>(slot + 1));
    use = around;
    return s;
  }

  bj::object list(const Type& type, const Field* field, std::uint16_t slot) {
    bj::object s(memory);
    s["type"] = "array";
    const LengthBounds b = length_bounds(type, field, slot, limits);
    if (const LimitData* each = limit_at(limits, slot, LimitKind::each)) {
      std::int64_t most = each->lo;
      std::string text;
      for (std::uint32_t i = 0; i < each->n; ++i) {
        most = std::max<std::int64_t>(most, each->each[i]);
        text += (i == 0 ? "" : ", ") + integer_text(*type.element, each->each[i]);
      }
      s["items"] = bj::object{{"type", "integer"}, {"minimum", each->lo}, {"maximum", most}};
      s["description"] =
          language.say(ArenaLine("element by element at most {numbers}"), {{"numbers", text}});
    } else {
      s["items"] = element(type, field, slot);
    }
    if (b.lo > 0) s["minItems"] = b.lo;
    if (b.hi < std::numeric_limits<std::size_t>::max()) s["maxItems"] = b.hi;
    say_sums(s, type, slot);
    return s;
  }

  bj::object structure(const Type& type, std::uint16_t slot, const std::string* tag) {
    const std::uint16_t first = slot;
    bj::object properties(memory);
    bj::array required(memory);
    if (tag != nullptr) {
      properties["kind"] = bj::object{{"type", "string"}, {"const", *tag}};
      required.emplace_back("kind");
    }
    std::optional<Value> fresh;
    if (use != SchemaUse::answer) fresh.emplace(type);
    for (const Field& f : type.fields) {
      bj::object member = schema(*f.type, &f, slot);
      if (!fresh) {
        if (!f.left_out) required.emplace_back(bj::string(f.name, memory));
      } else if (const void* value = f.at(fresh->get());
                 find_part_problem(*f.type, &f, value, 0, {})) {
        if (use == SchemaUse::file) required.emplace_back(bj::string(f.name, memory));
      } else if (use == SchemaUse::file && has_default(*f.type)) {
        member["default"] = json_value(*f.type, value);
      }
      properties[f.name] = std::move(member);
      slot = static_cast<std::uint16_t>(slot + f.type->slots);
    }
    bj::object s(memory);
    s["type"] = "object";
    s["properties"] = std::move(properties);
    if (use == SchemaUse::answer || !required.empty()) s["required"] = std::move(required);
    s["additionalProperties"] = false;
    say_sums(s, type, first);
    return s;
  }

  /// Editors write the default of a single value; longer ones are in the documentation.
  static bool has_default(const Type& type) {
    return type.kind == Kind::boolean || type.kind == Kind::integer || type.kind == Kind::number ||
           type.kind == Kind::enumeration;
  }

  static bj::value bound(const Type& type, std::int64_t v) {
    if (type.decimals == 0 || v % 100 == 0) return type.decimals == 0 ? v : v / 100;
    return static_cast<double>(v) / 100;
  }
  /// The numbers that a limit lists, within the bounds.
  static bj::array numbers(const LimitData* l, const Type& type, const IntegerBounds& b) {
    bj::array list;
    for (std::uint32_t i = 0; l != nullptr && i < l->n; ++i) {
      Money one;
      const bool is_amount = !read_json(type_of<Money>(), &one, l->names[i]);
      if (is_amount && one.cents >= b.lo && one.cents <= b.hi)
        list.emplace_back(bound(type, one.cents));
    }
    return list;
  }
  static bj::array names(const LimitData* l) {
    bj::array list;
    for (std::uint32_t i = 0; i < l->n; ++i) list.emplace_back(bj::string(l->names[i]));
    return list;
  }
};

}  // namespace

bj::object file_schema(const Type& type) {
  return SchemaWriter{{}, SchemaUse::file}.bare(type, nullptr, 0);
}

bj::object overrides_schema(const Type& type) {
  return SchemaWriter{{}, SchemaUse::over_others}.bare(type, nullptr, 0);
}

void require_format(bj::object& schema, std::string_view format, int version) {
  bj::object& properties = schema.at("properties").as_object();
  properties.at("format").as_object()["const"] = format;
  properties.at("version").as_object()["const"] = version;
}

std::string schema_document(std::string_view id, std::string_view title, bj::object schema) {
  bj::object document{
      {"$schema", kDraft}, {"$id", fmt::format("agon.{}.schema.json", id)}, {"title", title}};
  bj::object& properties = schema.at("properties").as_object();
  bj::object with{{"$schema", bj::object{{"type", "string"}, {"description", "for editors"}}}};
  for (auto& property : properties) with[property.key()] = std::move(property.value());
  properties = std::move(with);
  for (auto& member : schema) document[member.key()] = std::move(member.value());
  return json::write_pretty(document) + "\n";
}

namespace {

bj::object schema_of_answer(const Type& type, std::span<const LimitData> limits,
                            const Language& language, const bj::storage_ptr& memory) {
  SchemaWriter writer{limits, SchemaUse::answer, language, {}, memory};
  for (const LimitData& limit : limits)
    if (limit.kind == LimitKind::sum) writer.sums.emplace_back(&limit, holder_of(limit, type));
  bj::object root = writer.bare(type, nullptr, 0);
  bj::object result(memory);
  result["$schema"] = kDraft;
  for (auto& entry : root) result[entry.key()] = std::move(entry.value());
  return result;
}

}  // namespace

bj::object answer_schema(const Type& type, std::span<const LimitData> limits,
                         const Language& language) {
  return schema_of_answer(type, limits, language, {});
}

std::string schema_json(const Type& type, std::span<const LimitData> limits,
                        const Language& language) {
  // Each question of a model has one: its parts are not worth an allocation each.
  std::array<unsigned char, 16384> block;
  bj::monotonic_resource memory(block.data(), block.size());
  std::string text;
  text.reserve(2048);
  json::append(text, schema_of_answer(type, limits, language, &memory));
  return text;
}

}  // namespace agon
