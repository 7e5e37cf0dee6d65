#include "json/write.hpp"

#include <agon/conversion.hpp>

#include "describe/append_json.hpp"
#include "describe/limits_at.hpp"
#include "describe/value_text.hpp"

namespace agon {
namespace {

void append_members(std::string& out, const Type& type, const void* object, bool first) {
  for (const Field& f : type.fields) {
    void* member = f.at(const_cast<void*>(object));
    if (f.left_out && f.type->count(member) == 0) continue;
    if (!first) out += ',';
    first = false;
    out += '"';
    out += f.name;
    out += "\":";
    append_json(out, *f.type, member);
  }
}

}  // namespace

void append_json(std::string& out, const Type& type, const void* object) {
  switch (type.kind) {
    case Kind::boolean:
      out += type.get(object) != 0 ? "true" : "false";
      return;
    case Kind::integer:
      out += integer_text(type, type.get(object));
      return;
    case Kind::number:
      json::append_number(out, *static_cast<const double*>(object));
      return;
    case Kind::text:
      if (type.any_json)
        out += type.text(object);
      else
        json::append_string(out, type.text(object));
      return;
    case Kind::enumeration: {
      const std::size_t i = enumerator_index(type, type.get(object));
      json::append_string(out, i < type.enumerators.size() ? type.enumerators[i].name : "?");
      return;
    }
    case Kind::optional:
      if (type.count(object) == 0)
        out += "null";
      else
        append_json(out, *type.element, type.item(const_cast<void*>(object), 0));
      return;
    case Kind::list: {
      out += '[';
      const std::size_t n = type.count(object);
      for (std::size_t i = 0; i < n; ++i) {
        if (i != 0) out += ',';
        append_json(out, *type.element, type.item(const_cast<void*>(object), i));
      }
      out += ']';
      return;
    }
    case Kind::map: {
      out += '{';
      const std::size_t n = type.count(object);
      for (std::size_t i = 0; i < n; ++i) {
        if (i != 0) out += ',';
        json::append_string(out, type.key(object, i));
        out += ':';
        append_json(out, *type.element, type.item(const_cast<void*>(object), i));
      }
      out += '}';
      return;
    }
    case Kind::structure:
      out += '{';
      append_members(out, type, object, true);
      out += '}';
      return;
    case Kind::variant: {
      const Type& held = *type.alternatives[type.index(object)];
      if (type.forms) return append_json(out, held, type.alternative(const_cast<void*>(object)));
      out += "{\"kind\":\"" + kind_of(held) + '"';
      append_members(out, held, type.alternative(const_cast<void*>(object)), false);
      out += '}';
      return;
    }
  }
}

std::string write_json(const Type& type, const void* object) {
  std::string out;
  append_json(out, type, object);
  return out;
}

}  // namespace agon
