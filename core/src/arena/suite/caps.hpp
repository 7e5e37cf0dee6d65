#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace agon {

/// What the model calls of a whole run may take, runs that it takes up again included.
struct Caps {
  std::optional<std::int64_t> cost{};    ///< billionths of a US dollar
  std::optional<std::int64_t> tokens{};  ///< in and out
  std::optional<std::int64_t> calls{};

  [[nodiscard]] bool any() const { return cost || tokens || calls; }
};

/// Reads "25", "25 USD" or "0.5 USD" as billionths of a dollar. Throws Error (usage).
[[nodiscard]] AGON_API std::int64_t read_cost(std::string_view text, const std::string& where);

}  // namespace agon
