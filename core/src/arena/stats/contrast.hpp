#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace agon::stats {

/// Nor is there an interval where a term, such as one of a game's scenarios, has fewer units.
inline constexpr std::size_t kFewestOfTerm = 6;

/// weight * (sum of numerators / sum of denominators) over the units of a stratum. A plain mean has
/// denominators of 1. A unit that says nothing about this ratio has 0 in both.
struct RatioTerm {
  double weight = 1;
  std::vector<double> numerator;    ///< one value a unit
  std::vector<double> denominator;  ///< one value a unit
  std::string name{};               ///< such as the role that it is of
};

/// What a cell's value can be, whatever is played: no interval goes beyond.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// A sum of ratios over the units of one stratum, such as an agent's mean over roles less the
/// reference's. The terms see the same units, so that what they share cancels.
struct Cell {
  std::size_t stratum = 0;
  std::vector<RatioTerm> terms;
  std::size_t blocks = 0;  ///< blocks behind the cell, for the result
  std::size_t units = 0;   ///< units that say something, for the result and the rule of ten
  Range range{};
  bool yes_or_no = false;   ///< every match says 0 or 1
  bool difference = false;  ///< 0 says that two are alike; else a level, such as a score
  /// What the stratum's units are called; empty where nobody asks. Outlives the cell.
  std::span<const std::string> unit_names{};
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
