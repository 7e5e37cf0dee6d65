#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <set>
#include <vector>

#include "archive/match_id.hpp"

namespace agon::archive {

/// Running numbers from `first` to `last`.
struct NumberRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// A set of running numbers. Runs write theirs one after the other, so that ranges hold them.
class AGON_API MatchNumbers {
 public:
  MatchNumbers() = default;
  /// Ranges in any order, which may overlap.
  explicit MatchNumbers(std::vector<NumberRange> ranges);

  [[nodiscard]] bool has(std::int64_t number) const;
  [[nodiscard]] bool empty() const { return ranges_.empty(); }
  /// Apart from one another, in ascending order.
  [[nodiscard]] const std::vector<NumberRange>& ranges() const { return ranges_; }

 private:
  std::vector<NumberRange> ranges_;
};

/// Some matches of an archive: what a suite or a run asked for.
struct Selection {
  MatchNumbers matches;        ///< finished ones, by running number
  std::set<MatchId> partials;  ///< those in progress, or that could not be finished
  std::set<std::int64_t> runs;
};

}  // namespace agon::archive
