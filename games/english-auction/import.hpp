#pragma once

#include <agon/importer.hpp>
#include <agon/plugin.hpp>

namespace english_auction {

/// Reads items in AucArena's published form, JSON Lines with `name`, `price` and `true_value`
/// (other members are not looked at), and makes an item list for the setting `items`. Lines that
/// are not such an object, that name an item twice or give amounts out of range are bad rows.
/// Throws agon::Error (invalid) when no line is good or more than kMaxItems are.
[[nodiscard]] agon::Imported import_items(std::span<const agon::InputFile> files);

/// How the arena calls it.
[[nodiscard]] agon::Importer items_importer();

}  // namespace english_auction
