#include "llm/prompt/wording.hpp"

#include <agon/form.hpp>
#include <algorithm>

#include "llm/lines.hpp"

namespace agon::llm {
namespace {

/// A name from a setting, in a prompt.
std::string safe_name(std::string_view name) {
  constexpr std::size_t kLongest = 80;
  return printable(name.substr(0, kLongest));
}

const Field* field_of(const Type* type, std::string_view name) {
  type = core_of(type);
  if (type == nullptr || type->kind != Kind::structure) return nullptr;
  const auto found = std::find_if(type->fields.begin(), type->fields.end(),
                                  [&](const Field& f) { return f.name == name; });
  return found == type->fields.end() ? nullptr : &*found;
}

}  // namespace

Error Wording::unknown(std::string_view name) const {
  return {ErrorKind::invalid,
          "at stage '" + question_.stage + "' nothing is called '" + std::string(name) + "'", "",
          "docs/prompts.md lists the names"};
}

std::string_view Wording::Members::json_of(std::string_view member) const {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const RawMember& m) { return m.name == member; });
  return found == all.end() ? std::string_view() : found->json;
}

std::string Wording::member_text(const Members& of, std::string_view name) const {
  const std::string_view wanted = name.substr(of.prefix.size());
  const Field* field = field_of(of.type, wanted);
  if (field == nullptr) throw unknown(name);
  const std::string_view json = of.json_of(wanted);
  // Sentences of the game itself, about its own settings, are no data of others.
  const bool own =
      (of.type == question_.facts_type || field->prose) && field->type->kind == Kind::text;
  if (own) return text_of(json);
  return of.prefix == "event." ? bare(*field, field->type, json)
                               : data_text(field->type, json, style_);
}

std::optional<std::string> Wording::name_text(std::string_view name, const Members& seen) const {
  for (const Members* of : {&seen, &facts_})
    if (name.starts_with(of->prefix)) return member_text(*of, name);
  if (name == "rules") return question_.rules;
  if (name == "title") return question_.title;
  if (name == "seat") return safe_name(question_.seat_name);
  if (name == "role") return safe_name(question_.role);
  if (name != "others") return {};
  std::vector<std::string> others;
  for (std::size_t i = 0; i < question_.seat_names.size(); ++i)
    if (static_cast<int>(i) != question_.seat) others.push_back(safe_name(question_.seat_names[i]));
  return question_.language->listed(others);
}

std::vector<TemplateValues> Wording::each_of(std::string_view name, const Members& seen) const {
  for (const Members* of : {&seen, &facts_}) {
    if (!name.starts_with(of->prefix)) continue;
    const std::string_view wanted = name.substr(of->prefix.size());
    if (const Field* field = field_of(of->type, wanted))
      return elements(*field, of->json_of(wanted), outside(seen));
  }
  return {};
}

std::optional<std::string> Wording::text(std::string_view name) const {
  return name_text(name, view_);
}

std::vector<TemplateValues> Wording::each(std::string_view name) const {
  return each_of(name, view_);
}

std::string Wording::bare(const Field& field, const Type* type, std::string_view json) const {
  type = core_of(type);
  if (json.empty() || json == "null") return {};
  if (field.seat && json[0] != '[') {
    const std::size_t seat = std::strtoul(std::string(json).c_str(), nullptr, 10);
    if (seat < style_.names.size()) return style_.names[seat];
  }
  if (json[0] != '"' && json[0] != '[' && json[0] != '{') return std::string(json);
  if (field.prose && json[0] == '"') return text_of(json);
  return data_line(type, json, style_);
}

TemplateValues Wording::outside(const Members& seen) const {
  return {[this, &seen](std::string_view name) { return name_text(name, seen).value_or(""); },
          [this, &seen](std::string_view name) { return each_of(name, seen); }};
}

TemplateValues Wording::element(const Field& of, const Type* type, std::string_view json,
                                const TemplateValues& around) const {
  TemplateValues made;
  made.text = [this, &of, type, json, around](std::string_view name) -> std::string {
    if (const Field* field = field_of(type, name))
      return bare(*field, field->type, member(json, name));
    return name == "value" ? bare(of, type, json) : around.text(name);
  };
  made.each = [this, &of, type, json, around](std::string_view name) {
    const Field* field = field_of(type, name);
    if (field == nullptr) return around.each(name);
    return elements(*field, member(json, name), element(of, type, json, around));
  };
  return made;
}

std::vector<TemplateValues> Wording::elements(const Field& of, std::string_view json,
                                              const TemplateValues& around) const {
  const Type* type = core_of(of.type);
  if (json.empty() || json == "null" || json == "false" || json == R"("")") return {};
  if (json[0] != '[') {
    TemplateValues one = element(of, type, json, around);
    one.is_single = true;
    return {std::move(one)};
  }
  std::vector<TemplateValues> all;
  const Type* inner = type == nullptr ? nullptr : type->element;
  for (std::size_t at = 1; at < json.size() && json[at] != ']'; ++at) {
    const std::size_t end = skip_value(json, at);
    all.push_back(element(of, inner, json.substr(at, end - at), around));
    at = end;
    if (json[at] == ']') break;
  }
  return all;
}

std::string Wording::persona() const {
  const Template* own = prompts_.find("persona-" + question_.seat_name);
  if (own == nullptr) return {};
  return own->fill(outside(facts_));
}

std::optional<std::string> Wording::told(const Delivery& d) const {
  if (d.what == Delivery::What::answer) return {};
  const bool is_event = d.what == Delivery::What::event;
  if (!is_event && !prompts_.folder().keep_questions) return {};
  const Template* own = is_event ? prompts_.find("event-" + d.name) : prompts_.find(d.name);
  if (own == nullptr) return {};
  const Members seen{is_event ? "event." : "view.", d.type, members_of(d.json)};
  TemplateValues values = outside(seen);
  if (!is_event)
    values.text = [&, members = values.text](std::string_view name) {
      if (name == "stage") return d.name;
      if (name != "view") return members(name);
      return d.seen.empty() ? data_text(d.type, d.json, style_) : bounded_telling(d.seen, style_);
    };
  return own->fill(values);
}

}  // namespace agon::llm
