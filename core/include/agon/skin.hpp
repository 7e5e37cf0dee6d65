#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Another story for the same game: other nouns, names, units, option words and amounts in all that
/// models read, mapped back in all that they write. The game, its records and all other agents know
/// nothing of it (docs/skins.md).
namespace agon {

/// In which order a schema lists options.
enum class OptionOrder : std::uint8_t {
  original,  ///< as the game has them
  reversed,  ///< the last one first
};
AGON_DESCRIBE_ENUM(OptionOrder, (original, "as the game has them"),
                   (reversed, "the last one first"))

/// A skin as files have it.
struct SkinText {
  std::string story;
  std::map<std::string, std::string> words;
  OptionOrder order = OptionOrder::original;
  std::int64_t scale = 1;
  std::vector<std::string> amounts;
};
AGON_DESCRIBE(SkinText, (story, "what the game is about now, in a sentence"),
              (words,
               "words of the original to words of the skin; forms of a word are parted by |, as in "
               "\"bid|bids|bidding\": \"tender|tenders|tendering\""),
              (order, "in which order schemas list the options of answers"),
              (scale, "amounts are shown times this", range(1, 1'000'000)),
              (amounts, "where amounts stand beside those with a $: \"# dollars\" for the number"))

/// Puts texts into the words of a story, and back. Words change places where the story's word is
/// one of the original's, so that mapping back undoes the mapping whatever a text says.
class AGON_API Skin {
 public:
  /// Throws Error (invalid) with its place below `place` for words that cannot be mapped back: two
  /// mapped to one, a word of other capitals than its original, another number of forms; and for a
  /// scale that does not divide a power of ten, by which amounts would get endless fractions.
  Skin(std::string name, SkinText text, const std::string& place);

  /// Its name: "fishing-permits".
  [[nodiscard]] const std::string& name() const { return name_; }
  /// What it was made of.
  [[nodiscard]] const SkinText& text() const { return text_; }
  /// Words of the original to those of the skin, form by form.
  [[nodiscard]] const std::map<std::string, std::string>& words() const { return given_; }

  /// A text of the original as it is shown under the skin. A line that is a JSON Schema is taken
  /// as one.
  [[nodiscard]] std::string shown(std::string_view original) const;
  /// A text that was written under the skin, in the original's words.
  [[nodiscard]] std::string original(std::string_view shown) const;
  /// The JSON Schema of an answer; its keywords stay.
  [[nodiscard]] std::string shown_schema(std::string_view schema) const;

  /// Why a text of the original cannot be shown under the skin: a word of the skin is in it, or it
  /// does not map back. Empty: it can.
  [[nodiscard]] std::string problem_of(std::string_view original) const;

 private:
  /// Of what stands in either story, the original's first.
  template <class T>
  using Both = std::array<T, 2>;
  /// A place of amounts: what stands before and after the number.
  struct AmountPlace {
    Both<std::string> before, after;
    bool is_list = false;  ///< several numbers may stand there
    bool is_json = false;  ///< it is a member of an answer
  };
  /// A word and what stands for it.
  struct WordExchange {
    std::string from, to;
  };

  void read_words(const std::string& place);
  void close_words();
  void read_amounts(const std::string& place);
  [[nodiscard]] std::string mapped(std::string_view text, bool back, bool amounts = true) const;
  [[nodiscard]] std::size_t word_at(std::string_view text, std::size_t at, bool back,
                                    std::string& out) const;
  [[nodiscard]] std::size_t amount_at(std::string_view text, std::size_t at, bool back,
                                      std::string& out) const;
  [[nodiscard]] bool is_amount(std::string_view member) const;

  std::string name_;
  SkinText text_;
  std::map<std::string, std::string> given_;
  /// By the first word of a text in small letters; longer ones first. To the skin, and back.
  Both<std::map<std::string, std::vector<WordExchange>, std::less<>>> exchanges_;
  std::vector<AmountPlace> places_;
  std::string sign_ = "$";  ///< what the skin has in the place of "$"
};

/// The skins of a game: those in a file, by name.
struct SkinFile {
  std::vector<std::string> amounts;
  std::map<std::string, SkinText> skins;
};
AGON_DESCRIBE(SkinFile, (amounts, "of all of them, see amounts of a skin"),
              (skins, "names to skins"))

/// A skin in neutral words that mean nothing, drawn by the seed, for the words that `file` renames:
/// "generated-7".
[[nodiscard]] AGON_API Skin generated_skin(const SkinFile& file, std::uint64_t seed);

}  // namespace agon
