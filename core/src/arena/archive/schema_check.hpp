#pragma once

#include "archive/sqlite.hpp"

namespace agon::archive {

/// Refuses a database with something in it that could act while it is read or written: triggers
/// and virtual tables. Throws Error.
void refuse_actors(Connection& db);

/// Refuses an archive of the present version whose tables and indices are not the format's: one
/// that is missing, a view in the place of a table, other columns or conditions. Further tables and
/// views are left alone, as nothing reads them. Throws Error.
void check_schema(Connection& db);

}  // namespace agon::archive
