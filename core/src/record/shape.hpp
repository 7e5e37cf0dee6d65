#pragma once

#include <agon/type.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "record/codec.hpp"

namespace agon::record {

/// The form of a type in a compact notation, so that a record can be read without the plugin that
/// made it, and so that two libraries can compare what they mean:
///
///     b  i  m  n  t         bool, integer, money, number, text
///     e(a|b)                enumeration
///     ?X  [X]  <X>          optional, list, map from text
///     {name:X,...}          struct
///     (offer{...}|agree{})  variant
[[nodiscard]] std::string shape_of(const Type& type);

/// Renders encoded bytes as JSON by their shape alone. Empty if they do not fit.
[[nodiscard]] std::optional<std::string> to_json(std::string_view shape, std::string_view bytes);

}  // namespace agon::record
