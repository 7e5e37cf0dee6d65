#pragma once

#include <fmt/format.h>

#include <agon/export.hpp>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace agon::text {

/// ASCII letters as small ones, whatever the locale.
[[nodiscard]] inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// The number that the whole text is, with a point as in C; nothing if it is anything else.
template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// "1 match", "3 matches": a count and its noun. `many`: the plural; empty: `one` and an s.
[[nodiscard]] std::string counted(std::integral auto count, std::string_view one,
                                  std::string_view many = {}) {
  std::string words = std::to_string(count) + " ";
  if (count == 1) return words += one;
  return many.empty() ? (words += one) += "s" : words += many;
}

/// The items with `between` between each two of them, each as `as` has it; `most` of them.
template <class Items, class As = std::identity>
[[nodiscard]] std::string joined(const Items& items, std::string_view between = ", ", As as = {},
                                 std::size_t most = SIZE_MAX) {
  std::string words;
  for (std::size_t i = 0; const auto& item : items) {
    if (i == most) break;
    if (i++ > 0) words += between;
    fmt::format_to(std::back_inserter(words), "{}", std::invoke(as, item));
  }
  return words;
}

/// "a, b, c": the items, each as `as` has it; of more than `most` the first and how many there are:
/// "a, b and 7 more".
template <class Items, class As = std::identity>
[[nodiscard]] std::string joined_first(const Items& items, std::size_t most, As as = {}) {
  std::string words = joined(items, ", ", as, most);
  if (items.size() > most) words += fmt::format(" and {} more", items.size() - most);
  return words;
}

/// A share as "95%", with as many digits as it takes not to round up to 100%.
[[nodiscard]] AGON_API std::string percent(double share);

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

/// The hint of an error about an unknown `word`: "did you mean 'X'?" if a name of `known` is near,
/// else `otherwise`.
AGON_API std::string suggestion(std::string_view word, const std::vector<std::string>& known,
                                std::string otherwise = {});

/// The names in braces of a sentence: "price" of "It costs {price}.".
[[nodiscard]] AGON_API std::set<std::string> names_in_braces(std::string_view sentence);

/// A word as a person types it at a shell: in quotes where it needs them.
[[nodiscard]] AGON_API std::string shell_word(const std::string& word);

/// Words of a command line, so that they can be pasted into a shell.
[[nodiscard]] AGON_API std::string shell_line(const std::vector<std::string>& words);

/// A command line without these options, each of which takes a value: "--out FILE" and
/// "--out=FILE".
[[nodiscard]] AGON_API std::vector<std::string> without_options(
    const std::vector<std::string>& words, std::initializer_list<std::string_view> options);

}  // namespace agon::text
