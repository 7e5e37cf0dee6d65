#pragma once

#include <string>

namespace agon::conformance {

/// Thrown out of a check where another match would take as long as the arena waits for a game.
struct Endless {
  std::string problem;  ///< of the match that was one too many
  std::string command;  ///< plays it
};

}  // namespace agon::conformance
