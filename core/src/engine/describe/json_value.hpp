#pragma once

#include <agon/export.hpp>
#include <agon/type.hpp>
#include <boost/json/value.hpp>

namespace agon {

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
