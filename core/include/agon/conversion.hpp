#pragma once

#include <agon/export.hpp>
#include <agon/fault.hpp>
#include <agon/language.hpp>
#include <agon/limits.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace agon {

/// Why a value was turned down.
struct AGON_API Problem {
  std::string path;              ///< JSON path inside the value: `$.keep[1]`
  std::string what;              ///< a sentence without a final stop
  Fault fault = Fault::illegal;  ///< what the attempt counts as
  Saying saying{};               ///< `what`, for other languages; empty: it is in none of them

  /// "$.keep[1]: 4 is more than 3"; without the path where it is the whole value.
  [[nodiscard]] std::string text() const;
  /// The same in that language.
  [[nodiscard]] std::string text(const Language& language) const;
};

/// Whether members that are missing keep what the object holds (settings over defaults) or are
/// turned down (answers).
enum class Missing : std::uint8_t { keeps, is_wrong };

/// Reads JSON text into an object of the described type. Unknown members, wrong types and (with
/// Missing::is_wrong) missing members are turned down; bounds and limits are checked too. After a
/// problem the object holds some mixture and must not be used.
AGON_API std::optional<Problem> read_json(const Type& type, void* object, std::string_view json,
                                          std::span<const LimitData> limits = {},
                                          Missing missing = Missing::is_wrong);
/// The same for an object of a described type.
template <class T>
std::optional<Problem> read_json(T& object, std::string_view json, Missing missing) {
  return read_json(type_of<T>(), &object, json, {}, missing);
}

/// Checks an object against the bounds of its description and the limits of the moment.
AGON_API std::optional<Problem> find_problem(const Type& type, const void* object,
                                             std::span<const LimitData> limits = {});

/// The one value of the type that the limits allow, as compact JSON; nothing if there are more, or
/// none.
AGON_API std::optional<std::string> only_value(const Type& type, std::span<const LimitData> limits);

/// The object as compact JSON, members in order of description.
AGON_API std::string write_json(const Type& type, const void* object);
/// The same for an object of a described type.
template <class T>
std::string write_json(const T& object) {
  return write_json(type_of<T>(), &object);
}

/// Reads what was written with write_json(), such as an event of a record, into a new object. Texts
/// and lists that it borrows live as long as the pointer: name it before a loop over them. Members
/// that the type does not have are passed over. Throws Error (failure) if the JSON is no such
/// object.
[[nodiscard]] AGON_API std::shared_ptr<const void> read_back(const Type& type,
                                                             std::string_view json);
/// The same for a described type.
template <class T>
[[nodiscard]] std::shared_ptr<const T> read_back(std::string_view json) {
  return std::static_pointer_cast<const T>(read_back(type_of<T>(), json));
}

/// The JSON Schema (draft 2020-12) of an answer under the limits, in the strict form that endpoints
/// with structured output take: every member required, nothing additional, no open maps. What
/// members mean is said in the language; throws Error (not_found) where that lacks it.
AGON_API std::string schema_json(const Type& type, std::span<const LimitData> limits = {},
                                 const Language& language = Language::english());

/// The tag that tells a variant's alternative apart: the struct's name in lower case, WalkAway as
/// walk_away.
AGON_API std::string kind_of(const Type& alternative);

}  // namespace agon
