#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "deal-or-no-deal/instances.hpp"

namespace deal_or_no_deal {

/// Gives a uniform whole number below its argument, which is at least 1.
using Draw = std::function<std::uint32_t(std::uint32_t)>;

/// What to draw. The defaults are those of the published instances (OpenSpiel's bargaining game).
struct GeneratorOptions {
  /// Number of item types, 1 to kMaxTypes.
  std::size_t types = 3;
  /// A count is uniform from 1 to this.
  int largest_count = 7;
  /// A value is uniform from 0 to this.
  int largest_value = 10;
  /// What every instance keeps.
  Constraints constraints;
  /// How many values or counts may be thrown away for one instance before giving up.
  std::uint64_t redraws = 20'000'000;
};

/// Draws `how_many` different instances: counts until the number of items is right, then values,
/// and all over again until every constraint is kept and the instance is new. Ids are `prefix` and
/// the position from 1, as in "made-001"; all have as many digits as the last one. The same draws
/// give the same instances everywhere. Throws agon::Error when the options are out of range or
/// nothing new is found in `redraws` attempts.
[[nodiscard]] std::vector<Instance> generate_instances(const Draw& draw, std::size_t how_many,
                                                       std::string_view prefix,
                                                       const GeneratorOptions& options = {});

}  // namespace deal_or_no_deal
