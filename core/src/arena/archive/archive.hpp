#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/calls.hpp"
#include "archive/rows.hpp"

namespace agon::archive {

class AddedMetrics;
class Connection;

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

/// An archive opened for reading, also while a run writes it. Used by one thread at a time; open it
/// again in another. Every function reads what is committed when it is called.
///
/// Throws Error for a path that is no archive, for a damaged one and for one from a newer version.
class AGON_API Archive {
 public:
  /// Opens an existing archive; one of an older version is brought up to date first, which is
  /// refused while a run writes it or without permission to write.
  static Archive open(const std::filesystem::path& path);

  ~Archive();
  Archive(Archive&&) noexcept;
  Archive& operator=(Archive&&) noexcept;

  [[nodiscard]] const std::filesystem::path& path() const;
  /// The file is not what was opened any more: closing it leaves it and its log alone.
  void leave_file() const;
  /// The same archive opened once more, for another thread.
  [[nodiscard]] Archive again() const;
  /// The highest number of a finished match, 0 without any.
  [[nodiscard]] std::int64_t last_number() const;

  /// The row of this number, to which a match or another row refers. Throws Error when the archive
  /// is damaged, so that there is none.
  template <class Row>
  [[nodiscard]] const Row& row(const std::map<std::int64_t, Row>& rows, std::int64_t number) const {
    const auto at = rows.find(number);
    if (at == rows.end()) damaged("a match refers to a missing row");
    return at->second;
  }
  /// Throws the Error for an archive that says what none can.
  [[noreturn]] void damaged(std::string_view what) const;

  /// Runs `work`, for which everything read from this archive fits together, whatever a run commits
  /// meanwhile.
  void together(const std::function<void()>& work) const;

  /// Every start of the command, in order.
  [[nodiscard]] std::vector<RunRow> runs() const;
  /// The suites that runs asked for, by number.
  [[nodiscard]] std::map<std::int64_t, SuiteRow> suites() const;
  /// What a suite asked for, up to and with the run `last` (0: all of its runs): what was played
  /// for it, and what of others was found when a run began.
  [[nodiscard]] Selection asked_by(std::int64_t suite, std::int64_t last = 0) const;
  /// What no run is known to have asked for: matches stored by older versions of Agon.
  [[nodiscard]] Selection asked_by_nobody() const;
  /// From now on runs, matches, their ids and calls are these alone, as if there were no others.
  /// Games, scenarios, agents and suites stay, and single matches are found as before.
  void narrow(Selection selection);
  /// From here on, games and matches have these metrics too. Throws Error where they do not fit.
  void add(std::shared_ptr<const AddedMetrics> metrics);
  /// Rows by their numbers.
  [[nodiscard]] std::map<std::int64_t, GameRow> games() const;
  [[nodiscard]] std::map<std::int64_t, ScenarioRow> scenarios() const;
  [[nodiscard]] std::map<std::int64_t, AgentRow> agents() const;
  /// The pseudonyms of the people who answered at a seat of a match; who did so first, if several.
  [[nodiscard]] std::map<std::pair<MatchId, int>, std::string> people() const;
  /// The numbers of the scenarios that matches, finished or not, are of.
  [[nodiscard]] std::set<std::int64_t> played_scenarios() const;
  /// Bytes by their SHA-256; nothing when the archive does not have them.
  [[nodiscard]] std::optional<std::string> content(const hash::Digest& hash) const;

  /// How many matches are finished.
  [[nodiscard]] std::int64_t finished() const;
  /// The highest block of a match, finished or not; -1 without any.
  [[nodiscard]] std::int64_t last_block() const;
  /// How many matches are finished and stand in the table `match`, and not in columns.
  [[nodiscard]] std::int64_t rows() const;
  /// Calls `each` with the running number of every finished match.
  void finished_numbers(const std::function<void(std::int64_t number)>& each) const;
  /// Calls `each` with the id of every finished match.
  void finished_ids(const std::function<void(const MatchId&, std::int64_t number)>& each) const;
  /// The same of matches in the table `match` alone, and of all others: some at a time, under the
  /// id that their agents on their seats have in block 0 and repeat 0.
  void row_ids(const std::function<void(const MatchId&, std::int64_t number)>& each) const;
  void done_in_columns(
      const std::function<void(const MatchId& first, std::span<const DoneMatch>)>& each) const;
  /// The running number of a match in the table `match`.
  [[nodiscard]] std::optional<std::int64_t> row_number(const MatchId& id) const;
  /// The ids of those matches that the game broke, or that were set aside.
  void broken_ids(const std::function<void(const MatchId&)>& each) const;

  /// Calls `each` with every finished match and its running number, until it returns false: by
  /// place of the scenario, then block, repeat, position, line-up, assignment and id. The match is
  /// valid during the call only. Memory does not grow with the number of matches (the order is
  /// sorted in temporary files).
  void matches(const ReadOptions& wanted,
               const std::function<bool(std::int64_t number, const MatchRow&)>& each) const;

  /// The running number of the finished match that `text` names: a running number (`12` or `#12`),
  /// an id, or the beginning of one (4 digits or more) that no other has. Throws Error: not_found
  /// when there is none, usage when there are several.
  [[nodiscard]] std::int64_t find(std::string_view text) const;
  /// The finished match with this running number, with seats and record. Throws Error (not_found).
  [[nodiscard]] MatchRow match(std::int64_t number) const;
  /// The record of a match that was read with it. Throws Error (not_found) if it was played without
  /// keeping one.
  [[nodiscard]] const std::string& record_of(const MatchRow& match) const;
  /// The running number of a finished match.
  [[nodiscard]] std::optional<std::int64_t> number(const MatchId& id) const;

  /// The match in progress with this id.
  [[nodiscard]] std::optional<PartialMatch> partial(const MatchId& id) const;
  /// Calls `each` with every match that is in progress or could not be finished, by id.
  void partials(const std::function<void(const PartialMatch&)>& each) const;

  /// Calls `each` with every call of models made for a match, finished or not, failed ones
  /// included; null: for all matches. By question, attempt, place, and order of recording.
  void calls(const MatchId* match, const std::function<void(const CallRow&)>& each) const;
  /// Counts the answered calls of finished matches by agent (its number), and by the parameters of
  /// those that some setting was not applied in; of all others these are empty.
  void calls_by_agent(const std::function<void(std::int64_t agent, std::int64_t calls,
                                               std::string_view parameters)>& each) const;
  [[nodiscard]] CallTotals call_totals() const;
  /// The answered calls of which tokens or cost are not known.
  void uncounted_calls(const std::function<void(const UncountedCall&)>& each) const;

  /// Reads all of the file and throws agon::Error if it is damaged anywhere.
  void check() const;

 private:
  struct Reader;
  /// matches(), without what was added.
  void stored_matches(const ReadOptions& wanted,
                      const std::function<bool(std::int64_t number, const MatchRow&)>& each) const;

  explicit Archive(std::unique_ptr<Reader> reader);
  std::unique_ptr<Reader> reader_;
};

}  // namespace agon::archive
