#pragma once

#include <span>
#include <vector>

namespace agon::stats {

/// Systems of linear equations with one symmetric positive definite matrix, by its Cholesky factor.
class PositiveDefinite {
 public:
  /// `a` row by row; only its lower half is read.
  PositiveDefinite(std::vector<double> a, std::size_t size);

  /// Turns the right side into the solution.
  void solve(std::span<double> b) const;

 private:
  std::size_t size_;
  std::vector<double> factor_;
};

}  // namespace agon::stats
