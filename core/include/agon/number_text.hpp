#pragma once

#include <agon/export.hpp>
#include <string>
#include <string_view>

namespace agon {

/// What a number means that a person typed, or a model gave as a text.
struct NumberText {
  std::string json{};   ///< the number as JSON has it; empty: it is none, or not for certain
  std::string meant{};  ///< then what it seems to mean, as JSON has it; empty: it is no number
  /// What it may mean as well: of "1.000", which seems to mean 1000, this is 1. Else empty.
  std::string other{};
};

/// Reads "23", "+5", "1,250.50", "45.", and the same with its unit: "5 coins" where `unit` is
/// coins,
/// "$58", "58 dollars" and "58 USD" where it is dollars. Another unit makes it no number. Digits,
/// minus signs and points of full width are read as those of ASCII. Points between thousands, a
/// comma before decimals and blanks between digits are not certain: in English "1.000" and "1 000"
/// may be something else.
[[nodiscard]] AGON_API NumberText read_number_text(std::string_view text, std::string_view unit);

}  // namespace agon
