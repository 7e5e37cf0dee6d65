#pragma once

#include <agon/export.hpp>
#include <span>
#include <string>
#include <string_view>

namespace agon {

/// The end of a message about an unknown name: ` (did you mean 'x'?)`, or ` (known: a, b, c)` when
/// nothing is close and the list is short, or nothing.
[[nodiscard]] AGON_API std::string did_you_mean(std::string_view word,
                                                std::span<const std::string> known);

}  // namespace agon
