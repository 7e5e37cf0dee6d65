#pragma once

#include <agon/language.hpp>
#include <agon/limits.hpp>
#include <optional>
#include <string>

namespace agon {

/// How much of a text that is turned down the reason repeats.
inline constexpr std::size_t kToldBack = 80;

/// Why a part of an answer is turned down: one that stands at `slot` and is described by `field`
/// (null for what is no member). Nothing if it is legal.
std::optional<std::string> find_part_problem(const Type& type, const Field* field,
                                             const void* object, std::uint16_t slot,
                                             std::span<const LimitData> limits,
                                             const Language& language = Language::english());

/// Why a list, a map or a text of `n` is turned down that is to have `lo` to `hi`, one of which it
/// is beyond.
std::string length_problem(Kind kind, std::size_t n, std::size_t lo, std::size_t hi,
                           const Language& language);

}  // namespace agon
