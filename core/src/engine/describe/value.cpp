#include "describe/value.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "describe/limits.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon {

std::string integer_text(const Type& type, std::int64_t value) {
  std::string text;
  if (type.decimals == 0) {
    json::append_number(text, value);
    return text;
  }
  const std::int64_t units = value / 100, rest = value % 100;
  if (value < 0) text += '-';
  json::append_number(text, units < 0 ? -units : units);
  if (rest != 0) {
    const std::int64_t cents = rest < 0 ? -rest : rest;
    text += '.';
    text += static_cast<char>('0' + cents / 10);
    text += static_cast<char>('0' + cents % 10);
  }
  return text;
}

std::string number_text(double value) {
  std::string text;
  if (std::isinf(value)) return value > 0 ? "infinity" : "-infinity";
  json::append_number(text, value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string figure_text(double value) {
  if (!std::isfinite(value)) return number_text(value);
  if (value != 0 && std::abs(value) < 0.001) return fmt::format("{:.3g}", value);
  if (std::abs(value) >= 1e15) return number_text(value);
  return score_text(value, 0);
}

std::string score_text(double value, int decimals) {
  if (!std::isfinite(value)) return "-";
  if (decimals <= 0) {
    // Sums of doubles end in digits that say nothing.
    std::string text = fmt::format("{:.4f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
  }
  std::string text = fmt::format("{:.{}f}", value / std::pow(10.0, decimals), decimals);
  const bool zero = text.find_first_not_of("-0.") == std::string::npos;
  return zero && text.front() == '-' ? text.substr(1) : text;
}

std::string kind_of(const Type& alternative) {
  std::string tag;
  for (const char c : alternative.name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !tag.empty()) tag += '_';
    tag += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return tag;
}

bool is_left_out(const Field& field, const void* member) {
  if (!field.left_out) return false;
  return field.type->kind == Kind::text ? field.type->text(member).empty()
                                        : field.type->count(member) == 0;
}

namespace {

void append_members(std::string& out, const Type& type, const void* object, bool first) {
  for (const Field& f : type.fields) {
    void* member = f.at(const_cast<void*>(object));
    if (is_left_out(f, member)) continue;
    if (!first) out += ',';
    first = false;
    out += '"';
    out += f.name;
    out += "\":";
    append_json(out, *f.type, member);
  }
}

void append_list(std::string& out, const Type& type, const void* object) {
  out += '[';
  const std::size_t n = type.count(object);
  for (std::size_t i = 0; i < n; ++i) {
    if (i != 0) out += ',';
    append_json(out, *type.element, type.item(const_cast<void*>(object), i));
  }
  out += ']';
}

void append_map(std::string& out, const Type& type, const void* object) {
  out += '{';
  const std::size_t n = type.count(object);
  for (std::size_t i = 0; i < n; ++i) {
    if (i != 0) out += ',';
    json::append_string(out, type.key(object, i));
    out += ':';
    append_json(out, *type.element, type.item(const_cast<void*>(object), i));
  }
  out += '}';
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
    case Kind::list:
      return append_list(out, type, object);
    case Kind::map:
      return append_map(out, type, object);
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

namespace {

void add_members(boost::json::object& out, const Type& type, void* object) {
  for (const Field& f : type.fields)
    if (void* member = f.at(object); !is_left_out(f, member))
      out[f.name] = json_value(*f.type, member);
}

}  // namespace

boost::json::value json_value(const Type& type, const void* object) {
  void* at = const_cast<void*>(object);
  boost::json::object members;
  switch (type.kind) {
    case Kind::boolean:
      return type.get(at) != 0;
    case Kind::integer:
      if (type.decimals == 0 || type.get(at) % 100 == 0)
        return type.get(at) / (type.decimals == 0 ? 1 : 100);
      return static_cast<double>(type.get(at)) / 100;
    case Kind::number:
      return *static_cast<const double*>(object);
    case Kind::text:
      if (type.any_json) return json::parse(std::string(type.text(at)), "");
      return boost::json::string(type.text(at));
    case Kind::enumeration: {
      const std::size_t i = enumerator_index(type, type.get(at));
      return boost::json::string(i < type.enumerators.size() ? type.enumerators[i].name : "?");
    }
    case Kind::optional:
      return type.count(at) == 0 ? boost::json::value()
                                 : json_value(*type.element, type.item(at, 0));
    case Kind::list: {
      boost::json::array list;
      for (std::size_t i = 0; i < type.count(at); ++i)
        list.push_back(json_value(*type.element, type.item(at, i)));
      return list;
    }
    case Kind::map:
      for (std::size_t i = 0; i < type.count(at); ++i)
        members[type.key(at, i)] = json_value(*type.element, type.item(at, i));
      return members;
    case Kind::structure:
      add_members(members, type, at);
      return members;
    case Kind::variant: {
      const Type& held = *type.alternatives[type.index(at)];
      if (type.forms) return json_value(held, type.alternative(at));
      members["kind"] = kind_of(held);
      add_members(members, held, type.alternative(at));
      return members;
    }
  }
  return {};
}

std::string write_json(const Type& type, const void* object) {
  std::string out;
  append_json(out, type, object);
  return out;
}

}  // namespace agon
