#pragma once

#include <agon/describe.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace agon::archive {

/// A plugin that was loaded when a run began: of these is RunRow::plugins.
struct PluginOfRun {
  std::string name;
  std::string version;
  std::string path;    ///< on the machine of the run
  std::string sha256;  ///< of the file
  std::optional<std::map<std::string, std::int64_t>> games;
  std::optional<bool> shipped;
};
AGON_DESCRIBE(PluginOfRun, (name, "its own"), (version, "its own"), (path, "of its file"),
              (sha256, "of its file"),
              (games, "that it brings, and their versions; older archives do not say", left_out),
              (shipped, "it came with Agon; older archives do not say", left_out))

}  // namespace agon::archive
