#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace agon::stats {

/// weight * (sum of numerators / sum of denominators) over the units of a stratum. A plain mean has
/// denominators of 1. A unit that says nothing about this ratio has 0 in both.
struct RatioTerm {
  double weight = 1;
  std::vector<double> numerator;    ///< one value a unit
  std::vector<double> denominator;  ///< one value a unit
};

/// What a cell's value can be, whatever is played.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  /// True: a unit may have any value of the range, seen or not, and intervals reckon with that.
  /// False: the ends are far off what is played (a technical limit) and only cut intervals.
  bool open_to_all = false;
};

/// A sum of ratios over the units of one stratum, such as an agent's mean over roles less the
/// reference's. The terms see the same units, so that what they share cancels.
struct Cell {
  std::size_t stratum = 0;
  std::vector<RatioTerm> terms;
  std::size_t blocks = 0;  ///< blocks behind the cell, for the result
  std::size_t units = 0;   ///< units that say something, for the result and the rule of ten
  Range range{};
};

/// One cell's part in a contrast.
struct CellWeight {
  std::size_t cell = 0;
  double weight = 1;
};

/// A weighted sum of cells of different strata, which are independent.
using Contrast = std::vector<CellWeight>;

/// What is estimated, from what. The strata are games.
struct ContrastProblem {
  std::vector<std::size_t> units;   ///< number of units of each stratum
  std::vector<Cell> cells;          ///< every cell belongs to one stratum
  std::vector<Contrast> contrasts;  ///< a contrast has at most one cell of a stratum
};

}  // namespace agon::stats
