#pragma once

#include "archive/sqlite.hpp"

namespace agon::archive {

/// Brings an archive of format 2 to format 3, which knows the bounds of scores, which suite asked
/// for what, and the seed of a scenario; the tables are as they are made anew.
void to_format_3(Connection& db, const char* asked_tables, const char* scenario_table);

}  // namespace agon::archive
