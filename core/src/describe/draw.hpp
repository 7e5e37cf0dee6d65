#pragma once

#include <agon/limits.hpp>
#include <agon/luck.hpp>

namespace agon {

/// How many distinct values the type has under the limits; saturates at 2^62, which also stands for
/// "not finite".
std::uint64_t count_values(const Type& type, const Field* field, std::uint16_t slot,
                           std::span<const LimitData> limits);

/// Writes a uniform draw over the distinct legal values where they are finite (alternatives
/// weighted by their size), else uniform over the limits; texts are short made-up words.
void draw_value(const Type& type, const Field* field, void* object, std::uint16_t slot,
                std::span<const LimitData> limits, Dice& dice);

}  // namespace agon
