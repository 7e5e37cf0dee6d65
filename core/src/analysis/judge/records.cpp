#include "judge/records.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <set>
#include <span>

#include "json/parse.hpp"
#include "replay/replay.hpp"
#include "results/participant.hpp"
#include "text/words.hpp"

namespace agon::judge {
namespace {

/// A seat that may be judged.
struct Candidate {
  archive::MatchId match;
  int seat = 0;
};

Dice dice_for(std::uint64_t seed, std::string_view purpose, std::uint32_t a = 0) {
  return Dice(combine(seed, hash_of(purpose)), a);
}

void check_names(const archive::Archive& archive, const DrawOptions& options) {
  std::set<std::string> agents;
  for (const auto& [number, row] : archive.agents()) agents.insert(row.name);
  const std::vector<std::string> known(agents.begin(), agents.end());
  for (const std::string& name : options.agents)
    if (!agents.contains(name))
      throw Error(ErrorKind::not_found,
                  "no agent '" + name + "' played" + text::did_you_mean(name, known),
                  archive.path().string());
  if (options.game.empty()) return;
  std::vector<std::string> games;
  for (const auto& [number, row] : archive.games()) games.push_back(row.name);
  if (std::ranges::find(games, options.game) == games.end())
    throw Error(
        ErrorKind::not_found,
        "no match of '" + options.game + "' was played" + text::did_you_mean(options.game, games),
        archive.path().string());
}

/// Seats of one kind that may be judged, by agent.
using CandidatesByAgent = std::map<std::string, std::vector<Candidate>>;

std::size_t count(const CandidatesByAgent& seats) {
  std::size_t all = 0;
  for (const auto& [agent, list] : seats) all += list.size();
  return all;
}

/// All seats that may be judged: those without an identity, and those with one.
std::array<CandidatesByAgent, 2> candidates(const archive::Archive& archive,
                                            const DrawOptions& options) {
  const auto games = archive.games();
  const auto scenarios = archive.scenarios();
  const auto agents = archive.agents();
  std::array<CandidatesByAgent, 2> found;
  archive.matches().each({}, [&](std::int64_t, const archive::MatchRow& match) {
    if (match.status != archive::MatchStatus::finished) return true;
    const auto& scenario = archive.row(scenarios, match.key.scenario);
    if (!options.game.empty() && archive.row(games, scenario.game).name != options.game)
      return true;
    for (std::size_t s = 0; s < match.seats.size(); ++s) {
      const int seat = static_cast<int>(s);
      const std::string& name = archive.row(agents, match.seats[s].agent).name;
      if (!options.agents.empty() &&
          std::ranges::find(options.agents, name) == options.agents.end())
        continue;
      const bool identity = options.identity && options.identity(match, seat);
      found[identity ? 1 : 0][name].push_back({match.key.id, seat});
    }
    return true;
  });
  return found;
}

/// `n` of the seats, as evenly over agents as there are some. `kind`: what its dice are for.
void choose(CandidatesByAgent& seats, std::size_t n, std::uint64_t seed, const std::string& kind,
            std::vector<Candidate>& chosen) {
  std::vector<std::string> agents;
  std::uint32_t place = 0;
  for (auto& [agent, list] : seats) {
    // By match id, which does not depend on the order in which scenarios stand.
    std::ranges::sort(list, [](const Candidate& a, const Candidate& b) {
      return a.match != b.match ? a.match < b.match : a.seat < b.seat;
    });
    Dice dice = dice_for(seed, "seats" + kind, place++);
    dice.shuffle(std::span(list));
    agents.push_back(agent);
  }
  Dice dice = dice_for(seed, "agents" + kind);
  dice.shuffle(std::span(agents));  // whose records are one more is chance too
  const std::size_t all = chosen.size() + n;
  for (std::size_t round = 0; chosen.size() < all; ++round)
    for (const std::string& agent : agents)
      if (round < seats[agent].size() && chosen.size() < all) chosen.push_back(seats[agent][round]);
}

}  // namespace

std::vector<SampledRecord> draw(const archive::Archive& archive, const DrawOptions& options) {
  if (options.per_record > options.judges)
    throw Error(ErrorKind::usage,
                fmt::format("{} judges cannot rate each record {} times", options.judges,
                            options.per_record),
                "--per-record", "ask for more --judges or fewer ratings of a record");
  check_names(archive, options);
  auto [without, with] = candidates(archive, options);
  const std::size_t all = count(without) + count(with);
  if (all < options.records)
    throw Error(ErrorKind::not_found,
                fmt::format("there are {} seats to judge, not {}", all, options.records),
                archive.path().string(), "ask for fewer with --records, or play more matches");
  // Half of each kind; where one has fewer, more of the other.
  std::size_t identities = std::min(count(with), (options.records + 1) / 2);
  identities = std::max(identities, options.records - std::min(options.records, count(without)));
  std::vector<Candidate> chosen;
  choose(without, options.records - identities, options.seed, "", chosen);
  choose(with, identities, options.seed, " with an identity", chosen);
  Dice order = dice_for(options.seed, "labels");
  order.shuffle(std::span(chosen));
  std::vector<SampledRecord> drawn;
  const int width = options.records > 99 ? 3 : 2;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    SampledRecord record{fmt::format("R{:0{}}", i + 1, width), chosen[i].match, chosen[i].seat, {}};
    for (std::size_t k = 0; k < options.per_record; ++k)
      record.judges.push_back((i * options.per_record + k) % options.judges);
    std::ranges::sort(record.judges);
    drawn.push_back(std::move(record));
  }
  return drawn;
}

std::vector<std::size_t> order_of(const std::vector<SampledRecord>& drawn, std::size_t judge,
                                  std::uint64_t seed) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < drawn.size(); ++i)
    if (std::ranges::find(drawn[i].judges, judge) != drawn[i].judges.end()) order.push_back(i);
  Dice dice = dice_for(seed, "order of a form", static_cast<std::uint32_t>(judge));
  dice.shuffle(std::span(order));
  return order;
}

Identities::Identities(const archive::Archive& archive, const Catalogue& catalogue)
    : archive_(archive),
      catalogue_(catalogue),
      games_(archive.games()),
      scenarios_(archive.scenarios()),
      agents_(archive.agents()) {}

const Identities::ScenarioGame& Identities::stage_of(std::int64_t number) {
  const auto [found, added] = stages_.try_emplace(number);
  if (!added) return found->second;
  const archive::ScenarioRow& scenario = archive_.row(scenarios_, number);
  const Game* game = nullptr;
  try {
    game = &archived_game(catalogue_, archive_, archive_.row(games_, scenario.game));
  } catch (const Error& error) {
    missing_.insert(error.what());
    return found->second;
  }
  if (game->card.persona_for == nullptr) return found->second;
  try {
    found->second.settings =
        archive::read_stored_settings(*game, archive_, scenario.settings).settings;
    found->second.game = game;
  } catch (const Error&) {
    // Without its settings the game cannot say what it told its seats.
  }
  return found->second;
}

bool Identities::by_agent(std::int64_t number) {
  const auto [found, added] = known_.try_emplace(number, false);
  if (!added) return found->second;
  const boost::json::value spec = json::parse(archive_.row(agents_, number).spec, "spec");
  boost::system::error_code none;
  const boost::json::value* part = spec.find_pointer("/params/persona", none);
  found->second = part != nullptr && !(part->is_string() && part->get_string() == "none");
  return found->second;
}

bool Identities::operator()(const archive::MatchRow& match, int seat) {
  if (by_agent(match.seats.at(static_cast<std::size_t>(seat)).agent)) return true;
  const ScenarioGame& stage = stage_of(match.key.scenario);
  return stage.game != nullptr &&
         !stage.game->card.persona_for(stage.settings->get(), seat, Language::english()).empty();
}

namespace {

/// What a model may call itself.
const std::vector<std::string>& widespread() {
  static const std::vector<std::string> kNames{
      "chatgpt", "gpt",  "claude", "gemini",  "llama",  "mistral", "mixtral",   "deepseek",
      "qwen",    "grok", "sonnet", "haiku",   "opus",   "openai",  "anthropic", "deepmind",
      "gemma",   "kimi", "cohere", "copilot", "vicuna", "nemotron"};
  return kNames;
}

bool of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

/// Where a name ends that goes on as "-4o-mini" or ":2024" do.
std::size_t end_of_name(std::string_view low, std::size_t at) {
  while (at + 1 < low.size()) {
    const char next = low[at + 1];
    const bool digit = next >= '0' && next <= '9';
    const bool joined = low[at] == '-' || low[at] == ':' || low[at] == '/' || low[at] == '_';
    if (!(joined && of_word(next)) && !(low[at] == '.' && digit)) break;
    ++at;
    while (at < low.size() && of_word(low[at])) ++at;
  }
  return at;
}

/// Agents called by an ordinary word, such as "default", are left alone: the word says nothing, and
/// records would be spoilt.
bool ordinary_word(std::string_view name) {
  return std::ranges::all_of(text::lower(name), [](char c) { return c >= 'a' && c <= 'z'; });
}

std::vector<std::string> names_of(const archive::Archive& archive) {
  std::vector<std::string> names = widespread();
  for (const auto& [number, row] : archive.agents()) {
    if (!ordinary_word(row.name)) names.push_back(row.name);
    if (!ordinary_word(row.family)) names.push_back(row.family);
    for (const char* word : {"model", "provider"}) names.push_back(report::model_word(row, word));
  }
  return names;
}

}  // namespace

Blindfold::Blindfold(const archive::Archive& archive) : Blindfold(names_of(archive)) {
  for (const auto& [number, row] : archive.agents())
    for (const std::string& name : {row.name, row.family})
      if (!name.empty() && ordinary_word(name)) words_.insert(name);
}

Blindfold::Blindfold(std::vector<std::string> names) {
  constexpr std::size_t shortest = 3;  // shorter ones are in too many words' company
  for (const std::string& name : names)
    if (name.size() >= shortest) names_.push_back(text::lower(name));
  std::ranges::sort(names_, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

std::vector<std::string> Blindfold::left_in(std::string_view text) const {
  const std::string low = text::lower(text);
  std::vector<std::string> found;
  for (const std::string& word : words_) {
    const std::string name = text::lower(word);
    for (std::size_t at = low.find(name); at != std::string::npos; at = low.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if ((at > 0 && of_word(low[at - 1])) || (end < low.size() && of_word(low[end]))) continue;
      found.push_back(word);
      break;
    }
  }
  return found;
}

std::string Blindfold::over(std::string_view text) const {
  const std::string low = text::lower(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || !of_word(low[at - 1]);
    std::size_t taken = 0;
    for (const std::string& name : names_) {
      if (!begins) break;
      const std::size_t end = at + name.size();
      if (low.compare(at, name.size(), name) != 0) continue;
      if (end < low.size() && of_word(low[end])) continue;
      taken = name.size();
      break;
    }
    if (taken == 0) {
      out += text[at++];
      continue;
    }
    out += "[name]";
    at = end_of_name(low, at + taken);
  }
  return out;
}

}  // namespace agon::judge
