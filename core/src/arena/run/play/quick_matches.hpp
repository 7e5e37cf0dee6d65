#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include "allocation/allocation.hpp"
#include "archive/matches/match_id.hpp"
#include "archive/matches/result_columns.hpp"
#include "remote/batch.hpp"
#include "run/play/crash.hpp"
#include "run/run_archive.hpp"
#include "suite/suite.hpp"
#include "table/match.hpp"
#include "table/match_table.hpp"

namespace agon {

/// Plays matches whose agents all answer at once and whose records nobody keeps. What a line-up
/// needs is set up once and played again and again, and results are stored as columns. Used by one
/// thread at a time.
class QuickMatches {
 public:
  /// All must outlive it. `plugin_files`: by scenario.
  QuickMatches(const Suite& suite, RunArchive& archive,
               const std::vector<std::string>& plugin_files, std::stop_token cancel);

  /// Plays a match, unless it was played before. False: it has to be played as others are, since it
  /// is no such match, or its game broke.
  bool play(const Allocation::Task& task, PlayingSlot* slot);
  /// Hands over to the archive what has been there for a while; `all`: whatever there is.
  void store(bool all);
  /// How many were played since the last call.
  [[nodiscard]] std::uint64_t take_played() { return std::exchange(played_, 0); }

 private:
  using Clock = std::chrono::steady_clock;

  /// The columns of a scenario under one treatment, as far as they are not handed over.
  struct Columns {
    archive::ResultColumns columns;
    std::uint64_t generation = 0;  ///< how often they were handed over
    Clock::time_point begun;
  };
  /// Agents on their seats, ready to play.
  struct QuickTable {
    MatchSetup setup;
    std::unique_ptr<MatchTable> table;
    archive::MatchIds ids;
    const DoneInColumns::LineUpMatches* done;  ///< before this run, as columns; null: none
    std::vector<const AgentInGame*> agents;
    std::vector<std::uint64_t> dice;
    archive::ResultColumns::SeatAssignment row;
    Columns* into = nullptr;
    std::size_t number = 0;  ///< in the columns of that generation
    std::optional<std::uint64_t> generation{};
  };

  [[nodiscard]] bool can_play(const Scenario& s, const design::PlannedMatch& planned) const;
  QuickTable& seated(std::size_t scenario, const design::PlannedMatch& planned);
  Columns& columns_of(const PlacedMatch& match, const MatchSetup& setup);
  bool add(QuickTable& seated, const design::PlannedMatch& planned, const MatchResult& result,
           Clock::time_point now);
  void hand_over(Columns& columns);

  const Suite& suite_;
  RunArchive& archive_;
  const std::vector<std::string>& plugin_files_;
  std::stop_token cancel_;
  std::map<std::int64_t, Columns> columns_;  ///< by number of the scenario's row
  std::map<std::tuple<std::size_t, std::uint64_t, std::uint64_t, std::uint64_t>, QuickTable>
      seated_;
  std::uint64_t played_ = 0;
  Clock::time_point last_;  ///< when the last match ended
};

class Catalogue;

/// Which matches of a suite are played as a whole in the process of their game's plugin, because
/// all that they need is there; and the processes that play them. Its functions may be called from
/// any number of threads.
class WholeMatches {
 public:
  /// Both must outlive it.
  WholeMatches(const Suite& suite, const Catalogue& catalogue);

  /// True if there may be such matches.
  [[nodiscard]] bool any() const { return any_; }
  /// The match as it is sent there; nothing if it is to be played here, question by question.
  [[nodiscard]] std::optional<remote::WholeMatch> whole(std::size_t scenario,
                                                        const design::PlannedMatch& planned,
                                                        const MatchSetup& setup) const;
  /// A process for matches of the scenario, for one thread at a time.
  std::unique_ptr<remote::BatchPlayer> take(std::size_t scenario);
  void give_back(std::size_t scenario, std::unique_ptr<remote::BatchPlayer> player);

 private:
  /// A plugin whose games are played so.
  struct BatchPlugin {
    const remote::RemotePlugin* process = nullptr;
    std::vector<std::string> files;  ///< of plugins of this process whose agents it takes along
    std::vector<std::unique_ptr<remote::BatchPlayer>> idle;
  };
  /// What is known of a scenario's game.
  struct Home {
    BatchPlugin* plugin = nullptr;          ///< null: it is played in this process
    std::vector<const std::string*> specs;  ///< by agent of the suite; null: it lives elsewhere
  };

  BatchPlugin& plugin_of(const remote::RemotePlugin& process);
  /// True if the agent can be made in the plugin's processes, and answers at once there.
  static bool lives_in(BatchPlugin& plugin, const Catalogue& catalogue, const AgentInGame& in,
                       std::string_view game);

  const Suite& suite_;
  std::vector<Home> homes_;  ///< by scenario
  bool any_ = false;
  std::deque<BatchPlugin> plugins_;
  std::mutex mutex_;  ///< of who is idle
};

}  // namespace agon
