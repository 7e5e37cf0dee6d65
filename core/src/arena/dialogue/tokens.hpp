#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What agents say to each other, read by rules (docs/words.md).
namespace agon::dialogue {

/// A word, a number or a mark of a text.
struct Token {
  std::string word;                ///< in lower case; of a number its digits or words
  std::optional<double> number{};  ///< "1,250", "12.5k", "forty-two"
  double precision = 0;            ///< of a number: one of its last digit
  bool percent = false;            ///< "80%", "80 per cent": a share, not an amount
  bool currency = false;           ///< "$40", "40 dollars"
};

/// A sentence, or a part of one that stands by itself.
struct Clause {
  std::string text;  ///< as it was said
  std::vector<Token> tokens;
  bool is_question = false;
};

/// The clauses of a text. Sentences end with . ! ? and line breaks; a "but" or a semicolon begins a
/// clause of its own.
[[nodiscard]] AGON_API std::vector<Clause> clauses_of(std::string_view text);

}  // namespace agon::dialogue
