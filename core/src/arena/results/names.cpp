#include "results/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "json/parse.hpp"
#include "json/write.hpp"
#include "results/results.hpp"
#include "text/hash.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

namespace bj = boost::json;

using Members = std::map<std::string, std::string>;  // by path

std::string short_text(const bj::value& value) {
  const std::string text = value.is_string() ? std::string(value.get_string()) : json::write(value);
  constexpr std::size_t most = 40;
  constexpr std::size_t digits = 6;
  if (hash::read_hex(text)) return text.substr(0, digits);
  return text.size() <= most ? text : hash::hex(hash::sha256(text)).substr(0, digits);
}

void flatten(const bj::object& object, const std::string& front, Members& members) {
  for (const auto& member : object) {
    const std::string path = front + std::string(member.key());
    if (member.value().is_object() && !member.value().get_object().empty())
      flatten(member.value().get_object(), path + ".", members);
    else
      members[path] = short_text(member.value());
  }
}

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

/// How many of them are told apart by these members.
std::size_t told_apart(const std::vector<Members>& all, const std::vector<std::string>& paths) {
  std::set<std::vector<std::string>> found;
  for (const Members& members : all) {
    std::vector<std::string> values;
    for (const std::string& path : paths) {
      const auto at = members.find(path);
      // No value begins like this.
      values.push_back(at == members.end() ? std::string(1, '\0') : at->second);
    }
    found.insert(std::move(values));
  }
  return found.size();
}

/// Adds the member that tells most of them apart, until no further one helps.
std::vector<std::string> telling(const std::vector<Members>& all) {
  std::set<std::string> paths;
  for (const Members& members : all)
    for (const auto& [path, value] : members) paths.insert(path);
  std::vector<std::string> chosen;
  for (std::size_t best = 1;;) {
    std::string next;
    for (const std::string& path : paths) {
      chosen.push_back(path);
      if (const std::size_t found = told_apart(all, chosen); found > best)
        best = found, next = path;
      chosen.pop_back();
    }
    if (next.empty()) break;
    chosen.push_back(next);
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace

std::vector<std::string> differences(const std::vector<bj::value>& objects) {
  std::vector<Members> all;
  for (const bj::value& object : objects) {
    Members& members = all.emplace_back();
    if (object.is_object()) flatten(object.get_object(), "", members);
  }
  const std::vector<std::string> paths = telling(all);
  std::map<std::string, int> names;
  for (const std::string& path : paths) ++names[last_part(path)];
  std::vector<std::string> words;
  for (const Members& members : all) {
    std::string& text = words.emplace_back();
    for (const std::string& path : paths) {
      const std::string name = names[last_part(path)] > 1 ? path : last_part(path);
      const auto at = members.find(path);
      text += (text.empty() ? "" : ", ") +
              (at == members.end() ? "no " + name : name + " " + at->second);
    }
  }
  return words;
}

namespace {

/// Whatever the archive holds there; nothing if it is no JSON.
bj::value read_json(const std::optional<std::string>& text) {
  try {
    return text ? json::parse(*text, "") : bj::value();
  } catch (const Error&) {
    return {};
  }
}

bj::value member_of(const bj::value& object, std::string_view name) {
  const bj::value* found = object.is_object() ? object.get_object().if_contains(name) : nullptr;
  return found == nullptr ? bj::value() : *found;
}

/// In what the settings differ, by their digests: first among themselves, then in how they are
/// played.
std::map<hash::Digest, std::string> settings_words(const archive::Archive& archive,
                                                   const std::set<hash::Digest>& digests) {
  std::vector<bj::value> settings, rest;
  for (const hash::Digest& digest : digests) {
    const bj::value document = read_json(archive.content(digest));
    settings.push_back(member_of(document, "settings"));
    rest.push_back(bj::object{{"reasks", member_of(document, "reasks")},
                              {"preset", member_of(document, "preset")},
                              {"same_draws_as", member_of(document, "same_draws_as")}});
  }
  const std::vector<std::string> first = differences(settings);
  const std::vector<std::string> second = differences(rest);
  std::map<hash::Digest, std::string> words;
  std::set<std::string> taken;
  std::size_t i = 0;
  for (const hash::Digest& digest : digests) {
    std::string& text = words[digest];
    text = first[i].empty() ? second[i] : first[i];
    ++i;
    if (text.empty() || !taken.insert(text).second) text = hash::hex(digest).substr(0, 6);
  }
  return words;
}

/// Rows that share scenario, treatment and game.
struct Namesakes {
  std::set<hash::Digest> settings;
  std::set<std::int64_t> versions;
  std::set<std::string> plugin_versions;
};

/// The scenario that has these prompts, by their digest; empty unless it alone tells all of them
/// apart.
std::map<hash::Digest, std::string> prompts_of(
    const std::map<std::int64_t, archive::AgentRow>& rows,
    const std::map<std::int64_t, std::set<std::string>>& scenarios,
    const std::vector<std::int64_t>& numbers) {
  std::map<hash::Digest, std::set<std::string>> by_prompts;
  for (const std::int64_t number : numbers)
    if (const auto& prompts = rows.at(number).prompts)
      by_prompts[*prompts].insert(scenarios.at(number).begin(), scenarios.at(number).end());
  std::map<hash::Digest, std::string> names;
  std::set<std::string> taken;
  for (const auto& [prompts, played] : by_prompts) {
    if (played.size() != 1 || !taken.insert(*played.begin()).second) return {};
    names[prompts] = *played.begin();
  }
  return names;
}

/// Rows of one name, those together that differ in their prompts' skins alone, as scenarios in
/// other words have them; first the one in the original's words. Where some of them played the same
/// scenario or have the same prompts, something else differs, and they stay apart.
std::vector<std::vector<std::int64_t>> without_skins(
    const archive::Archive& archive, const std::map<std::int64_t, archive::AgentRow>& rows,
    const std::map<std::int64_t, std::set<std::string>>& scenarios,
    const std::vector<std::int64_t>& numbers) {
  if (numbers.size() == 1) return {numbers};
  struct Alike {
    std::vector<std::int64_t> rows;
    std::set<std::string> played;
    std::set<hash::Digest> prompts;
    bool is_one = true;
  };
  std::map<std::vector<std::string>, Alike> alike;
  std::vector<std::vector<std::int64_t>> groups;
  for (const std::int64_t number : numbers) {
    const archive::AgentRow& row = rows.at(number);
    // People and programs that read none have a skin alone.
    bj::value prompts =
        row.prompts ? read_json(archive.content(*row.prompts)) : bj::value(bj::object());
    if (!prompts.is_object()) {
      groups.push_back({number});
      continue;
    }
    const bool has_skin = member_of(prompts, "skin").is_object();
    if (has_skin) prompts.get_object().erase("skin");
    Alike& same = alike[{row.spec, row.family, row.factors, json::write(prompts)}];
    same.rows.insert(has_skin ? same.rows.end() : same.rows.begin(), number);
    same.is_one = same.prompts.insert(row.prompts.value_or(hash::Digest{})).second && same.is_one;
    for (const std::string& scenario : scenarios.at(number))
      same.is_one = same.played.insert(scenario).second && same.is_one;
  }
  for (const auto& [what, same] : alike)
    if (same.is_one)
      groups.push_back(same.rows);
    else
      for (const std::int64_t number : same.rows) groups.push_back({number});
  std::ranges::sort(groups);
  return groups;
}

}  // namespace

std::string seed_words(const std::set<std::optional<std::uint64_t>>& several,
                       const archive::ScenarioRow& row) {
  if (several.size() < 2) return {};
  return row.seed ? fmt::format("seed {}", *row.seed) : "seed not known";
}

std::string with_seed(const std::string& name, const std::string& seed) {
  return seed.empty() ? name : fmt::format("{} ({})", name, seed);
}

std::map<std::int64_t, ScenarioName> scenario_names(
    const archive::Archive& archive, const std::map<std::int64_t, archive::ScenarioRow>& scenarios,
    const std::map<std::int64_t, archive::GameRow>& games) {
  using ScenarioKey = std::tuple<std::string, std::string, std::string>;
  const auto key_of = [&](const archive::ScenarioRow& row) {
    return ScenarioKey{archive.row(games, row.game).name, row.name, row.treatment};
  };
  std::map<ScenarioKey, Namesakes> namesakes;
  // Whatever is varied, blocks share their random numbers: by name and seed.
  using Seeds =
      std::map<std::pair<std::string, std::string>, std::set<std::optional<std::uint64_t>>>;
  Seeds seeds, draw_seeds;
  for (const auto& [number, row] : scenarios) {
    Namesakes& same = namesakes[key_of(row)];
    const archive::GameRow& game = archive.row(games, row.game);
    same.settings.insert(row.settings);
    same.versions.insert(game.version);
    same.plugin_versions.insert(game.plugin_version);
    seeds[{game.name, row.name}].insert(row.seed);
    draw_seeds[{game.name, row.draws()}].insert(row.seed);
  }
  std::map<ScenarioKey, std::map<hash::Digest, std::string>> settings;
  for (const auto& [key, same] : namesakes)
    if (same.settings.size() > 1) settings[key] = settings_words(archive, same.settings);

  std::map<std::int64_t, ScenarioName> names;
  std::set<std::pair<std::string, std::string>> labels;
  for (const auto& [number, row] : scenarios) {
    const ScenarioKey key = key_of(row);
    const Namesakes& same = namesakes[key];
    const archive::GameRow& game = archive.row(games, row.game);
    const std::string seed = seed_words(seeds[{game.name, row.name}], row);
    std::string apart;
    const auto add = [&](const std::string& words) {
      apart += (apart.empty() ? "" : "; ") + words;
    };
    if (same.settings.size() > 1) add("settings: " + settings[key].at(row.settings));
    if (same.versions.size() > 1) add(fmt::format("game version {}", game.version));
    if (same.plugin_versions.size() > 1) add("plugin version " + game.plugin_version);
    if (!seed.empty()) add(seed);
    ScenarioName& name = names[number];
    name.chance = with_seed(row.draws(), seed_words(draw_seeds[{game.name, row.draws()}], row));
    name.scenario = with_seed(row.name, seed);
    name.label = treatment_words(row.name, row.treatment);
    if (!apart.empty()) name.apart = " (" + apart + ")";
    name.label += name.apart;
    const std::string label = name.label;
    for (int copy = 2; !labels.insert({game.name, name.label}).second; ++copy)
      name.label = fmt::format("{} ({})", label, copy);
  }
  return names;
}

std::map<std::int64_t, std::string> agents_apart(
    const archive::Archive& archive, const std::map<std::int64_t, archive::AgentRow>& rows,
    const std::map<std::int64_t, std::set<std::string>>& scenarios) {
  std::map<std::string, std::vector<std::int64_t>> by_name;
  for (const auto& [number, played] : scenarios) by_name[rows.at(number).name].push_back(number);
  std::map<std::int64_t, std::string> apart;
  for (const auto& [name, numbers] : by_name) {
    const std::vector<std::vector<std::int64_t>> groups =
        without_skins(archive, rows, scenarios, numbers);
    if (groups.size() == 1) {
      for (const std::int64_t number : numbers) apart[number];
      continue;
    }
    std::vector<std::int64_t> several;
    for (const auto& group : groups) several.push_back(group.front());
    const std::map<hash::Digest, std::string> of = prompts_of(rows, scenarios, several);
    std::vector<bj::value> agents, specs;
    for (const std::int64_t number : several) {
      const archive::AgentRow& row = rows.at(number);
      const bj::value spec = read_json(row.spec);
      agents.push_back(bj::object{{"agent", member_of(spec, "agent")}});
      bj::object whole = spec.is_object() ? spec.get_object() : bj::object();
      if (row.prompts && of.contains(*row.prompts))
        whole["prompts"] = "of " + of.at(*row.prompts);
      else if (const bj::value texts =
                   row.prompts ? read_json(archive.content(*row.prompts)) : bj::value();
               texts.is_object())
        for (const auto& text : texts.get_object())
          whole["prompt " + std::string(text.key())] = text.value();
      else
        whole["prompts"] = row.prompts ? hash::hex(*row.prompts) : "none";
      specs.emplace_back(std::move(whole));
    }
    std::vector<std::string> words = differences(agents);
    if (std::set<std::string>(words.begin(), words.end()).size() < several.size())
      words = differences(specs);
    std::set<std::string> taken;
    for (std::size_t i = 0; i < several.size(); ++i) {
      std::string& text = words[i];
      // Which agent it is needs no further word.
      if (text.starts_with("agent ")) text = text.substr(6);
      if (text.empty() || !taken.insert(text).second)
        text = hash::hex(rows.at(several[i]).hash).substr(0, 6);
      for (const std::int64_t number : groups[i]) apart[number] = " (" + text + ")";
    }
  }
  return apart;
}

std::map<std::int64_t, std::int64_t> rows_of_agents(const archive::Archive& archive) {
  const auto rows = archive.agents();
  std::map<std::string, std::vector<std::int64_t>> by_name;
  for (const auto& [number, row] : rows) by_name[row.name].push_back(number);
  std::map<std::int64_t, std::set<std::string>> played;
  for (const auto& [number, row] : rows) played[number];
  if (by_name.size() < rows.size()) {
    const auto scenarios = archive.scenarios();
    archive.matches().each({.in_order = false}, [&](std::int64_t, const archive::MatchRow& match) {
      for (const archive::SeatRow& seat : match.seats)
        played[seat.agent].insert(archive.row(scenarios, match.key.scenario).name);
      return true;
    });
  }
  std::map<std::int64_t, std::int64_t> of;
  for (const auto& [name, numbers] : by_name)
    for (const auto& group : without_skins(archive, rows, played, numbers))
      for (const std::int64_t number : group) of[number] = group.front();
  return of;
}

std::string treatment_words(const std::string& scenario, const std::string& treatment) {
  const boost::json::value values = json::parse(treatment, "treatment");
  std::string text = scenario;
  char before = ':';
  if (values.is_object())
    for (const auto& member : values.get_object()) {
      text += before;
      text += ' ' + std::string(member.key()) + ' ' + json::write(member.value());
      before = ',';
    }
  return text;
}

Background background_of(std::int64_t focal, std::vector<std::int64_t> seats) {
  if (const auto own = std::ranges::find(seats, focal); own != seats.end()) seats.erase(own);
  std::ranges::sort(seats);
  return seats;
}

Background background_of(std::int64_t focal, const std::vector<archive::SeatRow>& seats) {
  std::vector<std::int64_t> agents;
  for (const archive::SeatRow& seat : seats) agents.push_back(seat.agent);
  return background_of(focal, std::move(agents));
}

std::string background_words(const Background& background,
                             const std::map<std::int64_t, archive::AgentRow>& agents,
                             const std::map<std::int64_t, std::string>& ends) {
  return text::joined(background, " + ",
                      [&](std::int64_t agent) { return agents.at(agent).name + ends.at(agent); });
}

void BackgroundsApart::note(const archive::MatchKey& key, std::int64_t focal,
                            Background background) {
  met_[key.scenario][focal][std::move(background)].insert(key.block);
}

/// By background, the blocks where somebody who played did not meet it.
std::map<Background, BackgroundsApart::Blocks> BackgroundsApart::unlike(
    const BackgroundBlocks& met) {
  std::map<std::int64_t, Blocks> played;
  std::map<Background, Blocks> unlike;
  Blocks by_some;
  for (const auto& [agent, own] : met)
    for (const auto& [background, blocks] : own) {
      played[agent] += blocks;
      by_some += blocks;
      unlike[background];
    }
  Blocks by_all = by_some;
  for (const auto& [agent, blocks] : played) by_all &= blocks;
  for (auto& [background, blocks] : unlike) {
    for (const auto& [agent, own] : met) {
      const auto at = own.find(background);
      blocks += at == own.end() ? by_some : played[agent] - at->second;
    }
    // A block that not all played must not bring in what does not count elsewhere.
    if (boost::icl::intersects(blocks, by_all)) blocks += by_some - by_all;
  }
  return unlike;
}

void BackgroundsApart::close(std::map<std::int64_t, archive::AgentRow>& agents,
                             const std::map<std::int64_t, std::string>& ends) {
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> made;
  for (const auto& [scenario, met] : met_) {
    const std::map<Background, Blocks> unlike_here = unlike(met);
    for (const auto& [agent, own] : met)
      for (const auto& [background, blocks] : own) {
        const Blocks& unlike_blocks = unlike_here.at(background);
        if (!boost::icl::intersects(blocks, unlike_blocks)) continue;
        const std::string name_end =
            " (against " + background_words(background, agents, ends) + ")";
        const auto [row, is_new] = made.try_emplace({agent, name_end}, agents.rbegin()->first + 1);
        if (is_new) {
          agents.emplace(row->second, agents.at(agent));
          own_.emplace(row->second, Own{agent, name_end});
        }
        rows_.emplace(std::tuple(scenario, agent, background),
                      std::pair(row->second, unlike_blocks));
      }
  }
  met_.clear();
}

std::int64_t BackgroundsApart::row(const archive::MatchKey& key, std::int64_t focal,
                                   const Background& background) const {
  const auto at = rows_.find({key.scenario, focal, background});
  if (at == rows_.end() || !boost::icl::contains(at->second.second, key.block)) return focal;
  return at->second.first;
}

std::int64_t BackgroundsApart::agent(std::int64_t row) const {
  const auto at = own_.find(row);
  return at == own_.end() ? row : at->second.agent;
}

std::string BackgroundsApart::name_end(std::int64_t row) const {
  const auto at = own_.find(row);
  return at == own_.end() ? "" : at->second.name_end;
}

}  // namespace agon::report
