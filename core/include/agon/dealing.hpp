#pragma once

#include <agon/describe.hpp>
#include <agon/table.hpp>
#include <cstdint>
#include <string_view>

namespace agon {

/// How a match comes by one of the things that a data file lists.
enum class Dealing : std::uint8_t { drawn, in_turn };
AGON_DESCRIBE_ENUM(Dealing, (drawn, "luck draws one for each block, with replacement"),
                   (in_turn,
                    "the first block has the first, the next block the next, and so around: as "
                    "many blocks as there are have each once"))

/// The position, 0 to n - 1, of what is dealt among `n` things; n >= 1. By draw it is
/// chance(name).below(n). In turn it is the match's block plus its position in a learning sequence,
/// modulo n, the same for all who play the block: n blocks have each thing once, and in n sequences
/// each thing is once at every position. Recorded as a draw either way.
AGON_API std::int64_t deal(Table& table, std::string_view name, std::int64_t n, Dealing how);

}  // namespace agon
