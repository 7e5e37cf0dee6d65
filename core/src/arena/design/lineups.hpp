#pragma once

#include <agon/export.hpp>
#include <span>
#include <string>
#include <vector>

namespace agon::design {

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
