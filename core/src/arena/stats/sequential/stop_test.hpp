#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "stats/sequential/confidence_sequence.hpp"

namespace agon::stats {

/// With so many independent blocks what happens in 5% of them or more has been seen, with a chance
/// of 95%: the fewest after which a rule decides, unless it says another number.
inline constexpr std::size_t kFewestToDecide = 60;

/// What is to be known before a run may stop. Agents are numbers.
struct StopQuestion {
  enum class StopKind : std::uint8_t {
    difference,  ///< every difference to the reference, to so much on either side
    best,        ///< who is best, with a certainty
    decide,      ///< which of two is better
    budget,      ///< who is best, for a price that is given
  };
  StopKind kind = StopKind::best;
  std::vector<std::size_t> agents;  ///< difference: who is compared; decide: the two; else all
  std::size_t reference = 0;        ///< difference
  double target = 0.95;             ///< difference: the half-width; best: the certainty
  double level = 0.95;              ///< difference, decide: of the intervals
  std::size_t budget = 0;           ///< in looks of all agents
  std::size_t most_looks = 0;       ///< there are no more
  bool drops = true;                ///< budget: agents that are out cost no more
  /// Independent blocks behind an interval that decides; absent: kFewestToDecide, but none where
  /// the interval reckons with all that the declared ranges of scores allow.
  std::optional<std::size_t> fewest{};
  /// best, decide: no difference in a block is larger than this. What was not seen must not be able
  /// to turn a decision round. Absent: what all games declare, if they do.
  std::optional<double> worst{};
};

/// How an agent of the question stands.
struct Standing {
  std::size_t agent = 0;
  std::optional<std::size_t> out;  ///< it was beaten at this look, counted from 1
  std::optional<std::size_t> to;   ///< whom the difference is to; nobody for the best itself
  AnytimeDifference difference;    ///< the last; with the level of the test
};

/// Decides after each look whether a question is answered. What it decides depends on the looks
/// alone, each of which is seen once, in order.
///
/// Best of K with certainty p: an agent is out as soon as the interval of level p of its difference
/// to the one that leads leaves out 0. Who is best must have beaten everybody, so that no
/// correction for K is needed: docs/statistics.md, and `bench_stopping`.
///
/// A difference decides from enough independent blocks on, and only where what they may not show
/// cannot turn it round, as far as the rule or the games say how large a difference can be.
///
/// For a given price: successive rejects (Audibert and Bubeck, COLT 2010), on looks that all share.
/// With a budget of n = K * `budget` agents' looks, the worst goes out after the looks
///   ceil((n - K) / (log K (K + 1 - k))),  k = 1 .. K - 1,  log K = 1/2 + sum over i = 2..K of 1/i.
class StopTest {
 public:
  AGON_API explicit StopTest(StopQuestion question);

  /// Takes in what is known after another look.
  AGON_API void look(const PairedLooks& looks);

  /// Whether the question is answered.
  [[nodiscard]] bool decided() const { return decided_; }
  /// The agent that is best, or the better of two; nobody where a budget was spent and one that
  /// went out had the very score of the one that led.
  [[nodiscard]] std::optional<std::size_t> best() const { return best_; }
  /// How often it has looked.
  [[nodiscard]] std::size_t looks() const { return looks_; }
  /// Whether an agent is still in the race; true for those that the question is not about.
  [[nodiscard]] AGON_API bool is_in(std::size_t agent) const;
  /// In the order of the question: those that are out as they went, others after these looks, which
  /// are those that it last saw.
  [[nodiscard]] AGON_API std::vector<Standing> standings(const PairedLooks& looks) const;
  /// Of the intervals of the standings.
  [[nodiscard]] double level() const;
  /// The fewest looks after which such a question can be answered at all; `bounded`: where all
  /// games have bounds.
  [[nodiscard]] AGON_API std::size_t fewest_looks(bool bounded) const;
  /// How far a difference can go in a block, as far as is known.
  [[nodiscard]] std::optional<double> worst(const PairedLooks& looks) const;
  /// Of a budget: what there are looks enough for, in looks of all agents.
  [[nodiscard]] std::size_t budget() const { return budget_; }

 private:
  /// Whether so many blocks are behind a difference that it may decide.
  [[nodiscard]] bool is_enough(const AnytimeDifference& difference) const;
  /// Which of two is better for sure: 1, -1, or 0 while that is not known.
  [[nodiscard]] int better(const PairedLooks& looks, std::size_t first, std::size_t second) const;
  void look_at_differences(const PairedLooks& looks);
  void look_at_two(const PairedLooks& looks);
  void look_at_all(const PairedLooks& looks);
  void reject(const PairedLooks& looks);
  [[nodiscard]] std::vector<std::size_t> still_in() const;
  /// Who leads of those that are in.
  [[nodiscard]] std::size_t leader(const PairedLooks& looks,
                                   const std::vector<std::size_t>& in) const;
  void measure(const PairedLooks& looks, Standing& standing, std::optional<std::size_t> to) const;

  StopQuestion question_;
  std::vector<Standing> standings_;
  std::vector<std::size_t> rejects_;  ///< of a budget: the looks after which one is rejected
  std::size_t budget_ = 0;
  bool tied_ = false;  // one went out that was no worse than the one that led
  std::size_t looks_ = 0;
  bool decided_ = false;
  std::optional<std::size_t> best_;
};

}  // namespace agon::stats
