#pragma once

#include "archive/archive.hpp"
#include "plugin/catalogue.hpp"

namespace agon {

/// The game of a row of the archive. Throws Error where it is not at hand, with the plugin that
/// brought it when it was played.
[[nodiscard]] const Game& archived_game(const Catalogue& catalogue, const archive::Archive& archive,
                                        const archive::GameRow& row);

}  // namespace agon
