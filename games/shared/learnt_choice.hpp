#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace shared {

/// The first number in a text, thousands with or without commas; none: there is no number.
[[nodiscard]] std::optional<double> number_in(std::string_view text);

/// What is known of a choice between two ways of play, of which only the one that was taken shows
/// what it brings: Exp3 of Auer, Cesa-Bianchi, Freund and Schapire 2002, The Nonstochastic
/// Multiarmed Bandit Problem, with two arms. `even` is its gamma, from above 0 to 1.
class LearntChoice {
 public:
  /// From the words of text(); of other words nothing is known.
  [[nodiscard]] static LearntChoice read(std::string_view text);
  /// In words that read() knows, with the chance of the next choice.
  [[nodiscard]] std::string text(double even) const;

  /// The chance that the first way is taken next.
  [[nodiscard]] double chance(double even) const;
  /// A match with that way was over. `gain`: from 0 to 1.
  void add(bool first, double score, double gain, double even);

 private:
  struct Way {
    int matches = 0;
    double score = 0;   ///< of all of them
    double weight = 0;  ///< gains divided by the chances that they had
  };
  std::array<Way, 2> ways_{};
};

}  // namespace shared
