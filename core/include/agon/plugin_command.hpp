#pragma once

#include <agon/export.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agon {

/// Settings of a game, read and checked.
struct GameSettings {
  std::string name;                      ///< of the scenario, or of the data file
  std::string treatment;                 ///< JSON object: what the scenario varied; "{}": nothing
  std::shared_ptr<const void> settings;  ///< of the type that the game's play() takes
};

/// What a plugin's command may ask of `agon`.
class AGON_API CommandServices {
 public:
  /// The settings that `what` names for a game: those of all its scenarios in a suite file, or the
  /// game's first preset with a data file, given by its path or by the name under which it ships.
  /// Throws Error for anything that `agon run` would refuse.
  [[nodiscard]] virtual std::vector<GameSettings> settings_of(std::string_view game,
                                                              const std::string& what) const = 0;

 protected:
  ~CommandServices() = default;
};

/// A command that a plugin adds to `agon`.
struct PluginCommand {
  std::string_view id;     ///< "mock-server"; none of the built-in ones
  std::string_view doc;    ///< what it does, in a sentence
  std::string_view usage;  ///< what follows the name: "--port P [--latency MS]"
  /// Runs with the arguments after the name; returns the exit code. Throws Error for wrong ones.
  int (*run)(std::span<const std::string> arguments) = nullptr;
  /// Instead of `run`, for a command that asks for something.
  int (*run_with)(std::span<const std::string> arguments,
                  const CommandServices& services) = nullptr;
};

}  // namespace agon
