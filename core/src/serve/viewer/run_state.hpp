#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "run/runner.hpp"
#include "viewer/match_index.hpp"

namespace agon::serve {

/// A suite that this process plays on a thread of its own while it is looked at. It can be stopped
/// and taken up again. Its functions may be called from any thread.
class AGON_API OwnRun {
 public:
  /// Plays what the archive lacks, until the flags say to stop: run_suite.
  using Play = std::function<RunSummary(const StopFlags& stop)>;

  enum class RunPhase : std::uint8_t {
    idle,      ///< nothing was begun
    playing,   ///< a thread plays
    stopping,  ///< it was asked to stop and is not done with that
    ended,     ///< all is played, or it stopped
  };
  /// How it stands.
  struct RunStatus {
    RunPhase state = RunPhase::idle;
    std::optional<RunSummary> summary{};  ///< of the last time that ended well
    std::string failure{};                ///< why the last time did not; empty: it did
  };

  OwnRun() = default;
  ~OwnRun();
  OwnRun(const OwnRun&) = delete;
  OwnRun& operator=(const OwnRun&) = delete;

  /// What agents of the suite are told when somebody wants to stop, to read the suite with.
  [[nodiscard]] const StopFlags& flags() const { return flags_; }

  /// Begins to play. To be called once.
  void begin(Play play);
  /// Asks it to stop. What is in flight is finished where that takes no longer than a run's
  /// patience.
  void stop();
  /// Takes it up again; nothing happens while it is played. Throws Error while it is stopping, and
  /// before it was begun.
  void go_on();
  /// Asks it to stop, insists after two seconds, and waits: what is played is used no more.
  void end();
  [[nodiscard]] RunStatus now() const;
  /// True once nothing is being played, within this time.
  [[nodiscard]] bool is_over_within(std::chrono::milliseconds time);

 private:
  void start();

  StopFlags flags_;
  Play play_;
  mutable std::mutex mutex_;
  std::condition_variable over_;
  RunStatus now_;
  std::thread thread_;
};

/// How far a scenario of the last run has come.
struct ScenarioState {
  std::string scenario;
  std::string game;
  std::int64_t done = 0;
  std::int64_t total = 0;
  std::int64_t broken = 0;
};
AGON_DESCRIBE(ScenarioState, (scenario, "its name"), (game, "that it plays"),
              (done, "matches that ended"), (total, "that the run plans"),
              (broken, "of those that ended, broken by the game or set aside"))

/// A match that was begun and is not finished.
struct OpenMatch {
  std::string scenario;
  std::int64_t block = 0;
  std::vector<std::string> agents;
  std::int64_t saved = 0;
  std::string reason;
};
AGON_DESCRIBE(OpenMatch, (scenario, "its name"), (block, "of the scenario"), (agents, "by seat"),
              (saved, "when it was saved last: milliseconds since 1970"),
              (reason, "why it could not go on; empty: it is played"))

/// What changes while an archive is written, as it is sent to those who look on.
struct RunState {
  std::string file;
  std::string problem{};
  std::string state = "none";
  bool own = false;
  bool may_stop = false;
  bool may_go_on = false;
  std::string words{};
  std::string command{};
  std::string suite{};
  std::int64_t read = 0;
  std::int64_t matches = 0;
  std::int64_t done = 0;
  std::int64_t total = 0;
  std::vector<ScenarioState> scenarios{};
  std::int64_t unfinished = 0;
  std::vector<OpenMatch> open{};
  std::int64_t calls = 0;
  std::int64_t tokens = 0;
  std::string cost{};
  std::string stop_rule{};
};
AGON_DESCRIBE(RunState, (file, "the archive"),
              (problem, "why it cannot be read now; empty: it can"),
              (state, "of the last run: none, playing, stopping, done or stopped"),
              (own, "the server plays it"), (may_stop, "it can be stopped from the page"),
              (may_go_on, "it can be taken up from the page"),
              (words, "what there is to say of it"),
              (command, "that takes it up again; empty: there is no need"), (suite, "its name"),
              (read, "matches of the archive that can be looked for yet"),
              (matches, "in the archive"), (done, "matches of the run that ended"),
              (total, "that it plans"), (scenarios, "of the run"),
              (unfinished, "matches that were begun and are not finished"),
              (open, "the first of them"), (calls, "of models, all runs on the archive together"),
              (tokens, "of these"), (cost, "of these, in words; empty: no calls"),
              (stop_rule, "what the run's stop rule says; empty: it has none"))

/// Puts it together. `own`: the run of this process, if it plays; `written`: some process writes
/// the archive.
[[nodiscard]] RunState run_state(const archive::Archive& archive, const ArchiveRows& rows,
                                 const MatchIndex& index, const OwnRun* own, bool written);

/// "0.0120 USD", or what is not known of it.
[[nodiscard]] std::string cost_words(std::int64_t calls, std::int64_t cost, std::int64_t unpriced);

}  // namespace agon::serve
