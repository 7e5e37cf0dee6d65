#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/seat_history.hpp>
#include <agon/telling.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "describe/value.hpp"
#include "form/form.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "text/layout.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {

std::string speech(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return text::printable(out + '"');
}

std::string listed(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string counted(std::int64_t n, std::string_view one, std::string_view many) {
  return text::counted(n, one, many);
}

std::string with_thousands(std::int64_t n) {
  std::string text = std::to_string(n);
  const std::size_t sign = n < 0 ? 1 : 0;
  for (std::size_t i = text.size(); i > sign + 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string money_text(Money amount) {
  std::string text = amount.cents < 0 ? "-$" : "$";
  const std::int64_t cents = std::abs(amount.cents);
  text += with_thousands(cents / 100);
  if (const std::int64_t rest = cents % 100; rest != 0)
    text += (rest < 10 ? ".0" : ".") + std::to_string(rest);
  return text;
}

std::string small_table(std::span<const std::string_view> headings,
                        std::span<const std::vector<std::string>> rows) {
  if (rows.empty()) return {};
  const auto is_figure = [](const std::string& cell) {
    return cell.find_first_of("0123456789") != std::string::npos &&
           cell.find_first_not_of("-+$.,0123456789") == std::string::npos;
  };
  std::vector<text::Column> columns;
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const bool figures = std::all_of(rows.begin(), rows.end(), [&](const auto& row) {
      return i >= row.size() || is_figure(row[i]) || row[i] == "-" || row[i].empty();
    });
    columns.push_back({"", figures ? text::Align::right : text::Align::left});
  }
  // Without the line below the headings, which says nothing to a model.
  text::TextTable table(std::move(columns));
  table.add({headings.begin(), headings.end()});
  for (const auto& row : rows) table.add(row);
  std::string text = table.str(2);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

namespace {

namespace bj = boost::json;

/// Tables that are wider do without units in their headers.
constexpr std::size_t kWidestTable = 100;
/// Lists of plain values are broken into lines of this width.
constexpr std::size_t kWidestList = 90;

/// Longer names are quoted.
constexpr std::size_t kLongestName = 40;

/// True for one word, and for several that each begin with a capital or a digit: "choice_1", "Item
/// 3". Signs beyond ASCII may look like a comma or a quote: a text with them is none.
bool is_name(std::string_view text) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || text.size() > kLongestName) return false;
  bool capitals = true;
  bool several = false;
  char before = ' ';
  for (const char c : text) {
    const bool starts = before == ' ';
    const bool letter = is_capital(c) || (c >= 'a' && c <= 'z') || is_digit(c);
    if (c == ' ' ? starts : !letter && (starts || (c != '-' && c != '_' && c != '.' && c != '\'')))
      return false;
    if (starts) capitals = capitals && (is_capital(c) || is_digit(c));
    several = several || c == ' ';
    before = c;
  }
  return before != ' ' && (!several || capitals);
}

/// A text among other members. What a player wrote could pass for more of them: it is quoted, and
/// cannot end its quotes. Names that a game gives cannot, and stand as they are.
std::string inline_text(std::string_view text, Texts texts) {
  if (texts == Texts::bare || is_name(text)) return text::printable(text);
  if (text.empty()) return "(empty)";
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find_first_of("\"\\"), text.size());
    quoted.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    quoted.append({'\\', text.front()});
    text.remove_prefix(1);
  }
  return text::printable(quoted + '"');
}

/// Longer lists and texts of a line are not cut: what a seat may see, it sees.
std::string one_line(const Type* type, const Field* field, const bj::value& v, bool nested,
                     const Telling& telling);

/// "health points" as "health point", "units of water" as "unit of water": what follows a 1.
std::string singular(std::string_view unit) {
  const std::size_t end = std::min(unit.find(" of "), unit.size());
  std::string head(unit.substr(0, end));
  const bool plural = head.size() > 3 && head.ends_with('s') && !head.ends_with("ss") &&
                      !head.ends_with("us") && !head.ends_with("is");
  if (plural) head.pop_back();
  return head + std::string(unit.substr(end));
}

std::string with_unit(std::string text, const Field* field) {
  if (field == nullptr || field->unit.empty()) return text;
  const std::string unit = text == "1" ? singular(field->unit) : std::string(field->unit);
  return text + " " + unit;
}

std::string leaf_text(const Type* type, const Field* field, const bj::value& v, Texts texts) {
  if (v.is_null()) return "none";
  if (v.is_bool()) return v.get_bool() ? "yes" : "no";
  if (v.is_string()) {
    const bool own =
        (type != nullptr && type->kind == Kind::enumeration) || (field != nullptr && field->prose);
    return inline_text(std::string_view(v.get_string()), own ? Texts::bare : texts);
  }
  if (v.is_number() && type != nullptr && type->decimals != 0) {
    const double cents = std::round(v.to_number<double>() * 100);
    if (std::abs(cents) < 9e15) return integer_text(*type, static_cast<std::int64_t>(cents));
  }
  if (v.is_double()) return figure_text(v.get_double());
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

bool is_empty_text(const bj::value& v) {
  return v.is_string() && v.get_string().empty();
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

/// A member's name as it is told: "remaining budget". Keys of maps are names of others.
std::string told_name(const Member& m) {
  std::string name = text::printable(m.name);
  if (m.field != nullptr) std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::vector<Member> members_of(const Type* type, const bj::object& o, const Telling& telling) {
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
    if (m.field == nullptr || !m.field->unshown || telling.unshown) members.push_back(m);
  }
  return members;
}

/// The name of the seat whose number a member is; null if it is none.
const std::string* seat_named(const Member& member, const Telling& telling) {
  const bj::value& v = *member.value;
  if (member.field == nullptr || !member.field->seat || !v.is_int64() || v.get_int64() < 0)
    return nullptr;
  const auto seat = static_cast<std::size_t>(v.get_int64());
  return seat < telling.seats.size() ? &telling.seats[seat] : nullptr;
}

std::string one_line(const Type* type, const Field* field, const bj::value& v, bool nested,
                     const Telling& telling) {
  type = core_of(type);
  if (is_leaf(v)) {
    std::string text = leaf_text(type, field, v, telling.texts);
    return v.is_number() ? with_unit(std::move(text), field) : text;
  }
  std::string text;
  if (const bj::array* list = v.if_array()) {
    bool numbers = true;
    for (const bj::value& item : *list) {
      text += (text.empty()    ? ""
               : is_leaf(item) ? ", "
                               : "; ") +
              one_line(type == nullptr ? nullptr : type->element, nullptr, item, true, telling);
      numbers = numbers && item.is_number();
    }
    if (list->empty()) return "none";
    return numbers ? with_unit(std::move(text), field) : text;
  }
  const bool tagged = type != nullptr && type->kind == Kind::variant;
  const std::vector<Member> members = members_of(type, v.get_object(), telling);
  // What holds nothing but one object is that: "raise amount 5 dollars".
  if (!nested && members.size() == 1 && members[0].type != nullptr && members[0].value->is_object())
    return one_line(members[0].type, members[0].field, *members[0].value, false, telling);
  bool after_tag = false;
  for (const Member& m : members) {
    if (tagged && m.name == "kind") {
      text += leaf_text(nullptr, nullptr, *m.value, Texts::bare);
      std::replace(text.begin(), text.end(), '_', ' ');
      after_tag = true;
      continue;
    }
    text += text.empty() ? "" : after_tag ? " " : ", ";
    after_tag = false;
    const std::string* seat = seat_named(m, telling);
    if (m.field != nullptr && m.value->is_null())
      text += "no " + told_name(m);
    else
      text += told_name(m) + " " +
              (seat != nullptr ? text::printable(*seat)
                               : one_line(m.type, m.field, *m.value, true, telling));
  }
  return nested ? "(" + text + ")" : text;
}

struct Renderer {
  const Telling& telling;
  std::string out{};

  void block(const Type* type, const Field* field, const bj::value& v, std::size_t indent) {
    const Type* core = core_of(type);
    if (const bj::object* o = v.if_object()) return object(core, *o, indent);
    if (const bj::array* list = v.if_array()) return array(core, field, *list, indent);
    lines(one_line(core, field, v, false, telling), indent);
  }

  void lines(const std::string& text, std::size_t indent) {
    out += std::string(indent, ' ') + text + "\n";
  }

  /// Members that fit a line stand aligned below each other; larger ones below their name.
  void object(const Type* type, const bj::object& o, std::size_t indent) {
    const std::vector<Member> members = members_of(type, o, telling);
    std::size_t widest = 0;
    for (const Member& m : members)
      if (fits(m)) widest = std::max(widest, text::width(told_name(m)));
    for (const Member& m : members) {
      const std::string name = told_name(m);
      const std::string doc = telling.docs && m.field != nullptr && !m.field->doc.empty()
                                  ? "   -- " + text::printable(m.field->doc)
                                  : "";
      if (fits(m)) {
        const std::string padding(widest - text::width(name), ' ');
        const std::string* seat = seat_named(m, telling);
        const std::string value = seat != nullptr ? text::printable(*seat)
                                  : m.value->is_string()
                                      ? paragraph(*m.value, indent + widest + 2)
                                      : one_line(m.type, m.field, *m.value, false, telling);
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
    std::size_t at = 0;
    for (std::size_t end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
      moved.append(text, at, end + 1 - at).append(indent, ' ');
    return at == 0 ? text : moved.append(text, at);
  }

  [[nodiscard]] bool fits(const Member& m) const {
    if (is_leaf(*m.value)) return true;
    const bj::array* list = m.value->if_array();
    if (list != nullptr && list->empty()) return true;
    if (const bj::object* o = m.value->if_object(); o != nullptr && o->empty()) return true;
    if (list != nullptr)
      for (const bj::value& item : *list)
        if (!is_leaf(item)) return false;
    return list != nullptr &&
           text::width(one_line(m.type, m.field, *m.value, false, telling)) <= kWidestList;
  }

  void array(const Type* type, const Field* field, const bj::array& list, std::size_t indent) {
    const Type* element = type == nullptr ? nullptr : type->element;
    if (list.empty()) return lines("none", indent);
    if (!list[0].is_object()) {
      // Plain values one after another, as many to a line as fit.
      std::string line;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string item = one_line(element, field, list[i], false, telling);
        const bool broken =
            !is_leaf(list[i]) || text::width(line) + text::width(item) + 2 > kWidestList;
        if (!line.empty() && broken) lines(line + ",", indent), line.clear();
        line += (line.empty() ? "" : ", ") + item;
      }
      return lines(line, indent);
    }
    if (core_of(element) != nullptr && core_of(element)->kind == Kind::structure)
      return table(*core_of(element), list, indent);
    for (const bj::value& item : list)
      lines("- " + one_line(element, field, item, false, telling), indent);
  }

  void table(const Type& row, const bj::array& list, std::size_t indent) {
    std::string shown = table_text(row, nullptr, list, indent, true);
    if (widest_line(shown) > kWidestTable) shown = table_text(row, nullptr, list, indent, false);
    const Field* rows = widest_line(shown) > kWidestTable ? field_of_rows(row) : nullptr;
    if (rows != nullptr) {
      shown = table_text(row, rows, list, indent, true);
      if (widest_line(shown) > kWidestTable) shown = table_text(row, rows, list, indent, false);
    }
    out += shown;
    if (!telling.docs) return;
    documents(row, indent + 2);
    if (rows != nullptr) documents(row_of(*rows), indent + 4);
  }

  void documents(const Type& row, std::size_t indent) {
    for (const Field& f : row.fields)
      if (is_column(f)) lines(std::string(f.name) + unit_of(f) + ": " + std::string(f.doc), indent);
  }

  [[nodiscard]] bool is_column(const Field& f) const { return !f.unshown || telling.unshown; }

  /// The one member of a row that holds rows itself, such as what each player did in a round; null
  /// if there is none, or more than one.
  static const Field* field_of_rows(const Type& row) {
    const Field* found = nullptr;
    for (const Field& f : row.fields) {
      const Type* type = core_of(f.type);
      if (type->kind != Kind::list || core_of(type->element)->kind != Kind::structure) continue;
      if (found != nullptr) return nullptr;
      found = &f;
    }
    return found;
  }
  static const Type& row_of(const Field& rows) { return *core_of(core_of(rows.type)->element); }

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

  /// With `rows`, each of its rows has a line, and what they share stands on the first of them.
  [[nodiscard]] std::string table_text(const Type& row, const Field* rows, const bj::array& list,
                                       std::size_t indent, bool units) const {
    std::vector<text::Column> columns;
    const auto add_columns = [&](const Type& type) {
      for (const Field& f : type.fields) {
        if (&f == rows || !is_column(f)) continue;
        const Kind kind = core_of(f.type)->kind;
        const bool number = kind == Kind::integer || kind == Kind::number;
        columns.push_back({std::string(f.name) + (units ? unit_of(f) : ""),
                           number ? text::Align::right : text::Align::left});
      }
    };
    add_columns(row);
    const std::size_t shared = columns.size();
    if (rows != nullptr) add_columns(row_of(*rows));
    const std::size_t width = columns.size();
    text::TextTable table(std::move(columns));
    for (const bj::value& item : list) {
      std::vector<std::string> line = cells(row, rows, item);
      const bj::value* inner =
          rows != nullptr && item.is_object() ? item.get_object().if_contains(rows->name) : nullptr;
      const bj::array* parts = inner == nullptr ? nullptr : inner->if_array();
      if (parts == nullptr || parts->empty()) {
        line.resize(width);
        table.add(std::move(line));
        continue;
      }
      for (const bj::value& part : *parts) {
        for (std::string& cell : cells(row_of(*rows), nullptr, part))
          line.push_back(std::move(cell));
        table.add(std::move(line));
        line.assign(shared, "");
      }
    }
    return table.str(indent);
  }

  /// What stands in the columns of one row, `left_out` left out.
  [[nodiscard]] std::vector<std::string> cells(const Type& row, const Field* left_out,
                                               const bj::value& item) const {
    std::vector<std::string> cells;
    for (const Field& f : row.fields) {
      if (&f == left_out || !is_column(f)) continue;
      const bj::value* v = item.is_object() ? item.get_object().if_contains(f.name) : nullptr;
      const std::string* seat =
          v == nullptr ? nullptr : seat_named({f.name, f.type, &f, v}, telling);
      cells.push_back(v == nullptr        ? ""
                      : seat != nullptr   ? text::printable(*seat)
                      : v->is_null()      ? "-"
                      : is_empty_text(*v) ? ""
                      : is_leaf(*v)       ? leaf_text(core_of(f.type), &f, *v, telling.texts)
                                          : one_line(f.type, nullptr, *v, false, telling));
    }
    return cells;
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

std::string plain_text(const Type* type, std::string_view json, const Telling& telling) {
  const auto value = parsed(json);
  if (!value) return text::printable(json) + "\n";
  Renderer renderer{telling};
  renderer.block(type, nullptr, *value, 0);
  return std::move(renderer.out);
}

std::string plain_line(const Type* type, std::string_view json, const Telling& telling) {
  const auto value = parsed(json);
  if (!value) return text::printable(json);
  return one_line(type, nullptr, *value, false, telling);
}

bool is_shown(const Type* type) {
  return type == nullptr || type->fields.empty() ||
         std::any_of(type->fields.begin(), type->fields.end(),
                     [](const Field& f) { return !f.unshown; });
}

Delivery::Shown Delivery::shown() const {
  if (!sentences().empty()) return Shown::sentences;
  return untold || (what == What::event && !is_shown(type)) ? Shown::nothing : Shown::members;
}

}  // namespace agon
