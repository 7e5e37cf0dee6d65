#pragma once

#include <agon/export.hpp>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "archive/rows.hpp"

namespace agon {

/// Which shards of a plan an archive has, by its runs.
struct AGON_API ShardSet {
  std::uint64_t count = 1;          ///< 1: the plan is not split
  std::set<std::uint64_t> numbers;  ///< from 1; empty: nothing was run

  /// "shard 3/16", "shards 1, 2 of 16" or "a whole run".
  [[nodiscard]] std::string text() const;
};

/// The shards that these runs were of. Throws Error (invalid) if they split the plan in different
/// ways. `file`: of the archive.
[[nodiscard]] AGON_API ShardSet shards_of(const std::vector<archive::RunRow>& runs,
                                          const std::string& file);

/// What was merged.
struct MergeSummary {
  std::string suite;
  std::uint64_t archives = 0;
  std::uint64_t matches = 0;   ///< finished ones of the merged archive
  std::uint64_t total = 0;     ///< of the whole plan
  std::uint64_t repeated = 0;  ///< that several archives had alike
  std::uint64_t partials = 0;  ///< that no archive has finished, and some began
  std::uint64_t calls = 0;     ///< of models, merged
  /// Answered calls for matches that another archive gave, left out: also those that a copy of an
  /// archive has, which were paid for once.
  std::uint64_t calls_left_out = 0;
  std::int64_t cost_left_out = 0;         ///< of these, where known: billionths of a US dollar
  std::uint64_t shards = 1;               ///< that the plan was split into
  std::vector<std::uint64_t> missing;     ///< shards without an archive
  std::vector<std::uint64_t> unfinished;  ///< shards whose runs did not end, or left matches

  [[nodiscard]] bool is_complete() const {
    return archives > 0 && missing.empty() && unfinished.empty();
  }
};

/// How to merge.
struct MergeOptions {
  bool partial = false;  ///< also where shards are missing or unfinished
  /// A merged archive that is there, and that no run has added to, is replaced.
  bool replace = false;
  /// Archives that are not there yet, or in which no run has begun, are left out.
  bool skip_absent = false;
  const std::atomic<bool>* stop = nullptr;  ///< null: nobody stops it
};

/// Makes one archive of those of the shards of a suite, in any order: matches by id, with what was
/// asked and paid for them. It appears at `to` when it is whole. A match that two archives have is
/// taken once. Memory does not grow with the number of matches, but with that of repeated ones.
///
/// Throws Error: usage if an archive is named twice or `to` is there; invalid if they are of
/// different suites or versions, if their plans are split in different ways, and for a match that
/// two of them have differently; unfinished if shards are missing or unfinished, unless `partial`;
/// failure if an archive cannot be read or `to` not be written.
/// Without any archive nothing is written.
AGON_API MergeSummary merge(const std::vector<std::string>& files, const std::filesystem::path& to,
                            const MergeOptions& options);

}  // namespace agon
