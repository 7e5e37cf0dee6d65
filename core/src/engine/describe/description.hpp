#pragma once

#include <agon/export.hpp>
#include <agon/type.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "describe/owned_type.hpp"

namespace agon {

/// Columns of the widest name that a card may have, of a member, a stage, a seat: tables and
/// messages have it in one line.
inline constexpr std::size_t kWidestName = 100;

/// All that a description says, as JSON, for another process: names, meanings, units, bounds,
/// defaults. `read_description` makes a type of it again that reads, writes, checks, draws, shows
/// and records values as this one does. What only tells how a value lies in memory is left out.
[[nodiscard]] AGON_API std::string write_description(const Type& type);

/// The type that such JSON describes. Throws Error (invalid) that says where it is wrong;
/// `source`: what is read, for the message.
[[nodiscard]] AGON_API OwnedType read_description(std::string_view json, std::string_view source);

}  // namespace agon
