#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace agon::text {

/// "1 match", "3 matches": a count and its noun. `many`: the plural; empty: `one` and an s.
[[nodiscard]] std::string counted(std::integral auto count, std::string_view one,
                                  std::string_view many = {}) {
  std::string words = std::to_string(count) + " ";
  if (count == 1) return words += one;
  return many.empty() ? (words += one) += "s" : words += many;
}

}  // namespace agon::text
