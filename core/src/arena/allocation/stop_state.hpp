#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stats/sequential/stop_test.hpp"
#include "suite/suite.hpp"

namespace agon {

/// How far a stop rule came, by names: what a run's manifest keeps, and reports tell.
struct StopState {
  /// An agent that the rule is about.
  struct AgentState {
    std::string agent;
    bool in = true;
    std::optional<std::uint64_t> out_after;
    std::optional<std::string> less;
    std::optional<double> difference;
    std::optional<std::array<double, 2>> interval;
    std::optional<std::string> method;
    std::optional<std::uint64_t> units;
    std::optional<bool> constant{};
    std::optional<double> unseen{};
    std::optional<double> overturned_by{};
  };
  JsonText rule;
  std::string words;
  bool decided = false;
  std::string verdict;
  std::optional<std::string> best;
  std::optional<std::uint64_t> looks;
  std::uint64_t most_looks = 0;
  double level = 0;
  std::vector<AgentState> agents;
};
AGON_DESCRIBE(StopState::AgentState, (agent, "its name"), (in, "false: it was beaten"),
              (out_after, "the look, from 1, at which it was beaten", left_out),
              (less, "whom the difference is to; absent: there is none", left_out),
              (difference, "of normalised scores, mean over games", left_out),
              (interval, "of the difference; holds however often one looks", left_out),
              (method, "of the interval: asymptotic, betting or none", left_out),
              (units, "independent blocks, of the scenario or role with the fewest", left_out),
              (constant, "true: the difference is the same in all of them", left_out),
              (unseen,
               "what happens in a smaller share of them may not have been seen, and the interval "
               "does not reckon with it",
               left_out),
              (overturned_by,
               "what such blocks would have to cost on average to change who is better", left_out))
AGON_DESCRIBE(StopState, (rule, "as a suite's \"stop\" says it, with all that follows from it"),
              (words, "the same in words"), (decided, "the run stopped by it"),
              (verdict, "in a sentence"),
              (best, "the agent that is best, or better; null: not asked or not known"),
              (looks, "taken; null: nobody wrote down how many"),
              (most_looks, "that the suite has"), (level, "of the intervals"),
              (agents, "in the order of the question"))

/// What a test came to.
[[nodiscard]] StopState stop_state(const Suite& suite, const stats::StopTest& test,
                                   const stats::PairedLooks& looks);

}  // namespace agon
