#pragma once

#include <agon/describe.hpp>
#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <vector>

#include "describe/error_place.hpp"
#include "describe/in_order.hpp"

namespace agon {

/// One agent out of an entry with "factors".
struct FactorLevels {
  std::string suffix;           ///< of its name: "/memory=whole,planning=none"; "" without factors
  boost::json::object members;  ///< of its entry: factor to level
};

/// All combinations of the levels of `factors`, the last of which changes first; without factors
/// one that has none. Throws Error at `place` for levels that make no names, or too many agents.
[[nodiscard]] std::vector<FactorLevels> cross_factors(
    const std::optional<InOrder<std::vector<JsonText>>>& factors, const ErrorPlace& place);

}  // namespace agon
