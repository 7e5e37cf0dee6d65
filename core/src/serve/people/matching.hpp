#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "people/participant.hpp"
#include "run/people_at_tables.hpp"

namespace agon::serve {

/// A match that waits for people.
struct WaitingTable {
  const TableToSeat* table = nullptr;
  std::uint64_t luck = 0;
  std::size_t needed = 0;
  std::vector<Participant*> who{};  ///< once it is seated, by seat
};

/// In the order of the plan.
using WaitingTables = std::vector<WaitingTable*>;

/// What somebody waits for: the scenario that they have played least often, the first listed of
/// these, of those that have a match left in which they have not sat. When they came decides
/// nothing of it. Null: no match is left. Given is the first match of that scenario.
[[nodiscard]] AGON_API const WaitingTable* waits_for(const Participant& who,
                                                     const WaitingTables& waiting);

/// Seats people who wait and are here, `all` being everybody: in the scenario that each waits for,
/// in the order of the plan and of their coming. Nobody is given a later match of the scenario
/// while an earlier one lacks people. What chance brings at a table is new to all who sit there;
/// only where no such table is left for those who are here, some meet the same again. True if
/// somebody was seated.
[[nodiscard]] AGON_API bool seat_people(const WaitingTables& waiting,
                                        const std::vector<Participant*>& all);

}  // namespace agon::serve
