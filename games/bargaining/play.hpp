#pragma once

#include <agon/outcome.hpp>
#include <vector>

#include "bargaining/products.hpp"
#include "bargaining/settings.hpp"
#include "bargaining/stages.hpp"

namespace bargaining {

/// What follows from settings alone and all their matches share.
struct Prepared {
  BudgetFactor factor{};
  std::vector<std::size_t> candidates{};  ///< indices of products that can be drawn
};

/// Works it out. The settings have passed check().
[[nodiscard]] Prepared prepare(const Settings& settings);

/// One match (Xia et al. 2024, section 3 and published code).
[[nodiscard]] agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared);

}  // namespace bargaining
