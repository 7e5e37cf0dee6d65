#pragma once

#include <agon/importer.hpp>

namespace english_auction {

/// The memos that AucArena's program writes after each auction, as matches.
[[nodiscard]] agon::Importer memos_importer();

}  // namespace english_auction
