#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace english_auction {

/// Spearman's rank correlation of two equally long lists of at most 64 numbers; ties share their
/// average rank. Empty if either list is constant or shorter than two.
[[nodiscard]] std::optional<double> rank_correlation(std::span<const int> a,
                                                     std::span<const int> b);

}  // namespace english_auction
