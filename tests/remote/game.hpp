#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "remote/remote_plugin.hpp"
#include "seam/support.hpp"

/// A game that speaks the protocol line by line, without the module, good and bad.
namespace remote_game {

/// A folder of its own, removed in the end, with the game in it. The processes of a plugin run in
/// it: each writes a line to `started`.
class Place {
 public:
  Place();
  ~Place();
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  /// The game's process, not locked in; `prelude` are lines of Python that it begins with.
  [[nodiscard]] agon::remote::Launch launch(const std::string& prelude = "") const;
  [[nodiscard]] std::string read(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const;
  void write(const std::string& name) const;
  [[nodiscard]] std::size_t started() const;
  /// Takes the folder away: no further process starts.
  void remove() const;

 private:
  std::filesystem::path path_;
};

/// The game as the arena has it.
class Running {
 public:
  explicit Running(const agon::ProcessLimits& limits = {}, const std::string& prelude = "");

  /// Plays a match of it with settings {"trouble": trouble}.
  [[nodiscard]] agon::MatchResult play(const std::string& trouble,
                                       std::vector<const agon::Agent*> agents = {},
                                       std::uint64_t luck = 1) const;
  [[nodiscard]] const agon::Game& game() const { return plugin_.cards().games.front(); }
  [[nodiscard]] const Place& place() const { return place_; }

 private:
  Place place_;
  agon::remote::RemotePlugin plugin_;
};

/// Limits with these longest times without a message and of the processor.
agon::ProcessLimits limits(double silence, double processor = 60);

}  // namespace remote_game
