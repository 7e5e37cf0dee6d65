#pragma once

#include <cstdint>

namespace agon {

/// What a stage is for, beside its name: so that an agent made of parts knows, in a game it has
/// never met, which of its parts a question speaks to.
enum class Purpose : std::uint8_t {
  act,     ///< a move of the game
  plan,    ///< probe: a plan made before the play
  replan,  ///< probe: the plan made again as the play goes on
  belief,  ///< probe: what the seat holds to be so
  learn,   ///< probe: what to take from one match to the next
  other,   ///< probe: anything else
};

}  // namespace agon
