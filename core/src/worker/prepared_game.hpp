#pragma once

#include <agon/agent.hpp>
#include <agon/game.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "describe/value.hpp"
#include "plugin/catalogue.hpp"

namespace agon::worker {

/// A game with settings, read and prepared once for all that is asked of them.
class PreparedGame {
 public:
  /// Throws Error for settings that are none of the game's, and what the game throws.
  PreparedGame(const Game& game, std::string_view settings);
  ~PreparedGame();
  PreparedGame(const PreparedGame&) = delete;
  PreparedGame& operator=(const PreparedGame&) = delete;

  [[nodiscard]] const Game& game() const { return game_; }
  [[nodiscard]] const void* settings() const { return settings_.get(); }
  /// What all matches share; made when it is first wanted.
  [[nodiscard]] const void* prepared();

 private:
  const Game& game_;
  Value settings_;
  const void* prepared_ = nullptr;
  bool is_prepared_ = false;
};

/// What the process was loaded with, and what was made of it so far.
class LoadedCatalogue {
 public:
  explicit LoadedCatalogue(const Catalogue& catalogue) : catalogue_(catalogue) {}

  /// The few that are in use are kept.
  std::shared_ptr<PreparedGame> game(std::string_view id, std::string_view settings);
  /// The agent of a spec for a game, {"agent": ..., "params": {...}}; it is kept, as agents have no
  /// state. Throws Error where it cannot be made.
  std::shared_ptr<const Agent> agent(std::string_view game, std::string_view spec);

 private:
  const Catalogue& catalogue_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<PreparedGame>> games_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const Agent>> agents_;
};

}  // namespace agon::worker
