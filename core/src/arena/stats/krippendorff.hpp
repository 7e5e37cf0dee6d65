#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace agon::stats {

/// How far apart two ratings are.
enum class RatingScale : std::uint8_t {
  nominal,   ///< the same or not
  ordinal,   ///< by how many ratings of the data lie between them
  interval,  ///< by the square of their difference
};

/// Krippendorff's alpha: how far judges agree, 1 for always, 0 for what chance would give, below 0
/// for less than that. `units`: the ratings of each thing rated, in any order, none where a judge
/// said nothing; things with fewer than two ratings do not count. Nothing if no two ratings of one
/// thing are there, or if all ratings are the same. Source: Krippendorff (2011), Computing
/// Krippendorff's alpha-reliability, section on any number of observers and missing data.
[[nodiscard]] AGON_API std::optional<double> krippendorff_alpha(
    std::span<const std::vector<int>> units, RatingScale scale);

}  // namespace agon::stats
