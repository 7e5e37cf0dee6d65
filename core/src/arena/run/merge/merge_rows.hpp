#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "archive/archive.hpp"
#include "archive/compression.hpp"
#include "archive/database/sqlite.hpp"
#include "archive/insert.hpp"
#include "archive/rows.hpp"
#include "run/merge/merge.hpp"

namespace agon {

/// An archive that is merged.
struct MergeSource {
  std::size_t place = 0;  ///< in the order of merging
  std::string file;
  ShardSet shards;
  archive::SuiteRow suite;
  std::vector<archive::RunRow> runs;              ///< those that played
  std::set<std::uint64_t> done;                   ///< shards whose last run is done
  std::int64_t finished = 0;                      ///< matches
  std::map<archive::MatchId, std::int64_t> open;  ///< partial matches, and their last save
  /// Running numbers of finished matches that another archive gives.
  std::unordered_set<std::int64_t> left_out;
  /// All that it has is in others too.
  [[nodiscard]] bool is_contained() const {
    return finished > 0 && open.empty() && left_out.size() == static_cast<std::size_t>(finished);
  }

  std::int64_t last = 0;  ///< running number of the last match that was copied
  std::map<std::int64_t, std::int64_t> scenarios, agents, run_numbers;  ///< there to here
};

/// Throws Error (failure) once `stop`, which may be null, is true.
void refuse_if_stopped(const std::atomic<bool>* stop);

class MatchCopy;

/// Writes a new archive from the rows of others, with numbers of its own.
class MergedRows {
 public:
  /// Makes the file. `summary` counts what is copied, and must outlive it, as `stop`, which may be
  /// null.
  MergedRows(const std::filesystem::path& file, MergeSummary& summary,
             const std::atomic<bool>* stop);

  /// Copies runs and finished matches.
  void take_matches(MergeSource& source);
  /// Says that matches which nobody finished are this archive's, the one that came furthest.
  void claim_open(const MergeSource& source);
  /// Copies calls, people and matches in progress, once the matches of all are there.
  void take_rest(MergeSource& source);
  /// Enters the merge itself as the last run.
  void enter(archive::RunRow run, const archive::SuiteRow& suite);
  /// Makes the file one that can be written as others are, and reads all of it once. Throws Error
  /// if it is damaged.
  void close();

 private:
  void enter_tables(const archive::Archive& archive, MergeSource& source);
  /// The dictionaries of its records come with their archive: numbers there to numbers here.
  std::map<std::int64_t, std::int64_t> take_dictionaries(const archive::Archive& archive);
  void take_content(const archive::Archive& archive);
  /// As what differs from the same message as there, if it is one.
  std::string compressed_message(const archive::Archive& archive,
                                 const std::optional<hash::Digest>& base,
                                 const std::string& message);
  std::string compressed(const archive::Archive& archive, std::int64_t scenario,
                         const std::string& record);
  void take_run(const archive::Archive& archive, MergeSource& source, const archive::RunRow& run,
                MatchCopy& rows);
  void take_columns(const archive::Archive& archive, MergeSource& source,
                    const archive::NumberRange& range);
  void take_open(const archive::Archive& archive, const MergeSource& source);
  void take_calls(const archive::Archive& archive, const MergeSource& source);
  void take_people(const archive::Archive& archive, const MergeSource& source);
  /// Whether what belongs to a match is taken from this archive.
  bool takes(const archive::Archive& archive, const MergeSource& source,
             const archive::MatchId& match);
  [[nodiscard]] bool has(const archive::MatchId& match);
  std::string new_session(const archive::PersonRow& person);
  /// What `work` writes is in the file afterwards.
  void in_transaction(const std::function<void()>& work);

  archive::Connection db_;
  archive::Inserter inserter_;
  archive::Compressor compressor_;  // with dictionaries of its own
  archive::Statement has_match_;
  archive::Statement has_session_;
  MergeSummary& summary_;
  const std::atomic<bool>* stop_;
  struct Owner {
    std::size_t place = 0;
    std::int64_t sequence = -1;
  };
  std::map<archive::MatchId, Owner> owners_;  // of matches that nobody finished
};

}  // namespace agon
