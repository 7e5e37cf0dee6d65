#pragma once

#include <vector>

#include "theory/rational.hpp"

namespace agon::theory {

/// Maximise goal . x over x >= 0 with rows[i] . x <= limits[i], where every limit is at least 0.
struct LinearProgram {
  std::vector<Rational> goal;
  std::vector<std::vector<Rational>> rows;
  std::vector<Rational> limits;
};

struct Optimum {
  Rational value;
  std::vector<Rational> x;
};

/// A best x, always the same one: the simplex method with Bland's rule, which cannot go round in
/// circles. The goal must be bounded.
Optimum maximise(LinearProgram program);

}  // namespace agon::theory
