#pragma once

#include <agon/error.hpp>
#include <string>
#include <string_view>

#include "table/match_table.hpp"
#include "table/process_end.hpp"

namespace agon {

/// The game broke a rule of the seam: charged to the game.
struct GameFault {
  std::string problem;
  ProcessEnd process_end = ProcessEnd::other;
};

/// The machine could not do its part, as when no further process can be started: charged to nobody,
/// and the match is left unfinished.
class MachineFault : public Error {
 public:
  explicit MachineFault(const Error& error) : Error(error) {}
};

/// "WHAT at stage 'bid' (question 7, seat 1)".
[[nodiscard]] inline std::string at_stage(const Question& q, const std::string& what) {
  return what + " at stage '" + std::string(q.stage()) + "' (question " +
         std::to_string(q.number()) + ", seat " + std::to_string(q.seat()) + ")";
}

/// A question between being asked and being settled.
struct MatchTable::Pending {
  Question* question = nullptr;
  Given* given = nullptr;
  record::Asked asked;
  Clock::time_point sent{};  ///< to an agent that waits
  Clock::time_point deadline = Clock::time_point::max();
  int attempt = 0;
  int index = 0;                     ///< among the seats that are asked at once
  int count = 1;                     ///< how many these are
  std::string said;                  ///< the last attempt in a model's own words
  std::shared_ptr<const void> kept;  ///< Reply::kept of the last attempt
  bool settled = false;
  bool in_record = true;  ///< false: a probe declined at once leaves no trace
  bool costly = false;    ///< answered by somebody whose time or money it cost
};

}  // namespace agon
