#include "describe/description.hpp"

#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <array>
#include <boost/json/value.hpp>
#include <cmath>
#include <deque>
#include <map>
#include <set>

#include "describe/read.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

/// An optional, a list, a structure and a variant are lists of values: of what is held.
using Values = std::vector<Value>;
/// In the order of std::map, as maps that the compiler knows.
using Entries = std::map<std::string, Value, std::less<>>;

/// A description with what its values need.
struct Node : Type {
  Node() : Type{Kind::structure, {}} {}

  std::vector<Enumerator> own_enumerators;
  std::vector<Field> own_fields;
  std::vector<const Type*> own_alternatives;
  std::optional<Value> default_value;
};

Values& values(void* at) {
  return *static_cast<Values*>(at);
}
const Values& values(const void* at) {
  return *static_cast<const Values*>(at);
}
Entries& entries(void* at) {
  return *static_cast<Entries*>(at);
}
const Entries& entries(const void* at) {
  return *static_cast<const Entries*>(at);
}

template <class T>
void set_storage(Type& type) {
  type.size = sizeof(T);
  type.operations.construct = [](const Type&, void* at) { ::new (at) T(); };
  type.operations.destroy = [](const Type&, void* at) { static_cast<T*>(at)->~T(); };
  type.operations.copy = [](const Type&, void* at, const void* from) {
    ::new (at) T(*static_cast<const T*>(from));
  };
}

void* item_of(void* at, std::size_t i) {
  return values(at)[i].get();
}
std::size_t count_of(const void* at) {
  return values(at).size();
}
bool resize_values(const Type& type, void* at, std::size_t n) {
  if (n > type.capacity || (!type.resize_is_free && n != type.capacity)) return false;
  values(at).resize(n, Value(*type.element));
  return true;
}

/// Limits name places by 16 bits.
std::uint16_t slots_of(std::size_t n) {
  if (n > 10'000)
    throw Error(ErrorKind::invalid, "it has more than 10000 places with all that is in it", "",
                "describe fewer members");
  return static_cast<std::uint16_t>(n);
}

}  // namespace

struct TypeBuilder::Impl {
  std::deque<Node> nodes;
  std::deque<std::string> texts;

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  /// Default values go first: they are values of the nodes.
  ~Impl() {
    for (Node& node : nodes) node.default_value.reset();
  }

  std::string_view keep(std::string_view text) {
    return text.empty() ? std::string_view() : std::string_view(texts.emplace_back(text));
  }
  /// About how many values a new one consists of.
  [[nodiscard]] std::size_t made(const Type& type) const {
    const auto known = made_.find(&type);
    return known == made_.end() ? 1 : known->second;
  }
  /// Fixed lists in fixed lists multiply.
  void set_made(const Type& type, std::size_t n) {
    if (n > 1'000'000)
      throw Error(ErrorKind::invalid, "a new value of it would consist of more than a million", "",
                  "describe shorter lists, or lists without a fixed length");
    made_[&type] = n;
  }
  Node& add(Kind kind, std::string_view name) {
    Node& node = nodes.emplace_back();
    node.kind = kind;
    node.name = name;
    return node;
  }

 private:
  std::map<const Type*, std::size_t> made_;
};

TypeBuilder::TypeBuilder() : parts_(std::make_shared<Impl>()) {}
TypeBuilder::~TypeBuilder() = default;

const Type& TypeBuilder::boolean() const {
  return type_of<bool>();
}
const Type& TypeBuilder::number() const {
  return type_of<double>();
}
const Type& TypeBuilder::money() const {
  return type_of<Money>();
}
const Type& TypeBuilder::text() const {
  return type_of<std::string>();
}
const Type& TypeBuilder::any_json() const {
  return type_of<JsonText>();
}

const Type& TypeBuilder::integer(std::int64_t low, std::int64_t high) {
  Type& type = parts_->add(Kind::integer, "integer");
  type = type_of<std::int64_t>();
  type.low = low;
  type.high = high;
  return type;
}

const Type& TypeBuilder::enumeration(std::string name,
                                     std::vector<std::pair<std::string, std::string>> names) {
  Node& node = parts_->add(Kind::enumeration, parts_->keep(name));
  set_storage<std::int64_t>(node);
  node.operations.get = type_of<std::int64_t>().operations.get;
  node.operations.set = type_of<std::int64_t>().operations.set;
  for (const auto& [word, doc] : names)
    node.own_enumerators.push_back({parts_->keep(word), parts_->keep(doc),
                                    static_cast<std::int64_t>(node.own_enumerators.size())});
  node.enumerators = node.own_enumerators;
  return node;
}

const Type& TypeBuilder::optional(const Type& element) {
  Node& node = parts_->add(Kind::optional, "optional");
  set_storage<Values>(node);
  node.element = &element;
  node.capacity = 1;
  node.slots = slots_of(1U + element.slots);
  node.operations.count = &count_of;
  node.operations.item = &item_of;
  node.operations.resize = &resize_values;
  return node;
}

const Type& TypeBuilder::list(const Type& element, std::size_t capacity, bool fixed) {
  Node& node = parts_->add(Kind::list, "list");
  set_storage<Values>(node);
  node.element = &element;
  node.capacity = capacity;
  node.resize_is_free = !fixed;
  node.slots = slots_of(1U + element.slots);
  node.operations.count = &count_of;
  node.operations.item = &item_of;
  node.operations.resize = &resize_values;
  if (fixed) parts_->set_made(node, 1 + capacity * parts_->made(element));
  if (fixed)
    node.operations.construct = [](const Type& type, void* at) {
      ::new (at) Values(type.capacity, Value(*type.element));
    };
  return node;
}

const Type& TypeBuilder::map(const Type& element) {
  Node& node = parts_->add(Kind::map, "map");
  set_storage<Entries>(node);
  node.element = &element;
  node.capacity = std::numeric_limits<std::size_t>::max();
  node.slots = slots_of(1U + element.slots);
  node.operations.count = [](const void* at) { return entries(at).size(); };
  node.operations.item = [](void* at, std::size_t i) {
    return std::next(entries(at).begin(), static_cast<std::ptrdiff_t>(i))->second.get();
  };
  node.operations.key = [](const void* at, std::size_t i) -> std::string_view {
    return std::next(entries(at).begin(), static_cast<std::ptrdiff_t>(i))->first;
  };
  node.operations.emplace = [](const Type& type, void* at, std::string_view key) {
    return entries(at).try_emplace(std::string(key), *type.element).first->second.get();
  };
  node.operations.resize = [](const Type&, void* at, std::size_t n) {
    if (n == 0) entries(at).clear();
    return n == 0;
  };
  return node;
}

const Type& TypeBuilder::structure(std::string name, std::vector<Field> fields) {
  Node& node = parts_->add(Kind::structure, parts_->keep(name));
  set_storage<Values>(node);
  node.operations.construct = [](const Type& type, void* at) {
    if (const auto& made = static_cast<const Node&>(type).default_value) {
      ::new (at) Values(values(made->get()));
      return;
    }
    auto* members = ::new (at) Values();
    members->reserve(type.fields.size());
    for (const Field& f : type.fields) members->emplace_back(*f.type);
  };
  std::size_t slots = 0, made = 1;
  for (Field& f : fields) {
    f.name = parts_->keep(f.name);
    f.doc = parts_->keep(f.doc);
    f.unit = parts_->keep(f.unit);
    f.source = parts_->keep(f.source);
    f.data = parts_->keep(f.data);
    f.number = static_cast<std::size_t>(&f - fields.data());
    f.reach = &item_of;
    slots += f.type->slots;
    made += parts_->made(*f.type);
  }
  parts_->set_made(node, made);
  node.own_fields = std::move(fields);
  node.fields = node.own_fields;
  node.slots = slots_of(slots);
  return node;
}

const Type& TypeBuilder::variant(std::vector<const Type*> alternatives, bool forms) {
  Node& node = parts_->add(Kind::variant, "variant");
  set_storage<Values>(node);
  node.operations.construct = [](const Type& type, void* at) {
    ::new (at) Values(1, Value(*type.alternatives.front()));
  };
  node.operations.index = [](const Type& type, const void* at) {
    std::size_t i = 0;
    while (type.alternatives[i] != &values(at).front().type()) ++i;
    return i;
  };
  node.operations.alternative = [](void* at) { return item_of(at, 0); };
  node.operations.become = [](const Type& type, void* at, std::size_t i) {
    values(at).assign(1, Value(*type.alternatives[i]));
    return item_of(at, 0);
  };
  node.forms = forms;
  parts_->set_made(node, 1 + parts_->made(*alternatives.front()));
  std::size_t slots = 1;
  for (const Type* each : alternatives) slots += each->slots;
  node.own_alternatives = std::move(alternatives);
  node.alternatives = node.own_alternatives;
  node.slots = slots_of(slots);
  return node;
}

void TypeBuilder::set_default(const Type& structure, Value value) {
  for (Node& node : parts_->nodes) {
    if (&node != &structure) continue;
    parts_->set_made(node, parts_->made(node) + write_json(structure, value.get()).size());
    node.default_value = std::move(value);
  }
}

OwnedType TypeBuilder::take(const Type& type) && {
  return OwnedType(std::shared_ptr<const Type>(std::move(parts_), &type));
}

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
struct TextMember {
  std::string_view name;
  std::string_view Field::*member;
};
constexpr std::array<TextMember, 4> kTexts{{{"doc", &Field::doc},
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
    for (const TextMember& words : kTexts)
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
      node.fail(error.problem(), error.hint());
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
    for (const TextMember& words : kTexts)
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
