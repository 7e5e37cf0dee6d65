#include "describe/owned_type.hpp"

#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <deque>
#include <map>

#include "describe/value.hpp"

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

struct TypeBuilder::Parts {
  std::deque<Node> nodes;
  std::deque<std::string> texts;

  Parts() = default;
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  /// Default values go first: they are values of the nodes.
  ~Parts() {
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

TypeBuilder::TypeBuilder() : parts_(std::make_shared<Parts>()) {}
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

}  // namespace agon
