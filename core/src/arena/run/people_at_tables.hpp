#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <stop_token>

#include "archive/match_id.hpp"
#include "suite/suite.hpp"
#include "table/match.hpp"

namespace agon {

/// A match that is to be played, and some of whose seats are people's.
struct TableToSeat {
  const Scenario& scenario;
  std::uint64_t block = 0;
  archive::MatchId match;
  archive::MatchId first;   ///< of its sequence: who sat there stays
  std::size_t place = 0;    ///< of its scenario in the suite
  std::uint64_t order = 0;  ///< within the scenario's plan
};

/// Brings people to the matches of a run. Its functions are called from the threads of the matches.
class AGON_API PeopleAtTables {
 public:
  PeopleAtTables() = default;
  PeopleAtTables(const PeopleAtTables&) = delete;
  PeopleAtTables& operator=(const PeopleAtTables&) = delete;
  virtual ~PeopleAtTables();

  /// Waits until there are people for all of its seats that are people's (is_person), and puts
  /// agents of this match alone in their places. False if nobody will come, or `stop` says so: then
  /// the match is not played.
  [[nodiscard]] virtual bool seat(const TableToSeat& table, MatchSetup& setup,
                                  const std::stop_token& stop) = 0;
  /// A match that was seated is over, and what is to be kept of it is kept.
  virtual void stand_up(const archive::MatchId& match, const MatchResult& result) = 0;
  /// How many tables may have people, or wait for them, at the same time.
  [[nodiscard]] virtual std::size_t most_tables() const = 0;
};

}  // namespace agon
