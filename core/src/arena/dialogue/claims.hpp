#pragma once

#include <agon/export.hpp>
#include <agon/talk.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/tokens.hpp"

namespace agon::dialogue {

/// What a sentence says something about.
enum class Kind : std::uint8_t {
  value,     ///< the speaker's own private value
  offer,     ///< a price or a part that was offered
  promise,   ///< the speaker's next move
  agreement  ///< that there is one
};

/// Whose offer a sentence restates.
enum class Offered : std::uint8_t { now, own_before, theirs };

/// What a sentence says, before anything is compared.
struct Claim {
  Kind kind = Kind::value;
  std::string text;                ///< the clause that says it
  std::size_t about = 0;           ///< private value, item or move: its place in the lexicon
  std::optional<double> stated{};  ///< the number
  double tolerance = 0;            ///< how far from it the truth may be for people to call it true
  bool item = false;               ///< `about` is the place of an item
  bool denied = false;             ///< "my limit is not 40", "I will not steal"
  Offered offered = Offered::now;
};

/// Something with names: a private value, an item, an action.
struct SpokenNames {
  std::vector<std::vector<std::string>> names;  ///< each as its words
  Understating understating = Understating::neither;
};

/// What can be talked about in a match. All may be empty.
struct Lexicon {
  std::vector<SpokenNames> values;  ///< private numbers with words of their own
  std::vector<SpokenNames> items;   ///< entries of a list of private numbers
  std::vector<SpokenNames> moves;
  bool has_prices = false;  ///< offers are single numbers
  bool has_offers = false;  ///< there is something to agree to
};

/// Names from a list with commas: "reservation price, limit".
[[nodiscard]] AGON_API SpokenNames named(std::string_view words,
                                         Understating understating = Understating::neither);

/// What a text says, by the rules that docs/words.md lists: what they do not cover says nothing.
[[nodiscard]] AGON_API std::vector<Claim> claims_of(std::string_view text, const Lexicon& lexicon);

/// Whether a text asks for the private value or item.
[[nodiscard]] AGON_API bool asks_for(std::string_view text, const SpokenNames& value);

}  // namespace agon::dialogue
