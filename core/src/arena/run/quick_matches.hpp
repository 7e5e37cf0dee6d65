#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include "allocation/allocation.hpp"
#include "archive/match_ids.hpp"
#include "archive/result_columns.hpp"
#include "run/playing_file.hpp"
#include "run/run_archive.hpp"
#include "suite/suite.hpp"
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
  struct Seated {
    MatchSetup setup;
    std::unique_ptr<MatchTable> table;
    archive::MatchIds ids;
    const DoneInColumns::Table* done;  ///< before this run, as columns; null: none
    std::vector<const AgentInGame*> agents;
    std::vector<std::uint64_t> dice;
    archive::ResultColumns::Seated row;
    Columns* into = nullptr;
    std::size_t number = 0;  ///< in the columns of that generation
    std::optional<std::uint64_t> generation{};
  };

  [[nodiscard]] bool can_play(const Scenario& s, const design::PlannedMatch& planned) const;
  Seated& seated(std::size_t scenario, const design::PlannedMatch& planned);
  Columns& columns_of(const PlacedMatch& match, const MatchSetup& setup);
  bool add(Seated& seated, const design::PlannedMatch& planned, const MatchResult& result,
           Clock::time_point now);
  void hand_over(Columns& columns);

  const Suite& suite_;
  RunArchive& archive_;
  const std::vector<std::string>& plugin_files_;
  std::stop_token cancel_;
  std::map<std::int64_t, Columns> columns_;  ///< by number of the scenario's row
  std::map<std::tuple<std::size_t, std::uint64_t, std::uint64_t, std::uint64_t>, Seated> seated_;
  std::uint64_t played_ = 0;
  Clock::time_point last_;  ///< when the last match ended
};

}  // namespace agon
