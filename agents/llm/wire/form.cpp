#include "llm/wire/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "llm/lines.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;

std::string number_text(double n) {
  return n == std::floor(n) && std::abs(n) < 1e15 ? fmt::format("{:.0f}", n) : fmt::format("{}", n);
}

void remove_bounds(bj::value& value) {
  if (value.is_array()) {
    for (bj::value& element : value.get_array()) remove_bounds(element);
    return;
  }
  if (!value.is_object()) return;
  bj::object kept;
  for (auto& member : value.get_object()) {
    const std::string_view key = member.key();
    bool bound = false;
    for (const std::string_view name : {"minimum", "maximum", "multipleOf", "minLength",
                                        "maxLength", "minItems", "maxItems", "pattern"})
      // A member of the answer may well be called "minimum": its value is then an object.
      bound = bound || (key == name && !member.value().is_object());
    if (bound) continue;
    remove_bounds(member.value());
    kept[member.key()] = std::move(member.value());
  }
  value = std::move(kept);
}

/// `{"kind": {"const": "buy"}}`, the tag of an alternative.
std::string kind_in(const bj::object& schema) {
  const bj::value* properties = schema.if_contains("properties");
  const bj::value* kind = properties == nullptr || !properties->is_object()
                              ? nullptr
                              : properties->get_object().if_contains("kind");
  if (kind == nullptr || !kind->is_object()) return {};
  if (const bj::value* name = kind->get_object().if_contains("const"); name && name->is_string())
    return std::string(name->get_string());
  const bj::value* names = kind->get_object().if_contains("enum");
  if (names == nullptr || !names->is_array() || names->get_array().size() != 1) return {};
  return std::string(names->get_array()[0].as_string());
}

/// The bounds in a schema, each in words.
class Bounds {
 public:
  explicit Bounds(const Language& language) : language_(language) {}

  void look(const bj::value& value, const std::string& place) {
    if (!value.is_object()) return;
    const bj::object& schema = value.get_object();
    range(schema, place, "minimum", "maximum", "{range}");
    range(schema, place, "minLength", "maxLength", ModelLine("{range} characters"));
    range(schema, place, "minItems", "maxItems", ModelLine("{range} elements"));
    if (const bj::value* items = schema.if_contains("items"))
      look(*items, language_.say(ModelLine("each of {place}"), {{"place", place}}));
    for (const std::string_view several : {"anyOf", "oneOf", "prefixItems"})
      if (const bj::value* all = schema.if_contains(several); all != nullptr && all->is_array())
        for (const bj::value& one : all->get_array()) {
          const std::string kind = one.is_object() ? kind_in(one.get_object()) : std::string();
          look(one, kind.empty() ? place : place + " (" + kind + ")");
        }
    if (const bj::value* members = schema.if_contains("properties");
        members != nullptr && members->is_object())
      for (const auto& member : members->get_object())
        look(member.value(), (place.empty() ? "" : place + ", ") + std::string(member.key()));
  }

  [[nodiscard]] std::string text() const {
    std::string all;
    for (const std::string& line : lines_) all += (all.empty() ? "" : "; ") + line;
    return all.empty() ? all
                       : "\n\n" + language_.say(ModelLine("Bounds: {bounds}."), {{"bounds", all}});
  }

 private:
  /// `of`: what the range is of; of figures themselves it is shown alone.
  void range(const bj::object& schema, const std::string& place, std::string_view low,
             std::string_view high, std::string_view of) {
    const bj::value* lo = schema.if_contains(low);
    const bj::value* hi = schema.if_contains(high);
    const bool is_figure = of == "{range}";
    // Amounts are in whole cents.
    const bj::value* step = schema.if_contains("multipleOf");
    const bool cents = step != nullptr && is_figure;
    const auto number = [&](const bj::value* v) {
      if (v == nullptr || !v->is_number()) return std::string();
      const auto n = v->to_number<double>();
      return cents ? fmt::format("{:.2f}", n) : number_text(n);
    };
    const std::string from = number(lo), to = number(hi);
    if (from.empty() && to.empty()) return;
    std::string words =
        to.empty()     ? language_.say(ModelLine("at least {low}"), {{"low", from}})
        : from.empty() ? language_.say(ModelLine("at most {high}"), {{"high", to}})
        : from == to   ? from
                       : language_.say(ModelLine("{low} to {high}"), {{"low", from}, {"high", to}});
    if (!is_figure) words = language_.say(of, {{"range", words}});
    if (cents) words = language_.say(ModelLine("{range}, in whole cents"), {{"range", words}});
    lines_.push_back(
        language_.say(ModelLine("{place}: {range}"), {{"place", place}, {"range", words}}));
  }

  const Language& language_;
  std::vector<std::string> lines_;
};

}  // namespace

std::string bounds_after(std::string_view schema, const Language& language) {
  boost::system::error_code code;
  bj::parse_options options;
  options.max_depth = 64;
  const bj::value root =
      bj::parse(bj::string_view(schema.data(), schema.size()), code, {}, options);
  if (code) return {};
  Bounds bounds(language);
  bounds.look(root, {});
  return bounds.text();
}

ChatMessage& last_of_user(std::vector<ChatMessage>& messages) {
  const auto last = std::find_if(messages.rbegin(), messages.rend(),
                                 [](const ChatMessage& m) { return m.role == "user"; });
  return last == messages.rend() ? messages.back() : *last;
}

std::string schema_for_wire(std::string_view schema, bool lean, bool& wrapped) {
  wrapped = false;
  boost::system::error_code code;
  bj::parse_options options;
  options.max_depth = 64;
  bj::value root = bj::parse(bj::string_view(schema.data(), schema.size()), code, {}, options);
  if (code || !root.is_object()) return std::string(schema);
  bj::object body;
  for (auto& member : root.get_object())
    if (member.key() != "$schema") body[member.key()] = std::move(member.value());
  bj::value result(std::move(body));
  if (lean) remove_bounds(result);
  const bj::value* type = result.get_object().if_contains("type");
  if (type == nullptr || !type->is_string() || type->get_string() != "object") {
    wrapped = true;
    result = bj::object{{"type", "object"},
                        {"properties", bj::object{{"answer", std::move(result)}}},
                        {"required", bj::array{"answer"}},
                        {"additionalProperties", false}};
  }
  return bj::serialize(result);
}

void unwrap(std::string& text) {
  boost::system::error_code code;
  bj::parse_options options;
  options.max_depth = 64;
  const bj::value value = bj::parse(text, code, {}, options);
  if (code || !value.is_object()) return;
  const bj::object& o = value.get_object();
  if (o.size() != 1 || !o.contains("answer")) return;
  const std::size_t colon = text.find(':', text.find("\"answer\""));
  const std::size_t end = text.rfind('}');
  text = text.substr(colon + 1, end - colon - 1);
}

bool speaks_of_json(const std::vector<ChatMessage>& messages) {
  return std::any_of(messages.begin(), messages.end(), [](const ChatMessage& m) {
    return m.text.find("JSON") != std::string::npos || m.text.find("json") != std::string::npos;
  });
}

}  // namespace agon::llm
