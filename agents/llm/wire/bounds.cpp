#include "llm/wire/bounds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "llm/lines.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;

/// The core's sentence for bounds that differ by element, which no member of a strict schema says.
constexpr std::string_view kByElement = "element by element at most {numbers}";

std::string bound_text(double n) {
  return n == std::floor(n) && std::abs(n) < 1e15 ? fmt::format("{:.0f}", n) : fmt::format("{}", n);
}

/// `{"kind": {"const": "buy"}}`, the tag of an alternative.
std::string kind_in(const bj::object& schema) {
  const bj::object* properties = wire::object_at(schema, "properties");
  const bj::object* kind = properties == nullptr ? nullptr : wire::object_at(*properties, "kind");
  if (kind == nullptr) return {};
  if (std::string name = wire::text_at(*kind, "const"); !name.empty()) return name;
  const bj::value* names = kind->if_contains("enum");
  if (names == nullptr || !names->is_array() || names->get_array().size() != 1) return {};
  return std::string(names->get_array()[0].as_string());
}

/// The numbers that a value may be, where a schema lists them; null: it does not.
const bj::array* numbers_in(const bj::object& schema) {
  const bj::value* values = schema.if_contains("enum");
  if (values == nullptr || !values->is_array() || values->get_array().empty()) return nullptr;
  const bj::array& all = values->get_array();
  const auto is_number = [](const bj::value& v) { return v.is_number(); };
  return std::all_of(all.begin(), all.end(), is_number) ? &all : nullptr;
}

/// The bounds in a schema, each in words.
class Bounds {
 public:
  explicit Bounds(const Language& language) : language_(language) {}

  void look(const bj::value& value, const std::string& place) {
    if (!value.is_object()) return;
    const bj::object& schema = value.get_object();
    // An amount that may be left out, or stands in a list, has its description around it.
    const std::string outer = unit_;
    if (std::string own = unit_in(wire::text_at(schema, "description")); !own.empty())
      unit_ = std::move(own);
    look_at(schema, place);
    unit_ = outer;
  }

  [[nodiscard]] std::string text() const {
    const std::string all = fmt::format("{}", fmt::join(lines_, "; "));
    return all.empty() ? all
                       : "\n\n" + language_.say(ModelLine("Bounds: {bounds}."), {{"bounds", all}});
  }

 private:
  void look_at(const bj::object& schema, const std::string& place) {
    if (const bj::array* numbers = numbers_in(schema))
      choice(schema, *numbers, place);
    else
      range(schema, place, "minimum", "maximum", "{range}");
    range(schema, place, "minLength", "maxLength", ModelLine("{range} characters"));
    range(schema, place, "minItems", "maxItems", ModelLine("{range} elements"));
    if (const bj::value* items = schema.if_contains("items"))
      if (!elements(schema, *items, place))
        look(*items, language_.say(ModelLine("each of {place}"), {{"place", place}}));
    for (const std::string_view several : {"anyOf", "oneOf", "prefixItems"})
      if (const bj::value* all = schema.if_contains(several); all != nullptr && all->is_array())
        for (const bj::value& one : all->get_array()) {
          const std::string kind = one.is_object() ? kind_in(one.get_object()) : std::string();
          look(one, kind.empty() ? place : place + " (" + kind + ")");
        }
    if (const bj::object* members = wire::object_at(schema, "properties"))
      for (const auto& member : *members)
        look(member.value(), (place.empty() ? "" : place + ", ") + std::string(member.key()));
  }

  void add(const std::string& place, std::string range) {
    lines_.push_back(language_.say(ModelLine("{place}: {range}"),
                                   {{"place", place}, {"range", std::move(range)}}));
  }

  /// Amounts of money have cents.
  static bool is_money(const bj::object& schema) {
    return schema.if_contains("multipleOf") != nullptr;
  }

  /// The unit that a description says at its end, one word or two: "the price (euros)", in other
  /// languages with their brackets; empty: none.
  [[nodiscard]] static std::string unit_in(std::string_view said) {
    for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{"(", ")"},
                                      std::pair<std::string_view, std::string_view>{"（", "）"}}) {
      std::string_view begin = said;
      if (const std::size_t end = said.find(std::string(close) + ";");
          end != std::string_view::npos)
        begin = said.substr(0, end + close.size());
      const std::size_t at = begin.rfind(open);
      if (!begin.ends_with(close) || at == std::string_view::npos) continue;
      const std::string_view words =
          begin.substr(at + open.size(), begin.size() - at - open.size() - close.size());
      if (!words.empty() && std::count(words.begin(), words.end(), ' ') <= 1 &&
          words.find_first_of("0123456789") == std::string_view::npos)
        return std::string(words);
    }
    return {};
  }

  /// What amounts are in: dollars, unless a description around them says otherwise.
  [[nodiscard]] std::string unit() const {
    return unit_.empty() ? std::string(language_.own_text("dollars")) : unit_;
  }

  [[nodiscard]] std::string between(const std::string& from, const std::string& to) const {
    return to.empty()     ? language_.say(ModelLine("at least {low}"), {{"low", from}})
           : from.empty() ? language_.say(ModelLine("at most {high}"), {{"high", to}})
           : from == to
               ? from
               : language_.say(ModelLine("{low} to {high}"), {{"low", from}, {"high", to}});
  }

  static std::string figure(const bj::value* v, bool is_amount) {
    if (v == nullptr || !v->is_number()) return {};
    const auto n = v->to_number<double>();
    return is_amount ? fmt::format("{:.2f}", n) : bound_text(n);
  }

  /// `of`: what the range is of; of figures themselves it is shown alone.
  void range(const bj::object& schema, const std::string& place, std::string_view low,
             std::string_view high, std::string_view of) {
    const bool is_figure = of == "{range}";
    const bool is_amount = is_figure && is_money(schema);
    const std::string from = figure(schema.if_contains(low), is_amount);
    const std::string to = figure(schema.if_contains(high), is_amount);
    if (from.empty() && to.empty()) return;
    std::string words = between(from, to);
    if (!is_figure) words = language_.say(of, {{"range", words}});
    if (is_amount)
      words = language_.say(ModelLine("{range} {unit}, at most two decimals"),
                            {{"range", words}, {"unit", unit()}});
    add(place, std::move(words));
  }

  void choice(const bj::object& schema, const bj::array& numbers, const std::string& place) {
    std::vector<std::string> figures;
    for (const bj::value& n : numbers) figures.push_back(figure(&n, is_money(schema)));
    std::string words =
        figures.size() == 1
            ? figures[0]
            : language_.say(ModelLine("one of {values}"), {{"values", language_.listed(figures)}});
    if (is_money(schema))
      words = language_.say(ModelLine("{range} {unit}"), {{"range", words}, {"unit", unit()}});
    add(place, std::move(words));
  }

  /// What each element may be at most, by the description; empty: it does not say.
  [[nodiscard]] std::vector<std::string> most_by_element(const bj::object& schema) const {
    const std::string hole = "\n";
    const std::string sentence =
        language_.is_english() || language_.sentences().contains(kByElement)
            ? language_.say(kByElement, {{"numbers", hole}})
            : std::string();
    const std::string begin = sentence.substr(0, sentence.find(hole));
    const std::string description = wire::text_at(schema, "description");
    std::string_view said = description;
    const std::size_t at = begin.empty() ? std::string_view::npos : said.find(begin);
    std::vector<std::string> most;
    if (at == std::string_view::npos) return most;
    said.remove_prefix(at + begin.size());
    for (;;) {
      std::int64_t n = 0;
      const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), n);
      if (error != std::errc{}) return most;
      most.push_back(std::to_string(n));
      said.remove_prefix(static_cast<std::size_t>(end - said.data()));
      if (!said.starts_with(", ")) return most;
      said.remove_prefix(2);
    }
  }

  /// Says bounds that differ by element, equal ones together; false: they do not differ.
  bool elements(const bj::object& schema, const bj::value& items, const std::string& place) {
    const std::vector<std::string> most = most_by_element(schema);
    const bool is_one =
        std::adjacent_find(most.begin(), most.end(), std::not_equal_to<>()) == most.end();
    if (is_one || !items.is_object()) return false;
    const std::string least = figure(items.get_object().if_contains("minimum"), false);
    std::vector<std::pair<std::string, std::vector<std::string>>> groups;
    for (std::size_t i = 0; i < most.size(); ++i) {
      auto group = std::find_if(groups.begin(), groups.end(),
                                [&](const auto& one) { return one.first == most[i]; });
      if (group == groups.end()) group = groups.insert(groups.end(), {most[i], {}});
      group->second.push_back(std::to_string(i + 1));
    }
    for (const auto& [high, numbers] : groups)
      add(language_.say(numbers.size() == 1 ? ModelLine("{place}, element {numbers}")
                                            : ModelLine("{place}, elements {numbers}"),
                        {{"place", place}, {"numbers", language_.listed(numbers)}}),
          between(least, high));
    return true;
  }

  const Language& language_;
  std::vector<std::string> lines_;
  std::string unit_;  ///< of the nearest description that names one
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

void remove_bounds(bj::value& value) {
  if (value.is_array()) {
    for (bj::value& element : value.get_array()) remove_bounds(element);
    return;
  }
  if (!value.is_object()) return;
  const bool is_choice = numbers_in(value.get_object()) != nullptr;
  bj::object kept;
  for (auto& member : value.get_object()) {
    const std::string_view key = member.key();
    bool bound = is_choice && key == "enum";
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

}  // namespace agon::llm
