#pragma once

#include <string>

#include "run/run_archive.hpp"

namespace agon {

/// Says, before a run plays, that its archive was last run with something else, and what becomes of
/// that; empty if it was not.
[[nodiscard]] std::string describe_other_suite(const RunArchive& archive, const std::string& path);

}  // namespace agon
