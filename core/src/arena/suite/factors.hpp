#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <vector>

namespace agon {

/// One agent out of a spec with "factors".
struct FactorLevels {
  std::string suffix;           ///< of its name: "memory=whole,planning=none"
  boost::json::object members;  ///< of its spec: factor to level
};

/// All combinations of the levels of `factors`, an object of lists; the last factor changes first.
/// Throws Error for what is no such object, led by `where`.
[[nodiscard]] std::vector<FactorLevels> cross_factors(const boost::json::value& factors,
                                                      const std::string& where);

}  // namespace agon
