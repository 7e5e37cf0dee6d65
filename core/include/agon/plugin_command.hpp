#pragma once

#include <agon/agent.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agon {

/// Settings of a game, read and checked.
struct GameSettings {
  std::string name;                      ///< of the scenario, or of the data file
  std::string treatment;                 ///< JSON object: what the scenario varied; "{}": nothing
  std::shared_ptr<const void> settings;  ///< of the type that the game's play() takes
};

/// How an agent answered the questions of one stage in matches of one preset.
struct StageTrial {
  std::string preset;               ///< empty: the game has none
  std::string stage;                ///< its name
  std::uint32_t questions = 0;      ///< 0: nobody was asked
  std::uint32_t legal_at_once = 0;  ///< answered legally at the first attempt, or probes declined
  /// No attempt was legal, or the first was none at all: it could not be read, or did not come.
  std::uint32_t failed = 0;
  /// Of the first that failed, else of the first that was not legal at once: which question, and
  /// why its first attempt was turned down.
  std::string refusal{};
};

/// What came of matches of a game in which one agent plays all seats.
struct AgentTrial {
  std::vector<StageTrial> stages;  ///< by preset, then in the order of the game's card
  /// Presets of which a match did not come to its end, and why.
  std::vector<std::pair<std::string, std::string>> stopped;
  std::optional<OwnedQuestion> question;  ///< the first one to a seat
  std::optional<MatchEnding> ending;      ///< of that match, for that seat
  std::shared_ptr<const void> game;       ///< what the question's descriptions are part of
};

/// What a plugin's command may ask of `agon`.
class AGON_API CommandServices {
 public:
  /// The settings that `what` names for a game: those of all its scenarios in a suite file, or the
  /// game's first preset with a data file, given by its path or by the name under which it ships.
  /// Throws Error for anything that `agon run` would refuse.
  [[nodiscard]] virtual std::vector<GameSettings> settings_of(std::string_view game,
                                                              const std::string& what) const = 0;
  /// Matches of every preset of a game with `agent` on every seat: the same at every call. `game`:
  /// as a command takes it, {"./my-game.py"} or {"my-game", "--plugin", "my-game.py"}. Throws Error
  /// for a game that is not there, and for a plugin that cannot be loaded.
  [[nodiscard]] virtual AgentTrial try_agent(std::span<const std::string> game,
                                             const WaitingAgent& agent) const = 0;

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
