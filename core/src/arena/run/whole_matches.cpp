#include "run/whole_matches.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "json/parse.hpp"
#include "plugin/catalogue.hpp"

namespace agon {
namespace {

/// True if the agent can be made where that plugin is, and answers at once there.
bool lives_there(const Catalogue& catalogue, const remote::RemotePlugin& plugin,
                 const AgentInGame& in, std::string_view game) {
  if (in.agent->waits() || in.agent->is_costly()) return false;
  const boost::json::value spec = json::parse(in.spec, "agent");
  return catalogue.lives_in(plugin, std::string_view(spec.at("agent").as_string()), game);
}

}  // namespace

WholeMatches::WholeMatches(const Suite& suite, const Catalogue& catalogue) : suite_(suite) {
  for (const Scenario& scenario : suite.scenarios) {
    Home& home = homes_.emplace_back();
    const remote::RemotePlugin* plugin = catalogue.process_of_game(scenario.game->id);
    // What seats take along to the next match is asked of them one by one.
    if (plugin == nullptr || !plugin->launch().is_worker || scenario.sequence != 1) continue;
    home.plugin = plugin;
    for (const AgentSpec& agent : suite.agents) {
      const AgentInGame* in = agent.in(scenario.game->id);
      const bool inside = in != nullptr && lives_there(catalogue, *plugin, *in, scenario.game->id);
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
  const remote::RemotePlugin* plugin = homes_[scenario].plugin;
  {
    const std::lock_guard lock(mutex_);
    for (auto idle = idle_.begin(); idle != idle_.end(); ++idle) {
      if (idle->first != plugin) continue;
      auto player = std::move(idle->second);
      idle_.erase(idle);
      return player;
    }
  }
  return std::make_unique<remote::BatchPlayer>(*plugin);
}

void WholeMatches::give_back(std::size_t scenario, std::unique_ptr<remote::BatchPlayer> player) {
  const std::lock_guard lock(mutex_);
  idle_.emplace_back(homes_[scenario].plugin, std::move(player));
}

}  // namespace agon
