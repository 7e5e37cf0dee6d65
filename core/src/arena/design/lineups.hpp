#pragma once

#include <agon/error.hpp>
#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace agon {

/// Most bytes of an agent's name. Reports repeat it in every row; a typed agent is its own name, so
/// that it may be a whole spec.
inline constexpr std::size_t kLongestAgentName = 10'000;

/// Most bytes of a scenario's name, and of one treatment as JSON: exports repeat them in every row.
inline constexpr std::size_t kLongestScenarioName = 10'000;
inline constexpr std::size_t kLongestTreatment = 100'000;

}  // namespace agon

namespace agon::design {

/// Throws Error (invalid): what cannot be planned, and what to ask for instead.
[[noreturn]] inline void refuse(std::string problem, std::string hint) {
  throw Error(ErrorKind::invalid, std::move(problem), {}, std::move(hint));
}

/// A number of things, or nothing if it does not fit into 64 bits.
using Count = std::optional<std::uint64_t>;

/// a * b.
[[nodiscard]] inline Count product(Count a, Count b) {
  std::uint64_t out = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &out)) return std::nullopt;
  return out;
}

/// a + b.
[[nodiscard]] inline Count sum(Count a, Count b) {
  std::uint64_t out = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &out)) return std::nullopt;
  return out;
}

/// a * b / c, where c > 0 divides the product; dividing first keeps the steps between small.
[[nodiscard]] inline Count ratio(Count a, std::uint64_t b, std::uint64_t c) {
  if (!a) return std::nullopt;
  const std::uint64_t common = std::gcd(*a, c);
  return product(*a / common, b / (c / common));
}

/// How many ways there are to take `take` different things of `count`.
[[nodiscard]] inline Count binomial(std::uint64_t count, std::uint64_t take) {
  if (take > count) return 0;
  if (take > count - take) take = count - take;
  Count out = 1;
  for (std::uint64_t i = 1; out && i <= take; ++i) out = ratio(out, count - take + i, i);
  return out;
}

/// Which agents meet in a match, before anybody is given a seat. Agents are indices into the list
/// of agent names that made the line-up.
struct LineUp {
  std::vector<int> agents;  ///< one entry a seat; an agent that sits twice is listed twice
  int focal = -1;           ///< the agent the line-up is about (its index), -1 if there is none

  friend bool operator==(const LineUp&, const LineUp&) = default;
};

/// The most line-ups that one design may have; more throws an Error that says how many there are.
inline constexpr std::size_t kMostLineUps = 1'000'000;

/// Everybody against everybody: every combination of `seats` different agents, in lexicographic
/// order. With fewer agents than seats, every combination with repetition instead, which includes
/// line-ups of one agent alone (2 agents on 3 seats: AAA, AAB, ABB, BBB).
/// Throws Error without agents, without seats, or above kMostLineUps.
[[nodiscard]] AGON_API std::vector<LineUp> round_robin(std::span<const std::string> names,
                                                       int seats);

/// Each challenger against the agents that are no challengers; challengers never meet each other.
/// On two seats that is one line-up an opponent. On more, the challenger meets every combination of
/// `seats` - 1 opponents (with repetition when there are fewer opponents than that). The challenger
/// comes first and is focal. Throws Error if a challenger is unknown or listed twice, if there are
/// none, if nobody is left to challenge, or if there are fewer than two seats.
[[nodiscard]] AGON_API std::vector<LineUp> gauntlet(std::span<const std::string> names,
                                                    std::span<const int> challengers, int seats);

/// Each focal agent among a field that is the same for all of them: one agent, of which `seats` - 1
/// copies sit down, or a list of exactly `seats` - 1 agents. The focal agent comes first. A focal
/// agent may be in the field too; all its seats then count as its own. Throws Error if an agent is
/// unknown, a focal agent is listed twice, there are none, or the field has another size.
[[nodiscard]] AGON_API std::vector<LineUp> focal_in_field(std::span<const std::string> names,
                                                          std::span<const int> focal,
                                                          std::span<const int> field, int seats);

/// The line-ups as listed. Throws Error if one has another size than `seats`, names an unknown
/// agent or has the same agents as an earlier one (it would only play the same matches again). With
/// `in_order`, for seats as listed, the same agents in another order are another line-up.
[[nodiscard]] AGON_API std::vector<LineUp> fixed(std::span<const std::string> names,
                                                 std::span<const std::vector<int>> line_ups,
                                                 int seats, bool in_order = false);

}  // namespace agon::design
