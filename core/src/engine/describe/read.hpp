#pragma once

#include <agon/conversion.hpp>
#include <agon/export.hpp>
#include <boost/json/fwd.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

namespace agon {

/// Whether members that the description does not have are turned down.
enum class Unknown : std::uint8_t { is_wrong, passed_over };

/// Reads a JSON value into an object, form only: types, members, tags. Bounds and limits are
/// find_problem's business.
AGON_API std::optional<Problem> read_value(const Type& type, void* object,
                                           const boost::json::value& value, Missing missing,
                                           Unknown unknown = Unknown::is_wrong);

/// What an archive holds, written by this version or another one: what the description lacks is
/// passed over, what it wants and the text lacks is not. False if it is no such thing; `object`
/// then holds some mixture.
[[nodiscard]] AGON_API bool read_recorded(const Type& type, void* object, std::string_view json);
template <class T>
[[nodiscard]] std::optional<T> read_recorded(std::string_view json) {
  std::optional<T> object(std::in_place);
  if (!read_recorded(type_of<T>(), &*object, json)) object.reset();
  return object;
}

}  // namespace agon
