#include "record/shape.hpp"

#include <agon/conversion.hpp>

#include "describe/value_text.hpp"
#include "json/write.hpp"

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
      out += 't';
      return;
    case Kind::enumeration: {
      out += "e(";
      for (std::size_t i = 0; i < type.enumerators.size(); ++i) {
        if (i != 0) out += '|';
        out += type.enumerators[i].name;
      }
      out += ')';
      return;
    }
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

/// Walks a shape and the bytes side by side.
class Renderer {
 public:
  Renderer(std::string_view shape, std::string_view bytes) : shape_(shape), in_(bytes) {}

  bool all(std::string& out) { return value(out) && in_.empty() && at_ == shape_.size(); }

 private:
  static constexpr int kDeepest = 64;

  char peek() const { return at_ < shape_.size() ? shape_[at_] : '\0'; }
  bool take(char c) { return peek() == c && (++at_, true); }
  std::string_view word() {
    const std::size_t from = at_;
    while (at_ < shape_.size() &&
           std::string_view("|(){}[]<>,:?").find(shape_[at_]) == std::string_view::npos)
      ++at_;
    return shape_.substr(from, at_ - from);
  }

  /// Moves over one shape without reading bytes.
  bool skip() {
    if (++depth_ > kDeepest) return false;
    bool fine = false;
    switch (peek()) {
      case 'b':
      case 'i':
      case 'm':
      case 'n':
      case 't':
        ++at_, fine = true;
        break;
      case 'e':
        ++at_;
        fine = take('(');
        while (fine && !take(')')) word(), take('|'), fine = at_ < shape_.size();
        break;
      case '?':
        ++at_, fine = skip();
        break;
      case '[':
        ++at_, fine = skip() && take(']');
        break;
      case '<':
        ++at_, fine = skip() && take('>');
        break;
      case '{':
        fine = skip_members();
        break;
      case '(':
        ++at_;
        fine = true;
        while (fine && !take(')')) word(), fine = skip_members(), take('|');
        break;
      default:
        break;
    }
    --depth_;
    return fine;
  }
  bool skip_members() {
    if (!take('{')) return false;
    while (!take('}')) {
      word();
      if (!take(':') || !skip()) return false;
      take(',');
    }
    return true;
  }

  bool value(std::string& out) {
    if (++depth_ > kDeepest) return false;
    const bool fine = value_here(out);
    --depth_;
    return fine;
  }

  bool value_here(std::string& out) {
    std::uint64_t n = 0;
    switch (peek()) {
      case 'b': {
        ++at_;
        std::uint8_t b = 0;
        if (!in_.byte(b) || b > 1) return false;
        out += b != 0 ? "true" : "false";
        return true;
      }
      case 'i':
      case 'm': {
        Type type{};
        type.decimals = peek() == 'm' ? 2 : 0;
        ++at_;
        std::int64_t v = 0;
        if (!in_.signed_number(v)) return false;
        out += integer_text(type, v);
        return true;
      }
      case 'n': {
        ++at_;
        double v = 0;
        if (!in_.real(v)) return false;
        json::append_number(out, v);
        return true;
      }
      case 't': {
        ++at_;
        std::string_view t;
        if (!in_.text(t)) return false;
        json::append_string(out, t);
        return true;
      }
      case 'e':
        return enumeration(out);
      case '?': {
        ++at_;
        if (!in_.number(n) || n > 1) return false;
        if (n == 1) return value(out);
        out += "null";
        return skip();
      }
      case '[':
        return list(out);
      case '<':
        return map(out);
      case '{':
        out += '{';
        return members(out, true) && (out += '}', true);
      case '(':
        return variant(out);
      default:
        return false;
    }
  }

  bool enumeration(std::string& out) {
    std::uint64_t n = 0;
    ++at_;
    if (!take('(') || !in_.number(n)) return false;
    bool found = false;
    for (std::uint64_t i = 0;; ++i) {
      const std::string_view name = word();
      if (i == n) json::append_string(out, name), found = true;
      if (take(')')) return found;
      if (!take('|')) return false;
    }
  }

  bool list(std::string& out) {
    std::uint64_t n = 0;
    ++at_;
    if (!in_.number(n) || n > in_.left() + 1) return false;
    const std::size_t element = at_;
    out += '[';
    for (std::uint64_t i = 0; i < n; ++i) {
      if (i != 0) out += ',';
      at_ = element;
      if (!value(out)) return false;
    }
    out += ']';
    at_ = element;
    return skip() && take(']');
  }

  bool map(std::string& out) {
    std::uint64_t n = 0;
    ++at_;
    if (!in_.number(n) || n > in_.left() + 1) return false;
    const std::size_t element = at_;
    out += '{';
    for (std::uint64_t i = 0; i < n; ++i) {
      if (i != 0) out += ',';
      std::string_view key;
      if (!in_.text(key)) return false;
      json::append_string(out, key);
      out += ':';
      at_ = element;
      if (!value(out)) return false;
    }
    out += '}';
    at_ = element;
    return skip() && take('>');
  }

  bool members(std::string& out, bool first) {
    if (!take('{')) return false;
    while (!take('}')) {
      if (!first) out += ',';
      first = false;
      json::append_string(out, word());
      out += ':';
      if (!take(':') || !value(out)) return false;
      take(',');
    }
    return true;
  }

  bool variant(std::string& out) {
    std::uint64_t n = 0;
    ++at_;
    if (!in_.number(n)) return false;
    bool found = false;
    for (std::uint64_t i = 0; !take(')'); ++i) {
      const std::string_view tag = word();
      if (i == n) {
        out += "{\"kind\":";
        json::append_string(out, tag);
        if (!members(out, false)) return false;
        out += '}';
        found = true;
      } else if (!skip_members()) {
        return false;
      }
      take('|');
    }
    return found;
  }

  std::string_view shape_;
  std::size_t at_ = 0;
  Bytes in_;
  int depth_ = 0;
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

std::optional<std::string> to_json(std::string_view shape, std::string_view bytes) {
  std::string out;
  if (!Renderer(shape, bytes).all(out)) return std::nullopt;
  return out;
}

}  // namespace agon::record
