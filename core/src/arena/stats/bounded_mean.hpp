#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace agon::stats {

/// Rows of sorted uniform numbers, for all samples of one size. The same seed gives the same rows.
class SortedUniforms {
 public:
  explicit SortedUniforms(std::uint64_t seed) : seed_(seed) {}
  /// Row after row of `size` numbers, ascending within a row; made when first asked for.
  [[nodiscard]] std::span<const double> rows(std::size_t size);
  /// How many rows there are for this size.
  [[nodiscard]] static std::size_t count(std::size_t size);

 private:
  std::uint64_t seed_;
  std::map<std::size_t, std::vector<double>> rows_;
};

/// Bounds of a mean from independent values of a known range that need no other assumption: what
/// the sample leaves open is taken to be as far off as the range allows. With yes-or-no values
/// they are the exact ones of Clopper and Pearson (Biometrika 26, 1934).
/// Learned-Miller and Thomas, "A new confidence interval for the mean of a bounded random
/// variable", arXiv:1905.06208 (2019); their coverage is proven for yes-or-no values and else seen
/// in all simulations.
class AGON_API BoundedMean {
 public:
  /// `values` lie in [low, high]; an infinite end has no bound on its side.
  BoundedMean(std::span<const double> values, double low, double high, SortedUniforms& uniforms);

  /// The mean is below it with a chance of `tail` at most, 0 < tail < 1. Falls as `tail` does, and
  /// is the end of the range where the rows are too few to tell.
  [[nodiscard]] double lower(double tail) const;
  /// The mean is above it with a chance of `tail` at most.
  [[nodiscard]] double upper(double tail) const;

 private:
  double low_;
  double high_;
  std::vector<double> lower_;  ///< by row, sorted
  std::vector<double> upper_;
};

}  // namespace agon::stats
