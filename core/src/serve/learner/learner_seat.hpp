#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "suite/scenario/match_setup.hpp"
#include "suite/suite.hpp"
#include "table/match.hpp"

namespace agon::serve {

/// The seat of a suite's matches that a learner plays from outside. The others have the agents that
/// the suite's plan puts there.
class AGON_API LearnerSeat {
 public:
  /// `seat`: its number, name or role. Throws Error (usage) where a scenario does not have it, or
  /// has several that are called so, and where people play. The suite must outlive it.
  LearnerSeat(const Suite& suite, std::string seat);

  /// A match to be played. Who plays the learner's seat is still to be said.
  struct Drawn {
    std::uint64_t seed = 0;
    const Scenario* scenario = nullptr;
    int seat = 0;
    MatchSetup setup;
  };
  /// The match that a seed stands for: scenario, treatment, line-up and block of the suite's plan,
  /// with the chance of a suite of that seed. `scenario`: name; empty: any of the suite. Throws
  /// Error (not_found) for one that the suite does not have.
  [[nodiscard]] Drawn draw(std::uint64_t seed, std::string_view scenario) const;
  [[nodiscard]] const Suite& suite() const { return suite_; }

 private:
  const Suite& suite_;
  const std::string seat_;
};

}  // namespace agon::serve
