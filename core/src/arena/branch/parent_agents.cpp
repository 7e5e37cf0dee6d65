#include "branch/parent_agents.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <memory>

#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "replay/replay.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {

std::vector<std::string> parts_of(std::string_view text, std::string_view between) {
  std::vector<std::string> parts;
  for (std::size_t end = 0; end != std::string_view::npos;
       text.remove_prefix(end + between.size())) {
    end = text.find(between);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
  }
  return parts;
}

namespace {

namespace bj = boost::json;
using archive::BranchChange;

/// In the place of an agent that is never asked, as its match is answered from the record.
class RecordOnly final : public Agent {
 public:
  explicit RecordOnly(std::string language) : language_(std::move(language)) {}
  void answer(Question& /*question*/) const override {
    throw Error(ErrorKind::unfinished, "this agent is not at hand");
  }
  [[nodiscard]] std::string language() const override { return language_; }

 private:
  const std::string language_;
};

/// Without which component, and how that is written in the parameters of a model agent.
struct Removal {
  std::string_view name, parameter, value;
};
constexpr std::array<Removal, 7> kRemovals{{{"memory", "memory", "none"},
                                            {"plan", "planning", "none"},
                                            {"belief", "beliefs", "off"},
                                            {"reasoning", "reasoning", "direct"},
                                            {"learning", "learning", "none"},
                                            {"persona", "persona", "none"},
                                            {"tools", "tools", "none"}}};

/// Null: there is no component of that name.
const Removal* removal(std::string_view name) {
  const auto found = std::find_if(kRemovals.begin(), kRemovals.end(),
                                  [&](const Removal& one) { return one.name == name; });
  return found == kRemovals.end() ? nullptr : &*found;
}

/// The parameters of an agent that a change sets.
std::vector<std::string> parameters_of(const BranchChangeRead& change) {
  if (change.kind == BranchChange::persona) return {"persona"};
  std::vector<std::string> names;
  for (const std::string& name : parts_of(change.text, ", "))
    names.emplace_back(removal(name)->parameter);
  return names;
}

void change_spec(archive::AgentRow& row, const BranchChangeRead& change, const std::string& place) {
  bj::value spec = json::parse(row.spec, place);
  bj::object* params = &spec.at("params").as_object();
  if (change.kind == BranchChange::persona) {
    (*params)["persona"] = "text:words=" + json::write(bj::value(change.text));
  } else {
    for (const std::string& name : parts_of(change.text, ", ")) {
      const Removal& one = *removal(name);
      (*params)[one.parameter] = one.value;
    }
  }
  row.spec = json::write(spec);
}

AgentInGame recorded_agent(const ParentAgent& agent) {
  AgentInGame in;
  in.spec = agent.row.spec;
  in.digest = hash::sha256(agent.row.spec);
  in.identity = agent.row.hash;
  in.agent = std::make_shared<const RecordOnly>(
      agent.row.prompts ? "recorded " + std::to_string(agent.of) : std::string());
  return in;
}

}  // namespace

void ParentAgents::check_component(const std::string& name, const json::Path& path) const {
  if (removal(name) != nullptr) return;
  std::vector<std::string> names;
  for (const Removal& one : kRemovals) names.emplace_back(one.name);
  text_.fail("unknown component '" + name + "'" + text::did_you_mean(name, names), path,
             "one of " + text::joined(names, ", "));
}

ParentAgent& ParentAgents::find(std::int64_t number, const BranchChangeRead* change,
                                const Game& game) {
  const auto [known, is_new] = all_.try_emplace({number, change == nullptr ? "" : change->words()});
  ParentAgent& made = known->second;
  made.games.insert(&game);
  if (!is_new) return made;
  made.row = archive_.row(rows_, number);
  made.of = number;
  if (change != nullptr) {
    change_spec(made.row, *change, archive_.path().string());
    made.row.name += " " + text::shorten(change->words(), 200);
    made.row.family = made.row.name;
  }
  std::string name = made.row.name;
  const auto named = [&] {
    return std::find_if(suite_.agents.begin(), suite_.agents.end(),
                        [&](const AgentSpec& agent) { return agent.name() == name; });
  };
  if (const auto own = named(); own != suite_.agents.end())
    if (const AgentInGame* in = own->in(game.id); in != nullptr && in->identity == made.row.hash) {
      made.is_own = true;
      made.number = static_cast<int>(own - suite_.agents.begin());
      return made;
    }
  for (int n = 2; named() != suite_.agents.end(); ++n)
    name = fmt::format("{} ({})", made.row.name, n);
  made.number = static_cast<int>(suite_.agents.size());
  suite_.agents.emplace_back(name, made.row.family, made.row.factors);
  return made;
}

bool ParentAgents::takes(std::int64_t number, const BranchChangeRead& change,
                         const Game& game) const {
  const archive::AgentRow& row = archive_.row(rows_, number);
  const std::vector<std::string> names = parameters_of(change);
  const bj::value spec = json::parse(row.spec, row.name);
  const bj::value* id = spec.is_object() ? spec.as_object().if_contains("agent") : nullptr;
  if (id == nullptr || !id->is_string() || !spec.as_object().contains("params")) return false;
  const auto* agent = context_.catalogue.find_agent(std::string_view(id->as_string()), game.id);
  if (agent == nullptr || agent->card.params == nullptr || !spec.at("params").is_object())
    return false;
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto& fields = agent->card.params->fields;
    return std::any_of(fields.begin(), fields.end(),
                       [&](const Field& field) { return field.name == name; });
  });
}

void ParentAgents::make() {
  for (auto& [key, agent] : all_)
    for (const Game* game : agent.games) {
      if (agent.is_own) continue;
      AgentSpec& spec = suite_.agents[static_cast<std::size_t>(agent.number)];
      if (const auto live = agent.live.find(game); live != agent.live.end())
        spec.play(std::string(game->id), live_agent(agent, *game, live->second));
      else
        spec.play(std::string(game->id), recorded_agent(agent));
    }
}

AgentInGame ParentAgents::live_agent(const ParentAgent& agent, const Game& game,
                                     const std::string& who) const {
  AgentInGame in;
  try {
    in = read_recorded_agent(context_, agent.row, game, archive_);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::preflight) throw;
    throw Error(
        error.kind(),
        "'" + agent.row.name + "', who plays " + who + ", is not at hand: " + error.problem(),
        text_.where(path_), "load its plugin, or name an agent for that seat by --seat");
  }
  if (is_person(*in.agent))
    text_.fail(who + " was played by a person, '" + agent.row.name + "', who cannot go on", path_,
               "name an agent for that seat by --seat");
  return in;
}

const ParentAgent* ParentAgents::numbered(int number) const {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const auto& one) { return one.second.number == number; });
  return found == all_.end() ? nullptr : &found->second;
}

}  // namespace agon
