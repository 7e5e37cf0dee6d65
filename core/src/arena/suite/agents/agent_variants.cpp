#include "suite/agents/agent_variants.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/value.hpp>
#include <set>

#include "describe/file_text.hpp"
#include "design/plan.hpp"
#include "json/write.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

/// More agents than this are a slip of the pen.
constexpr std::uint64_t kMostAgents = 1000;

std::string level_text(const bj::value& level) {
  return level.is_string() ? std::string(level.get_string()) : json::write(level);
}

}  // namespace

std::vector<FactorLevels> cross_factors(const std::optional<InOrder<std::vector<JsonText>>>& given,
                                        const ErrorPlace& place) {
  if (!given) return {FactorLevels()};
  const auto wrong = [&](const std::string& what, const std::string& name) {
    throw Error(ErrorKind::invalid, what, (place / name).str(),
                "write \"factors\": {\"memory\": [\"whole\", \"notebook\"]}");
  };
  std::vector<design::TreatmentFactor> factors;
  std::vector<std::vector<bj::value>> levels;
  for (const auto& [name, list] : *given) {
    if (list.empty()) wrong("a factor needs a list of levels", name);
    std::set<std::string> seen;
    auto& its = levels.emplace_back();
    for (const JsonText& level : list) {
      const std::string text = level_text(its.emplace_back(parsed(level)));
      if (!seen.insert(text).second) wrong("the level '" + text + "' is there twice", name);
      if (text.find('*') != std::string::npos)
        wrong("a level becomes part of the agent's name and has no '*': '" + text + "'", name);
    }
    factors.push_back({name, static_cast<int>(list.size())});
  }
  const design::Treatments all(factors);
  if (all.size() > kMostAgents)
    throw Error(ErrorKind::invalid,
                "these factors make " + std::to_string(all.size()) + " agents, more than " +
                    std::to_string(kMostAgents),
                place.str());
  std::vector<FactorLevels> made;
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    FactorLevels one;
    const std::vector<int> level = all.levels(i);
    for (std::size_t f = 0; f < factors.size(); ++f) {
      const bj::value& v = levels[f][static_cast<std::size_t>(level[f])];
      one.suffix += (f == 0 ? "/" : ",") + factors[f].name + "=" + level_text(v);
      one.members[factors[f].name] = v;
    }
    made.push_back(std::move(one));
  }
  return made;
}

namespace {

[[noreturn]] void refuse_option(const std::string& what, const std::string& option,
                                const std::string& hint) {
  throw Error(ErrorKind::usage, what, "--agent " + option, hint);
}

/// An --agent, taken apart.
struct AgentOverride {
  std::string option;
  std::string name;  ///< empty: all that call models
  suite_file::Entry entry;
};

/// The name before the specification; empty if there is none. Names of agents that factors made
/// hold equals signs themselves, so that the longest known name goes first.
std::string name_of(const std::string& option, const std::set<std::string>& names) {
  std::string found;
  for (const std::string& name : names)
    if (option.starts_with(name + "=") && name.size() > found.size()) found = name;
  if (!found.empty()) return found;
  const std::size_t equals = option.find('=');
  if (equals == std::string::npos || option.find_first_of(":{") < equals) return {};
  const std::string name = option.substr(0, equals);
  const std::vector<std::string> known(names.begin(), names.end());
  refuse_option("unknown agent '" + name + "'" + text::did_you_mean(name, known), option,
                "use an agent of the suite, or leave '" + name +
                    "=' out to replace all agents that call models");
}

suite_file::Entry entry_of(const std::string& text, const std::string& option) {
  if (text.empty())
    refuse_option("missing agent", option,
                  "write [NAME=]AGENT, such as random, or [NAME=]AGENT:key=value,key=value");
  return typed_entry(text, "--agent");
}

bool calls_models(const AgentSpec& agent, const std::vector<std::string>& games) {
  return std::any_of(games.begin(), games.end(), [&](const std::string& game) {
    const AgentInGame* in = agent.in(game);
    return in != nullptr && in->agent->model_agent() != nullptr;
  });
}

}  // namespace

void replace_agents(const SpecContext& context, const std::vector<std::string>& options,
                    std::vector<AgentSpec>& agents) {
  if (options.empty()) return;
  SpecContext here = context;
  here.folder.clear();
  here.typed = true;
  std::set<std::string> names;
  for (const AgentSpec& agent : agents) {
    names.insert(agent.name());
    names.insert(agent.base());
  }
  std::vector<AgentOverride> choices;
  for (const std::string& option : options) {
    AgentOverride choice{option, name_of(option, names), {}};
    choice.entry =
        entry_of(choice.name.empty() ? option : option.substr(choice.name.size() + 1), option);
    if (std::any_of(choices.begin(), choices.end(),
                    [&](const AgentOverride& other) { return other.name == choice.name; }))
      refuse_option("duplicate --agent for the same agent", option, "use one --agent for it");
    choices.push_back(std::move(choice));
  }
  // The most exact goes first: the agent itself, then its entry, then all that call models.
  const auto choice_for = [&](const AgentSpec& agent) -> const AgentOverride* {
    for (const std::string& name : {agent.name(), agent.base(), std::string()})
      for (const AgentOverride& choice : choices)
        if (choice.name == name && (!name.empty() || calls_models(agent, context.games)))
          return &choice;
    return nullptr;
  };
  std::set<const AgentOverride*> used;
  for (AgentSpec& agent : agents) {
    const AgentOverride* choice = choice_for(agent);
    if (choice == nullptr) continue;
    used.insert(choice);
    agent = agent.replaced(here, choice->entry, "--agent " + choice->option);
  }
  for (const AgentOverride& choice : choices)
    if (!used.contains(&choice))
      refuse_option(
          choice.name.empty()
              ? "no agent of this suite calls a model"
              : "every agent of '" + choice.name + "' already has an --agent of its own",
          choice.option,
          choice.name.empty() ? "name the agent to replace: --agent NAME=" + choice.option : "");
}

}  // namespace agon
