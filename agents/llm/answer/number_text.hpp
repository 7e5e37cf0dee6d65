#pragma once

#include <agon/language.hpp>
#include <string>
#include <string_view>

namespace agon::llm {

/// What a number that stands as a text means.
struct NumberText {
  std::string json{};   ///< the number as JSON has it; empty: it is none, or not for certain
  std::string doubt{};  ///< then why, and what is to be written instead; empty: it is no number
};

/// Reads "23", "+5", "$58", "1,250.50", "45." and "5 coins" where `unit` is coins. Points between
/// thousands, a comma before decimals and blanks between digits are told of: in English "1.000" and
/// "1 000" may be something else.
[[nodiscard]] NumberText read_number_text(std::string_view text, std::string_view unit,
                                          const Language& language = Language::english());

}  // namespace agon::llm
