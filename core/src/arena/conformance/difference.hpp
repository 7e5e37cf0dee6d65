#pragma once

#include <string>

#include "table/match.hpp"

namespace agon::conformance {

/// The first entry in which two matches differ, in words; empty if their records are the same.
[[nodiscard]] std::string first_difference(const MatchResult& a, const MatchResult& b);

}  // namespace agon::conformance
