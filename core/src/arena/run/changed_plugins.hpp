#pragma once

#include <agon/export.hpp>
#include <agon/game.hpp>
#include <set>
#include <string>
#include <vector>

#include "archive/plugin_of_run.hpp"
#include "archive/rows.hpp"

namespace agon {

class Catalogue;
struct Manifest;

/// A plugin's file that is not what it was when matches were played, under the same version.
struct ChangedPlugin {
  std::string game;  ///< that it brings
  std::string path;
};

/// The plugins at hand, as archives keep them.
[[nodiscard]] AGON_API std::vector<archive::PluginOfRun> plugins_at_hand(
    const Catalogue& catalogue);

/// Which plugins supplied these games that do not come with Agon, in sentences; empty if all do.
[[nodiscard]] AGON_API std::string describe_suppliers(
    const std::vector<archive::PluginOfRun>& plugins, const std::set<std::string>& games);

/// Which of the plugins of these games are at hand as another file than one of those runs had.
[[nodiscard]] AGON_API std::vector<ChangedPlugin> changed_plugins(
    const std::vector<archive::RunRow>& runs, const Catalogue& catalogue,
    const std::vector<archive::PluginOfRun>& at_hand, const std::vector<const Game*>& games);

/// Which agents of a run that are programs had other files in one of those runs, under the same
/// version.
[[nodiscard]] std::vector<std::string> changed_programs(const std::vector<archive::RunRow>& runs,
                                                        const Manifest& now);

/// Warns, before a run plays, of plugins and programs that are not what they were when matches of
/// the suite were played which it takes as they are; empty if there are none.
[[nodiscard]] std::string describe_changed(const std::vector<ChangedPlugin>& plugins,
                                           const std::vector<std::string>& programs);

}  // namespace agon
