#pragma once

#include <string>
#include <string_view>

namespace agon::report {

/// Words in which nothing is read as HTML or SVG, in an attribute neither.
[[nodiscard]] std::string markup(std::string_view words);

}  // namespace agon::report
