#pragma once

#include <cstdint>
#include <vector>

#include "theory/rational.hpp"

namespace agon::theory {

/// An extreme ray of a cone, in smallest whole numbers, and the constraints it meets with equality.
struct Ray {
  std::vector<Integer> at;
  std::uint64_t tight = 0;  ///< bit k: coordinate k is 0; bit d + j: row j is met with equality
};

/// The extreme rays of { z >= 0 : row . z >= 0 for every row } in d dimensions (the length of each
/// row), by the double description method (Motzkin and others 1953; Fukuda and Prodon 1996), which
/// is right for degenerate cones too. d plus the number of rows is at most 64. Throws Error if more
/// than `most_rays` rays appear on the way.
std::vector<Ray> extreme_rays(std::size_t d, const std::vector<std::vector<Integer>>& rows,
                              std::size_t most_rays);

}  // namespace agon::theory
