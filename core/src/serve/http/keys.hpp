#pragma once

#include <agon/export.hpp>
#include <string>
#include <string_view>

namespace agon::serve {

/// A key that nobody guesses: 192 random bits of the system, as 32 letters, digits, - and _. Throws
/// Error (failure) if the system has none.
AGON_API std::string random_key();

/// What is kept of a key: its SHA-256 as hexadecimal digits. The key has too many bits to be tried
/// out, so a plain digest keeps it.
AGON_API std::string key_digest(std::string_view key);

/// True if the texts are the same; takes as long whatever they hold.
AGON_API bool same_key(std::string_view a, std::string_view b);

}  // namespace agon::serve
