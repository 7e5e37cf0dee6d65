#include <agon/dealing.hpp>

#include "table/match_table.hpp"

namespace agon {

std::int64_t deal(Table& table, std::string_view name, std::int64_t n, Dealing how) {
  if (how == Dealing::drawn) return table.chance(name).below(n);
  // There is no other kind of table.
  return static_cast<MatchTable&>(table).next_in_turn(name, n);
}

}  // namespace agon
