#pragma once

#include <agon/export.hpp>
#include <boost/json/fwd.hpp>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace agon::json {

/// How deeply arrays and objects may be nested.
inline constexpr std::size_t max_depth = 64;

/// Reads one JSON value, with `//` and `/* */` comments allowed anywhere between tokens and a byte
/// order mark at the start ignored. Stricter than usual, so that nothing is silently changed:
/// doubles are the nearest to the text, integers fit 64 bits (signed where they can be), names are
/// unique within their object, and trailing commas, NaN and Infinity are refused.
///
/// Throws Error (invalid) that says `file:line:column`, what is wrong there and how to mend it.
/// Include <boost/json/value.hpp> to use the result.
AGON_API boost::json::value parse(std::string_view text, std::string_view file);

/// True for what `parse` reads and that has no comments, so that it can stand in other JSON.
AGON_API bool is_value(std::string_view text);

/// Reads a whole file. Throws Error: not_found when there is none, failure when it is a directory,
/// cannot be read or is larger than 256 MiB.
AGON_API std::string read_file(const std::filesystem::path& path);

/// `parse` over `read_file`.
AGON_API boost::json::value parse_file(const std::filesystem::path& path);

}  // namespace agon::json
