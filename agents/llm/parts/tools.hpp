#pragma once

#include <string>
#include <string_view>

namespace agon::llm {

/// Bytes of an expression, at most.
inline constexpr std::size_t kLongestExpression = 200;

/// "12.5 * 3 = 37.5": what an expression of decimal numbers, + - * / ^ and parentheses comes to.
/// Worked out in fractions, and rounded at the end alone, where ten decimals do not hold it. Throws
/// Error for what is no expression, for division by zero, and beyond 150 digits.
[[nodiscard]] std::string worked_out(std::string_view expression);

}  // namespace agon::llm
