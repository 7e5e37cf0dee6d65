#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "describe/entry.hpp"
#include "describe/value_text.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "text/table.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

/// Tables that are wider do without units in their headers.
constexpr std::size_t kWidestTable = 100;
/// Lists of plain values are broken into lines of this width.
constexpr std::size_t kWidestList = 90;

/// Longer lists and texts of a line are not cut: what a seat may see, it sees.
std::string one_line(const Type* type, const Field* field, const bj::value& v, bool nested);

std::string with_unit(std::string text, const Field* field) {
  if (field != nullptr && !field->unit.empty()) text += " " + std::string(field->unit);
  return text;
}

std::string leaf_text(const Type* type, const bj::value& v) {
  if (v.is_null()) return "none";
  if (v.is_bool()) return v.get_bool() ? "yes" : "no";
  if (v.is_string()) return text::printable(std::string_view(v.get_string()));
  if (v.is_number() && type != nullptr && type->decimals != 0) {
    const double cents = std::round(v.to_number<double>() * 100);
    if (std::abs(cents) < 9e15) return integer_text(*type, static_cast<std::int64_t>(cents));
  }
  if (v.is_double()) return number_text(v.get_double());
  return json::write(v);
}

/// The type below an optional.
const Type* core_of(const Type* type) {
  while (type != nullptr && type->kind == Kind::optional) type = type->element;
  return type;
}

bool is_leaf(const bj::value& v) {
  return !v.is_object() && !v.is_array();
}

/// The struct that describes an object: itself, or the alternative that its tag names.
const Type* structure_of(const Type* type, const bj::object& o) {
  type = core_of(type);
  if (type == nullptr || type->kind == Kind::structure) return type;
  if (type->kind != Kind::variant) return nullptr;
  const bj::value* tag = o.if_contains("kind");
  if (tag == nullptr || !tag->is_string()) return nullptr;
  for (const Type* alternative : type->alternatives)
    if (kind_of(*alternative) == std::string_view(tag->get_string())) return alternative;
  return nullptr;
}

/// One member of an object, with what its description says of it.
struct Member {
  std::string_view name;
  const Type* type;
  const Field* field;
  const bj::value* value;
};

std::vector<Member> members_of(const Type* type, const bj::object& o) {
  const Type* structure = structure_of(type, o);
  const Type* core = core_of(type);
  std::vector<Member> members;
  for (const auto& entry : o) {
    Member m{entry.key(), nullptr, nullptr, &entry.value()};
    if (structure != nullptr) {
      for (const Field& f : structure->fields)
        if (f.name == m.name) m.type = f.type, m.field = &f;
    } else if (core != nullptr && core->kind == Kind::map) {
      m.type = core->element;
    }
    members.push_back(m);
  }
  return members;
}

std::string one_line(const Type* type, const Field* field, const bj::value& v, bool nested) {
  type = core_of(type);
  if (is_leaf(v)) {
    std::string text = leaf_text(type, v);
    return v.is_number() ? with_unit(std::move(text), field) : text;
  }
  std::string text;
  if (const bj::array* list = v.if_array()) {
    bool numbers = true;
    for (const bj::value& item : *list) {
      text += (text.empty()    ? ""
               : is_leaf(item) ? ", "
                               : "; ") +
              one_line(type == nullptr ? nullptr : type->element, nullptr, item, true);
      numbers = numbers && item.is_number();
    }
    if (list->empty()) return "none";
    return numbers ? with_unit(std::move(text), field) : text;
  }
  const bool tagged = type != nullptr && type->kind == Kind::variant;
  for (const Member& m : members_of(type, v.get_object())) {
    if (tagged && m.name == "kind") {
      text += leaf_text(nullptr, *m.value);
      continue;
    }
    const bool after_tag = tagged && text.find(' ') == std::string::npos && !text.empty();
    text += text.empty() ? "" : after_tag ? " " : ", ";
    text += text::printable(m.name) + " " + one_line(m.type, m.field, *m.value, true);
  }
  return nested ? "(" + text + ")" : text;
}

struct Renderer {
  bool docs;
  std::string out{};

  void block(const Type* type, const Field* field, const bj::value& v, std::size_t indent) {
    const Type* core = core_of(type);
    if (const bj::object* o = v.if_object()) return object(core, *o, indent);
    if (const bj::array* list = v.if_array()) return array(core, field, *list, indent);
    lines(one_line(core, field, v, false), indent);
  }

  void lines(const std::string& text, std::size_t indent) {
    out += std::string(indent, ' ') + text + "\n";
  }

  /// Members that fit a line stand aligned below each other; larger ones below their name.
  void object(const Type* type, const bj::object& o, std::size_t indent) {
    const std::vector<Member> members = members_of(type, o);
    std::size_t widest = 0;
    for (const Member& m : members)
      if (fits(m)) widest = std::max(widest, text::width(text::printable(m.name)));
    for (const Member& m : members) {
      const std::string name = text::printable(m.name);
      const std::string doc = docs && m.field != nullptr && !m.field->doc.empty()
                                  ? "   -- " + text::printable(m.field->doc)
                                  : "";
      if (fits(m)) {
        const std::string padding(widest - text::width(name), ' ');
        const std::string value = m.value->is_string() ? paragraph(*m.value, indent + widest + 2)
                                                       : one_line(m.type, m.field, *m.value, false);
        lines(name + padding + "  " + value + doc, indent);
      } else {
        const std::string unit = m.field == nullptr || m.field->unit.empty()
                                     ? ""
                                     : " (" + std::string(m.field->unit) + ")";
        lines(name + unit + ":" + doc, indent);
        block(m.type, nullptr, *m.value, indent + 2);
      }
    }
  }

  /// A text of several lines keeps them, below each other.
  static std::string paragraph(const bj::value& v, std::size_t indent) {
    const std::string text = text::printable(std::string_view(v.get_string()), text::Breaks::keep);
    std::string moved;
    for (const char c : text) {
      moved += c;
      if (c == '\n') moved.append(indent, ' ');
    }
    return moved;
  }

  static bool fits(const Member& m) {
    if (is_leaf(*m.value)) return true;
    const bj::array* list = m.value->if_array();
    if (list != nullptr && list->empty()) return true;
    if (const bj::object* o = m.value->if_object(); o != nullptr && o->empty()) return true;
    if (list != nullptr)
      for (const bj::value& item : *list)
        if (!is_leaf(item)) return false;
    return list != nullptr &&
           text::width(one_line(m.type, m.field, *m.value, false)) <= kWidestList;
  }

  void array(const Type* type, const Field* field, const bj::array& list, std::size_t indent) {
    const Type* element = type == nullptr ? nullptr : type->element;
    if (list.empty()) return lines("none", indent);
    if (!list[0].is_object()) {
      // Plain values one after another, as many to a line as fit.
      std::string line;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string item = one_line(element, field, list[i], false);
        const bool broken =
            !is_leaf(list[i]) || text::width(line) + text::width(item) + 2 > kWidestList;
        if (!line.empty() && broken) lines(line + ",", indent), line.clear();
        line += (line.empty() ? "" : ", ") + item;
      }
      return lines(line, indent);
    }
    if (core_of(element) != nullptr && core_of(element)->kind == Kind::structure)
      return table(*core_of(element), list, indent);
    for (const bj::value& item : list) lines("- " + one_line(element, field, item, false), indent);
  }

  void table(const Type& row, const bj::array& list, std::size_t indent) {
    std::string shown = table_text(row, list, indent, true);
    if (widest_line(shown) > kWidestTable) shown = table_text(row, list, indent, false);
    out += shown;
    if (!docs) return;
    for (const Field& f : row.fields)
      lines(std::string(f.name) + unit_of(f) + ": " + std::string(f.doc), indent + 2);
  }

  static std::size_t widest_line(std::string_view text) {
    std::size_t widest = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      widest = std::max(widest, text::width(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return widest;
  }
  static std::string unit_of(const Field& f) {
    return f.unit.empty() ? "" : " (" + std::string(f.unit) + ")";
  }

  static std::string table_text(const Type& row, const bj::array& list, std::size_t indent,
                                bool units) {
    std::vector<text::Column> columns;
    for (const Field& f : row.fields) {
      const Type* type = core_of(f.type);
      const bool number = type->kind == Kind::integer || type->kind == Kind::number;
      columns.push_back({std::string(f.name) + (units ? unit_of(f) : ""),
                         number ? text::Align::right : text::Align::left});
    }
    text::Table table(std::move(columns));
    for (const bj::value& item : list) {
      std::vector<std::string> cells;
      for (const Field& f : row.fields) {
        const bj::value* v = item.is_object() ? item.get_object().if_contains(f.name) : nullptr;
        cells.push_back(v == nullptr   ? ""
                        : v->is_null() ? "-"
                        : is_leaf(*v)  ? leaf_text(core_of(f.type), *v)
                                       : one_line(f.type, nullptr, *v, false));
      }
      table.add(std::move(cells));
    }
    return table.str(indent);
  }
};

std::optional<bj::value> parsed(std::string_view json) {
  try {
    return json::parse(json, "value");
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::string plain_text(const Type* type, std::string_view json, bool docs) {
  const auto value = parsed(json);
  if (!value) return text::printable(json) + "\n";
  Renderer renderer{docs};
  renderer.block(type, nullptr, *value, 0);
  return std::move(renderer.out);
}

std::string plain_line(const Type* type, std::string_view json) {
  const auto value = parsed(json);
  if (!value) return text::printable(json);
  return one_line(type, nullptr, *value, false);
}

}  // namespace agon
