#include "describe/description.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <array>
#include <boost/json/value.hpp>
#include <cmath>
#include <set>

#include "describe/enumeration.hpp"
#include "describe/read.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "text/utf8.hpp"

namespace agon {

AGON_DESCRIBE_ENUM(Better, (neither, "no direction is better"), (higher, "more is better"),
                   (lower, "less is better"))

namespace {

/// Deeper than any description that the compiler made; shallow enough for the stack.
constexpr int kDeepest = 64;

/// Members of a Field that are there or not.
struct Flag {
  std::string_view name;
  bool Field::*member;
};
constexpr std::array<Flag, 7> kFlags{{{"left_out", &Field::left_out},
                                      {"operational", &Field::operational},
                                      {"prose", &Field::prose},
                                      {"unshown", &Field::unshown},
                                      {"seat", &Field::seat},
                                      {"phase", &Field::phase},
                                      {"apart", &Field::apart}}};
struct Words {
  std::string_view name;
  std::string_view Field::*member;
};
constexpr std::array<Words, 4> kTexts{{{"doc", &Field::doc},
                                       {"unit", &Field::unit},
                                       {"source", &Field::source},
                                       {"data", &Field::data}}};

class DescriptionWriter {
 public:
  void write(const Type& type) {
    out_.open_object();
    write_members(type);
    out_.close_object();
  }
  [[nodiscard]] std::string take() { return out_.take(); }

 private:
  void write_members(const Type& type) {
    switch (type.kind) {
      case Kind::boolean:
        return kind("boolean");
      case Kind::integer:
        if (type.decimals != 0) return kind("money");
        kind("integer");
        out_.name("low").number(type.low).name("high").number(type.high);
        return;
      case Kind::number:
        return kind("number");
      case Kind::text:
        return kind(type.any_json ? "json" : "text");
      case Kind::enumeration:
        kind("enumeration");
        out_.name("name").text(type.name).name("values").open_list();
        for (const Enumerator& e : type.enumerators)
          out_.open_object().name("name").text(e.name).name("doc").text(e.doc).close_object();
        out_.close_list();
        return;
      case Kind::optional:
        kind("optional");
        return element(type);
      case Kind::list:
        kind("list");
        if (type.capacity != kAnyLength)
          out_.name(type.resize_is_free ? "most" : "length").number(type.capacity);
        return element(type);
      case Kind::map:
        kind("map");
        return element(type);
      case Kind::structure:
        return structure(type);
      case Kind::variant:
        kind("variant");
        if (type.forms) out_.name("forms").truth(true);
        out_.name("alternatives").open_list();
        for (const Type* each : type.alternatives) write(*each);
        out_.close_list();
        return;
    }
  }

  void kind(std::string_view name) { out_.name("kind").text(name); }
  void element(const Type& type) {
    out_.name("element");
    write(*type.element);
  }

  void structure(const Type& type) {
    kind("structure");
    out_.name("name").text(type.name).name("members").open_list();
    for (const Field& f : type.fields) field(f);
    out_.close_list();
    if (type.can_construct()) out_.name("default").json(write_json(type, Value(type).get()));
  }

  void field(const Field& f) {
    out_.open_object().name("name").text(f.name);
    for (const Words& words : kTexts)
      if (!(f.*words.member).empty()) out_.name(words.name).text(f.*words.member);
    if (std::isfinite(f.min)) out_.name("min").number(f.min);
    if (std::isfinite(f.max)) out_.name("max").number(f.max);
    if (f.min_length != 0) out_.name("min_length").number(f.min_length);
    if (f.max_length != kAnyLength) out_.name("max_length").number(f.max_length);
    if (f.better != Better::neither) out_.name("better").text(name_of(f.better));
    if (f.decimals != 0) out_.name("decimals").number(f.decimals);
    for (const Flag& flag : kFlags)
      if (f.*flag.member) out_.name(flag.name).truth(true);
    out_.name("type");
    write(*f.type);
    out_.close_object();
  }

  JsonWriter out_;
};

class DescriptionReader {
 public:
  const Type& read(const JsonNode& node) {
    if (++depth_ > kDeepest)
      node.fail("the description is nested too deeply",
                "describe it in at most " + std::to_string(kDeepest) + " levels");
    try {
      const Type& type = read_here(node);
      --depth_;
      return type;
    } catch (const Error& error) {
      if (!error.where().empty()) throw;
      node.fail(error.problem(), error.mend());
    }
  }
  OwnedType take(const Type& type) && { return std::move(build_).take(type); }

 private:
  /// The name of what a node describes.
  static std::string_view name_of(const JsonNode& node) {
    const JsonNode name = node["name"];
    if (text::width(name.text()) > kWidestName)
      name.fail("the name has more than " + std::to_string(kWidestName) + " characters",
                "shorten it");
    return name.text();
  }

  const Type& read_here(const JsonNode& node) {
    const std::string_view kind = node["kind"].text();
    if (kind == "integer") {
      node.allow_only({"kind", "low", "high"});
      const std::int64_t low = node["low"].whole();
      return build_.integer(low, node["high"].whole(low));
    }
    if (kind == "enumeration") return enumeration(node);
    if (kind == "optional") {
      node.allow_only({"kind", "element"});
      return build_.optional(read(node["element"]));
    }
    if (kind == "list") return list(node);
    if (kind == "map") {
      node.allow_only({"kind", "element"});
      return build_.map(read(node["element"]));
    }
    if (kind == "structure") return structure(node);
    if (kind == "variant") return variant(node);
    node.allow_only({"kind"});
    if (kind == "boolean") return build_.boolean();
    if (kind == "money") return build_.money();
    if (kind == "number") return build_.number();
    if (kind == "text") return build_.text();
    if (kind == "json") return build_.any_json();
    node["kind"].fail("'" + std::string(kind) + "' is not a kind of value",
                      "name boolean, integer, money, number, text, json, enumeration, optional, "
                      "list, map, structure or variant");
  }

  const Type& enumeration(const JsonNode& node) {
    node.allow_only({"kind", "name", "values"});
    const JsonNode values = node["values"];
    if (values.size() == 0 || values.size() > 64)
      values.fail("an enumeration has 1 to 64 values", "list them");
    std::vector<std::pair<std::string, std::string>> names;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i].allow_only({"name", "doc"});
      names.emplace_back(name_of(values[i]), values[i]["doc"].text());
    }
    return build_.enumeration(std::string(name_of(node)), std::move(names));
  }

  const Type& list(const JsonNode& node) {
    node.allow_only({"kind", "most", "length", "element"});
    const Type& element = read(node["element"]);
    // What has a length is made with as many elements at once.
    if (const auto length = node.find("length"))
      return build_.list(element, static_cast<std::size_t>(length->whole(0, 1'000'000)), true);
    const auto most = node.find("most");
    return build_.list(element, most ? static_cast<std::size_t>(most->whole(0)) : kAnyLength,
                       false);
  }

  const Type& structure(const JsonNode& node) {
    node.allow_only({"kind", "name", "members", "default"});
    const JsonNode members = node["members"];
    std::vector<Field> fields;
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < members.size(); ++i) {
      fields.push_back(field(members[i]));
      if (!names.insert(fields.back().name).second)
        members[i]["name"].fail("'" + std::string(fields.back().name) + "' is a member already",
                                "give each member a name of its own");
    }
    const Type& type = build_.structure(std::string(name_of(node)), std::move(fields));
    if (const auto made = node.find("default")) {
      Value value(type);
      // Its form only: what has to be filled in need not begin within its bounds.
      if (const auto problem =
              read_value(type, value.get(), json::parse(made->write(), ""), Missing::is_wrong))
        made->fail("this is no value of the structure: " + problem->text(), "give a fitting one");
      build_.set_default(type, std::move(value));
    }
    return type;
  }

  Field field(const JsonNode& node) {
    node.allow_only({"name", "doc", "unit", "source", "data", "min", "max", "min_length",
                     "max_length", "better", "decimals", "left_out", "operational", "prose",
                     "unshown", "seat", "phase", "apart", "type"});
    Field f;
    f.name = name_of(node);
    if (f.name.empty()) node["name"].fail("a member needs a name", "give it one");
    for (const Words& words : kTexts)
      if (const auto text = node.find(words.name)) f.*words.member = text->text();
    if (const auto min = node.find("min")) f.min = min->number();
    if (const auto max = node.find("max")) f.max = max->number();
    if (const auto min = node.find("min_length"))
      f.min_length = static_cast<std::size_t>(min->whole(0));
    if (const auto max = node.find("max_length"))
      f.max_length = static_cast<std::size_t>(max->whole(0));
    if (const auto better = node.find("better")) {
      const auto direction = value_named<Better>(better->text());
      if (!direction) better->fail("no direction is called so", "say neither, higher or lower");
      f.better = *direction;
    }
    if (const auto decimals = node.find("decimals"))
      f.decimals = static_cast<int>(decimals->whole(0, 2));
    for (const Flag& flag : kFlags)
      if (const auto truth = node.find(flag.name)) f.*flag.member = truth->truth();
    f.type = &read(node["type"]);
    return f;
  }

  const Type& variant(const JsonNode& node) {
    node.allow_only({"kind", "forms", "alternatives"});
    const auto said = node.find("forms");
    const bool forms = said && said->truth();
    const JsonNode list = node["alternatives"];
    std::vector<const Type*> alternatives;
    for (std::size_t i = 0; i < list.size(); ++i) {
      alternatives.push_back(&read(list[i]));
      if (!forms && alternatives.back()->kind != Kind::structure)
        list[i].fail("an alternative has to be a structure", "describe one");
    }
    if (alternatives.empty() || alternatives.size() > 64)
      list.fail("a variant has 1 to 64 alternatives", "list them");
    return build_.variant(std::move(alternatives), forms);
  }

  TypeBuilder build_;
  int depth_ = 0;
};

}  // namespace

std::string write_description(const Type& type) {
  DescriptionWriter writer;
  writer.write(type);
  return writer.take();
}

OwnedType read_description(std::string_view json, std::string_view source) {
  const JsonDocument document{std::string(json), std::string(source)};
  DescriptionReader reader;
  const Type& type = reader.read(document.root());
  return std::move(reader).take(type);
}

}  // namespace agon
