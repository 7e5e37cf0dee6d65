#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.hpp"
#include "archive/database/sqlite.hpp"
#include "archive/rows.hpp"

namespace agon::archive {

class Archive;

/// The columns of a match that MatchReader::match takes, in its order; the table is called m.
inline constexpr std::string_view kMatchColumns =
    "m.number, m.id, m.scenario, m.block, m.repeat, m.position, m.line_up, m.assignment, m.focal, "
    "m.cluster, m.luck, m.ended, m.fault, m.metrics, m.questions, m.wall_ms, m.waiting_ms, "
    "m.created";

/// The columns that read_partial takes, in its order.
inline constexpr std::string_view kPartialColumns =
    "id, scenario, block, repeat, position, line_up, assignment, agents, sequence, reason, saved, "
    "record";

/// Puts rows back together into matches. The same MatchRow can be filled again and again, so that
/// its memory is reused.
class MatchReader {
 public:
  explicit MatchReader(Connection& db);

  /// Reads a row of kMatchColumns into `match`, all but seats and record; gives the running number.
  std::int64_t match(Statement& row, MatchRow& match);
  void seats(std::int64_t number, MatchRow& match);
  void record(std::int64_t number, MatchRow& match);

 private:
  void metrics(std::string_view text, std::vector<double>& out);

  Connection* db_;
  Statement seats_;
  Statement record_;
};

/// Where the matches of each scenario come, from 1: by its place, name and number.
std::map<std::int64_t, std::size_t> scenario_ranks(const Archive& archive);

/// Reads a row of kPartialColumns.
PartialMatch read_partial(Statement& row, const Connection& db);

/// Reads the next column with `read`, or nothing where it is NULL.
template <class Read>
auto read_optional(Statement& row, Read read) -> std::optional<decltype(read(row))> {
  if (!row.null()) return read(row);
  row.skip();
  return std::nullopt;
}

/// Reads bytes of which there must be as many as these take.
MatchId read_id(Statement& row);
hash::Digest read_digest(Statement& row);

/// Reads a finite number.
inline double read_number(Statement& row) {
  return row.number();
}

/// Reads a time; the archive is damaged where it is before 1970 or after the year 9999.
Time read_time(Statement& row);

/// Calls `each` with the matches that `archive.matches(wanted, each)` would, in the same order,
/// read by so many threads: each has the archive open for itself and reads every so-manieth block.
/// What waits to be told is a few hundred matches a thread, however many there are. Call it inside
/// `archive.together`: matches that are committed later are not told.
AGON_API void matches_by_threads(
    const Archive& archive, const Wanted& wanted, std::size_t threads,
    const std::function<bool(std::int64_t number, const MatchRow&)>& each);

}  // namespace agon::archive
