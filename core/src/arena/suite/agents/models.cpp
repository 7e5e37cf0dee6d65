#include "suite/agents/models.hpp"

#include <agon/error.hpp>
#include <agon/game.hpp>
#include <agon/model/model_agent.hpp>
#include <algorithm>
#include <cmath>

#include "describe/file_text.hpp"
#include "plugin/card.hpp"
#include "suite/agents/agent_spec.hpp"
#include "suite/suite.hpp"
#include "text/words.hpp"

namespace agon {

namespace bj = boost::json;

bj::object short_model(std::string_view text, const std::string& where) {
  // "ollama/llama3:8b:temperature=0": the parameters begin after the last colon before the first
  // equals sign.
  bj::object model;
  std::string_view name = text;
  if (const std::size_t equals = text.find('='); equals != std::string_view::npos) {
    const std::size_t colon = text.rfind(':', equals);
    if (colon == std::string_view::npos)
      throw Error(ErrorKind::usage, "invalid model '" + std::string(text) + "'", where,
                  "write provider/model or provider/model:key=value,key=value");
    name = text.substr(0, colon);
    model = plugin::parse_short("model" + std::string(text.substr(colon)), where).params;
  }
  const std::size_t slash = name.find('/');
  if (name.empty() || slash == 0 || slash + 1 == name.size())
    throw Error(ErrorKind::usage, "invalid model '" + std::string(text) + "'", where,
                "write provider/model, such as openai/gpt-4.1-mini or mock");
  model["provider"] = name.substr(0, slash);
  if (slash != std::string_view::npos) model["model"] = name.substr(slash + 1);
  return model;
}

bj::object model_of(const suite_file::Entry& entry, const std::string& where) {
  if (const auto* text = std::get_if<std::string>(&entry)) return short_model(*text, where);
  return parsed(std::get<InOrder<JsonText>>(entry));
}

void Models::add(const std::string& name, const suite_file::Entry& entry,
                 const std::string& where) {
  entries_[name] = {model_of(entry, where), where};
}

void Models::choose(std::string_view option) {
  const std::size_t equals = option.find('=');
  const std::size_t mark = option.find_first_of("/:");
  if (equals == std::string_view::npos || mark < equals) {
    if (option.empty())
      throw Error(ErrorKind::usage, "--model requires a value", "", "write provider/model");
    for_all_ = option;
    return;
  }
  if (equals == 0 || equals + 1 == option.size())
    throw Error(ErrorKind::usage, "--model requires NAME=provider/model or provider/model, not '" +
                                      std::string(option) + "'");
  chosen_[std::string(option.substr(0, equals))] = option.substr(equals + 1);
}

Models::ResolvedModel Models::named(std::string_view text, const std::string& where) const {
  if (const auto found = entries_.find(text); found != entries_.end()) {
    used_.insert(found->first);
    return {found->second.model, found->second.where};
  }
  if (text.find('/') == std::string_view::npos && text.find(':') == std::string_view::npos) {
    const std::vector<std::string> known = names();
    if (!text::nearest(text, known).empty())
      throw Error(ErrorKind::invalid,
                  "unknown model '" + std::string(text) + "'" + text::did_you_mean(text, known),
                  where, "name one of \"models\", or write provider/model");
  }
  return {short_model(text, where), {}};
}

std::vector<std::string> Models::names() const {
  std::vector<std::string> names;
  for (const auto& entry : entries_) names.push_back(entry.first);
  return names;
}

void Models::check_choices() const {
  for (const auto& choice : chosen_) {
    const std::string& name = choice.first;
    if (met_.contains(name) || entries_.contains(name)) continue;
    const std::vector<std::string> known = names();
    throw Error(ErrorKind::usage, "unknown model '" + name + "'" + text::did_you_mean(name, known),
                "--model " + name + "=" + choice.second,
                "name one of \"models\", or leave '" + name + "=' out for all models");
  }
}

Models::ResolvedModel Models::resolve(const bj::value& value, const std::string& where) const {
  // What is wrong with a model of the command line is wrong there.
  const auto chosen_as = [&](std::string_view model, const std::string& option) {
    ResolvedModel found_there = named(model, option);
    if (found_there.where.empty()) found_there.where = option;
    return found_there;
  };
  if (!for_all_.empty()) return chosen_as(for_all_, "--model " + for_all_);
  if (!value.is_string()) return {value, {}};
  const std::string_view text = value.get_string();
  if (const auto found = chosen_.find(text); found != chosen_.end()) {
    met_.insert(found->first);
    return chosen_as(found->second, "--model " + found->first + "=" + found->second);
  }
  return named(text, where);
}

std::int64_t read_cost(std::string_view text, const std::string& where) {
  std::string_view number = text;
  if (number.starts_with("$"))
    number.remove_prefix(1);
  else if (number.ends_with("USD"))
    number.remove_suffix(3);
  while (number.ends_with(' ')) number.remove_suffix(1);
  const auto value = text::number_in<double>(number);
  if (!value || !(*value > 0 && *value <= 1e8))
    throw Error(ErrorKind::usage,
                "invalid amount '" + std::string(text) + "'; expected a number of dollars above 0",
                where, "for example \"25 USD\"");
  return std::llround(*value * 1e9);
}

bool Preflight::fine() const {
  return std::none_of(rows.begin(), rows.end(), [](const FindingRow& row) {
    return row.finding.level == Finding::Level::error;
  });
}

namespace {

std::vector<Finding> look_at(const ModelAgent& agent, const Game& game, const PromptSet* prompts,
                             const LongestPrompts& longest) {
  const auto length = [&](const ModelName& model) {
    const auto known = longest.find(model.text());
    return known == longest.end() ? 0 : known->second;
  };
  std::vector<std::int64_t> others;
  for (const PurposeModel& other : agent.other_models()) others.push_back(length(other.model));
  return agent.preflight(game, prompts,
                         {.longest_prompt = length(agent.model()), .longest_of_others = others});
}

}  // namespace

Preflight preflight(const Suite& suite, const LongestPrompts& longest,
                    const std::atomic<bool>* stop) {
  Preflight all;
  std::set<std::string> seen;
  for (const Scenario& s : suite.scenarios) {
    std::set<int> part;
    for (const design::Seating& seating : s.plan->line_ups())
      for (const int a : seating.assignment(0)) part.insert(a);
    for (const int a : part) {
      if (stop != nullptr && *stop) return all;
      const AgentSpec& agent = suite.agents[static_cast<std::size_t>(a)];
      const AgentInGame* in = agent.in(s.game->id);
      const ModelAgent* model = in->agent->model_agent();
      if (model == nullptr) continue;
      const auto prompts = s.prompts_of(*in->agent);
      const std::string key = std::string(s.game->id) + '\0' + in->spec + '\0' +
                              (prompts == nullptr ? "" : prompts->digest);
      if (!seen.insert(key).second) continue;
      std::vector<Finding> found;
      try {
        found = look_at(*model, *s.game, prompts.get(), longest);
      } catch (const std::exception& error) {
        found.push_back({Finding::Level::error, error.what()});
      }
      for (Finding& finding : found) {
        const auto same = std::find_if(all.rows.begin(), all.rows.end(), [&](const auto& row) {
          return row.finding.level == finding.level && row.finding.what == finding.what;
        });
        if (same == all.rows.end())
          all.rows.push_back({std::move(finding), {agent.name()}});
        else if (std::find(same->agents.begin(), same->agents.end(), agent.name()) ==
                 same->agents.end())
          same->agents.push_back(agent.name());
      }
    }
  }
  return all;
}

bool calls_in_batches(const Agent& agent) {
  const ModelAgent* const model = agent.model_agent();
  if (model == nullptr) return false;
  const std::vector<PurposeModel> others = model->other_models();
  return model->model().is_batched ||
         std::any_of(others.begin(), others.end(),
                     [](const PurposeModel& other) { return other.model.is_batched; });
}

}  // namespace agon
