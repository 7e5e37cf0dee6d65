#include "run/manifest.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/sdk_version.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/version.hpp>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include "costs/costs.hpp"
#include "describe/read.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/search_path.hpp"
#include "run/planned_match.hpp"
#include "text/hash.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

/// A digest of the files that an agent's command names, from the suite's folder; nothing for an
/// agent without a command.
std::optional<std::string> program_of(const AgentInGame& agent, const Suite& suite) {
  const boost::json::value spec = json::parse(agent.spec, "agent");
  const auto* params = spec.is_object() ? spec.as_object().if_contains("params") : nullptr;
  const auto* command = params != nullptr && params->is_object()
                            ? params->as_object().if_contains("command")
                            : nullptr;
  if (command == nullptr || !command->is_array()) return std::nullopt;
  hash::Sha256 sha;
  const std::filesystem::path folder = std::filesystem::path(suite.file).parent_path();
  for (const boost::json::value& word : command->as_array()) {
    std::error_code error;
    if (!word.is_string()) continue;
    const std::filesystem::path file = folder / std::string(word.as_string());
    if (!std::filesystem::is_regular_file(file, error)) continue;
    try {
      const std::string text = json::read_file(file.string());
      sha.update(std::to_string(text.size()) + ":");
      sha.update(text);
    } catch (const Error&) {
      continue;  // that it cannot be read is said where it is started
    }
  }
  return hash::hex(sha.digest());
}

Manifest::ScenarioRecord scenario_plan(const Suite& suite, const Scenario& s) {
  Manifest::ScenarioRecord plan;
  plan.scenario = s.name;
  plan.game = s.game->id;
  plan.matches = (s.as_seated ? 1 : s.plan->size()) * s.sequence;
  plan.blocks = s.blocks;
  plan.repeats = s.repeats;
  plan.treatments = s.treatments.size();
  if (s.suite_blocks > s.blocks) plan.suite_blocks = s.suite_blocks;
  for (const int number : s.players()) {
    const AgentSpec& agent = suite.agents[static_cast<std::size_t>(number)];
    const AgentInGame& in = *agent.in(s.game->id);
    auto& row = plan.agents.emplace_back(
        Manifest::AgentRecord{agent.name(), hash::hex(in.digest), {}, program_of(in, suite)});
    if (const auto prompts = s.prompts_of(*in.agent)) row.prompts = prompts->digest;
  }
  return plan;
}

}  // namespace

Manifest planned_manifest(const Suite& suite) {
  Manifest manifest;
  manifest.suite = suite.name;
  manifest.matches = suite.matches();
  manifest.shard = suite.shard;
  if (!suite.part_caps.empty()) manifest.part_caps = suite.part_caps;
  for (const Scenario& s : suite.scenarios) manifest.plan.push_back(scenario_plan(suite, s));
  return manifest;
}

std::string versions_at_hand() {
  return json::write(boost::json::value(boost::json::object{
      {"agon", AGON_SDK_VERSION_TEXT}, {"compiler", __VERSION__}, {"boost", BOOST_LIB_VERSION}}));
}

void add_calls(Manifest& manifest, const RunLedger& ledger) {
  auto& models = manifest.models.emplace();
  for (const auto& [key, met] : ledger.met()) {
    Manifest::ModelRecord& model = models.emplace_back();
    std::tie(model.provider, model.endpoint, model.model) = key;
    model.calls = met.calls;
    if (met.from_cache > 0) model.from_cache = met.from_cache;
    model.served_as.assign(met.served.begin(), met.served.end());
    model.fingerprints.assign(met.fingerprints.begin(), met.fingerprints.end());
    for (const std::string& p : met.parameters) model.parameters.push_back({p});
  }
  if (const std::string& prices = ledger.prices().text(); !prices.empty())
    manifest.prices = JsonText{json::write(json::parse(prices, "prices"))};
}

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
    for (const Game* game : catalogue.all<Game>())
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
    for (const Manifest::ScenarioRecord& scenario : manifest.plan)
      for (const Manifest::AgentRecord& agent : scenario.agents)
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
        "another archive with --out, to play them again\n",
        text::printable(one.path), text::printable(one.game));
  for (const std::string& name : programs)
    text += fmt::format(
        "warning: the files of '{}' were changed since its matches in this archive were played, "
        "and its \"version\" was not: they are taken as they are. Raise its \"version\", or write "
        "to another archive with --out, to play them again\n",
        text::printable(name));
  return text;
}

}  // namespace agon
