#pragma once

#include <agon/describe.hpp>
#include <cstdint>

namespace agon {

/// How a match comes by one of the things that a data file lists: see Table::deal().
enum class Dealing : std::uint8_t { drawn, in_turn };
AGON_DESCRIBE_ENUM(Dealing, (drawn, "chance draws one for each block, with replacement"),
                   (in_turn,
                    "the first block has the first, the next block the next, and so around: as "
                    "many blocks as there are have each once"))

}  // namespace agon
