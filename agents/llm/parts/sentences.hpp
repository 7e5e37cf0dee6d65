#pragma once

#include <cstddef>
#include <string_view>

namespace agon::llm {

/// A text up to its last end of a sentence or line; all of it if it has none.
[[nodiscard]] std::string_view whole_sentences(std::string_view text);

/// The beginning of a text that has `words` words at most. Letters that no blank parts count as a
/// word every 24 bytes, for languages that write none.
[[nodiscard]] std::string_view first_words(std::string_view text, std::size_t words);

}  // namespace agon::llm
