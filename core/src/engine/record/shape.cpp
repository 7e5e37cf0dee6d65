#include "record/shape.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>

#include "describe/value.hpp"
#include "record/codec.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::record {
namespace {

void append_members(std::string& out, const Type& type);

void append_shape(std::string& out, const Type& type) {
  switch (type.kind) {
    case Kind::boolean:
      out += 'b';
      return;
    case Kind::integer:
      out += type.decimals == 0 ? 'i' : 'm';
      return;
    case Kind::number:
      out += 'n';
      return;
    case Kind::text:
      out += type.any_json ? 'j' : 't';
      return;
    case Kind::enumeration:
      out += "e(" + text::joined(type.enumerators, "|", &Enumerator::name) + ")";
      return;
    case Kind::optional:
      out += '?', append_shape(out, *type.element);
      return;
    case Kind::list:
      out += '[', append_shape(out, *type.element), out += ']';
      return;
    case Kind::map:
      out += '<', append_shape(out, *type.element), out += '>';
      return;
    case Kind::structure:
      append_members(out, type);
      return;
    case Kind::variant:
      out += '(';
      for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
        if (i != 0) out += '|';
        if (type.forms) {
          out += ':', append_shape(out, *type.alternatives[i]);
          continue;
        }
        out += kind_of(*type.alternatives[i]);
        append_members(out, *type.alternatives[i]);
      }
      out += ')';
      return;
  }
}

void append_members(std::string& out, const Type& type) {
  out += '{';
  for (std::size_t i = 0; i < type.fields.size(); ++i) {
    if (i != 0) out += ',';
    out += type.fields[i].name;
    out += ':';
    append_shape(out, *type.fields[i].type);
  }
  out += '}';
}

/// Reads the notation. Each function returns null where the text is none.
class ShapeReader {
 public:
  explicit ShapeReader(std::string_view shape) : shape_(shape) {}

  std::optional<OwnedType> all() {
    try {
      const Type* type = value();
      if (type == nullptr || at_ != shape_.size()) return std::nullopt;
      return std::move(build_).take(*type);
    } catch (const Error&) {
      return std::nullopt;  // the builder refuses what is too large
    }
  }

 private:
  static constexpr int kDeepest = 64;

  char peek() const { return at_ < shape_.size() ? shape_[at_] : '\0'; }
  bool take(char c) { return peek() == c && (++at_, true); }
  std::string word() {
    const std::size_t end = std::min(shape_.find_first_of("|(){}[]<>,:?", at_), shape_.size());
    return std::string(shape_.substr(std::exchange(at_, end), end - at_));
  }

  const Type* value() {
    if (++depth_ > kDeepest) return nullptr;
    const Type* type = value_here();
    --depth_;
    return type;
  }

  const Type* value_here() {
    const char kind = peek();
    if (kind == '{') return structure("");
    ++at_;
    const Type* element = nullptr;
    switch (kind) {
      case 'b':
        return &build_.boolean();
      case 'i':
        return &build_.integer(std::numeric_limits<std::int64_t>::min(),
                               std::numeric_limits<std::int64_t>::max());
      case 'm':
        return &build_.money();
      case 'n':
        return &build_.number();
      case 't':
        return &build_.text();
      case 'j':
        return &build_.any_json();
      case 'e':
        return enumeration();
      case '?':
        element = value();
        return element == nullptr ? nullptr : &build_.optional(*element);
      case '[':
        element = value();
        return element == nullptr || !take(']') ? nullptr
                                                : &build_.list(*element, kAnyLength, false);
      case '<':
        element = value();
        return element == nullptr || !take('>') ? nullptr : &build_.map(*element);
      case '(':
        return variant();
      default:
        return nullptr;
    }
  }

  /// Of members, of values or of alternatives: in JSON each is told by its name.
  static bool are_names(std::vector<std::string_view> names) {
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) == names.end() &&
           std::all_of(names.begin(), names.end(), [](std::string_view name) {
             return !name.empty() && text::printable(name) == name;
           });
  }

  const Type* enumeration() {
    if (!take('(')) return nullptr;
    std::vector<std::pair<std::string, std::string>> names;
    do names.emplace_back(word(), "");
    while (take('|'));
    std::vector<std::string_view> keys;
    for (const auto& [name, note] : names) keys.push_back(name);
    if (!are_names(keys)) return nullptr;
    return take(')') ? &build_.enumeration("", std::move(names)) : nullptr;
  }

  const Type* structure(std::string name) {
    if (!take('{')) return nullptr;
    std::vector<std::string> names;
    std::vector<Field> fields;
    if (!take('}')) {
      do {
        names.push_back(word());
        const Type* type = take(':') ? value() : nullptr;
        if (type == nullptr) return nullptr;
        fields.emplace_back().type = type;
      } while (take(','));
      if (!take('}') || !are_names({names.begin(), names.end()})) return nullptr;
    }
    for (std::size_t i = 0; i < fields.size(); ++i) fields[i].name = names[i];
    return &build_.structure(std::move(name), std::move(fields));
  }

  /// By their kinds, which stand beside their members in JSON.
  static bool are_told_apart(const std::vector<const Type*>& alternatives) {
    std::vector<std::string> kinds;
    for (const Type* one : alternatives) {
      kinds.push_back(kind_of(*one));
      for (const Field& field : one->fields)
        if (field.name == "kind") return false;
    }
    return are_names({kinds.begin(), kinds.end()});
  }

  const Type* variant() {
    std::vector<const Type*> alternatives;
    const bool forms = peek() == ':';
    do {
      if (forms != take(':')) return nullptr;
      alternatives.push_back(forms ? value() : structure(word()));
      if (alternatives.back() == nullptr) return nullptr;
    } while (take('|'));
    if (!take(')') || (!forms && !are_told_apart(alternatives))) return nullptr;
    return &build_.variant(std::move(alternatives), forms);
  }

  std::string_view shape_;
  std::size_t at_ = 0;
  int depth_ = 0;
  TypeBuilder build_;
};

}  // namespace

std::string shape_of(const Type& type) {
  std::string out;
  append_shape(out, type);
  return out;
}

const hash::Digest& Shapes::digest(const Type& type) {
  const std::lock_guard lock(mutex_);
  const auto found = digests_.find(&type);
  if (found != digests_.end()) return found->second;
  std::string notation = shape_of(type);
  const hash::Digest digest = hash::sha256(notation);
  if (notations_.emplace(digest, notation).second) new_.push_back(std::move(notation));
  return digests_.emplace(&type, digest).first->second;
}

std::optional<std::string> Shapes::notation(const hash::Digest& digest) const {
  const std::lock_guard lock(mutex_);
  const auto found = notations_.find(digest);
  if (found == notations_.end()) return std::nullopt;
  return found->second;
}

std::vector<const Type*> Shapes::types(const hash::Digest& digest) const {
  const std::lock_guard lock(mutex_);
  std::vector<const Type*> found;
  for (const auto& [type, its] : digests_)
    if (its == digest) found.push_back(type);
  return found;
}

std::vector<std::string> Shapes::take_new() {
  const std::lock_guard lock(mutex_);
  return std::exchange(new_, {});
}

std::optional<OwnedType> read_shape(std::string_view shape) {
  return ShapeReader(shape).all();
}

const Type* RecordedTypes::find(const hash::Digest& shape) const {
  const auto [at, added] = types_.try_emplace(shape);
  if (added)
    if (const auto notation = find_(shape); notation && hash::sha256(*notation) == shape)
      at->second = read_shape(*notation);
  return at->second ? &at->second->get() : nullptr;
}

std::optional<std::string> RecordedTypes::json(const hash::Digest& shape,
                                               std::string_view bytes) const {
  const Type* type = find(shape);
  if (type == nullptr) return std::nullopt;
  Value value(*type);
  Bytes in(bytes);
  if (!decode(in, *type, value.get()) || !in.empty()) return std::nullopt;
  return write_json(*type, value.get());
}

}  // namespace agon::record
