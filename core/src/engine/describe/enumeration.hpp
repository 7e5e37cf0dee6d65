#pragma once

#include <agon/describe.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agon {

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

}  // namespace agon
