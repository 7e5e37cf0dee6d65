#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/matches/match_id.hpp"
#include "archive/writer.hpp"
#include "costs/costs.hpp"
#include "drift/result.hpp"
#include "record/shape.hpp"
#include "run/manifest.hpp"
#include "run/planned_match.hpp"
#include "suite/suite.hpp"
#include "table/match.hpp"

namespace agon {

class Catalogue;

/// What was run last into an archive, if it was another suite than the one that is run now, another
/// version of it, or another seed.
struct OtherSuite {
  std::int64_t number = 0;  ///< 0: an older version of Agon did not note which it was
  archive::SuiteRow row{};
  std::int64_t matches = 0;  ///< that are finished
  std::int64_t shared = 0;   ///< of these, asked for now too
};

/// What earlier runs made of the matches of an archive.
class EarlierMatches {
 public:
  /// Reads what is there now. `archive` must outlive it.
  explicit EarlierMatches(const archive::Archive& archive);

  /// Compares the archive with a suite, which has this number there. Returns what of the suite is
  /// in the archive without being known as asked for by it.
  archive::Selection compare(const SuiteKeys& keys, std::int64_t suite);
  /// What was run last, if that was something else, and holds matches.
  [[nodiscard]] const std::optional<OtherSuite>& other() const { return other_; }
  /// How many matches of the suite had ended for good when the run began, and how many of them
  /// because the game broke or were set aside.
  [[nodiscard]] std::uint64_t finished() const { return finished_; }
  [[nodiscard]] std::uint64_t broken() const { return broken_count_; }
  /// Whether there were matches that are not finished, of any suite.
  [[nodiscard]] bool has_open() const { return has_open_; }

  /// `game_fault`: or it was set aside.
  enum class Before : std::uint8_t { not_played, finished, game_fault };
  /// Of a match that no column has.
  [[nodiscard]] Before before_in_rows(const archive::MatchId& id) const;
  /// Those of these agents on these seats that are stored as columns; null if none. They are all
  /// finished.
  [[nodiscard]] const DoneInColumns::LineUpMatches* in_columns(const archive::MatchIds& ids) const {
    return in_columns_.find(ids);
  }
  [[nodiscard]] bool has_columns() const { return in_columns_.size() > 0; }
  /// The match is not to be played. Only before anything is played.
  void set_aside(const archive::MatchId& id) { broken_.insert(id); }

 private:
  /// Of the last run, if it was of another suite.
  archive::Selection find_other(std::int64_t suite);
  void count(bool is_broken);
  void count_planned(const SuiteKeys& keys, const std::set<archive::MatchId>& open,
                     const archive::Selection& known, const archive::Selection& last,
                     archive::Selection& found);

  const archive::Archive& archive_;
  std::map<archive::MatchId, std::int64_t> rows_;  // of the table `match`: running numbers
  DoneInColumns in_columns_;
  std::set<archive::MatchId> broken_;  // or set aside
  std::optional<OtherSuite> other_;
  std::uint64_t finished_ = 0;
  std::uint64_t broken_count_ = 0;
  bool has_open_ = false;
};

/// The archive that a run writes, while others may read it. From begin() on, its functions may be
/// called from any number of threads. They throw Error where the archive cannot be written.
class RunArchive {
 public:
  /// Opens the archive or makes it. `suite` must outlive this. `retry_set_aside`: matches that were
  /// set aside are not known any more, and so are played. `shapes`: those that records of the run
  /// refer to; null: it makes its own. `lost`: true once the archive is another run's; null: never.
  RunArchive(const Suite& suite, const std::string& path, bool retry_set_aside,
             std::shared_ptr<record::Shapes> shapes = nullptr,
             const std::atomic<bool>* lost = nullptr);

  /// Enters the run with its games, scenarios and agents. `command` and `manifest`: JSON.
  void begin(const Catalogue& catalogue, const std::string& command, const std::string& manifest);
  /// Says how the run ended, after all that was handed in before.
  void end(std::string_view outcome, std::string_view manifest = {});
  ~RunArchive();
  RunArchive(const RunArchive&) = delete;
  RunArchive& operator=(const RunArchive&) = delete;
  /// Flushes and closes; throws what writing came to.
  void close();

  [[nodiscard]] archive::Writer& writer() { return writer_; }
  [[nodiscard]] const std::filesystem::path& path() const { return reader_.path(); }
  /// The number of this run.
  [[nodiscard]] std::int64_t run() const { return run_; }
  /// What the archive knows the suite's matches by.
  [[nodiscard]] const SuiteKeys& keys() const { return keys_; }
  [[nodiscard]] const EarlierMatches& earlier() const { return earlier_; }
  /// Warnings of plugins and programs that changed under matches of the suite that ended before:
  /// for all that is known of them, they are still of the same version.
  [[nodiscard]] const std::string& changes() const { return changes_; }
  /// What the calls of earlier runs took, for the caps of this one.
  [[nodiscard]] archive::CallTotals taken_before(const PriceList& prices);
  [[nodiscard]] std::vector<CappedPart> taken_before(const PriceList& prices,
                                                     const std::vector<PartCaps>& parts);
  /// Gives the ledger what earlier runs wrote down of their batches.
  void recall(RunLedger& ledger);
  /// What this run's drift check came to.
  [[nodiscard]] std::vector<drift::ModelDrift> drift();
  /// The shapes that records of this run refer to.
  [[nodiscard]] const std::shared_ptr<record::Shapes>& shapes() const { return shapes_; }

  using Before = EarlierMatches::Before;
  /// What earlier runs made of a match.
  [[nodiscard]] Before before(const PlacedMatch& match) const;
  /// A match that ended, without its record.
  [[nodiscard]] archive::MatchRow outcome(const archive::MatchId& id);
  /// What the seats of a finished match hand on, as JSON; empty: nothing.
  [[nodiscard]] std::vector<std::string> carried(const archive::MatchId& id, std::size_t seats);
  /// How far a match came that was not finished.
  [[nodiscard]] std::optional<archive::PartialMatch> partial(const archive::MatchId& id);
  /// Gives the ledger the calls that earlier runs made for the match.
  void recall(const archive::MatchId& id, MatchLedger& calls);

  /// Queues a finished match, with what its calls took.
  void store(const PlacedMatch& match, const MatchSetup& setup, MatchResult& result, double wall_ms,
             const std::vector<SeatCalls>& calls);
  /// Queues a match that is not to be played, as a fault of its game, with the reason; before()
  /// says so from then on. Only before anything is played.
  void set_aside(const PlacedMatch& match, const MatchSetup& setup, const std::string& reason);
  /// Saves the record of a match in progress; on the disk when it returns. `sequence`: higher than
  /// that of the last time.
  void save(const PlacedMatch& match, const std::string& record, std::int64_t sequence,
            const std::string& reason);
  /// Saves when a person was shown a question and answered it; on the disk when it returns.
  void save(const PlacedMatch& match, const HumanTiming& timing);

 private:
  [[nodiscard]] archive::MatchRow match_row(const PlacedMatch& match, const MatchSetup& setup,
                                            const MatchResult& result,
                                            const std::vector<SeatCalls>& calls) const;
  void store_new_shapes();

  const Suite& suite_;
  const std::atomic<bool>* lost_;
  archive::Writer writer_;
  std::mutex reading_;  // of the archive
  archive::Archive reader_;
  SuiteKeys keys_;
  EarlierMatches earlier_;
  std::atomic<bool> has_open_ = true;  // the archive has matches that are not finished
  std::int64_t run_ = 0;
  std::string changes_;
  std::shared_ptr<record::Shapes> shapes_;
  std::mutex sessions_mutex_;
  std::set<std::string> sessions_;  // of people, that are stored
};

/// A match that was just played as the archive has it, as far as scores go.
[[nodiscard]] archive::MatchRow scores_of(const MatchSetup& setup, const MatchResult& result);

/// Says, before a run plays, that its archive was last run with something else, and what becomes of
/// that; empty if it was not.
[[nodiscard]] std::string describe_other_suite(const RunArchive& archive, const std::string& path);

}  // namespace agon
