#pragma once

#include <agon/random.hpp>
#include <filesystem>
#include <string>

namespace agon::fuzz {

/// Spoils an archive as a stranger may: bytes of the file; values of rows, of the wrong type, at
/// limits or from elsewhere; JSON in them; records and shapes; tables that are something else.
/// Returns what was done, in words.
std::string spoil(const std::filesystem::path& archive, Dice& dice);

}  // namespace agon::fuzz
