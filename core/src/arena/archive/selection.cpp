#include "archive/selection.hpp"

#include <algorithm>

namespace agon::archive {

MatchNumbers::MatchNumbers(std::vector<NumberRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const NumberRange& a, const NumberRange& b) { return a.first < b.first; });
  for (const NumberRange& range : ranges) {
    if (!ranges_.empty() && range.first <= ranges_.back().last + 1)
      ranges_.back().last = std::max(ranges_.back().last, range.last);
    else
      ranges_.push_back(range);
  }
}

bool MatchNumbers::has(std::int64_t number) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), number,
                       [](std::int64_t n, const NumberRange& range) { return n < range.first; });
  return after != ranges_.begin() && number <= std::prev(after)->last;
}

}  // namespace agon::archive
