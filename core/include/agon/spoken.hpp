#pragma once

#include <agon/export.hpp>
#include <set>
#include <string>
#include <string_view>

namespace agon {

struct Game;
class Language;

/// Everything that the arena and the game say to a seat in a match of it, in English: what its card
/// lists, what stages and answers say of themselves, what is said in any game. What agents say to a
/// model beside it is theirs.
[[nodiscard]] AGON_API std::set<std::string_view> spoken_texts(const Game& game);

/// Whether all of the game can be told in the language: nothing of spoken_texts() is missing, and
/// all that seats see and hear is put into words.
[[nodiscard]] AGON_API bool can_be_told(const Game& game, const Language& language);

}  // namespace agon
