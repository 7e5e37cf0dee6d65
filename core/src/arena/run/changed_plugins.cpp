#include "run/changed_plugins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "describe/read.hpp"
#include "hash/sha256.hpp"
#include "json/parse.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/search_path.hpp"
#include "run/manifest.hpp"
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

std::vector<std::string> changed_programs(const std::vector<archive::RunRow>& runs,
                                          const Manifest& now) {
  // By name and spec, which has the version.
  std::map<std::pair<std::string, std::string>, std::string> at_hand;
  const auto each = [](const Manifest& manifest, const auto& take) {
    for (const Manifest::Scenario& scenario : manifest.plan)
      for (const Manifest::Agent& agent : scenario.agents)
        if (agent.program) take(std::pair(agent.name, agent.spec), *agent.program);
  };
  each(now, [&](const auto& agent, const std::string& digest) { at_hand[agent] = digest; });
  std::set<std::string> changed;
  for (const archive::RunRow& run : runs)
    // Of another version there may be none that this one reads.
    if (const auto before = read_recorded<Manifest>(run.manifest))
      each(*before, [&](const auto& agent, const std::string& digest) {
        const auto found = at_hand.find(agent);
        if (found != at_hand.end() && found->second != digest) changed.insert(agent.first);
      });
  return {changed.begin(), changed.end()};
}

std::string describe_changed(const std::vector<ChangedPlugin>& plugins,
                             const std::vector<std::string>& programs) {
  std::string text;
  for (const ChangedPlugin& one : plugins)
    text += fmt::format(
        "warning: {} was changed since matches of '{}' in this archive were played, and its "
        "version was not: they are taken as they are. Raise the game's version, or write to "
        "another archive with --out, to play them anew\n",
        text::printable(one.path), text::printable(one.game));
  for (const std::string& name : programs)
    text += fmt::format(
        "warning: the files of '{}' were changed since its matches in this archive were played, "
        "and its \"version\" was not: they are taken as they are. Raise its \"version\", or write "
        "to another archive with --out, to play them anew\n",
        text::printable(name));
  return text;
}

}  // namespace agon
