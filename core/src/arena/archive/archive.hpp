#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/calls.hpp"
#include "archive/matches/matches.hpp"
#include "archive/rows.hpp"

namespace agon::archive {

class AddedMetrics;

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
  /// The pseudonyms of the people who were asked at a seat of a match; the first, if several.
  [[nodiscard]] std::map<std::pair<MatchId, int>, std::string> people() const;
  /// Bytes by their SHA-256; nothing when the archive does not have them.
  [[nodiscard]] std::optional<std::string> content(const hash::Digest& hash) const;

  /// The matches, and the calls of models made for them.
  [[nodiscard]] Matches matches() const;
  [[nodiscard]] Calls calls() const;

  /// What it has open, for what copies its rows.
  [[nodiscard]] OpenArchive& opened() const { return *open_; }
  /// Reads all of the file and throws agon::Error if it is damaged anywhere.
  void check() const;

 private:
  explicit Archive(std::unique_ptr<OpenArchive> opened);
  std::unique_ptr<OpenArchive> open_;
};

/// What matches were branched from, by match; empty in an archive without branches.
[[nodiscard]] AGON_API std::map<MatchId, BranchRow> branches_of(const Archive& archive);
/// What answers are worth, by match, question, reference and answer; empty where none was valued.
[[nodiscard]] AGON_API std::vector<DecisionRow> decisions_of(const Archive& archive);

}  // namespace agon::archive
