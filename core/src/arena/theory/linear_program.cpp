#include "theory/linear_program.hpp"

#include <cstddef>
#include <numeric>
#include <utility>

namespace agon::theory {
namespace {

/// Row `row` is solved for the variable of column `column`, which takes the place of row's own.
void pivot(LinearProgram& p, Rational& value, std::size_t row, std::size_t column) {
  const Rational inverse = 1 / p.rows[row][column];
  for (Rational& x : p.rows[row]) x *= inverse;
  p.rows[row][column] = inverse;
  p.limits[row] *= inverse;
  const auto clear = [&](std::vector<Rational>& other, Rational& limit) {
    const Rational factor = other[column];
    if (factor.is_zero()) return;
    for (std::size_t k = 0; k < other.size(); ++k) {
      if (k == column) {
        other[k] = -factor * inverse;
      } else if (!p.rows[row][k].is_zero()) {
        other[k] -= factor * p.rows[row][k];
      }
    }
    limit -= factor * p.limits[row];
  };
  for (std::size_t i = 0; i < p.rows.size(); ++i) {
    if (i != row) clear(p.rows[i], p.limits[i]);
  }
  clear(p.goal, value);
}

}  // namespace

Optimum maximise(LinearProgram p) {
  const std::size_t width = p.goal.size();
  std::vector<std::size_t> outside(width);         // the variable of each column
  std::vector<std::size_t> inside(p.rows.size());  // the variable of each row
  std::iota(outside.begin(), outside.end(), std::size_t{0});
  std::iota(inside.begin(), inside.end(), width);
  Rational value = 0;  // minus the value of the goal
  for (;;) {
    std::size_t column = width;
    for (std::size_t k = 0; k < width; ++k) {
      if (p.goal[k] > 0 && (column == width || outside[k] < outside[column])) column = k;
    }
    if (column == width) break;
    std::size_t row = p.rows.size();
    Rational least;
    for (std::size_t i = 0; i < p.rows.size(); ++i) {
      if (p.rows[i][column] <= 0) continue;
      const Rational ratio = p.limits[i] / p.rows[i][column];
      if (row == p.rows.size() || ratio < least || (ratio == least && inside[i] < inside[row])) {
        row = i;
        least = ratio;
      }
    }
    if (row == p.rows.size()) break;  // unbounded: excluded by the contract
    pivot(p, value, row, column);
    std::swap(inside[row], outside[column]);
  }
  Optimum optimum{-value, std::vector<Rational>(width, 0)};
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] < width) optimum.x[inside[i]] = p.limits[i];
  }
  return optimum;
}

}  // namespace agon::theory
