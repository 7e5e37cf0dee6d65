#include "stats/positive_definite.hpp"

#include <cmath>
#include <utility>

namespace agon::stats {

PositiveDefinite::PositiveDefinite(std::vector<double> a, std::size_t size)
    : size_(size), factor_(std::move(a)) {
  const std::size_t n = size_;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) {
      const double factor = factor_[j * n + k];
      for (std::size_t i = j; i < n; ++i) factor_[i * n + j] -= factor * factor_[i * n + k];
    }
    const double root = std::sqrt(factor_[j * n + j]);
    for (std::size_t i = j; i < n; ++i) factor_[i * n + j] /= root;
  }
}

void PositiveDefinite::solve(std::span<double> b) const {
  const std::size_t n = size_;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= factor_[i * n + k] * b[k];
    b[i] /= factor_[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= factor_[k * n + i] * b[k];
    b[i] /= factor_[i * n + i];
  }
}

}  // namespace agon::stats
