#pragma once

#include "bargaining/settings.hpp"

namespace bargaining {

/// What both sides may know of the settings, for prompts.
struct Facts {
  int max_turns = 0;
};
AGON_DESCRIBE(Facts, (max_turns, "turns; in each the buyer speaks, then the seller"))

/// The facts of these settings.
[[nodiscard]] Facts facts(const Settings& settings);

}  // namespace bargaining
