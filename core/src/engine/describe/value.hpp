#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <agon/type.hpp>
#include <boost/json/value.hpp>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agon {

/// Makes the object equal to `from` again, or to a default-constructed one if that is null.
inline void reset_value(const Type& type, void* object, const void* from) {
  type.destroy(object);
  if (from != nullptr)
    type.copy(object, from);
  else
    type.construct(object);
}

/// An object of a described type, on the heap.
class Value {
 public:
  explicit Value(const Type& type) : type_(&type), at_(::operator new(type.size)) {
    type.construct(at_);
  }
  Value(const Value& other) : type_(other.type_), at_(::operator new(other.type_->size)) {
    type_->copy(at_, other.at_);
  }
  Value(Value&& other) noexcept : type_(other.type_), at_(std::exchange(other.at_, nullptr)) {}
  Value& operator=(Value other) noexcept {
    std::swap(type_, other.type_);
    std::swap(at_, other.at_);
    return *this;
  }
  ~Value() {
    if (at_ == nullptr) return;
    type_->destroy(at_);
    ::operator delete(at_);
  }
  [[nodiscard]] const Type& type() const { return *type_; }
  [[nodiscard]] void* get() { return at_; }
  [[nodiscard]] const void* get() const { return at_; }

 private:
  const Type* type_;
  void* at_;
};

/// The name in JSON of a described enum's value.
template <class E>
[[nodiscard]] std::string_view name_of(E value) {
  for (const Enumerator& e : type_of<E>().enumerators)
    if (e.value == static_cast<std::int64_t>(value)) return e.name;
  return "?";
}

/// The value of that name; nothing if there is none.
template <class E>
[[nodiscard]] std::optional<E> value_named(std::string_view name) {
  for (const Enumerator& e : type_of<E>().enumerators)
    if (e.name == name) return static_cast<E>(e.value);
  return std::nullopt;
}

/// The names in JSON of all its values.
template <class E>
[[nodiscard]] std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (const Enumerator& e : type_of<E>().enumerators) names.emplace_back(e.name);
  return names;
}

/// Names to values in the order of the file, which std::map would lose: agents of a suite are
/// numbered by it. Described as a map.
template <class V>
class InOrder {
 public:
  using key_type = std::string;
  using mapped_type = V;

  /// The value of that name, a new one at the end if there is none.
  V& operator[](const std::string& name) {
    for (auto& entry : entries_)
      if (entry.first == name) return entry.second;
    return entries_.emplace_back(name, V()).second;
  }
  [[nodiscard]] bool contains(std::string_view name) const {
    for (const auto& entry : entries_)
      if (entry.first == name) return true;
    return false;
  }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  void clear() { entries_.clear(); }
  [[nodiscard]] auto begin() { return entries_.begin(); }
  [[nodiscard]] auto end() { return entries_.end(); }
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }

 private:
  std::vector<std::pair<std::string, V>> entries_;
};

/// An integer as its JSON form shows it: Money 1250 as 12.50, 1200 as 12.
AGON_API std::string integer_text(const Type& type, std::int64_t value);
/// A double in its shortest exact form; whole numbers without a fraction.
AGON_API std::string number_text(double value);
/// A double for people and models: to four places, or three digits if it is small; binary noise
/// says nothing.
AGON_API std::string figure_text(double value);
/// A score or metric for people: with 2 decimals, cents as 12.50; with 0, whole numbers as they are
/// and others to four places; "-" if it is not finite.
AGON_API std::string score_text(double value, int decimals);

/// Appends the object as compact JSON.
void append_json(std::string& out, const Type& type, const void* object);

/// True for a member that is left out where it holds nothing, and holds nothing.
[[nodiscard]] AGON_API bool is_left_out(const Field& field, const void* member);

/// The object as JSON that reads as what append_json() writes.
[[nodiscard]] AGON_API boost::json::value json_value(const Type& type, const void* object);
/// The same for an object of a described type.
template <class T>
[[nodiscard]] boost::json::value json_value(const T& object) {
  return json_value(type_of<T>(), &object);
}

}  // namespace agon
