#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace agon::design {

/// The most items that are put in order at once (memory: about 32 bytes an item while it is done).
inline constexpr std::uint64_t kMostInOrder = 100'000'000;

/// 0 .. count - 1 in an order drawn evenly from all orders (Fisher-Yates). Throws
/// Error above kMostInOrder.
[[nodiscard]] AGON_API std::vector<std::uint64_t> shuffled(std::uint64_t count, std::uint64_t seed);

/// One place in a merged order: an item of a list.
struct Turn {
  std::uint32_t list = 0;
  std::uint64_t item = 0;

  friend bool operator==(const Turn&, const Turn&) = default;
};

/// Merges lists of the given sizes so that all advance at the same rate, in a random pattern: item
/// j of a list of m comes at a random time between j/m and (j+1)/m. Each list keeps its order, and
/// wherever the work is cut off, lists of equal size differ by at most one item. Throws Error above
/// kMostInOrder items.
[[nodiscard]] AGON_API std::vector<Turn> riffled(std::span<const std::uint64_t> sizes,
                                                 std::uint64_t seed);

/// 0 .. group.size() - 1, where group[i] says to which group item i belongs (0, 1, ... without
/// large gaps): shuffled within each group, and the groups riffled. Throws Error
/// above kMostInOrder items.
[[nodiscard]] AGON_API std::vector<std::uint64_t> interleaved(std::span<const std::uint32_t> group,
                                                              std::uint64_t seed);

}  // namespace agon::design
