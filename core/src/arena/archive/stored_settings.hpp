#pragma once

#include <agon/export.hpp>
#include <string>

#include "archive/archive.hpp"
#include "settings/settings.hpp"

namespace agon::archive {

/// Settings as an archive holds them, ready to play again.
struct StoredSettings {
  Settings settings;
  int reasks = 3;
};

/// The settings alone of a scenario, as JSON, data in their place. `digest`: of the document that a
/// run wrote of them. Throws Error if the archive lacks data it refers to.
[[nodiscard]] std::string stored_settings(const Archive& archive, const hash::Digest& digest);

/// Reads them. Throws Error if the archive lacks data they refer to, or if they no longer fit the
/// game.
[[nodiscard]] StoredSettings read_stored_settings(const Game& game, const Archive& archive,
                                                  const hash::Digest& digest);

}  // namespace agon::archive
