#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/compression.hpp"
#include "archive/database/sqlite.hpp"
#include "archive/matches/matches.hpp"
#include "archive/rows.hpp"

namespace agon::archive {

class Archive;
struct OpenArchive;

/// The columns that MatchReader::match takes; the table is called m.
std::string names_of_match();

/// Puts rows back together into matches. The same MatchRow can be filled again and again, so that
/// its memory is reused.
class MatchReader {
 public:
  MatchReader(Connection& db, Decompressor& decompressor);

  /// Reads a row of names_of_match() into `match`, all but seats and record; gives the running
  /// number.
  std::int64_t match(Statement& row, MatchRow& match);
  void seats(std::int64_t number, MatchRow& match);
  void record(std::int64_t number, MatchRow& match);

 private:
  Statement seats_;
  Statement record_;
  Decompressor* decompressor_;
};

/// Where the matches of each scenario come, from 1: by its place, name and number.
std::map<std::int64_t, std::size_t> scenario_ranks(const Archive& archive);

/// Reads a row of PartialRows.
PartialMatch read_partial(Statement& row, OpenArchive& open);

/// Reads the id of a match.
MatchId read_id(Statement& row);

/// Calls `each` with the matches that `archive.matches().each(wanted, each)` would, in the same
/// order, read by so many threads: each has the archive open for itself and reads every k-th block.
/// What waits to be told is a few hundred matches a thread, however many there are. Call it inside
/// `archive.together`: matches that are committed later are not told.
AGON_API void matches_by_threads(
    const Archive& archive, const ReadOptions& wanted, std::size_t threads,
    const std::function<bool(std::int64_t number, const MatchRow&)>& each);

}  // namespace agon::archive
