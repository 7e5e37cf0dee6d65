#include "run/whole_matches.hpp"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "json/parse.hpp"
#include "plugin/catalogue.hpp"

namespace agon {

WholeMatches::Plugin& WholeMatches::plugin_of(const remote::RemotePlugin& process) {
  for (Plugin& plugin : plugins_)
    if (plugin.process == &process) return plugin;
  return plugins_.emplace_back(Plugin{&process, {}, {}});
}

bool WholeMatches::lives_in(Plugin& plugin, const Catalogue& catalogue, const AgentInGame& in,
                            std::string_view game) {
  if (in.agent->waits() || in.agent->is_costly()) return false;
  const boost::json::value spec = json::parse(in.spec, "agent");
  const PluginEntry* from =
      catalogue.plugin_of_agent(std::string_view(spec.at("agent").as_string()), game);
  if (from == nullptr) return false;
  if (from->path == plugin.process->launch().file) return true;
  // What is trusted here may be there too; strangers are kept apart from each other.
  if (from->isolated) return false;
  if (std::find(plugin.files.begin(), plugin.files.end(), from->path) == plugin.files.end())
    plugin.files.push_back(from->path);
  return true;
}

WholeMatches::WholeMatches(const Suite& suite, const Catalogue& catalogue) : suite_(suite) {
  for (const Scenario& scenario : suite.scenarios) {
    Home& home = homes_.emplace_back();
    const remote::RemotePlugin* process = catalogue.process_of_game(scenario.game->id);
    // What seats take along to the next match is asked of them one by one.
    if (process == nullptr || !process->launch().is_worker || scenario.sequence != 1) continue;
    home.plugin = &plugin_of(*process);
    for (const AgentSpec& agent : suite.agents) {
      const AgentInGame* in = agent.in(scenario.game->id);
      const bool inside =
          in != nullptr && lives_in(*home.plugin, catalogue, *in, scenario.game->id);
      home.specs.push_back(inside ? &in->spec : nullptr);
      any_ = any_ || inside;
    }
  }
}

std::optional<remote::WholeMatch> WholeMatches::whole(std::size_t scenario,
                                                      const design::PlannedMatch& planned,
                                                      const MatchSetup& setup) const {
  const Home& home = homes_[scenario];
  if (home.plugin == nullptr) return std::nullopt;
  remote::WholeMatch match;
  match.setup = &setup;
  match.settings = &suite_.scenarios[scenario].treatments[planned.treatment].settings->json();
  for (std::size_t seat = 0; seat < planned.agents.size(); ++seat) {
    const std::string* spec = home.specs[static_cast<std::size_t>(planned.agents[seat])];
    // An agent of this block alone is not the one that its spec makes.
    if (spec == nullptr || setup.seats[seat].own != nullptr) return std::nullopt;
    match.agents.push_back(spec);
  }
  return match;
}

std::unique_ptr<remote::BatchPlayer> WholeMatches::take(std::size_t scenario) {
  Plugin& plugin = *homes_[scenario].plugin;
  const std::lock_guard lock(mutex_);
  if (plugin.idle.empty())
    return std::make_unique<remote::BatchPlayer>(*plugin.process, plugin.files);
  auto player = std::move(plugin.idle.back());
  plugin.idle.pop_back();
  return player;
}

void WholeMatches::give_back(std::size_t scenario, std::unique_ptr<remote::BatchPlayer> player) {
  const std::lock_guard lock(mutex_);
  homes_[scenario].plugin->idle.push_back(std::move(player));
}

}  // namespace agon
