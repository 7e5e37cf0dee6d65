#pragma once

#include <agon/type.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "describe/value.hpp"

/// What the arena says, read. It is of our own making: what does not fit is a bug of Agon's, and
/// throws Error.
namespace agon::worker {

/// The text of a member.
std::string_view text_of(const boost::json::object& message, std::string_view name);
/// The whole number of a member.
std::int64_t number_of(const boost::json::object& message, std::string_view name);
/// False where it is left out.
bool truth_of(const boost::json::object& message, std::string_view name);
/// The names of the seats.
std::vector<std::string> names_of(const boost::json::object& message);
/// A key of chance, which is a text: it has more digits than numbers of JSON may have.
std::uint64_t key_of(const boost::json::value& text);
/// Reads a whole value of that type.
void read_into(const Type& type, void* object, const boost::json::value& json);
Value value_of(const Type& type, const boost::json::value& json);

}  // namespace agon::worker
