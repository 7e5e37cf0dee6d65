#pragma once

#include <agon/game.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "describe/file_text.hpp"
#include "json/path.hpp"
#include "table/probes.hpp"

namespace agon {

/// The probes of a suite for a game, whose seats are these under each treatment; null: none. Throws
/// Error with its place for what the game's card does not have, and for what would show a seat more
/// than it may know.
[[nodiscard]] std::shared_ptr<const Probes> read_probes(
    const FileText& text, const json::Path& path, const std::vector<ProbeEntry>& entries,
    const Game& game, const std::vector<std::vector<SeatCard>>& seatings);

}  // namespace agon
