#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <string>
#include <string_view>

/// The keys that this process has read, so that none of them gets into a file or onto a screen.
/// They are a state of the process, as the environment is that they come from. Code that reads a
/// key adds it before it is used; code that writes what came from outside cuts it first. Any
/// thread, any time; without keys it costs nothing.
namespace agon::secrets {

/// What can be kept out of texts.
enum class KeyKind : std::uint8_t {
  secret,       ///< it is cut
  placeholder,  ///< a word such as "ollama" or "EMPTY", for endpoints that ask for no key: public
  too_short,    ///< cutting it would spoil answers: under 4 characters, or under 8 digits alone
};
/// What `key` is.
[[nodiscard]] AGON_API KeyKind kind_of(std::string_view key);

/// From now on `key` is cut, if it is a secret; and the process writes no core file any more.
AGON_API void add(std::string_view key);

/// `text` with "[key]" wherever a key stands: as it is or in either case, reversed, with anything
/// but letters and digits between its characters, escaped as in JSON, C (`\163`), HTML or URLs (up
/// to three times over), in characters of full width, in tag characters, in base64 of either
/// alphabet at any place of what was encoded, also twice over, in base32 of either alphabet, in
/// hexadecimal, or as a list of codes. Of a long key 16 characters in a row are enough. Keys of
/// less than 8 letters and digits are cut where they stand as whole words, in hexadecimal and in
/// base64.
[[nodiscard]] AGON_API std::string cut(std::string text);

}  // namespace agon::secrets
