#include "design/treatments.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "design/counting.hpp"
#include "design/refuse.hpp"

namespace agon::design {
Treatments::Treatments(std::vector<Factor> factors) : factors_(std::move(factors)) {
  std::set<std::string_view> seen;
  Count count = 1;
  for (const Factor& factor : factors_) {
    if (factor.name.empty()) refuse("a factor has no name", "name it");
    if (!seen.insert(factor.name).second)
      refuse(fmt::format("two factors are called '{}'", factor.name), "rename one of them");
    if (factor.levels < 1)
      refuse(fmt::format("the factor '{}' has no levels", factor.name),
             "give it at least one level, or leave it out");
    count = product(count, static_cast<std::uint64_t>(factor.levels));
  }
  if (!count)
    refuse(fmt::format("{} crossed factors make more than 10^19 treatments", factors_.size()),
           "use fewer factors or levels");
  size_ = *count;
}

std::vector<int> Treatments::levels(std::uint64_t i) const {
  if (i >= size_)
    refuse(fmt::format("there is no treatment number {}: there are {}", i, size_), "count from 0");
  std::vector<int> out(factors_.size());
  for (std::size_t k = factors_.size(); k-- > 0;) {
    const auto levels = static_cast<std::uint64_t>(factors_[k].levels);
    out[k] = static_cast<int>(i % levels);
    i /= levels;
  }
  return out;
}

std::uint64_t Treatments::index(const std::vector<int>& levels) const {
  if (levels.size() != factors_.size())
    refuse(fmt::format("{} levels are given for {} factors", levels.size(), factors_.size()),
           "give one level a factor");
  std::uint64_t out = 0;
  for (std::size_t k = 0; k < factors_.size(); ++k) {
    const Factor& factor = factors_[k];
    if (levels[k] < 0 || levels[k] >= factor.levels)
      refuse(fmt::format("the factor '{}' has no level number {}: it has {}", factor.name,
                         levels[k], factor.levels),
             "count from 0");
    out = out * static_cast<std::uint64_t>(factor.levels) + static_cast<std::uint64_t>(levels[k]);
  }
  return out;
}

}  // namespace agon::design
