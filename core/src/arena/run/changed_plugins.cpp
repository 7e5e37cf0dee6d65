#include "run/changed_plugins.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "describe/read.hpp"
#include "hash/sha256.hpp"
#include "json/parse.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/search_path.hpp"
#include "text/utf8.hpp"

namespace agon {

std::vector<archive::PluginOfRun> plugins_at_hand(const Catalogue& catalogue) {
  std::vector<archive::PluginOfRun> plugins;
  for (const PluginEntry& p : catalogue.plugins()) {
    if (p.status != PluginEntry::Status::loaded) continue;
    auto& row =
        plugins.emplace_back(archive::PluginOfRun{p.name,
                                                  p.version,
                                                  p.path,
                                                  hash::hex(hash::sha256(json::read_file(p.path))),
                                                  {},
                                                  plugin::comes_with_agon(p.path)});
    auto& games = row.games.emplace();
    for (const Game* game : catalogue.games())
      if (catalogue.plugin_of_game(game->id) == &p) games.emplace(game->id, game->card.version);
  }
  return plugins;
}

std::string describe_suppliers(const std::vector<archive::PluginOfRun>& plugins,
                               const std::set<std::string>& games) {
  std::string text;
  for (const archive::PluginOfRun& p : plugins) {
    if (p.shipped.value_or(true) || !p.games) continue;
    for (const auto& [game, version] : *p.games)
      if (games.contains(game))
        text += fmt::format(
            "{}The game '{}' was supplied by the plugin '{}' {}, which does not come with Agon: "
            "{}, "
            "SHA-256 {}.",
            text.empty() ? "" : " ", game, p.name, p.version, p.path, p.sha256.substr(0, 16));
  }
  return text;
}

std::vector<ChangedPlugin> changed_plugins(const std::vector<archive::RunRow>& runs,
                                           const Catalogue& catalogue,
                                           const std::vector<archive::PluginOfRun>& at_hand,
                                           const std::vector<const Game*>& games) {
  std::vector<archive::PluginOfRun> before;
  for (const archive::RunRow& run : runs)
    if (auto known = read_recorded<std::vector<archive::PluginOfRun>>(run.plugins))
      before.insert(before.end(), known->begin(), known->end());
  std::vector<ChangedPlugin> changed;
  for (const Game* game : games) {
    const PluginEntry* entry = catalogue.plugin_of_game(game->id);
    if (entry == nullptr) continue;
    const auto is = [&](const archive::PluginOfRun& p) {
      if (p.name != entry->name || p.version != entry->version || !p.games) return false;
      const auto found = p.games->find(std::string(game->id));
      return found != p.games->end() && found->second == game->card.version;
    };
    const auto own = std::find_if(at_hand.begin(), at_hand.end(), is);
    const bool differs =
        own != at_hand.end() && std::any_of(before.begin(), before.end(), [&](const auto& p) {
          return is(p) && p.sha256 != own->sha256;
        });
    const bool is_told = std::any_of(changed.begin(), changed.end(),
                                     [&](const ChangedPlugin& c) { return c.path == entry->path; });
    if (differs && !is_told) changed.push_back({std::string(game->id), entry->path});
  }
  return changed;
}

std::string describe_changed_plugins(const std::vector<ChangedPlugin>& changed) {
  std::string text;
  for (const ChangedPlugin& one : changed)
    text += fmt::format(
        "warning: {} was changed since matches of '{}' in this archive were played, and its "
        "version was not: they are taken as they are. Raise the game's version, or write to "
        "another archive with --out, to play them anew\n",
        text::printable(one.path), text::printable(one.game));
  return text;
}

}  // namespace agon
