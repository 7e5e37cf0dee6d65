#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "allocation/allocation.hpp"
#include "archive/rows.hpp"
#include "remote/batch.hpp"
#include "run/play/attendant.hpp"
#include "run/play/quick_matches.hpp"
#include "run/run_archive.hpp"
#include "table/match.hpp"

namespace agon {

/// A sequence of matches, the position at which it goes on, and what its seats bring there.
struct OpenSequence {
  Allocation::Task task;
  std::uint64_t position = 0;
  std::vector<std::string> carried;  ///< by seat
};

/// What became of one match of a sequence.
struct SequenceStep {
  End end = End::finished;
  bool outage = false;                        ///< see MatchResult
  std::vector<std::string> carried;           ///< to the next match, if there is one
  std::optional<archive::MatchRow> scores{};  ///< of one that has ended, if there is a stop rule
};

/// Plays the matches of a run, one at a time, and keeps what comes of them. Its functions may be
/// called from any number of threads.
class MatchPlayer {
 public:
  /// All must outlive it; the setup's ledger and archive are there when it plays.
  MatchPlayer(RunSetup& setup, RunTally& tally, const Attendant& attendant);

  /// Plays the match where the sequence stands, or finds it played. `slot`: where it is noted that
  /// it is played; null: nowhere.
  SequenceStep play(const OpenSequence& at, PlayingSlot* slot);

  /// Plays matches without records, for one thread at a time.
  std::unique_ptr<QuickMatches> take_quick();
  void give_back(std::unique_ptr<QuickMatches> player);
  /// Hands over all results of quick matches to the archive.
  void store_quick();

  /// A match that is played as a whole in the process of its game's plugin.
  struct WholeTask {
    Allocation::Task task;
    PlacedMatch match;
    MatchSetup setup;
    remote::WholeMatch whole{};
  };
  /// Adds a match that has to be played, and can be played so. False: it is not one.
  bool add_whole(const Allocation::Task& task, std::deque<WholeTask>& tasks) const;
  /// Plays matches of one scenario. Returns those where the game or its process broke: they are to
  /// be played again one by one and question by question, so that it is known which of them did
  /// that, and where.
  std::vector<Allocation::Task> play_whole(
      const std::deque<WholeTask>& tasks,
      const std::function<void(const Allocation::Task&, SequenceStep)>& ended);

 private:
  using Clock = std::chrono::steady_clock;

  /// What an earlier run made of it; nothing if it is to be played.
  std::optional<SequenceStep> find_played(const PlacedMatch& match) const;
  /// A match of this run, as it is set up.
  [[nodiscard]] MatchSetup set_up(const PlacedMatch& match, std::uint64_t position,
                                  const std::vector<std::string>& carried) const;
  /// Waits for people, where seats are theirs. False: nobody will come.
  bool seat_people(const OpenSequence& at, const PlacedMatch& match, MatchSetup& setup);
  /// A match of agents that answer at once.
  MatchResult play_at_once(const PlacedMatch& match, const MatchSetup& setup, PlayingSlot* slot);
  /// A match with people or models: resumed where an earlier run left it, and saved as it goes.
  MatchResult play_waiting(const PlacedMatch& match, MatchSetup& setup, PlayingSlot* slot);
  /// Plays the match; if a plugin takes the process with it, the notes say who broke what.
  MatchResult play_noted(const PlacedMatch& match, const MatchSetup& setup,
                         PlayingSlot* slot) const;

  RunSetup& setup_;
  RunTally& tally_;
  const Attendant& attendant_;
  std::mutex mutex_;  // of who is idle
  std::vector<std::unique_ptr<QuickMatches>> quick_;
};

}  // namespace agon
