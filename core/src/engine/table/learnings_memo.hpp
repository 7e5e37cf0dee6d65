#pragma once

#include <agon/learning.hpp>
#include <optional>
#include <string_view>

namespace agon {

/// What a seat carries over where its game carries nothing: the arena's own, told apart from what
/// games carry by the name of its only member.
struct LearningsMemo {
  TakenAlong taken_along;
};
AGON_DESCRIBE(LearningsMemo, (taken_along, "what is told before the next match"))

/// Empty for what a game carried.
std::optional<TakenAlong> read_learnings(std::string_view json);

}  // namespace agon
