#pragma once

#include <agon/export.hpp>
#include <cstdint>

#include "archive/database/sqlite.hpp"

namespace agon::archive {

/// Version of the tables that docs/archive.md describes (PRAGMA user_version).
inline constexpr std::int64_t kSchemaVersion = 7;
/// "AGON": marks the SQLite file as an archive (PRAGMA application_id).
inline constexpr std::int64_t application_id = 0x41474F4E;

/// What a database file turned out to be.
enum class FileState : std::uint8_t {
  empty,    ///< no tables yet
  former,   ///< an archive of format 5: convert() it first
  current,  ///< an archive of this version, or of the one before it, whose tables are the same
};

/// Looks at an open database. Throws Error when it is no archive, damaged or cut short, or of
/// another format.
AGON_API FileState inspect(Connection& db);

/// Makes an archive of format 5 one of this version: the same rows, in tables and columns with
/// other names. All or nothing. Throws Error.
void convert(Connection& db);
/// Says that records of an archive may be compressed from now on.
void set_current_version(Connection& db);
/// Makes the tables in an empty database and puts it in WAL mode.
void create_schema(Connection& db);
/// Makes the tables, and nothing else.
void create_tables(Connection& db);

/// The table of branches, which only archives with branches have.
[[nodiscard]] bool has_branches(Connection& db);
void create_branches(Connection& db);
/// The table of decisions, likewise.
[[nodiscard]] bool has_decisions(Connection& db);
void create_decisions(Connection& db);

/// Refuses a database with something in it that could act while it is read or written: triggers
/// and virtual tables. Throws Error.
void refuse_actors(Connection& db);

/// Refuses an archive of the present version whose tables and indices are not the format's: one
/// that is missing, a view in the place of a table, other columns or conditions. Further tables and
/// views are left alone, as nothing reads them. Throws Error.
void check_schema(Connection& db);

}  // namespace agon::archive
