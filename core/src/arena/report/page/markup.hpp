#pragma once

#include <agon/export.hpp>
#include <string>
#include <string_view>

namespace agon::report {

/// Words in which nothing is read as HTML or SVG, in an attribute neither.
[[nodiscard]] AGON_API std::string markup(std::string_view words);

}  // namespace agon::report
