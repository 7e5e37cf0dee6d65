#pragma once

#include <string>

#include "water-allocation/settings.hpp"

namespace water_allocation {

/// The rules as players are told them, with the figures of these settings.
std::string rules_text(const Settings& settings);

/// An amount as players write it: 70, or 343.75.
std::string dollars(agon::Money amount);

}  // namespace water_allocation
