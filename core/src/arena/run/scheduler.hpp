#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "allocation/allocation.hpp"
#include "allocation/stop_allocation.hpp"
#include "run/play/attendant.hpp"
#include "run/play/crash.hpp"
#include "run/play/match_player.hpp"
#include "run/run_archive.hpp"

namespace agon {

/// Decides which match of a run is played when: first suspects of a crash, then what the plan or
/// the stop rule allocates, then again what an outage left.
class Scheduler {
 public:
  /// All must outlive it.
  Scheduler(RunSetup& setup, RunTally& tally, Attendant& attendant);

  /// Plays what the archive does not have, suspects first.
  void play();
  /// Plays again what outages left, and what a stop rule allocates then.
  void resume();
  /// Of a suite with a stop rule: how far it is.
  [[nodiscard]] std::optional<StopState> stop_state() const;
  /// True if a stop rule needs no more matches.
  [[nodiscard]] bool is_decided() const { return stop_ != nullptr && stop_->done(); }

 private:
  [[nodiscard]] int jobs() const;
  [[nodiscard]] bool is_quick() const;
  void take_known();
  void play_suspects();
  void play_allocated();
  void retry_outages();
  /// The suspect in this suite; nothing if the suite was changed and has it not, or elsewhere.
  [[nodiscard]] std::optional<PlacedMatch> place_of(const Suspect& suspect) const;
  void set_aside(const PlacedMatch& match, const Suspect& suspect);
  bool play_tasks(const std::vector<Allocation::Task>& tasks, QuickMatches* quick,
                  PlayingSlot* slot);
  void play_whole(std::deque<MatchPlayer::WholeTask> tasks, PlayingSlot* slot);
  void play_sequence(const Allocation::Task& task, PlayingSlot* slot);
  void play_from(OpenSequence at, PlayingSlot* slot);
  void note(const Allocation::Task& task, SequenceStep& played);

  RunSetup& setup_;
  RunTally& tally_;
  Attendant& attendant_;
  MatchPlayer player_;
  std::unique_ptr<Allocation> allocation_;
  StopAllocation* stop_ = nullptr;  // allocation_, if the suite has a stop rule
  std::set<Allocation::Task> played_first_;
  std::mutex mutex_;  // of what follows
  std::vector<OpenSequence> outages_;
};

}  // namespace agon
