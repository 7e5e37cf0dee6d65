#pragma once

#include <string>
#include <string_view>

namespace agon::llm {

/// What counts as a blank between words and around values.
inline constexpr std::string_view kBlanks = " \t\r\n";

/// Without the blanks and line breaks around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Letters of ASCII in lower case; as long as it was.
[[nodiscard]] std::string lower_case(std::string_view text);

/// At most so many bytes, whole characters, with "..." where something is left out.
[[nodiscard]] std::string beginning(std::string_view text, std::size_t longest);

}  // namespace agon::llm
