#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <span>

#include "archive/database/sqlite.hpp"

namespace agon::archive {

/// Version of the tables that docs/archive.md describes (PRAGMA user_version).
inline constexpr std::int64_t kSchemaVersion = 5;
/// "AGON": marks the SQLite file as an archive (PRAGMA application_id).
inline constexpr std::int64_t application_id = 0x41474F4E;

/// A step from schema version `from` to `from` + 1.
struct Migration {
  std::int64_t from;
  void (*apply)(Connection&);
};

/// The steps that lead from every older version to kSchemaVersion, in order.
AGON_API std::span<const Migration> migrations();

/// What a database file turned out to be.
enum class FileState : std::uint8_t {
  empty,    ///< no tables yet
  current,  ///< an archive of this version
  older,    ///< an archive that needs migrating
};

/// Looks at an open database. Throws Error when it is no archive, damaged or cut short, or from a
/// newer version of Agon.
AGON_API FileState inspect(Connection& db, std::int64_t version = kSchemaVersion);

/// Makes the tables in an empty database and puts it in WAL mode.
void create_schema(Connection& db);
/// Makes the tables, and nothing else.
void create_tables(Connection& db);

/// Brings an older archive to `version`, all in one transaction: it either is migrated or stays
/// what it was. Throws Error when a step is missing or fails.
AGON_API void migrate(Connection& db, std::span<const Migration> steps, std::int64_t version);

/// Refuses a database with something in it that could act while it is read or written: triggers
/// and virtual tables. Throws Error.
void refuse_actors(Connection& db);

/// Refuses an archive of the present version whose tables and indices are not the format's: one
/// that is missing, a view in the place of a table, other columns or conditions. Further tables and
/// views are left alone, as nothing reads them. Throws Error.
void check_schema(Connection& db);

/// Brings an archive of format 2 to format 3, which knows the bounds of scores, which suite asked
/// for what, and the seed of a scenario; the tables are as they are made anew.
void to_format_3(Connection& db, const char* asked_tables, const char* scenario_table);

}  // namespace agon::archive
