#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// What models read in other languages. Games and agents say their sentences in English, with
/// `{names}` in place of what changes; a Language has the same sentences in another language, by
/// the English ones. Its files are written by people (docs/prompts.md).
namespace agon {

/// A name in a sentence, and what stands for it.
struct Filled {
  std::string_view name;  ///< "day" for `{day}`
  std::string text;       ///< what it is replaced by
};

/// The sentences of one language. Without any it is English, which every text is in by itself.
class AGON_API Language {
 public:
  /// Translations by the English texts.
  using Sentences = std::map<std::string, std::string, std::less<>>;

  /// English.
  Language() = default;
  /// Another one: its short name ("de") and what it has.
  Language(std::string id, Sentences sentences);
  /// English, for code that needs one that stays.
  [[nodiscard]] static const Language& english();

  /// "en", "de", "zh".
  [[nodiscard]] const std::string& id() const { return id_; }
  /// True if nothing is translated.
  [[nodiscard]] bool is_english() const { return id_ == "en"; }
  /// Translations by the English texts; none in English.
  [[nodiscard]] const Sentences& sentences() const { return sentences_; }

  /// The text in this language. Throws Error (not_found) for one that it lacks.
  [[nodiscard]] std::string_view text(std::string_view english) const;
  /// The same for what may be somebody's own words, which stay as they are.
  [[nodiscard]] std::string_view own_text(std::string_view words) const;
  /// A sentence with its names filled: say("Day {day}.", {{"day", "3"}}). Throws Error (not_found)
  /// for a sentence that it lacks, and for a name for which nothing stands.
  [[nodiscard]] std::string say(std::string_view sentence,
                                std::initializer_list<Filled> with = {}) const;
  /// The same from a list made elsewhere.
  [[nodiscard]] std::string say(std::string_view sentence, std::span<const Filled> with) const;
  /// Either sentence by the number `{n}`: counted(3, "{n} unit", "{n} units").
  [[nodiscard]] std::string counted(std::int64_t n, std::string_view one,
                                    std::string_view many) const;
  /// "Alice", "Alice and Bob", "Alice, Bob and Eric"; empty for none.
  [[nodiscard]] std::string listed(std::span<const std::string> words) const;
  /// One sentence after another, as the language parts them; either may be empty.
  [[nodiscard]] std::string then(std::string_view first, std::string_view second) const;

 private:
  std::string id_ = "en";
  Sentences sentences_;
};

/// A sentence of which it is not decided yet in which language it is said.
struct Saying {
  /// A name of it; `is_sentence`: what stands for it is to be translated as well.
  struct Part {
    std::string_view name;     ///< as Filled has it
    std::string text;          ///< as Filled has it
    bool is_sentence = false;  ///< "a number"
  };
  std::string_view sentence{};  ///< in English; empty: nothing is said. A constant
  std::vector<Part> parts{};    ///< its names

  /// Said in that language; throws as Language::say().
  [[nodiscard]] AGON_API std::string in(const Language& language) const;
};

/// A sentence out of a list, which the compiler looks for, so that the list has all that is said:
///
///     inline constexpr std::string_view kSentences[] = {"Day {day}.", ...};
///     using Line = agon::OneOf<kSentences>;
///     scene.say(Line("Day {day}."), {{"day", "3"}})
template <const auto& List>
class OneOf {
 public:
  /// Does not compile for what the list lacks.
  template <std::size_t N>
  // NOLINTNEXTLINE(*-avoid-c-arrays): deduced from a literal
  consteval explicit OneOf(const char (&text)[N]) : text_(text, N - 1) {
    bool listed = false;
    for (const std::string_view one : List) listed = listed || one == text_;
    if (!listed) throw "the list of sentences lacks this one";
  }
  /// The sentence in English.
  // NOLINTNEXTLINE(google-explicit-constructor): it is one
  constexpr operator std::string_view() const { return text_; }

 private:
  std::string_view text_;
};

/// The sentences that the arena itself says to players: why an answer is turned down, what is taken
/// along from match to match. Agents with a language have them beside their own and those of the
/// game.
[[nodiscard]] AGON_API std::span<const std::string_view> arena_sentences();

}  // namespace agon
