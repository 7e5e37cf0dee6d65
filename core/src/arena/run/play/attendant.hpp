#pragma once

#include <agon/export.hpp>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "costs/costs.hpp"
#include "run/play/crash.hpp"
#include "run/play/jobs.hpp"
#include "run/play/quick_matches.hpp"
#include "run/run_archive.hpp"
#include "run/runner.hpp"
#include "suite/suite.hpp"
#include "table/match.hpp"

namespace agon {

/// What a run plays and keeps: made when it opens, shared by those who play.
struct RunSetup {
  /// All must outlive it.
  RunSetup(const Suite& of, const Catalogue& catalogue, const RunOptions& how);
  /// Agents may hold on to the ledger: what they keep from now on does not reach the archive.
  ~RunSetup();
  RunSetup(const RunSetup&) = delete;
  RunSetup& operator=(const RunSetup&) = delete;

  const Suite& suite;
  const RunOptions& options;
  std::vector<std::string> plugin_files;  ///< by scenario
  bool waits = false;                     ///< for an agent's answers
  bool people = false;                    ///< play
  bool models = false;                    ///< play
  bool batches = false;                   ///< calls of some of these go out in them
  bool has_past_calls = false;            ///< of models, in the archive
  WholeMatches whole;                     ///< before the archive: keeps types that shapes are of
  std::optional<RunArchive> archive{};    ///< none: nothing is kept
  std::optional<PlayingFile> playing{};
  std::shared_ptr<RunLedger> ledger{};
};

/// Looks for answers by stage that no match of a run asked for.
class UnaskedStages {
 public:
  explicit UnaskedStages(const Suite& suite);
  /// True if an agent of the suite has answers by stage.
  [[nodiscard]] bool is_needed() const { return !left_.empty(); }
  /// Notes a match that has ended, whose seat the agent played. One without a record tells nothing.
  void note(const std::string& agent, std::string_view game, std::string_view record, int seat);
  [[nodiscard]] std::vector<UnaskedStage> all() const;

 private:
  /// What was not asked yet.
  struct Left {
    std::set<std::string, std::less<>> stages;
    bool has_played = false;
  };
  std::map<std::pair<std::string, std::string>, Left> left_;  ///< by agent and game
};

/// What the matches of a run come to. Its functions may be called from any number of threads.
class RunTally {
 public:
  explicit RunTally(const RunSetup& setup);

  /// Counts a match, and hands it on to RunOptions::on_match.
  void note(const PlacedMatch& match, const MatchSetup& setup, const MatchResult& result);
  /// Counts its answers that were fallbacks, and notes what was asked: while the result still has
  /// its record.
  void note_answers(const PlacedMatch& match, const MatchSetup& setup, const MatchResult& result);
  void note_set_aside(const PlacedMatch& match, const std::string& reason);
  /// The run is to stop as a whole, unless `why` is no reason; the first reason counts.
  void halt(Halt why, const std::string& reason);
  [[nodiscard]] bool is_halted() const { return halted_; }
  /// Changes what was counted so far.
  void update(const std::function<void(RunSummary&)>& change);
  [[nodiscard]] RunSummary summary() const;
  [[nodiscard]] std::vector<UnaskedStage> unasked() const;

 private:
  // With the mutex held.
  void stop_for(Halt why, const std::string& reason);
  void count_fallbacks(const PlacedMatch& match, const MatchSetup& setup,
                       const MatchResult& result);
  void note_heard(const PlacedMatch& match, const MatchResult& result);
  void stop_if_silent();
  void keep_first_trouble(const PlacedMatch& match, const std::string& label, bool game_broke,
                          const std::string& problem);

  const RunSetup& setup_;
  mutable std::mutex mutex_;
  RunSummary summary_;
  UnaskedStages unasked_;
  std::set<std::string, std::less<>> heard_;  ///< agents of models that gave a legal answer
  std::atomic<bool> halted_{false};
};

/// Watches over a run while its threads play: shows how far it is, stops it when it is asked to or
/// something failed, and looks whether the archive is still in its place.
class Attendant {
 public:
  /// `give_up`: ends the process by RunOptions::abandon after it has kept what it can.
  Attendant(RunSetup& setup, RunTally& tally, std::function<void()> give_up);

  /// Does pieces of work, each by its number, in so many jobs, until one says that there are no
  /// more or the run is over. Slots are null where nothing is noted.
  void play(int jobs, const std::function<bool(std::size_t number, PlayingSlot*)>& piece);
  /// Does `work` once on each of so many threads, without progress.
  void ask(int threads, const std::function<void()>& work);
  /// Does something that may fail while matches are in flight: what it throws is kept until they
  /// have ended, as who throws it would wait for those that hang.
  void keep_failure(const std::function<void()>& work);
  /// An archive that was moved, removed, replaced, truncated or overwritten, or whose log was,
  /// takes no more matches; what it had is saved.
  void look_for_archive();

  [[nodiscard]] bool is_interrupted() const {
    return setup_.options.stop != nullptr && setup_.options.stop->asked;
  }
  /// Nothing more is to be begun.
  [[nodiscard]] bool is_over() const {
    return is_interrupted() || failed_ || tally_.is_halted() || gone_;
  }
  /// Somebody wants to stop, and has waited for long enough, or does not want to wait at all.
  [[nodiscard]] bool is_out_of_patience();
  /// The archive is not in its place any more.
  [[nodiscard]] bool is_archive_gone() const { return gone_; }
  [[nodiscard]] const std::exception_ptr& failure() const { return failure_; }

  /// Stops matches whose answers are awaited: somebody asked to stop.
  [[nodiscard]] std::stop_token asked() const { return asked_.get_token(); }
  /// Stops all matches: somebody insists.
  [[nodiscard]] std::stop_token insisted() const { return insisted_.get_token(); }
  /// Ends the wait for people: nothing more is begun.
  [[nodiscard]] std::stop_token over() const { return over_.get_token(); }

 private:
  using Clock = std::chrono::steady_clock;

  void attend(Jobs& pool, Progress& progress);
  void look_for_archive(Progress& progress);
  void stop(Progress& progress);
  void end_run_on_failure(const std::function<void()>& work);

  RunSetup& setup_;
  RunTally& tally_;
  const std::function<void()> give_up_;
  std::optional<Clock::time_point> asked_at_;  // when somebody wanted to stop
  bool told_ = false;                          // that the run is stopping
  // A signal can set a flag and no more: who attends a pool passes it on to matches that sleep.
  std::stop_source asked_;
  std::stop_source insisted_;
  std::stop_source over_;
  std::atomic<bool> failed_{false};
  std::atomic<bool> gone_{false};
  std::exception_ptr failure_;
};

}  // namespace agon
