#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agon::text {

/// How many single-byte insertions, deletions, replacements and swaps of neighbours turn one word
/// into the other, no byte being edited twice (Damerau 1964; the "optimal string alignment" form).
AGON_API std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name in `known` that `word` was probably meant to be: the one with the fewest edits, upper
/// and lower case being the same, if those are at most a third of the longer word's length (at
/// least 1); the first of equals. When none is close, the only one that begins with `word`, which
/// then has three letters or more. Else empty, and also when `word` is over 64 bytes long.
AGON_API std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// The end of a message about an unknown name: ` (did you mean 'x'?)`, or ` (known: a, b, c)` when
/// nothing is close and the list is short, or nothing.
AGON_API std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace agon::text
