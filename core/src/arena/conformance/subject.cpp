#include "conformance/subject.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <cmath>
#include <filesystem>

#include "conformance/checks.hpp"
#include "conformance/matches.hpp"
#include "describe/value.hpp"
#include "design/plan.hpp"
#include "json/write.hpp"
#include "remote/remote_plugin.hpp"
#include "suite/scenario/match_setup.hpp"
#include "text/words.hpp"

namespace agon::conformance {
namespace {

namespace bj = boost::json;

/// Questions of all matches with changed settings together, from which on no more are played.
constexpr std::uint64_t kManyQuestions = 100'000;
/// Numbers of settings above this make matches longer rather than other ones.
constexpr double kLargeSetting = 100;
/// Most settings that are tried with one changed.
constexpr std::size_t kMostSituations = 300;
/// Settings with some changed beside those with one changed.
constexpr int kMixtures = 100;
/// Matches of each changed setting.
constexpr int kOfChanged = 3;
/// How often one setting is changed in a mixture.
constexpr double kChanged = 0.3;

/// The data files that ship for a game, by name.
std::vector<std::string> data_files(const std::vector<std::string>& folders,
                                    std::string_view game) {
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    std::error_code none;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(folder) / game, none))
      if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

std::vector<bj::value> other_values(const Field& field, void* at,
                                    const std::vector<std::string>& files);

/// What is a struct, or a list of structs, with one member of it, or of all, changed. `first`: the
/// struct whose members have other values.
std::vector<bj::value> with_one_changed(const Type& type, const Type& structure, void* at,
                                        void* first, const std::vector<std::string>& files) {
  std::vector<bj::value> values;
  for (const Field& member : structure.fields)
    for (const bj::value& value : other_values(member, member.at(first), files)) {
      bj::value& changed = values.emplace_back(json_value(type, at));
      if (type.kind == Kind::list)
        for (bj::value& element : changed.as_array()) element.as_object()[member.name] = value;
      else
        changed.as_object()[member.name] = value;
    }
  return values;
}

/// Other values of a setting: the other one of a bool, all of an enumeration, the ends of a
/// number's range and one more than it is; of a struct, or of all structs in a list, with one
/// member changed; of one that a data file may fill, the names of `files`.
std::vector<bj::value> other_values(const Field& field, void* at,
                                    const std::vector<std::string>& files) {
  std::vector<bj::value> values;
  const Type& type = *field.type;
  const auto is_now = [&] { return json_value(type, at); };
  const auto add = [&](bj::value value) {
    if (value != is_now()) values.push_back(std::move(value));
  };
  if (!field.data.empty())
    for (const std::string& file : files) add(bj::string(file));
  switch (type.kind) {
    case Kind::boolean:
      add(type.get(at) == 0);
      break;
    case Kind::enumeration:
      for (const Enumerator& e : type.enumerators) add(bj::string(e.name));
      break;
    case Kind::integer:
      for (const double end : {field.min, field.max, static_cast<double>(type.get(at)) + 1}) {
        if (!std::isfinite(end) || std::abs(end) > kLargeSetting) continue;
        if (type.decimals == 0)
          add(static_cast<std::int64_t>(end));
        else
          add(end / std::pow(10.0, type.decimals));
      }
      break;
    case Kind::number:
      for (const double end : {field.min, field.max})
        if (std::isfinite(end) && std::abs(end) <= kLargeSetting) add(end);
      break;
    case Kind::optional: {
      if (type.count(at) != 0) {
        add(nullptr);
        break;
      }
      Value inner(*type.element);
      Field present = field;
      present.type = type.element;
      add(json_value(*type.element, inner.get()));
      for (bj::value& value : other_values(present, inner.get(), files)) add(std::move(value));
      break;
    }
    case Kind::structure:
      for (bj::value& value : with_one_changed(type, type, at, at, files)) add(std::move(value));
      break;
    case Kind::list:
      if (type.element->kind != Kind::structure || type.count(at) == 0) break;
      for (bj::value& value : with_one_changed(type, *type.element, at, type.item(at, 0), files))
        add(std::move(value));
      break;
    case Kind::text:
    case Kind::map:
    case Kind::variant:
      break;
  }
  return values;
}

}  // namespace

bool carries(const MatchResult& result) {
  return result.end == End::finished &&
         std::ranges::any_of(result.carried, [](const std::string& memo) { return !memo.empty(); });
}

std::vector<std::string> seated(const std::vector<std::string>& agents, std::size_t seats) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < seats; ++i) all.push_back(agents[i % agents.size()]);
  return all;
}

GameUnderTest::GameUnderTest(const Catalogue& catalogue, const Named& named,
                             const std::vector<std::string>& data_folders, const Effort& effort)
    : catalogue_(catalogue), game_(*named.game), words_(named.words), effort_(effort) {
  std::vector<std::string> presets;
  for (const Preset& preset : game_.card.presets) presets.emplace_back(preset.name);
  if (presets.empty()) presets.emplace_back();
  for (const std::string& preset : presets)
    situations_.push_back({preset,
                           {},
                           std::make_shared<const Settings>(Settings::read(
                               game_, preset, {}, "preset '" + preset + "'", {"", data_folders}))});
  presets_ = situations_.size();
  if (effort_.changes_settings) add_changed_settings(data_folders);
}

void GameUnderTest::add_changed_settings(const std::vector<std::string>& data_folders) {
  int without_end = 0;
  const auto add = [&](std::size_t p, const bj::object& changed) {
    if (without_end == kMostWithoutEnd) return;
    // Of a game without presets the settings call themselves by another name.
    const std::string preset = situations_[p].preset;
    std::vector<std::string> set;
    for (const auto& [name, value] : changed)
      set.push_back(std::string(name) + "=" + json::write(value));
    try {
      auto settings = std::make_shared<const Settings>(
          Settings::read(game_, preset, changed, "a changed setting", {"", data_folders}));
      situations_.push_back({preset, std::move(set), std::move(settings)});
    } catch (const Error& error) {
      // Not every setting goes with every other: what is refused cannot be played.
      if (error.kind() != ErrorKind::failure) return;
      if (const auto* failed = dynamic_cast<const remote::FailedRequest*>(&error))
        without_end += has_no_end(failed->process_end()) ? 1 : 0;
      broken_.push_back({std::move(set), preset, error.problem()});
    }
  };
  struct Change {
    std::string_view name;
    std::vector<bj::value> values;
  };
  const std::vector<std::string> files = data_files(data_folders, game_.id);
  std::vector<std::vector<Change>> changes(presets_);
  for (std::size_t p = 0; p < presets_; ++p) {
    const std::shared_ptr<const Settings> preset = situations_[p].settings;
    Value settings(*game_.settings);
    reset_value(*game_.settings, settings.get(), preset->get());
    for (const Field& field : game_.settings->fields) {
      changes[p].push_back({field.name, other_values(field, field.at(settings.get()), files)});
      for (const bj::value& value : changes[p].back().values)
        if (situations_.size() < kMostSituations) add(p, {{field.name, value}});
    }
  }
  for (int i = 0; i < kMixtures; ++i) {
    Dice dice(mix(effort_.seed), static_cast<std::uint32_t>(i));
    const std::size_t p = dice.below(presets_);
    bj::object changed;
    for (const Change& change : changes[p])
      if (!change.values.empty() && dice.unit() < kChanged)
        changed[change.name] = change.values[dice.below(change.values.size())];
    if (!changed.empty()) add(p, changed);
  }
}

const AgentInGame& GameUnderTest::agent(const std::string& text) const {
  auto found = agents_.find(text);
  if (found == agents_.end()) {
    const SpecContext context{.catalogue = catalogue_, .games = {std::string(game_.id)}};
    found = agents_
                .emplace(text, AgentSpec::parse(context, text, std::string(game_.id),
                                                "an agent of the check"))
                .first;
  }
  return *found->second.in(game_.id);
}

MatchSetup GameUnderTest::setup(const Casting& casting) const {
  const Situation& situation = situations_[casting.situation];
  std::vector<const AgentInGame*> agents;
  for (const std::string& one : casting.agents) agents.push_back(&agent(one));
  return match_setup(game_, *situation.settings,
                     {stream_key(casting.seed, game_.id, 0, 0), game_.id}, agents);
}

std::unique_ptr<CheckedMatch> GameUnderTest::play(const Casting& casting) const {
  return play(casting, setup(casting));
}

MatchSetup GameUnderTest::next_setup(const Casting& casting, const MatchResult& first) const {
  MatchSetup match = setup(casting);
  match.position = 1;
  match.stream_key = stream_key(casting.seed, game_.id, 0, 1);
  for (std::size_t i = 0; i < match.seats.size(); ++i) match.seats[i].carried = first.carried[i];
  return match;
}

std::unique_ptr<CheckedMatch> GameUnderTest::play_next(const CheckedMatch& before) const {
  return play(before.casting, next_setup(before.casting, before.result));
}

std::unique_ptr<CheckedMatch> GameUnderTest::play(const Casting& casting, MatchSetup match) const {
  auto played = std::make_unique<CheckedMatch>();
  played->casting = casting;
  played->result = play_some(std::move(match));
  heed(played->result, command(casting));
  played->history = record::read(played->result.record);
  return played;
}

void GameUnderTest::heed(const MatchResult& result, const std::string& command) const {
  if (!has_no_end(result.process_end)) return;
  if (++without_end_ >= kMostWithoutEnd) throw Endless{result.problem, command};
}

std::string GameUnderTest::check_command(std::string_view check) const {
  std::vector<std::string> words{"agon", "check"};
  words.insert(words.end(), words_.begin(), words_.end());
  words.insert(words.end(), {"--only", std::string(check)});
  words.insert(words.end(), {"--seed", std::to_string(effort_.seed)});
  if (effort_.matches != Effort{}.matches)
    words.insert(words.end(), {"--matches", std::to_string(effort_.matches)});
  return text::shell_line(words);
}

std::string GameUnderTest::command(const Casting& casting) const {
  return text::shell_line(command_words(casting));
}

std::string GameUnderTest::describe_command() const {
  std::vector<std::string> words{"agon", "describe"};
  words.insert(words.end(), words_.begin(), words_.end());
  return text::shell_line(words);
}

std::string_view GameUnderTest::wording(std::string_view cpp, std::string_view python) const {
  const PluginEntry* plugin = catalogue_.plugin_of_game(game_.id);
  return plugin != nullptr && plugin->language.starts_with("python") ? python : cpp;
}

std::vector<std::string> GameUnderTest::command_words(const std::string& preset,
                                                      const std::vector<std::string>& set) const {
  std::vector<std::string> words{"agon", "play"};
  words.insert(words.end(), words_.begin(), words_.end());
  if (!preset.empty() && preset != situations_.front().preset)
    words.insert(words.end(), {"--preset", preset});
  for (const std::string& one : set) words.insert(words.end(), {"--set", one});
  return words;
}

std::vector<std::string> GameUnderTest::command_words(const Casting& casting) const {
  const Situation& situation = situations_[casting.situation];
  std::vector<std::string> words = command_words(situation.preset, situation.set);
  words.insert(words.end(), {"--seed", std::to_string(casting.seed)});
  const bool all_alike = std::ranges::all_of(
      casting.agents, [&](const std::string& agent) { return agent == casting.agents.front(); });
  if (all_alike && !casting.agents.empty()) {
    words.insert(words.end(), {"--agent", casting.agents.front()});
  } else {
    for (std::size_t i = 0; i < casting.agents.size(); ++i)
      words.insert(words.end(), {"--seat", std::to_string(i) + "=" + casting.agents[i]});
  }
  return words;
}

const std::vector<std::unique_ptr<CheckedMatch>>& GameUnderTest::sample() const {
  if (!sample_.empty()) return sample_;
  const std::vector<std::vector<std::string>> line_ups{
      {"random:probes=true"},
      {"edge:probes=true"},
      {"default"},
      {"random:probes=true", "edge:probes=true"},
      {"edge:probes=true", "default", "random"},
      {"random"},
      {"script:then=fail", "random:probes=true"},
  };
  const auto add = [&](std::size_t situation, int match) {
    const auto n = static_cast<std::size_t>(match);
    sample_.push_back(
        play({situation, effort_.seed + n,
              seated(line_ups[(n + situation) % line_ups.size()], seats(situation))}));
    return sample_.back()->result.questions;
  };
  for (std::size_t s = 0; s < presets_; ++s)
    for (int m = 0; m < effort_.matches; ++m) add(s, m);
  std::uint64_t questions = 0;
  for (int m = 0; m < kOfChanged; ++m)
    for (std::size_t s = presets_; s < situations_.size() && questions < kManyQuestions; ++s)
      questions += add(s, m);
  return sample_;
}

std::vector<const CheckedMatch*> GameUnderTest::finished(std::size_t most) const {
  std::vector<const CheckedMatch*> out;
  std::vector<std::size_t> taken(presets_);
  for (const auto& played : sample())
    if (played->casting.situation < presets_ && played->result.end == End::finished &&
        taken[played->casting.situation]++ < most)
      out.push_back(played.get());
  return out;
}

}  // namespace agon::conformance
