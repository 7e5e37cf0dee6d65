#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/matches/match_id.hpp"
#include "archive/rows.hpp"

namespace agon::archive {

class Archive;
struct OpenArchive;

/// What a reader wants of each match.
struct ReadOptions {
  bool seats = true;
  bool record = false;
  bool in_order = true;  ///< false: as they are stored, which takes no sorting
  /// False: matches in columns come without id and luck, which have to be worked out.
  bool ids = true;
  /// Numbers of the scenarios to read; empty for all.
  std::vector<std::int64_t> scenarios{};
  /// Every k-th block, from this one on; and no match of a higher number (0: all).
  std::int64_t shares = 1;
  std::int64_t share = 0;
  std::int64_t last = 0;
};

/// A finished match among those of the same agents on the same seats of a scenario.
struct DoneMatch {
  std::int64_t block = 0;
  std::int64_t repeat = 0;
  std::int64_t number = 0;  ///< running number
};

/// The matches of an archive: finished ones, and those that are not. Not longer than the Archive is
/// there, where it is.
class AGON_API Matches {
 public:
  Matches(const Archive& archive, OpenArchive& open) : archive_(archive), open_(open) {}

  /// Calls `each` with every finished match and its running number, until it returns false: by
  /// place of the scenario, then block, repeat, position, line-up, assignment and id. The match is
  /// valid during the call only. Memory does not grow with the number of matches (the order is
  /// sorted in temporary files).
  void each(const ReadOptions& wanted,
            const std::function<bool(std::int64_t number, const MatchRow&)>& each) const;
  /// The finished match with this running number, with seats and record. Throws Error (not_found).
  [[nodiscard]] MatchRow at(std::int64_t number) const;
  /// The record of a match that was read with it. Throws Error (not_found) if it was played without
  /// keeping one.
  [[nodiscard]] const std::string& record_of(const MatchRow& match) const;

  /// How many are finished.
  [[nodiscard]] std::int64_t count() const;
  /// The highest number of a finished match, 0 without any.
  [[nodiscard]] std::int64_t last_number() const;
  /// The highest block of a match, finished or not; -1 without any.
  [[nodiscard]] std::int64_t last_block() const;
  /// The numbers of the scenarios that matches, finished or not, are of.
  [[nodiscard]] std::set<std::int64_t> scenarios() const;

  /// The running number of the finished match that `text` names: a running number (`12` or `#12`),
  /// an id, or the beginning of one (4 digits or more) that no other has. Throws Error: not_found
  /// when there is none, usage when there are several.
  [[nodiscard]] std::int64_t find(std::string_view text) const;
  /// The running number of a finished match.
  [[nodiscard]] std::optional<std::int64_t> number(const MatchId& id) const;
  /// Calls `each` with the running number of every finished match.
  void numbers(const std::function<void(std::int64_t number)>& each) const;
  /// Calls `each` with the id of every finished match.
  void ids(const std::function<void(const MatchId&, std::int64_t number)>& each) const;
  /// The ids of those that the game broke, or that were set aside.
  void broken_ids(const std::function<void(const MatchId&)>& each) const;

  /// How many finished ones stand in the table `match`, and not in columns.
  [[nodiscard]] std::int64_t rows() const;
  /// The running number of a match in that table.
  [[nodiscard]] std::optional<std::int64_t> row_number(const MatchId& id) const;
  /// The same as ids() of matches in that table alone, and of all others: some at a time, under the
  /// id that their agents on their seats have in block 0 and repeat 0.
  void row_ids(const std::function<void(const MatchId&, std::int64_t number)>& each) const;
  void done_in_columns(
      const std::function<void(const MatchId& first, std::span<const DoneMatch>)>& each) const;

  /// The match in progress with this id.
  [[nodiscard]] std::optional<PartialMatch> partial(const MatchId& id) const;
  /// Calls `each` with every match that is in progress or could not be finished, by id.
  void partials(const std::function<void(const PartialMatch&)>& each) const;

 private:
  /// each(), without what was added.
  void stored(const ReadOptions& wanted,
              const std::function<bool(std::int64_t number, const MatchRow&)>& each) const;

  const Archive& archive_;
  OpenArchive& open_;
};

}  // namespace agon::archive
