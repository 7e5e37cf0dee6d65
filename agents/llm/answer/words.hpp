#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace agon::llm {

/// What counts as a blank between words and around values.
inline constexpr std::string_view kBlanks = " \t\r\n";

/// Without the blanks and line breaks around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Whether it is a letter or a digit of ASCII.
[[nodiscard]] constexpr bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Letters of ASCII in lower case; as long as it was.
[[nodiscard]] std::string lower_case(std::string_view text);

/// At most so many bytes of the beginning, whole characters.
[[nodiscard]] std::string_view first_bytes(std::string_view text, std::size_t longest);
/// The same of the end.
[[nodiscard]] std::string_view last_bytes(std::string_view text, std::size_t longest);
/// The beginning, with "..." where something is left out.
[[nodiscard]] std::string beginning(std::string_view text, std::size_t longest);

/// A text up to its last end of a sentence or line; all of it if it has none.
[[nodiscard]] std::string_view whole_sentences(std::string_view text);

/// The beginning of a text that has `words` words at most. Letters that no blank parts count as a
/// word every 24 bytes, for languages that write none.
[[nodiscard]] std::string_view first_words(std::string_view text, std::size_t words);

/// True for words that say no more than that the model will not answer. A move in prose, as "I
/// can't pay more than 5.", is none.
[[nodiscard]] bool is_refusal(std::string_view text);

/// Whether words beside an object refuse to answer, whatever else they say.
[[nodiscard]] bool has_refusal(std::string_view words);

}  // namespace agon::llm
