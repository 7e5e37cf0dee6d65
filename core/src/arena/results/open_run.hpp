#pragma once

#include <agon/export.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "allocation/stop_state.hpp"
#include "archive/archive.hpp"

namespace agon::report {

/// A run that did not come to its end.
struct OpenRun {
  std::string what;    ///< how it ended and how far it came; empty: it came to its end
  std::string resume;  ///< what to do, which ends with the command that takes it up again

  [[nodiscard]] bool open() const { return !what.empty(); }
  [[nodiscard]] std::string text() const { return what + ". " + resume; }
};

/// The last run on the archive at `path`, if it is open. `game`: only if it plays this game.
[[nodiscard]] AGON_API OpenRun open_run(const archive::Archive& archive, const std::string& path,
                                        std::string_view game = {});

/// What the stop rule of the last run came to; nothing if it had none.
[[nodiscard]] AGON_API std::optional<StopState> last_stop(const archive::Archive& archive);

}  // namespace agon::report
