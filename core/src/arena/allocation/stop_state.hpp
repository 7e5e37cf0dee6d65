#pragma once

#include <agon/export.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stats/stop_test.hpp"
#include "suite/suite.hpp"

namespace agon {

/// How far a stop rule came, by names: what a run's manifest keeps, and reports tell.
struct StopState {
  /// An agent that the rule is about.
  struct Agent {
    std::string name;
    std::optional<std::uint64_t> out;         ///< beaten at this look, counted from 1
    std::string to;                           ///< whom the difference is to; empty: there is none
    std::optional<double> difference;         ///< of normalised scores, mean over games
    std::optional<stats::Interval> interval;  ///< holds however often one looks
    std::string method;       ///< of the interval: "asymptotic", "betting"; or "none"
    std::uint64_t units = 0;  ///< independent blocks, of the game with the fewest
  };
  boost::json::object rule;  ///< as a suite's "stop" says it
  std::string words;         ///< the same in words
  bool decided = false;
  std::string verdict;  ///< in a sentence
  std::string best;     ///< the agent that is best, or better; empty: not asked or not known
  std::optional<std::uint64_t> looks;  ///< taken; nothing: nobody wrote down how many
  std::uint64_t most_looks = 0;
  double level = 0;           ///< of the intervals
  std::vector<Agent> agents;  ///< in the order of the question
};

/// What a test came to.
[[nodiscard]] StopState stop_state(const Suite& suite, const stats::StopTest& test,
                                   const stats::PairedLooks& looks);

[[nodiscard]] AGON_API boost::json::object to_json(const StopState& state);
/// Nothing if that is not what to_json writes.
[[nodiscard]] std::optional<StopState> read_stop_state(const boost::json::value& v);

}  // namespace agon
