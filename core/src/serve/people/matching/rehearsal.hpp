#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "people/matching/assignment.hpp"

namespace agon::serve {

/// When people come.
enum class ArrivalPattern : std::uint8_t { all, poisson, every };
AGON_DESCRIBE_ENUM(ArrivalPattern, (all, "everybody at the start"),
                   (poisson, "at random, so many in a time"), (every, "one by one, evenly"))

struct Arrivals {
  ArrivalPattern pattern = ArrivalPattern::all;
  double gap = 0;  ///< milliseconds from one to the next, in the mean
};

/// A match of the plan with seats for people.
struct PeopleMatch {
  MatchToFill open;
  std::uint64_t number = 0;    ///< in the scenario's plan
  std::uint64_t sequence = 1;  ///< matches that are played in a row
  std::vector<int> steps{};    ///< of how many an answer is waited for at the same time, in turn
};

struct RehearsalOptions {
  Arrivals arrivals{};
  double answer = 20'000;       ///< milliseconds that an answer takes, in the mean
  double page = 0;              ///< likewise a stage without matches, or the last page
  std::size_t pages_after = 0;  ///< such pages after the last match
  double leave = 0;             ///< share of people who leave, each before a match drawn at random
  std::size_t sessions = 200;
  std::size_t people = 0;
  std::optional<std::int64_t> longest_wait{};  ///< milliseconds; then the study ends for them
  std::uint64_t seed = 0;                      ///< of the suite
};

/// What varies from session to session.
struct RehearsedRange {
  double least = 0;
  double median = 0;
  double ninety = 0;  ///< nine of ten are not above
  double most = 0;
};

/// What comes of a scenario under a treatment in a session.
struct RehearsedCell {
  std::size_t scenario = 0;
  std::uint64_t treatment = 0;
  RehearsedRange matches;
  RehearsedRange people;  ///< that play it at least once
};

/// Sessions that nobody played.
struct Rehearsal {
  RehearsedRange waits;    ///< milliseconds, of each wait for a match
  RehearsedRange lengths;  ///< milliseconds of a session
  RehearsedRange done;     ///< people in a session who play all their matches
  RehearsedRange in_vain;  ///< people in a session for whom nobody comes, or no match is left
  RehearsedRange left;     ///< people in a session who leave
  std::vector<RehearsedCell> cells{};
};

/// Lets people come, wait and play as the designs have it, so many sessions, by the code that seats
/// people in a session. An answer and a page take half the time at least, the rest of it is
/// exponential. The people of a session come in an order of its own. `matches`: in the order of the
/// plan.
[[nodiscard]] AGON_API Rehearsal rehearse(const std::vector<PlayDesign>& designs,
                                          const std::vector<PeopleMatch>& matches,
                                          const RehearsalOptions& options);

}  // namespace agon::serve
